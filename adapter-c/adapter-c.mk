# SPDX-License-Identifier: BSD-3-Clause
# Generates and builds the libraries of each pair: $(BUILD)/lib/mpi-adapter/<pair>/.
#
# Each file is generated, and compiled, once for what it depends on, its class: neither side of a pair (common), the application's ABI
# (app/FAMILY), the host's (host/FAMILY), or both (pair/PAIR). $(BUILD)/CLASS/generated and $(BUILD)/CLASS/objects have its files.

TABLES ?= abi-tables
emit_inputs := $(wildcard gen/*.py gen/emitter/*.py templates/*) $(wildcard $(TABLES)/*/* $(TABLES)/private-exports $(TABLES)/departures $(TABLES)/procedures $(TABLES)/rules $(addprefix $(TABLES)/,families implementations rank-variables codecs compilers))

application_of = $(firstword $(subst -to-, ,$(1)))
host_of = $(lastword $(subst -to-, ,$(1)))
applications := $(sort $(foreach pair,$(PAIRS),$(call application_of,$(pair))))
hosts := $(sort $(foreach pair,$(PAIRS),$(call host_of,$(pair))))
classes := common $(applications:%=app/%) $(hosts:%=host/%) $(PAIRS:%=pair/%)

# Sources. A file that no list of a class names depends on both sides.
# From the lowest room up: each uses those before it (HACKING.md).
adapter_rooms := elf layers convert requests callbacks process trace isolate start sessions stand_ins buffered calls
# $(call in_rooms,rooms): the files of these rooms.
in_rooms = $(patsubst adapter-c/%,%,$(foreach room,$(1),$(wildcard adapter-c/$(room)/*.c)))
# $(call in_fortran,folder): the files of a folder of adapter-f77.
in_fortran = $(patsubst adapter-f77/%,f77/%,$(wildcard adapter-f77/$(1)*.c))

common_sources := $(filter-out isolate/host_tools.c process/implementation.c process/launcher.c,$(call in_rooms,elf isolate process)) \
	convert/compress.c convert/host_answer.c convert/index.c convert/say.c convert/text.c callbacks/closure.c layers/lock.c start/mention.c trace/trace_file.c \
	f77/base/cells.c f77/base/compiler.c f77/base/logical.c
# Fortran's part of the library for C is in adapter-f77/base; the rest is in each Fortran library.
application_sources := convert/added_code.c convert/application_facts.c f77/base/earlier.c fortran_handles.c
generated_fortran := fortran.c fortran_data.c fortran_module.c
fortran_sources := $(call in_fortran) $(generated_fortran)
host_sources := $(filter-out $(common_sources) requests/held_handle.each.c stand_ins/abi.each.c, \
	$(call in_rooms,layers requests callbacks process trace start sessions stand_ins buffered)) \
	calls/native_keyval.each.c calls/timer.c convert/array_length.c convert/host_facts.c convert/life.c convert/significant.c \
	f77/base/built_booleans.c f77/base/host_fortran.c isolate/host_tools.c \
	stand_ins.c trace_entries.c built_collectives.c stateful_entries.c
pair_sources := $(filter-out $(common_sources) $(application_sources) $(host_sources),$(call in_rooms,$(adapter_rooms)) $(call in_fortran,base/)) \
	objects.c wrappers.c

# $(call accepted,flag): the flag, if the compiler takes it. Another architecture, or another compiler, does without.
accepted = $(if $(shell $(CC) -Werror $(1) -fsyntax-only -x c /dev/null 2>&1),,$(1))

# Flags
# Vector instructions would not pay on the few bytes of a status. Handles that are pointers are read and written as integers
# in the program's memory, which aliasing by type forbids; no call costs an instruction more without that (bench/profile).
adapter_flags := -std=gnu11 -D_GNU_SOURCE -fno-strict-aliasing -fPIC -fvisibility=hidden -fno-tree-slp-vectorize $(call accepted,-maccumulate-outgoing-args) $(call accepted,-mno-red-zone) -pthread
# The C library is called through the table of addresses, and a library has only what its names need.
fortran_flags := -DFORTRAN_LIBRARY -fno-plt -ffunction-sections
# Nobody looks at the variables of generated entry points, which take most of a build's time.
generated_flags = $(if $(filter -g,$(CFLAGS)),-g1)
# With the first, an error code of one side does not compile in the place of the other's; compilers before gcc 10 do not know it.
adapter_apart := $(if $(shell $(CC) -Werror=enum-conversion -fsyntax-only -x c /dev/null 2>&1 || echo unknown),,-Werror=enum-conversion -Werror=enum-compare)
adapter_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter -Wno-unknown-warning-option $(adapter_apart)
# A library finds the one for C beside itself, also by a link in another folder (mpi-adapter splice).
beside_flags := -Wl,--enable-new-dtags,-rpath,'$$ORIGIN'
library_flags := -shared -pthread -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--hash-style=gnu

# $(call headers,classes): where the compiler finds what is generated for these.
headers = $(foreach class,$(1),-I$(BUILD)/$(class)/generated) -Iadapter-c -Iadapter-f77 -Igotswap
# A compiler is asked for objects with these, after the flags of who builds. Some files have flags of their own, part_flags.
adapter_compile = $(CPPFLAGS) $(CFLAGS) $(adapter_flags) $(part_flags) $(adapter_warnings)
# Nobody counts the instructions of a traced call, or of one that a host lacks.
seldom_units := trace_entries stand_ins built_collectives
$(foreach host,$(hosts),$(seldom_units:%=$(BUILD)/host/$(host)/objects/%.o)): private part_flags = $(seldom_flags)
# The adapter as programs see it: its version.
version_objects := $(PAIRS:%=$(BUILD)/pair/%/objects/calls/version.o)
$(version_objects): private part_flags = -DADAPTER_VERSION='"$(VERSION)"'
$(version_objects): $(BUILD)/flags/version

# Remembers the same for some pairs as for all, so that a make of one pair builds nothing again.
remembered_version = $(VERSION)
remembered_emit = $(TABLES) $(emit_inputs)
remembered_adapter = $(compiler) $(adapter_compile) $(fortran_flags) $(generated_flags) $(seldom_flags) $(seldom_units)

# Generated files. A file that the generator does not change keeps its time, so that nothing is made again from it.
emitted := $(classes:%=$(BUILD)/%/emitted)
$(emitted): $(BUILD)/%/emitted: $(emit_inputs) $(BUILD)/flags/emit
	@mkdir -p $(@D)
	$(call tell,GEN,$*)$(PYTHON) gen/emit.py --tables $(TABLES) --templates templates $(emit_sides) --output $(@D)/generated && touch $@
$(filter $(BUILD)/app/%,$(emitted)): emit_sides = --application $(@D:$(BUILD)/app/%=%)
$(filter $(BUILD)/host/%,$(emitted)): emit_sides = --host $(@D:$(BUILD)/host/%=%)
$(filter $(BUILD)/pair/%,$(emitted)): emit_sides = --application $(call application_of,$(notdir $(@D))) --host $(call host_of,$(notdir $(@D)))

# Sources of which parts are written out for several classes of handles (gen/each.py).
each_c := $(patsubst adapter-c/%,$(BUILD)/each/%,$(wildcard adapter-c/*/*.each.c adapter-c/*/*/*.each.c))
each_f77 := $(patsubst adapter-f77/%,$(BUILD)/each/f77/%,$(wildcard adapter-f77/*.each.c adapter-f77/*/*.each.c adapter-f77/*/*/*.each.c))
$(each_c): $(BUILD)/each/%: adapter-c/% gen/each.py
$(each_f77): $(BUILD)/each/f77/%: adapter-f77/% gen/each.py
$(each_c) $(each_f77):
	$(call tell,GEN,$(@:$(BUILD)/%=%))$(PYTHON) gen/each.py $< $@

# Names of an application's libraries, and what a pair's sides are called.
-include $(applications:%=$(BUILD)/app/%/generated/application.mk) $(PAIRS:%=$(BUILD)/pair/%/generated/pair.mk)

# Objects
define compile
	@mkdir -p $(@D)
	$(call say,CC,$(subst /objects/,/,$(@:$(BUILD)/%.o=%.c)))$(CC) $(adapter_compile) $(if $(findstring /generated/,$<),$(generated_flags)) \
		-MMD -MP $(call headers,$(1)) -c -o $@ $<
endef

# $(call CLASS_RULES,class,generated files that others are made from,it and other classes whose generated files are found)
define CLASS_RULES
$(addprefix $(BUILD)/$(1)/generated/,$(2)): $(often_left) $(BUILD)/$(1)/emitted ;

$(foreach folder,$(3:%=$(BUILD)/%/generated) $(BUILD)/each adapter-c,$(call OBJECT_RULE,$(1),,$(folder),$(3)))
$(foreach folder,$(BUILD)/each/f77 adapter-f77,$(call OBJECT_RULE,$(1),f77/,$(folder),$(3)))
endef
define OBJECT_RULE

$(BUILD)/$(1)/objects/$(2)%.o: $(3)/%.c $(BUILD)/flags/adapter | $(4:%=$(BUILD)/%/emitted)
	$$(call compile,$(4))

endef
generated_application = application.mk exports.map earlier_numbers.h fortran_handles.c $(generated_fortran) \
	$(patsubst %,%.map,$($(1)_fortran) $($(1)_lost)) $(if $($(1)_lost),fortran_lost.c)
$(eval $(call CLASS_RULES,common,built_collectives.c stateful_entries.c,common))
$(foreach family,$(applications),$(eval $(call CLASS_RULES,app/$(family),$(call generated_application,$(family)),app/$(family) common)))
$(foreach host,$(hosts),$(eval $(call CLASS_RULES,host/$(host),stand_ins.c trace_entries.c,host/$(host) common)))
$(foreach pair,$(PAIRS),$(eval $(call CLASS_RULES,pair/$(pair),objects.c wrappers.c pair.mk pair.conf, \
	pair/$(pair) app/$(call application_of,$(pair)) host/$(call host_of,$(pair)) common)))

# Libraries
# $(call objects_in,class,sources)
objects_in = $(patsubst %.c,$(BUILD)/$(1)/objects/%.o,$(2))
# $(call library_of,pair): the one for C.
library_of = $(BUILD)/lib/mpi-adapter/$(1)/$($(call application_of,$(1))_soname)
# $(call target_of,NAME,NAME=TARGET...)
target_of = $(patsubst $(1)=%,%,$(filter $(1)=%,$(2)))
include adapter-c/small_libraries.mk

# The adapter has what a companion exports, too: bindings may import it without naming the companion, as the native library does.
$(foreach family,$(applications),$(eval $(family)_own_sources := $(patsubst adapter-c/%,%,$(wildcard adapter-c/application/$(family)/*.c \
	$(patsubst %,adapter-c/companion/%.c,$($(family)_companions) $($(family)_runtime))))))

define link_adapter
	@mkdir -p $(@D)
	$(call say,LD,$(@:$(BUILD)/lib/mpi-adapter/%=%))$(CC) $(CFLAGS) $(LDFLAGS) $(library_flags) -Wl,-soname,$(@F) \
		-Wl,--version-script,$(filter %/exports.map,$^) -Wl,--exclude-libs,ALL -o $(unplaced) $(filter %.o %.a,$^) -ldl $(placed)
endef

# $(call PAIR_RULES,pair,application,host,folder)
define PAIR_RULES
$(1)_objects := $(call objects_in,common,$(common_sources)) \
	$(call objects_in,app/$(2),$(application_sources) $(call in_fortran,base/application/$(2)/)) \
	$(call objects_in,host/$(3),$(host_sources)) \
	$(call objects_in,pair/$(1),$(pair_sources) $($(2)_own_sources))
remembered_$(1) = $$(compiler) $$(CFLAGS) $$(LDFLAGS) $$(library_flags) $$($(1)_objects)

$(call library_of,$(1)): $$($(1)_objects) $(BUILD)/gotswap/libgotswap.a $(BUILD)/app/$(2)/generated/exports.map $(BUILD)/flags/$(1)
	$$(link_adapter)

# Programs that open MPI at run time often name it without a version; all names must lead to one file.
$(1)_links := $(addprefix $(4)/,$(sort $(basename $(filter $(addsuffix .%,$(basename $($(2)_opened))),$($(2)_soname) $($(2)_companions)))))
$$($(1)_links): | $(call library_of,$(1))
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(firstword $$(filter $$(@F).%,$($(2)_soname) $($(2)_companions))) $$@

# A maker's name of a library is a link: the loader finds the file that is loaded already, and nothing is loaded twice.
$(1)_alias_links := $(foreach alias,$($(2)_aliases),$(4)/$(firstword $(subst =, ,$(alias))))
$$($(1)_alias_links): | $(addprefix $(4)/,$($(2)_soname) $($(2)_fortran))
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(call target_of,$$(@F),$($(2)_aliases)) $$@

# Remove what an earlier version built: it would be installed, and the application's own launcher would find it.
$(4)/pair.conf: $(BUILD)/pair/$(1)/generated/pair.conf $(BUILD)/flags/version
	@mkdir -p $$(@D)
	@rm -f $(addprefix $(4)/,$($(2)_runtime))
	$$(call say,GEN,$(1)/$$(@F)){ cat $$<; echo 'version = $(VERSION)'; } > $$@

.PHONY: $(1)
$(1): $(addprefix $(4)/,$($(2)_soname) $($(2)_small) pair.conf) $$($(1)_links) $$($(1)_alias_links)
endef
$(foreach pair,$(PAIRS),$(eval $(call PAIR_RULES,$(pair),$(call application_of,$(pair)),$(call host_of,$(pair)),$(BUILD)/lib/mpi-adapter/$(pair))))

-include $(patsubst %.o,%.d,$(sort $(foreach pair,$(PAIRS),$($(pair)_objects)) $(foreach family,$(applications),$($(family)_fortran_objects))))

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
		find $(BUILD)/lib/mpi-adapter/$(1) -maxdepth 1 -name '*.so*' \
			\( -type l -exec cp -P -t "$$folder.new" {} + -o -exec install -m 755 -t "$$folder.new" {} + \) && \
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
