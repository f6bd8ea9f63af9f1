# SPDX-License-Identifier: BSD-3-Clause
# Tools to compile programs of the standard ABI, whatever MPI they will run on: its mpi.h, a library to link
# with, compilers, and where pkg-config and CMake find them.

compile_family := mpiabi
compile_folder := $(BUILD)/lib/mpi-adapter/abi
compile_header := $(BUILD)/include/mpi-adapter/mpi.h
compile_stub := $(compile_folder)/libmpi_abi.so
# Headers that are written by hand: names that MPI-3.0 removed, and what old programs in C++ include, to tell them.
compile_headers := $(addprefix $(dir $(compile_header)),mpi_removed.h mpicxx.h mpi++.h)
# Procedures that become a part of programs: MPI_Comm_c2f and its kin for those that do not use the header's, and removed ones.
compile_compat := $(compile_folder)/libmpi_adapter_compat.a
compile_wrappers := $(BUILD)/bin/mpicc_abi $(BUILD)/bin/mpicxx_abi $(BUILD)/bin/mpifort_abi
compile_mpiexec := $(BUILD)/bin/mpiexec_abi
compile_cmake := $(compile_folder)/mpi-abi.cmake
compile_pc := $(BUILD)/lib/pkgconfig/mpi-adapter-abi.pc $(BUILD)/lib/pkgconfig/mpi-adapter-abi-fortran.pc
compile_generated := $(BUILD)/include/$(compile_family)
# Links in the folder by the names that build systems look for, as an MPI's prefix has them, and by those that the linker looks for:
# NAME=TARGET.
compile_home_links := $(foreach name,mpicc,bin/$(name)=../../../../bin/mpicc_abi) \
	$(foreach name,mpicxx mpic++ mpiCC,bin/$(name)=../../../../bin/mpicxx_abi) \
	$(foreach name,mpifort mpif90 mpif77,bin/$(name)=../../../../bin/mpifort_abi) \
	$(foreach name,mpiexec mpirun,bin/$(name)=../../../../bin/mpiexec_abi) \
	include=../../../include/mpi-adapter lib/libmpi.so=../libmpi_abi.so lib/libmpi_abi.so=../libmpi_abi.so \
	lib/libmpi_adapter_fortran.so=../libmpi_adapter_fortran.so \
	$(foreach name,mpi-c mpi-cxx ompi ompi-c ompi-cxx mpich,lib/pkgconfig/$(name).pc=mpi.pc) lib/pkgconfig/ompi-fort.pc=mpi-fort.pc \
	lib/libmpi_adapter_compat.a=../libmpi_adapter_compat.a conftest/libmpi_abi.so.1=../libmpi_abi.so \
	link/libmpi_abi.so.1=../libmpi_abi.so link/libmpi_adapter_fortran.so.1=../libmpi_adapter_fortran.so
compile_link_name = $(firstword $(subst =, ,$(1)))
compile_link_target = $(lastword $(subst =, ,$(1)))
compile_home_pc := $(addprefix $(compile_folder)/lib/pkgconfig/,mpi.pc mpi-fort.pc)
compile_home := $(foreach link,$(compile_home_links),$(compile_folder)/$(call compile_link_name,$(link)))
# The default compilers: users may name others.
ABI_CC ?= cc
ABI_CXX ?= c++
ABI_FC ?= gfortran

.PHONY: compile install-compile

include compile/fortran.mk

compile: $(compile_header) $(compile_headers) $(compile_stub) $(compile_compat) $(compile_wrappers) $(compile_mpiexec) $(compile_home) $(compile_home_pc) $(compile_cmake) $(compile_pc)

$(compile_header): $(compile_generated)/mpi.h
	@mkdir -p $(@D)
	$(call say,CP,mpi-adapter/$(@F))cp $< $@

$(compile_headers): $(dir $(compile_header))%.h: compile/%.h
	@mkdir -p $(@D)
	$(call say,CP,mpi-adapter/$(@F))cp $< $@

compile_flags := -std=c11 -fPIC -Wall -Wextra
compile_soname := $(shell sed -n 's/^$(compile_family) soname //p' abi-tables/families)
remembered_stub = $(compiler) $(CPPFLAGS) $(CFLAGS) $(compile_flags) $(LDFLAGS) $(compile_soname)
remembered_compat = $(compiler) $(CPPFLAGS) $(CFLAGS) $(compile_flags)

$(compile_stub): compile/stub.c $(compile_generated)/procedures.h $(BUILD)/flags/stub
	@mkdir -p $(@D)
	$(call say,LD,abi/$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(compile_flags) $(LDFLAGS) -I$(compile_generated) -shared \
		-Wl,-soname,$(compile_soname),-z,defs,-z,relro,-z,now -o $(unplaced) $< -ldl $(placed)

$(compile_compat): compile/handles.c compile/removed.c $(compile_header) $(compile_headers) $(BUILD)/flags/compat
	@mkdir -p $(@D)
	$(call say,AR,abi/$(@F))rm -f $@ $(foreach name,handles removed,&& $(CC) $(CPPFLAGS) $(CFLAGS) $(compile_flags) \
		-I$(dir $(compile_header)) -c -o $(@D)/$(name).o compile/$(name).c && $(AR) rcs $@ $(@D)/$(name).o && rm $(@D)/$(name).o)

remembered_compile = $(VERSION) $(HOMEPAGE) $(ABI_CC) $(ABI_CXX) $(ABI_FC)
# $(call compile_fill,VARIABLE,OPTION,DEFAULT COMPILER,LANGUAGE,HEADER,LIBRARIES,WHAT ELSE HELP SAYS)
compile_fill = sed 's|@NAME@|$(@F)|g; s|@VERSION@|$(VERSION)|; s|@CC@|$(1)|g; s|@OPTION@|$(2)|; s|@DEFAULT@|$(3)|; s|@LANGUAGE@|$(4)|; \
	s|@HEADER@|$(5)|g; s|@LIBS@|$(6)|g; $(if $(7),s|@MORE@|$(7)|,/@MORE@/d)'
compile_help_modules := -install-modules  compile the modules for this compiler into MPI-Adapter itself, for all users
$(BUILD)/bin/mpicc_abi: compile_filled = $(call compile_fill,CC,cc,$(ABI_CC),c,mpi.h,-lmpi_adapter_compat -lmpi_abi)
$(BUILD)/bin/mpicxx_abi: compile_filled = $(call compile_fill,CXX,cxx,$(ABI_CXX),c++,mpi.h,-lmpi_adapter_compat -lmpi_abi)
$(BUILD)/bin/mpifort_abi: compile_filled = $(call compile_fill,FC,fc,$(ABI_FC),fortran,mpif.h, \
	-lmpi_adapter_modules -lmpi_adapter_fortran -lmpi_adapter_compat -lmpi_abi,  $(compile_help_modules))
$(compile_wrappers): compile/wrapper.in $(BUILD)/flags/compile
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))$(compile_filled) $< > $@.new && chmod 755 $@.new && mv -f $@.new $@

$(compile_mpiexec): compile/mpiexec.in $(BUILD)/flags/compile
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))sed 's|@VERSION@|$(VERSION)|' $< > $@.new && chmod 755 $@.new && mv -f $@.new $@

$(compile_home):
	@mkdir -p $(@D)
	$(call say,LN,abi/$(@F))ln -sfn $(call compile_link_target,$(filter $(@:$(compile_folder)/%=%)=%,$(compile_home_links))) $@

$(compile_folder)/modules.sh: compile/modules.sh
	@mkdir -p $(@D)
	$(call say,CP,abi/$(@F))cp $< $@

$(compile_cmake): compile/mpi-abi.cmake
	@mkdir -p $(@D)
	$(call say,CP,abi/$(@F))cp $< $@

# The way from the file to the prefix: it may be moved with all the rest.
compile_fill_pc = s|@PREFIX@|$(1)|; s|@VERSION@|$(VERSION)|; $(fill_homepage)
$(compile_pc): $(BUILD)/lib/pkgconfig/%: compile/%.in $(BUILD)/flags/compile
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))sed '$(call compile_fill_pc,../..)' $< > $@

$(compile_home_pc): $(compile_folder)/lib/pkgconfig/%: compile/%.in $(BUILD)/flags/compile
	@mkdir -p $(@D)
	$(call say,GEN,pkgconfig/$(@F))sed '$(compile_fill_pc)' $< > $@

compile_pkgconfig = $(LIBDIR)/pkgconfig

define put_compile
$(call put,644,$(compile_header),$(PREFIX)/include/mpi-adapter/mpi.h)
$(foreach file,$(compile_headers),$(call put,644,$(file),$(PREFIX)/include/mpi-adapter/$(notdir $(file))))
$(call put_binary,755,$(compile_stub),$(PREFIX)/lib/mpi-adapter/abi/libmpi_abi.so)
$(call put_binary,644,$(compile_compat),$(PREFIX)/lib/mpi-adapter/abi/$(notdir $(compile_compat)))
$(foreach wrapper,$(compile_wrappers),$(call put,755,$(wrapper),$(PREFIX)/bin/$(notdir $(wrapper))))
$(call put,755,$(compile_mpiexec),$(PREFIX)/bin/$(notdir $(compile_mpiexec)))
$(foreach link,$(compile_home_links),$(call put_link,$(call compile_link_target,$(link)),$(PREFIX)/lib/mpi-adapter/abi/$(call compile_link_name,$(link))))
$(foreach file,$(compile_home_pc),$(call put,644,$(file),$(PREFIX)/lib/mpi-adapter/abi/lib/pkgconfig/$(notdir $(file))))
$(call put,644,$(compile_cmake),$(PREFIX)/lib/mpi-adapter/abi/mpi-abi.cmake)
$(foreach file,$(notdir $(compile_pc)),$(call put_filled,compile/$(file).in,$(compile_pkgconfig)/$(file),$(call compile_fill_pc,$(shell realpath -m --relative-to='$(compile_pkgconfig)' '$(PREFIX)'))))
$(call put,644,docs/man/mpicc_abi.1,$(PREFIX)/share/man/man1/mpicc_abi.1)
$(call put_link,mpicc_abi.1,$(PREFIX)/share/man/man1/mpicxx_abi.1)
$(call put_link,mpicc_abi.1,$(PREFIX)/share/man/man1/mpifort_abi.1)
$(call put_link,mpicc_abi.1,$(PREFIX)/share/man/man1/mpiexec_abi.1)
$(call put,644,compile/completion.bash,$(PREFIX)/share/bash-completion/completions/mpicc_abi)
$(call put_link,mpicc_abi,$(PREFIX)/share/bash-completion/completions/mpicxx_abi)
$(call put_link,mpicc_abi,$(PREFIX)/share/bash-completion/completions/mpifort_abi)
$(call put,644,compile/_mpicc_abi,$(PREFIX)/share/zsh/site-functions/_mpicc_abi)
$(put_fortran_compile)
endef

install-compile: compile
	$(put_compile)
