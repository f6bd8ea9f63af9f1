# SPDX-License-Identifier: BSD-3-Clause
# Generates and builds the libraries of each pair: $(BUILD)/lib/mpi-adapter/<pair>/.

TABLES ?= abi-tables
emit_inputs := $(wildcard gen/*.py gen/emitter/*.py templates/*) $(wildcard $(TABLES)/*/* $(TABLES)/private-exports $(TABLES)/procedures $(TABLES)/rules $(addprefix $(TABLES)/,families implementations rank-variables codecs compilers))
# From the lowest room up: each uses those before it (HACKING.md).
adapter_rooms := layers convert keep process trace isolate start sessions stand_ins buffered calls
# $(call sources_of,rooms)
sources_of = $(patsubst adapter-c/%,%,$(foreach room,$(1),$(wildcard adapter-c/$(room)/*.c)))
adapter_sources := $(call sources_of,$(adapter_rooms))
# adapter-f77/base is what the library for C has of Fortran; the rest is in each Fortran library.
fortran_sources := $(patsubst adapter-f77/%,f77/%,$(wildcard adapter-f77/*.c))

# Generated files: for all pairs, for an application's ABI, for a host's, for a pair (gen/emit.py).
generated_common := built_collectives.c stateful_entries.c
generated_application := fortran.c fortran_seldom.c fortran_data.c fortran_handles.c fortran_module.c
generated_host := stand_ins.c trace_entries.c
generated_pair := objects.c wrappers.c wrappers_seldom.c
generated_fortran := fortran.c fortran_seldom.c fortran_data.c fortran_module.c
generated_sources := $(filter-out $(generated_fortran),$(generated_common) $(generated_application) $(generated_host) $(generated_pair))

# Each file is compiled once for what it depends on: neither side of a pair, its application's ABI, its host's, or, if it is in
# none of these lists, both. It finds no header that is generated for another. A new file of these rooms is taken for one of its
# room's kind until it includes more.
common_sources := $(filter-out isolate/host_tools.c process/implementation.c process/launcher.c,$(call sources_of,isolate process)) \
	convert/compress.c convert/index.c convert/say.c convert/text.c keep/closure.c layers/lock.c start/mention.c trace/trace_file.c \
	$(patsubst adapter-c/%,%,$(wildcard adapter-c/companion/libopen-pal.*.c)) \
	f77/base/cells.c f77/base/logical.c \
	$(patsubst adapter-f77/%,f77/%,$(wildcard adapter-f77/application/*/module.c adapter-f77/base/application/*/callback.c))
application_sources := $(filter-out $(common_sources),convert/added_code.c convert/application_facts.c f77/base/earlier.c \
	$(fortran_sources) $(patsubst adapter-f77/%,f77/%,$(wildcard adapter-f77/application/*/*.c)) $(generated_application))
host_sources := $(filter-out $(common_sources) keep/distinct_datatype.c keep/held_handle.c stand_ins/abi.c, \
	$(call sources_of,layers keep process trace start sessions stand_ins buffered)) \
	calls/timer.c convert/host_facts.c f77/base/built_booleans.c isolate/host_tools.c $(generated_host) $(generated_common)

# Vector instructions would not pay on the few bytes of a status. Handles that are pointers are read and written as integers
# in the program's memory, which aliasing by type forbids; no call costs an instruction more without that (bench/profile).
adapter_flags := -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -fPIC -fvisibility=hidden -fno-tree-slp-vectorize $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-maccumulate-outgoing-args) -pthread
# The C library is called through the table of addresses, and a library has only what its names need.
fortran_flags := -DFORTRAN_LIBRARY -fno-plt -ffunction-sections
# Most of a build's time goes to generated entry points. Nobody counts the instructions of a traced call, of one that a host lacks, or of
# one that is seldom (gen/emitter/procedures.py); and nobody looks at their variables.
generated_flags = $(if $(filter -g,$(CFLAGS)),-g1)
seldom_parts := $(foreach part,trace_entries stand_ins built_collectives,host/%/objects/$(part).o) pair/%/objects/wrappers_seldom.o
$(addprefix $(BUILD)/,$(seldom_parts)): part_flags = $(seldom_flags)
# The kernel brings in 64 KiB around each page that a process touches, from a multiple of 64 KiB on: so do segments begin, and
# what runs when a library is loaded lies together in each. Linkers but GNU's order the rest in other ways, or take no such
# script.
started := adapter-c/started.ld
comma := ,
ordered_flags := -Wl,-z,max-page-size=65536 -Wl,-T,$(started)
started_flags := $(if $(findstring >GNU ld,>$(shell $(CC) $(LDFLAGS) -Wl$(comma)--version 2>/dev/null)),$(ordered_flags))
# A library finds the one for C beside itself, also by a link in another folder (mpi-adapter splice).
beside_flags := -Wl,--enable-new-dtags,-rpath,'$$$$ORIGIN'
library_flags := -shared -pthread -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--hash-style=gnu
# With the first, an error code of one side does not compile in the place of the other's; compilers before gcc 10 do not know it.
adapter_apart := $(if $(shell $(CC) -Werror=enum-conversion -fsyntax-only -x c /dev/null 2>&1 || echo unknown),,-Werror=enum-conversion -Werror=enum-compare)
# Files of one unit could share a variable unseen that two of them define.
unit_flags := -iquote. -Werror=redundant-decls
adapter_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter $(adapter_apart)

# A compiler is asked for objects with these, after the flags of who builds.
adapter_compile = $(CPPFLAGS) $(CFLAGS) $(adapter_flags) $(part_flags) $(adapter_warnings)
remembered_adapter = $(compiler) $(adapter_compile) $(unit_flags) $(generated_flags) $(seldom_flags) $(seldom_parts)
remembered_fortran = $(compiler) $(adapter_compile) $(fortran_flags) $(unit_flags) $(generated_flags) $(seldom_flags)
remembered_companions = $(compiler) $(adapter_compile) $(LDFLAGS)
# With COPIES=yes each pair has files of its own instead of links to those that it shares: packages may not hold one build-id twice.
# $(call pair_ident,pair): what tells such a file from another pair's that has the same content.
COPIES ?=
pair_ident = -DPAIR=$(1) -include adapter-c/companion/pair.h -Wl,-u,of_pair
companion_sources := $(wildcard adapter-c/companion/*)
remembered_emit = $(TABLES) $(emit_inputs)
remembered_version = $(VERSION)

# $(call UNIT_SOURCES,class): the source of each unit, which includes its files.
define UNIT_SOURCES
$(BUILD)/$(1)/units/made: $(BUILD)/flags/units
	@mkdir -p $$(@D)
	@$$(foreach unit,$$(units.$(1)),printf '#include "%s"\n' $$(files.$(1)/$$(unit)) | scripts/renew $$(@D)/$$(unit).c &&) touch $$@
$(BUILD)/$(1)/units/%.c: $(often_left) $(BUILD)/$(1)/units/made ;
.PRECIOUS: $(BUILD)/$(1)/units/%.c

endef

# build/common, build/app/FAMILY, build/host/FAMILY and build/pair/PAIR: what is generated, and compiled, for all pairs, for those
# with an application's ABI, for those with a host's, and for one.
# $(call CLASS_RULES,folder,emit.py's options,what it generates,folders whose generated files are found, too)
define CLASS_RULES
# A file that the generator does not change keeps its time, so that nothing is made again from it.
$(BUILD)/$(1)/emitted: $(emit_inputs) $(BUILD)/flags/emit
	@mkdir -p $$(@D)
	$$(call tell,GEN,$(1))$(PYTHON) gen/emit.py --tables $(TABLES) --templates templates $(2) --output $(BUILD)/$(1)/generated && touch $$@
$(addprefix $(BUILD)/$(1)/generated/,$(3)): $(often_left) $(BUILD)/$(1)/emitted ;

$(call UNIT_SOURCES,$(1))

$(BUILD)/$(1)/objects/%.o: $(BUILD)/$(1)/units/%.c | $(foreach each,$(1) $(4),$(BUILD)/$(each)/emitted)
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/$$*)$$(CC) $$(adapter_compile) $(unit_flags) -MMD -MP $(call generated,$(1) $(4)) -Iadapter-c -Iadapter-f77 -Igotswap -c -o $$@ $$<

$(BUILD)/$(1)/objects/%.o: adapter-c/%.c | $(foreach each,$(1) $(4),$(BUILD)/$(each)/emitted)
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/$$*.c)$$(CC) $$(adapter_compile) -MMD -MP $(call generated,$(1) $(4)) -Iadapter-c -Igotswap -c -o $$@ $$<
$(foreach each,$(1) $(4),$(call GENERATED_RULE,$(1),$(each),$(4)))
endef
# $(call generated,folders): where a compiler finds what is generated.
generated = $(foreach each,$(1),-I$(BUILD)/$(each)/generated)
define GENERATED_RULE

$(BUILD)/$(1)/objects/%.o: $(BUILD)/$(2)/generated/%.c | $(foreach each,$(1) $(3),$(BUILD)/$(each)/emitted)
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/$$*.c)$$(CC) $$(adapter_compile) $$(generated_flags) -MMD -MP $(call generated,$(1) $(3)) -Iadapter-c -Iadapter-f77 -c -o $$@ $$<

endef

# $(call APPLICATION_RULES,family): what all pairs of an application's ABI have.
define APPLICATION_RULES
-include $(BUILD)/app/$(1)/generated/application.mk
# Sources of this application's ABI alone. The adapter has what a companion exports, too: bindings may import it without
# naming the companion, as the native library does.
$(1)_sources := $$(patsubst adapter-c/%,%,$$(wildcard adapter-c/application/$(1)/*.c \
	$$(patsubst %,adapter-c/companion/%.c,$$($(1)_companions) $$($(1)_runtime))))
$(1)_base_sources := $$(patsubst adapter-f77/%,f77/%,$$(wildcard adapter-f77/base/*.c adapter-f77/base/application/$(1)/*.c))
$(1)_fortran_objects := $$(call objects_of,,$(1),,$$(fortran_sources) $$(generated_fortran) \
	$$(patsubst adapter-f77/%,f77/%,$$(wildcard adapter-f77/application/$(1)/*.c)))
$$($(1)_fortran_objects): part_flags = $$(fortran_flags)
$(BUILD)/app/$(1)/objects/fortran_seldom.o: part_flags = $$(fortran_flags) $$(seldom_flags)
$$($(1)_fortran_objects): $(BUILD)/flags/fortran
adapter_objects += $$($(1)_fortran_objects)
$(call CLASS_RULES,app/$(1),--application $(1),$(generated_application) application.mk exports.map earlier_numbers.h,common)
$$(addprefix $(BUILD)/app/$(1)/generated/,$$(addsuffix .map,$$($(1)_fortran) $$($(1)_lost)) $$(if $$($(1)_lost),fortran_lost.c)): $(often_left) $(BUILD)/app/$(1)/emitted ;

# The small libraries beside the one for C: the Fortran libraries, companions, libraries by the names that earlier releases gave
# them, and stand-ins. A stand-in is not among the pair's libraries, which the loader finds ahead of the program's own. Beside it is
# one that leads to the bindings by another of their names, for where these are there: by-NAME/. That one is empty, as it stands
# ahead of the bindings.
$(1)_renamed_names := $$(filter-out $$($(1)_lost),$$(foreach word,$$($(1)_renamed),$$(firstword $$(subst =, ,$$(word)))))
$(1)_empty := $$(foreach name,$$($(1)_bindings) $$($(1)_runtime),stand-ins/$$(name)/$$(name))
$(1)_leading := $$(foreach name,$$($(1)_bindings),$$(foreach other,$$(filter-out $$(name),$$($(1)_bindings)), \
	stand-ins/$$(name)/by-$$(other)/$$(name)))
# For programs of earlier releases on their own MPI of today, libraries have the variables of their mpi_f08, and give datatypes these
# releases' numbers in Fortran.
$(1)_numbers := $$(if $$($(1)_renumbered),stand-ins/earlier_numbers.so stand-ins/f08_variables.so)
$(1)_shared := $$($(1)_fortran) $$($(1)_lost) $$($(1)_companions) $$($(1)_renamed_names) $$($(1)_empty) $$($(1)_leading) $$($(1)_numbers)
remembered_$(1).fortran = $$(compiler) $$(CFLAGS) $$(LDFLAGS) $$(library_flags) $$($(1)_fortran_objects)
$(if $(COPIES),,$(call SHARED_RULES,$(1),$(BUILD)/app/$(1)/lib,$(firstword $(filter $(1)-to-%,$(PAIRS))),))
endef

# $(call SHARED_RULES,family,folder,pair,ident): these libraries in a folder. They need the names that the library for C
# exports, which are the same in all pairs of an application: any pair's will do.
define SHARED_RULES
$$(addprefix $(2)/,$$($(1)_shared)): c_library = $(BUILD)/lib/mpi-adapter/$(3)/$$($(1)_soname)
$$(addprefix $(2)/,$$($(1)_shared)): | $(BUILD)/lib/mpi-adapter/$(3)/$$($(1)_soname)

# Each Fortran library is linked from the same objects and has its own names; the first is needed by the others.
# The one by an earlier name whose mpi_f08 has variables that no later release has gets these with the linker's call.
$$(addprefix $(2)/,$$($(1)_fortran)): $$($(1)_fortran_objects)
$$(addprefix $(2)/,$$($(1)_lost)): $$(filter-out %/fortran_data.o,$$($(1)_fortran_objects)) $(BUILD)/app/$(1)/generated/fortran_lost.c
$$(addprefix $(2)/,$$($(1)_lost)): private lost_flags = $$(adapter_compile) $$(fortran_flags) $$(generated_flags) $(call generated,app/$(1) common) \
	-Iadapter-c -Iadapter-f77
$$(addprefix $(2)/,$$($(1)_fortran) $$($(1)_lost)): $(2)/%: $(BUILD)/app/$(1)/objects/fortran_handles.o \
		$(BUILD)/app/$(1)/generated/%.map $(BUILD)/flags/$(1).fortran
	@mkdir -p $$(@D)
	$$(call say,LD,$$(@:$(BUILD)/%=%))$$(CC) $$(CFLAGS) $$(LDFLAGS) $(library_flags) -Wl,-soname,$$(@F) \
		-Wl,--version-script,$(BUILD)/app/$(1)/generated/$$(@F).map \
		-Wl,--gc-sections $(beside_flags) -Wl,--no-as-needed -o $$(unplaced) $$(lost_flags) $$(filter %.o %.c,$$^) $$(filter $(2)/%,$$^) $$(c_library)$(if $(4), \
		$(4) $$(if $$(filter %.c,$$^),,-x c /dev/null)) $$(placed)
$$(addprefix $(2)/,$$(filter-out $$(firstword $$($(1)_fortran)),$$($(1)_fortran) $$($(1)_lost))): $$(addprefix $(2)/,$$(firstword $$($(1)_fortran)))

$$(addprefix $(2)/,$$($(1)_companions)): $(companion_sources) $(BUILD)/flags/companions
	@mkdir -p $$(@D)
	$$(call say,LD,$$(@:$(BUILD)/%=%))$$(CC) $$(adapter_compile) $(4) -Iadapter-c $$(LDFLAGS) -shared $(beside_flags) -Wl,-soname,$$(@F) \
		-Wl,--no-as-needed -o $$(unplaced) -x c $$(or $$(wildcard adapter-c/companion/$$(@F).c),/dev/null) -x none $$(c_library) $$(placed)

# Libraries by the names that earlier releases gave them lead to those of today.
$$(addprefix $(2)/,$$($(1)_renamed_names)): $$(addprefix $(2)/,$$($(1)_fortran) $$($(1)_companions)) \
		$(wildcard adapter-f77/companion/*.c) $(companion_sources) $(BUILD)/flags/companions
	@mkdir -p $$(@D)
	$$(call say,LD,$$(@:$(BUILD)/%=%))$$(CC) $$(adapter_compile) $(4) -DFORTRAN_LIBRARY $(call generated,app/$(1) common) \
		-Iadapter-c -Iadapter-f77 $$(LDFLAGS) -shared $(beside_flags) -Wl,-soname,$$(@F) -Wl,--no-as-needed -o $$(unplaced) adapter-f77/companion/earlier.c \
		$$(filter $$(addprefix %/,$$(patsubst $$(@F)=%,%,$$(filter $$(@F)=%,$$($(1)_renamed)))),$$^) $$(c_library) $$(placed)

$$(addprefix $(2)/,$$($(1)_numbers)): $(2)/stand-ins/%.so: adapter-f77/companion/%.c adapter-c/convert/types.h \
		$(BUILD)/app/$(1)/generated/earlier_numbers.h $(BUILD)/flags/companions
	@mkdir -p $$(@D)
	$$(call say,LD,$$(@:$(BUILD)/%=%))$$(CC) $$(adapter_compile) $(4) $(call generated,app/$(1)) -Iadapter-c $$(LDFLAGS) -shared \
		-Wl,-soname,$$(@F) -o $$(unplaced) $$< -Wl,--no-as-needed -ldl -lc $$(placed)

$$(addprefix $(2)/,$$($(1)_empty) $$($(1)_leading)): $(companion_sources) $(BUILD)/flags/companions
$$(addprefix $(2)/,$$($(1)_leading)): $$(addprefix $(2)/,$$($(1)_empty))
$$(addprefix $(2)/,$$($(1)_leading)): private leads = yes
$$(addprefix $(2)/,$$($(1)_empty) $$($(1)_leading)):
	@mkdir -p $$(@D)
	$$(call say,LD,$$(@:$(BUILD)/%=%))$$(CC) $$(adapter_compile) $(4) -Iadapter-c $$(LDFLAGS) -shared \
		-Wl,-soname,$$(@F) -Wl,--no-as-needed -o $$(unplaced) -x c \
		$$(or $$(if $$(leads),,$$(wildcard adapter-c/companion/$$(@F).c)),/dev/null) -x none \
		$$(if $$(leads),$$(filter %/$$(patsubst by-%,%,$$(notdir $$(@D))),$$^),$$(c_library)) $$(placed)
endef

# The start of a compiler and the headers cost more than what most files say. So files of one folder and one class are compiled
# together, as units of nine at most: larger ones would make a change of one file expensive. Files apart have flags, or a place in
# a library (started.ld), of their own. The later files of a room do not run when a library is loaded, as the room's others do.
apart := calls/startup.c calls/version.c convert/compress.c convert/predefined.c companion/%
later := isolate/dlopen_redirect.c isolate/fortran_copy.c isolate/host_copies.c process/conflicts.c process/loader_cache.c process/needed.c \
	process/user_file.c start/refuse.c start/stacks.c
unit_parts := 1:1:9 2:10:18 3:19:27
# $(call unit,class,name,files): its name; notes its files.
unit = $(eval units.$(1) := $(sort $(units.$(1)) $(2)))$(eval files.$(1)/$(2) := $(patsubst adapter-c/f77/%,adapter-f77/%,$(addprefix adapter-c/,$(3)))) \
	$(eval $(BUILD)/$(1)/objects/$(2).o: $(files.$(1)/$(2)))$(2)
# $(call folder_units,class,folder,files)
folder_units = $(if $(word 28,$(3)),$(error mpi-adapter: $(2) has more than 27 files that are compiled together; give unit_parts another)) \
	$(foreach part,$(unit_parts),$(if $(word $(word 2,$(subst :, ,$(part))),$(3)),$(call unit,$(1),$(2)-$(firstword $(subst :, ,$(part))), \
	$(wordlist $(word 2,$(subst :, ,$(part))),$(lastword $(subst :, ,$(part))),$(3)))))
folder_of = $(patsubst %/,%,$(dir $(1)))
# $(call units_of,class,sources): generated files, which are in no folder, and those apart are units of their own.
units_of = $(patsubst %.c,%,$(filter $(apart),$(2)) $(foreach source,$(2),$(if $(findstring /,$(source)),,$(source)))) \
	$(foreach folder,$(sort $(foreach source,$(filter-out $(apart),$(2)),$(if $(findstring /,$(source)),$(call folder_of,$(source))))), \
	$(call both_units,$(1),$(folder),$(sort $(foreach source,$(filter-out $(apart),$(2)),$(if $(filter $(folder),$(call folder_of,$(source))),$(source))))))
both_units = $(call folder_units,$(1),$(2),$(filter-out $(later),$(3))) $(call folder_units,$(1),$(2)-later,$(filter $(later),$(3)))

# $(call objects_of,pair,application,host,sources): where their objects are.
class_of = $(or $(if $(filter $(4),$(common_sources)),common),$(if $(filter $(4),$(application_sources)),app/$(2)), \
	$(if $(filter $(4),$(host_sources)),host/$(3)),pair/$(1))
objects_of = $(foreach class,common $(addprefix app/,$(2)) $(addprefix host/,$(3)) $(addprefix pair/,$(1)),$(patsubst %,$(BUILD)/$(class)/objects/%.o, \
	$(call units_of,$(class),$(foreach source,$(4),$(if $(filter $(class),$(call class_of,$(1),$(2),$(3),$(source))),$(source))))))
remembered_units = $(foreach name,$(sort $(filter files.%,$(.VARIABLES))),$(name) $($(name)))

# $(call PAIR_RULES,pair,application,host): the pair's generated sources, objects, library and companions.
define PAIR_RULES
$(1)_folder := $(BUILD)/lib/mpi-adapter/$(1)
$(1)_soname := $$($(2)_soname)
-include $(BUILD)/pair/$(1)/generated/pair.mk
$(1)_objects := $$(call objects_of,$(1),$(2),$(3),$$(adapter_sources) $$($(2)_sources) $$($(2)_base_sources) $$(generated_sources))
adapter_objects += $$($(1)_objects)

# The adapter as programs see it: its version.
$(BUILD)/pair/$(1)/objects/calls/version.o: part_flags = -DADAPTER_VERSION='"$(VERSION)"'
$(BUILD)/pair/$(1)/objects/calls/version.o: $(BUILD)/flags/version

.PHONY: $(1)

$(call CLASS_RULES,pair/$(1),--application $(2) --host $(3),$(generated_pair) pair.mk pair.conf,app/$(2) host/$(3) common)

# Programs that open MPI at run time often name it without a version; all names must lead to one file.
$(1)_links := $$(addprefix $$($(1)_folder)/,$$(sort $$(basename $$(filter $$(addsuffix .%,$$(basename $$($(2)_opened))),$$($(2)_soname) $$($(2)_companions)))))

$$($(1)_links): | $$($(1)_folder)/$$($(2)_soname)
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(notdir $$(firstword $$(filter $$@.%,$$(addprefix $$($(1)_folder)/,$$($(2)_soname) $$($(2)_companions))))) $$@
$(1): $$($(1)_links)

# A maker's name of a library is a link: the loader finds the file that is loaded already, and nothing is loaded twice.
$(1)_alias_links := $$(foreach word,$$($(2)_aliases),$$($(1)_folder)/$$(firstword $$(subst =, ,$$(word))))
$$($(1)_alias_links): | $$(addprefix $$($(1)_folder)/,$$($(2)_soname) $$($(2)_fortran))
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(patsubst $$(@F)=%,%,$$(filter $$(@F)=%,$$($(2)_aliases))) $$@
$(1): $$($(1)_alias_links)

$$($(1)_objects): $(BUILD)/flags/adapter

remembered_$(1) = $$(compiler) $$(CFLAGS) $$(LDFLAGS) $$(library_flags) $$(started_flags) $$($(1)_objects)

$$($(1)_folder)/$$($(2)_soname): $$($(1)_objects) $(BUILD)/gotswap/libgotswap.a $(BUILD)/app/$(2)/generated/exports.map $(started) $(BUILD)/flags/$(1)
	@mkdir -p $$(@D)
	$$(call say,LD,$(1)/$$(@F))$$(CC) $$(CFLAGS) $$(LDFLAGS) $(library_flags) $(started_flags) -Wl,-soname,$$(@F) \
		-Wl,--version-script,$(BUILD)/app/$(2)/generated/exports.map -Wl,--exclude-libs,ALL -o $$(unplaced) $$(filter %.o %.a,$$^) -ldl $$(placed)

# Files that all pairs of an application have are hard links; packages may not share files, so there each pair has a copy.
$(if $(COPIES),$(call SHARED_RULES,$(2),$(BUILD)/lib/mpi-adapter/$(1),$(1),$(call pair_ident,$(1))), \
$$(addprefix $$($(1)_folder)/,$$($(2)_shared)): $$($(1)_folder)/%: $(BUILD)/app/$(2)/lib/% | $$($(1)_folder)/$$($(2)_soname)
	@mkdir -p $$(@D)
	$$(call say,LN,$$(@:$(BUILD)/lib/mpi-adapter/%=%))ln -f $$< $$@
)
$(1)_stand_ins := $$(addprefix $$($(1)_folder)/,$$($(2)_empty) $$($(2)_leading) $$($(2)_numbers))

$$($(1)_folder)/pair.conf: $(BUILD)/pair/$(1)/generated/pair.conf $(BUILD)/flags/version
	@mkdir -p $$(@D)
	@# Remove what an earlier version built: it would be installed, and the application's own launcher would find it.
	@rm -f $$(addprefix $$($(1)_folder)/,$$($(2)_runtime))
	$$(call say,GEN,$(1)/$$(@F)){ cat $(BUILD)/pair/$(1)/generated/pair.conf; echo 'version = $(VERSION)'; } > $$@

$(1): $$(addprefix $$($(1)_folder)/,$$($(2)_soname) $$($(2)_shared) pair.conf)
endef

application_of = $(firstword $(subst -to-, ,$(1)))
host_of = $(lastword $(subst -to-, ,$(1)))
applications := $(sort $(foreach pair,$(PAIRS),$(call application_of,$(pair))))
hosts := $(sort $(foreach pair,$(PAIRS),$(call host_of,$(pair))))
$(eval $(call CLASS_RULES,common,,$(generated_common)))
$(foreach family,$(applications),$(eval $(call APPLICATION_RULES,$(family))))
$(foreach family,$(hosts),$(eval $(call CLASS_RULES,host/$(family),--host $(family),$(generated_host),common)))
$(foreach pair,$(PAIRS),$(eval $(call PAIR_RULES,$(pair),$(call application_of,$(pair)),$(call host_of,$(pair)))))
-include $(sort $(adapter_objects:.o=.d))

# An mpi.h of the application's ABI, for tests of procedures that no installed header declares, and for programs
# that are to run on any MPI; and the procedures that it declares.
$(BUILD)/include/%/emitted: $(emit_inputs) $(wildcard compile/*.h) $(BUILD)/flags/emit
	@mkdir -p $(@D)
	$(call tell,GEN,$*/mpi.h)$(PYTHON) gen/header.py --tables $(TABLES) --family $* --output $(@D)/mpi.h \
		$(addprefix --more ,$(wildcard compile/$*.h)) --procedures $(@D)/procedures.h && touch $@
$(BUILD)/include/%/mpi.h $(BUILD)/include/%/procedures.h: $(often_left) $(BUILD)/include/%/emitted ;
.PRECIOUS: $(BUILD)/include/%/emitted

.PHONY: headers

# A pair is put in place as a whole: its folder appears under its name when everything is in it.
# $(call put_pair,pair)
define put_pair
$(if $(listing),@for file in $(BUILD)/lib/mpi-adapter/$(1)/*.so* $(BUILD)/lib/mpi-adapter/$(1)/*.conf $($(1)_stand_ins); do \
		echo '$(PREFIX)/lib/mpi-adapter/'"$${file#$(BUILD)/lib/mpi-adapter/}"; \
	done >> '$(list)',$(call tell,PUT,$(PREFIX)/lib/mpi-adapter/$(1))folder='$(DESTDIR)$(PREFIX)/lib/mpi-adapter/$(1)' && \
		install -d "$$folder.new" && \
		for file in $(BUILD)/lib/mpi-adapter/$(1)/*.so*; do \
			if [ -L "$$file" ]; then cp -P "$$file" "$$folder.new"; else install -m 755 "$$file" "$$folder.new"; fi || exit; \
		done && \
		install -m 644 $(BUILD)/lib/mpi-adapter/$(1)/*.conf "$$folder.new" && \
		$(foreach file,$(patsubst $(BUILD)/lib/mpi-adapter/$(1)/%,%,$($(1)_stand_ins)), \
			install -D -m 755 $(BUILD)/lib/mpi-adapter/$(1)/$(file) "$$folder.new/$(file)" &&) \
		find "$$folder.new" -name '*.so*' -type f -exec $(strip_debug) {} + && \
		packaging/share-files "$$folder.new" '$(DESTDIR)$(PREFIX)/lib/mpi-adapter/$(call application_of,$(1))'-to-* && \
		rm -rf "$$folder" && mv "$$folder.new" "$$folder")

endef
put_pairs = $(foreach pair,$(PAIRS),$(call put_pair,$(pair)))

install-pairs: pairs
	$(put_pairs)
.PHONY: install-pairs
