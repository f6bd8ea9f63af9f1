# SPDX-License-Identifier: BSD-3-Clause
# Fortran of the standard ABI: the library, whatever MPI is below it, and what programs are compiled with: mpif.h, and the
# modules' source, which mpifort_abi compiles for each compiler. Those that are here get theirs now.

fortran_family := $(compile_family)
fortran_generated := $(BUILD)/fortran/$(fortran_family)
fortran_soname := $(shell sed -n 's/^$(fortran_family) fortran_made //p' $(TABLES)/families)
# In a folder without the library that C programs are linked with, which no program may find when it starts.
fortran_library := $(BUILD)/lib/mpi-adapter/fortran/$(fortran_soname)
fortran_link := $(compile_folder)/$(basename $(fortran_soname))
fortran_include := $(BUILD)/include/mpi-adapter
fortran_modules := mpi_f08_types mpi_f08_callbacks mpi_adapter_sentinels mpi mpi_f08
fortran_source_files := $(patsubst %,$(fortran_include)/fortran/%.F90,$(fortran_modules))
# The compilers whose modules are made here, of those that there are.
FORTRAN_COMPILERS ?= gfortran flang
fortran_compilers := $(foreach name,$(FORTRAN_COMPILERS),$(if $(shell command -v $(name)),$(name)))

# The pair's code for Fortran on the ABI's library for C, and what of the adapter knows neither side.
fortran_alone_sources := $(filter-out f77/start.c f77/numbers.c,$(call in_fortran)) $(call in_fortran,alone/) f77/base/cells.c f77/base/compiler.c \
	callbacks/closure.c convert/index.c layers/lock.c convert/say.c
fortran_alone_objects := $(call objects_in,fortran,$(fortran_alone_sources) fortran.c fortran_data.c)
fortran_alone_flags = $(adapter_compile) -DFORTRAN_ALONE $(fortran_flags) -I$(fortran_generated)/library -Iadapter-c -Iadapter-f77 -Igotswap

$(fortran_generated)/emitted: $(emit_inputs) $(BUILD)/flags/emit
	@mkdir -p $(@D)
	$(call tell,GEN,$(fortran_family)/fortran)$(PYTHON) gen/fortran.py --tables $(TABLES) --templates templates --family $(fortran_family) \
		--output $(fortran_generated) && touch $@
$(addprefix $(fortran_generated)/,library/fortran.c library/fortran_data.c library/exports.map include/mpif.h \
	$(patsubst %,include/%.F90,$(fortran_modules))): $(often_left) $(fortran_generated)/emitted ;

remembered_fortran_alone = $(compiler) $(fortran_alone_flags)
$(fortran_alone_objects): $(BUILD)/flags/fortran_alone | $(fortran_generated)/emitted

define compile_fortran
	@mkdir -p $(@D)
	$(call say,CC,fortran/$*.c)$(CC) $(fortran_alone_flags) $(if $(filter $(fortran_generated)/%,$<),$(generated_flags)) -MMD -MP -c -o $@ $<
endef
$(BUILD)/fortran/objects/%.o: $(fortran_generated)/library/%.c
	$(compile_fortran)
$(BUILD)/fortran/objects/f77/%.o: $(BUILD)/each/f77/%.c
	$(compile_fortran)
$(BUILD)/fortran/objects/f77/%.o: adapter-f77/%.c
	$(compile_fortran)
$(BUILD)/fortran/objects/%.o: adapter-c/%.c
	$(compile_fortran)

remembered_fortran_library = $(compiler) $(CFLAGS) $(LDFLAGS) $(library_flags) $(fortran_alone_objects)

# Test programs of configure scripts find a copy, which leads to libmpi_abi.so.1 beside it: see stub.c.
fortran_conftest := $(compile_folder)/conftest/$(fortran_soname)
$(fortran_conftest): fortran_beside := -Wl,--enable-new-dtags,-rpath,'$$ORIGIN'
$(fortran_library) $(fortran_conftest): $(fortran_alone_objects) $(BUILD)/gotswap/libgotswap.a $(fortran_generated)/library/exports.map \
		$(compile_stub) $(BUILD)/flags/fortran_library
	@mkdir -p $(@D)
	$(call say,LD,$(notdir $(@D))/$(@F))$(CC) $(CFLAGS) $(LDFLAGS) $(library_flags) -Wl,-soname,$(@F) -Wl,--version-script,$(fortran_generated)/library/exports.map \
		-Wl,--gc-sections -Wl,--exclude-libs,ALL $(fortran_beside) -o $(unplaced) $(filter %.o %.a,$^) $(compile_stub) -ldl $(placed)

$(fortran_link): $(fortran_library)
	$(call say,LN,abi/$(@F))ln -sfn ../fortran/$(<F) $@

$(fortran_include)/mpif.h: $(fortran_generated)/include/mpif.h
$(fortran_source_files): $(fortran_include)/fortran/%: $(fortran_generated)/include/%
$(fortran_include)/mpif.h $(fortran_source_files):
	@mkdir -p $(@D)
	$(call say,CP,mpi-adapter/$(@F))cp $< $@

# A pair's folder leads to it, as programs look for it there. A pair alone does not need it.
fortran_pairs := $(filter $(fortran_family)-to-%,$(PAIRS))
fortran_pair_links := $(patsubst %,$(BUILD)/lib/mpi-adapter/%/$(fortran_soname),$(fortran_pairs))
$(fortran_pair_links):
	@mkdir -p $(@D)
	$(call say,LN,$(notdir $(@D))/$(@F))ln -sfn ../fortran/$(@F) $@
$(foreach pair,$(fortran_pairs),$(eval $(pair): $(BUILD)/lib/mpi-adapter/$(pair)/$(fortran_soname)))

# Remove the files of a compiler that went away, too.
$(compile_folder)/modules/made: $(BUILD)/bin/mpifort_abi $(compile_folder)/modules.sh $(fortran_source_files) $(fortran_include)/mpif.h \
		$(fortran_link) $(BUILD)/flags/fortran_modules
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,MOD,abi/modules)$(foreach name,$(fortran_compilers),$(BUILD)/bin/mpifort_abi -fc=$(name) -install-modules && ):
	@touch $@
remembered_fortran_modules = $(foreach name,$(fortran_compilers),$(name) $(shell $(name) -v 2>&1 | tail -n 1))

compile: $(fortran_library) $(fortran_conftest) $(fortran_link) $(fortran_pair_links) $(fortran_include)/mpif.h $(fortran_source_files) $(compile_folder)/modules/made

fortran_installed = $(sort $(wildcard $(compile_folder)/modules/*/*))
define put_fortran_compile
$(call put_link,../fortran/$(fortran_soname),$(PREFIX)/lib/mpi-adapter/abi/$(basename $(fortran_soname)))
$(call put_binary,755,$(fortran_conftest),$(PREFIX)/lib/mpi-adapter/abi/conftest/$(fortran_soname))
$(call put,644,$(fortran_include)/mpif.h,$(PREFIX)/include/mpi-adapter/mpif.h)
$(foreach file,$(fortran_source_files),$(call put,644,$(file),$(PREFIX)/include/mpi-adapter/fortran/$(notdir $(file))))
$(call put,644,$(compile_folder)/modules.sh,$(PREFIX)/lib/mpi-adapter/abi/modules.sh)
$(foreach file,$(fortran_installed),$(call put,644,$(file),$(PREFIX)/lib/mpi-adapter/abi/modules/$(patsubst $(compile_folder)/modules/%,%,$(file))))
endef

# Programs need it when they run. It lies where the dynamic loader looks; a link leads pairs and the command to it.
put_fortran_library = $(call put_binary,755,$(fortran_library),$(LIBDIR)/$(fortran_soname))
fortran_to_libdir = $(shell realpath -m --relative-to='$(PREFIX)/lib/mpi-adapter/fortran' '$(LIBDIR)')/$(fortran_soname)
put_fortran_link = $(call put_link,$(fortran_to_libdir),$(PREFIX)/lib/mpi-adapter/fortran/$(fortran_soname))
put_fortran = $(put_fortran_library)$(put_fortran_link)
fortran: $(fortran_library) $(fortran_pair_links)
install-fortran: fortran
	$(put_fortran)
install-fortran-link: fortran
	$(put_fortran_link)

# The library alone, for machines where programs run: any folder will do.
install-runtime: $(fortran_library)
	$(put_fortran_library)
	$(call put,644,LICENSE,$(PREFIX)/share/doc/mpi-adapter-runtime/LICENSE)
.PHONY: fortran install-fortran install-fortran-link install-runtime

-include $(fortran_alone_objects:.o=.d)
