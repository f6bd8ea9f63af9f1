# SPDX-License-Identifier: BSD-3-Clause
# The small libraries beside a pair's library for C: the Fortran libraries, companions, libraries by the names that earlier releases
# gave them, and stand-ins. All pairs of an application share them: $(BUILD)/app/<family>/lib/.

# Fortran's objects.
$(foreach family,$(applications),$(eval $(family)_fortran_objects := $(call objects_in,app/$(family),$(fortran_sources) $(call in_fortran,application/$(family)/))))
# A library by an earlier name whose mpi_f08 has variables that no later release has.
$(foreach family,$(applications),$(eval $(family)_lost_objects := $(if $($(family)_lost),$($(family)_fortran_objects:%/fortran_data.o=%/fortran_lost.o))))
fortran_objects := $(foreach family,$(applications),$(sort $($(family)_fortran_objects) $($(family)_lost_objects)))
$(fortran_objects): private part_flags = $(fortran_flags)

# A stand-in is not among the pair's libraries, which the loader finds ahead of the program's own. Beside it is one that leads to
# the bindings by another of their names, for where these are there: by-NAME/. That one is empty, as it stands ahead of the bindings.
# For programs of earlier releases on their own MPI of today, libraries have the variables of their mpi_f08, and give datatypes these
# releases' numbers in Fortran.
define SMALL_NAMES
$(1)_renamed_names := $(filter-out $($(1)_lost),$(foreach word,$($(1)_renamed),$(firstword $(subst =, ,$(word)))))
$(1)_empty := $(foreach name,$($(1)_bindings) $($(1)_runtime),stand-ins/$(name)/$(name))
$(1)_leading := $(foreach name,$($(1)_bindings),$(foreach other,$(filter-out $(name),$($(1)_bindings)),stand-ins/$(name)/by-$(other)/$(name)))
$(1)_numbers := $(if $($(1)_renumbered),stand-ins/earlier_numbers.so stand-ins/f08_variables.so)
$(1)_small = $$($(1)_fortran) $$($(1)_lost) $$($(1)_companions) $$($(1)_renamed_names) $$($(1)_empty) $$($(1)_leading) $$($(1)_numbers)
endef
$(foreach family,$(applications),$(eval $(call SMALL_NAMES,$(family))))

small_sources := $(wildcard adapter-c/companion/* adapter-f77/companion/*) adapter-c/convert/types.h
remembered_small = $(compiler) $(adapter_compile) $(LDFLAGS) $(library_flags) $(sort $(fortran_sources) $(call in_fortran,application/*/))

# With COPIES, $(pair_mark) makes a pair's file differ from another's that has the same content.
keep_mark := -Wl,-u,of_pair
pair_mark = $(if $(COPIES),-DPAIR=$(firstword $(subst /, ,$(@:$(BUILD)/lib/mpi-adapter/%=%))) -include adapter-c/companion/pair.h $(keep_mark))
# $(call link_small,flags,source if there is one,objects and libraries)
define link_small
	@mkdir -p $(@D)
	$(call say,LD,$(@:$(BUILD)/%=%))$(CC) $(adapter_compile) -Iadapter-c $(pair_mark) $(LDFLAGS) -shared -Wl,-soname,$(@F) -Wl,--no-as-needed $(1) \
		-o $(unplaced) -x c $(or $(2),/dev/null) -x none $(3) $(placed)
endef
fortran_link_flags = $(library_flags) $(beside_flags) -Wl,--version-script,$(filter %.map,$^) -Wl,--gc-sections
companion_source = $(wildcard adapter-c/companion/$(@F).c)

# $(call SMALL_RULES,family,folder,library for C): these need the names that the library for C exports, which are the same in all
# pairs of an application: any pair's will do.
define SMALL_RULES
$(addprefix $(2)/,$($(1)_small)): $(small_sources) $(BUILD)/flags/small | $(3)

# Each Fortran library is linked from the same objects and has its own names; the first is needed by the others.
$(addprefix $(2)/,$($(1)_fortran)): $($(1)_fortran_objects)
$(addprefix $(2)/,$($(1)_lost)): $($(1)_lost_objects)
$(addprefix $(2)/,$(wordlist 2,99,$($(1)_fortran)) $($(1)_lost)): $(2)/$(firstword $($(1)_fortran))
$(addprefix $(2)/,$($(1)_fortran) $($(1)_lost)): $(2)/%: $(BUILD)/app/$(1)/objects/fortran_handles.o $(BUILD)/app/$(1)/generated/%.map
	$$(call link_small,$$(fortran_link_flags),, \
		$$(filter %.o,$$^) $$(filter $(2)/%,$$^) $(3))

$(addprefix $(2)/,$($(1)_companions)):
	$$(call link_small,$$(beside_flags),$$(companion_source),$(3))

# Libraries by the names that earlier releases gave them lead to those of today.
$(addprefix $(2)/,$($(1)_renamed_names)): $(addprefix $(2)/,$($(1)_fortran) $($(1)_companions)) adapter-f77/companion/earlier.c adapter-f77/base/share.h
	$$(call link_small,-DFORTRAN_LIBRARY $(call headers,app/$(1) common) $$(beside_flags),adapter-f77/companion/earlier.c, \
		$$(filter %/$$(call target_of,$$(@F),$($(1)_renamed)),$$^) $(3))

$(addprefix $(2)/,$($(1)_numbers)): $(2)/stand-ins/%.so: adapter-f77/companion/%.c $(BUILD)/app/$(1)/generated/earlier_numbers.h
	$$(call link_small,$(call headers,app/$(1)),$$<,-ldl -lc)

$(addprefix $(2)/,$($(1)_empty)):
	$$(call link_small,,$$(companion_source),$(3))

$(addprefix $(2)/,$($(1)_leading)): $(addprefix $(2)/,$($(1)_empty))
	$$(call link_small,,,$$(filter %/$$(patsubst by-%,%,$$(notdir $$(@D))),$$^))
endef

# $(call SMALL_LINKS,family,pair): the pair's folder has hard links to what all pairs of the application share.
define SMALL_LINKS
$(addprefix $(BUILD)/lib/mpi-adapter/$(2)/,$($(1)_small)): $(BUILD)/lib/mpi-adapter/$(2)/%: $(BUILD)/app/$(1)/lib/% | $(call library_of,$(2))
	@mkdir -p $$(@D)
	$$(call say,LN,$$(@:$(BUILD)/lib/mpi-adapter/%=%))ln -f $$< $$@
endef

# With COPIES=yes each pair has files of its own instead: packages may not share files, nor hold one build-id twice.
COPIES ?=
ifeq ($(COPIES),)
$(foreach family,$(applications),$(eval $(call SMALL_RULES,$(family),$(BUILD)/app/$(family)/lib,$(call library_of,$(firstword \
	$(filter $(family)-to-%,$(PAIRS)))))))
$(foreach pair,$(PAIRS),$(eval $(call SMALL_LINKS,$(call application_of,$(pair)),$(pair))))
else
$(foreach pair,$(PAIRS),$(eval $(call SMALL_RULES,$(call application_of,$(pair)),$(BUILD)/lib/mpi-adapter/$(pair),$(call library_of,$(pair)))))
endif
# Files that install puts in place beside the libraries.
$(foreach pair,$(PAIRS),$(eval $(pair)_stand_ins := $(addprefix $(BUILD)/lib/mpi-adapter/$(pair)/,$(foreach kind,empty leading numbers,$($(call application_of,$(pair))_$(kind))))))
