# SPDX-License-Identifier: BSD-3-Clause
# Generates and builds the libraries of each pair: $(BUILD)/lib/mpi-adapter/<pair>/.

TABLES ?= abi-tables
emit_inputs := $(wildcard gen/*.py gen/emitter/*.py templates/*) $(wildcard $(TABLES)/*/* $(TABLES)/private-exports $(TABLES)/procedures $(TABLES)/rules $(addprefix $(TABLES)/,families implementations launchers codecs compilers))
# From the lowest room up: each uses those before it (HACKING.md).
adapter_rooms := layers convert keep process trace isolate start sessions stand_ins buffered calls
adapter_sources := $(patsubst adapter-c/%,%,$(foreach room,$(adapter_rooms),$(wildcard adapter-c/$(room)/*.c)))
generated_sources := objects.c wrappers.c built_collectives.c stand_ins.c trace_entries.c stateful_entries.c fortran_handles.c
# What knows neither side of a pair is compiled once for all of them, where no header of a pair is found.
common_sources := convert/compress.c convert/index.c convert/say.c convert/text.c \
	isolate/carry_out.c isolate/dlopen_hooks.c isolate/dlopen_search.c isolate/fortran_copy.c isolate/isolate.c isolate/known_objects.c \
	isolate/load_span.c isolate/owner.c isolate/proof.c keep/closure.c layers/lock.c \
	process/environment.c process/linked.c process/loader.c process/needed.c process/user_file.c start/mention.c \
	$(patsubst adapter-c/%,%,$(wildcard adapter-c/companion/libopen-pal.*.c))
common_f77_sources := $(patsubst adapter-f77/%,f77/%,$(wildcard adapter-f77/application/*/module.c adapter-f77/base/application/*/callback.c))
# $(call objects_of,pair,sources): where their objects are.
objects_of = $(addprefix $(BUILD)/common/objects/,$(patsubst %.c,%.o,$(filter $(common_sources) $(common_f77_sources),$(2)))) \
	$(addprefix $(BUILD)/$(1)/objects/,$(patsubst %.c,%.o,$(filter-out $(common_sources) $(common_f77_sources),$(2))))
# adapter-f77/base is what the library for C has of Fortran; the rest is in each Fortran library.
fortran_sources := $(patsubst adapter-f77/%,%,$(wildcard adapter-f77/*.c))
generated_fortran_sources := fortran.c fortran_data.c fortran_module.c
# Vector instructions would not pay on the few bytes of a status. Handles that are pointers are read and written as integers
# in the program's memory, which aliasing by type forbids; no call costs an instruction more without that (bench/profile).
adapter_flags := -std=gnu11 -fno-strict-aliasing -fPIC -fvisibility=hidden -fno-tree-slp-vectorize $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-maccumulate-outgoing-args) -pthread
# The C library is called through the table of addresses, and a library has only what its names need.
fortran_flags := -DFORTRAN_LIBRARY -fno-plt -ffunction-sections
# The kernel brings in 64 KiB around each page that a process touches, from a multiple of 64 KiB on: so do segments begin, and
# what runs when a library is loaded lies together in each. Linkers but GNU's order the rest in other ways, or take no such
# script.
started := adapter-c/started.ld
comma := ,
ordered_flags := -Wl,-z,max-page-size=65536 -Wl,-T,$(started)
started_flags := $(if $(findstring >GNU ld,>$(shell $(CC) $(LDFLAGS) -Wl$(comma)--version 2>/dev/null)),$(ordered_flags))
library_flags := -shared -pthread -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--hash-style=gnu
adapter_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wno-unused-parameter

# A compiler is asked for objects with these, after the flags of who builds.
adapter_compile = $(CPPFLAGS) $(CFLAGS) $(adapter_flags) $(part_flags) $(adapter_warnings)
remembered_adapter = $(compiler) $(adapter_compile)
remembered_fortran = $(compiler) $(adapter_compile) $(fortran_flags)
remembered_companions = $(compiler) $(adapter_compile) $(LDFLAGS)
# $(call pair_ident,pair): what tells a small library from the one of another pair that has the same content.
pair_ident = -DPAIR=$(1) -include adapter-c/companion/pair.h
companion_sources := $(wildcard adapter-c/companion/*)
remembered_emit = $(TABLES) $(emit_inputs)
remembered_version = $(VERSION)

# $(call PAIR_RULES,pair): the pair's generated sources, objects, library and companions.
define PAIR_RULES
$(1)_folder := $(BUILD)/lib/mpi-adapter/$(1)
-include $(BUILD)/$(1)/pair/pair.mk
$(1)_renamed_libraries := $$(foreach word,$$($(1)_renamed),$$($(1)_folder)/$$(firstword $$(subst =, ,$$(word))))
# What only this application's ABI has. What a companion exports the adapter has, too: bindings may import it without
# naming the companion, as the native library does.
$(1)_sources := $$(patsubst adapter-c/%,%,$$(wildcard adapter-c/application/$(word 1,$(subst -to-, ,$(1)))/*.c \
	$$(patsubst %,adapter-c/companion/%.c,$$($(1)_companions) $$($(1)_runtime))))
$(1)_base_sources := $$(patsubst adapter-f77/%,%,$$(wildcard adapter-f77/base/*.c adapter-f77/base/application/$(word 1,$(subst -to-, ,$(1)))/*.c))
$(1)_fortran_sources := $$(fortran_sources) $$(patsubst adapter-f77/%,%,$$(wildcard adapter-f77/application/$(word 1,$(subst -to-, ,$(1)))/*.c))
$(1)_objects := $$(call objects_of,$(1),$$(adapter_sources) $$($(1)_sources) $$(addprefix f77/,$$($(1)_base_sources)) $$(generated_sources))
$(1)_fortran_objects := $$(call objects_of,$(1),$$(addprefix f77/,$$($(1)_fortran_sources)) $$(generated_fortran_sources))
$$($(1)_fortran_objects): part_flags = $$(fortran_flags)
# What programs are told of the adapter.
$(BUILD)/$(1)/objects/calls/version.o: part_flags = -DADAPTER_VERSION='"$(VERSION)"'
$(BUILD)/$(1)/objects/calls/version.o: $(BUILD)/flags/version

.PHONY: $(1)

# What a run of the generator leaves as it was keeps its time, and what is made from that stays, too.
$(BUILD)/$(1)/emitted: $(emit_inputs) $(BUILD)/flags/emit
	@mkdir -p $$(@D)
	$$(call tell,GEN,$(1))$(PYTHON) gen/emit.py --tables $(TABLES) --templates templates --application $(word 1,$(subst -to-, ,$(1))) \
		--host $(word 2,$(subst -to-, ,$(1))) --output $(BUILD)/$(1)/pair && touch $$@
$(BUILD)/$(1)/pair/pair.mk: $(BUILD)/$(1)/emitted ;

$$(addprefix $(BUILD)/$(1)/pair/,$$(generated_sources) $$(generated_fortran_sources) pair.conf exports.map \
	$$(addsuffix .map,$$($(1)_fortran))): $(often_left) $(BUILD)/$(1)/emitted ;

# What opens its MPI at run time often names it without a version; all names must be of one file.
$(1)_links := $$(addprefix $$($(1)_folder)/,$$(sort $$(basename $$(filter $$(addsuffix .%,$$(basename $$($(1)_opened))),$$($(1)_soname) $$($(1)_companions)))))

$$($(1)_links): $$($(1)_folder)/$$($(1)_soname)
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(notdir $$(firstword $$(filter $$@.%,$$(addprefix $$($(1)_folder)/,$$($(1)_soname) $$($(1)_companions))))) $$@
$(1): $$($(1)_links)

$$($(1)_objects): $(BUILD)/flags/adapter
$$($(1)_fortran_objects): $(BUILD)/flags/fortran

$(BUILD)/$(1)/objects/f77/%.o: adapter-f77/%.c | $(BUILD)/$(1)/emitted
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/f77/$$*.c)$$(CC) $$(adapter_compile) -MMD -MP \
		-I$(BUILD)/$(1)/pair -Iadapter-c -Iadapter-f77 -c -o $$@ $$<

$(BUILD)/$(1)/objects/%.o: adapter-c/%.c | $(BUILD)/$(1)/emitted
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/$$*.c)$$(CC) $$(adapter_compile) -MMD -MP \
		-I$(BUILD)/$(1)/pair -Iadapter-c -Igotswap -c -o $$@ $$<

$(BUILD)/$(1)/objects/%.o: $(BUILD)/$(1)/pair/%.c
	@mkdir -p $$(@D)
	$$(call say,CC,$(1)/$$*.c)$$(CC) $$(adapter_compile) -MMD -MP \
		-I$(BUILD)/$(1)/pair -Iadapter-c -Iadapter-f77 -c -o $$@ $$<

remembered_$(1) = $$(compiler) $$(CFLAGS) $$(LDFLAGS) $$(library_flags) $$(started_flags) $$($(1)_objects)
remembered_$(1).fortran = $$(compiler) $$(CFLAGS) $$(LDFLAGS) $$(library_flags) $$($(1)_fortran_objects)

$$($(1)_folder)/$$($(1)_soname): $$($(1)_objects) $(BUILD)/gotswap/libgotswap.a $(BUILD)/$(1)/pair/exports.map $(started) $(BUILD)/flags/$(1)
	@mkdir -p $$(@D)
	$$(call say,LD,$(1)/$$(@F))$$(CC) $$(CFLAGS) $$(LDFLAGS) $(library_flags) $(started_flags) -Wl,-soname,$$(@F) -Wl,--version-script,$(BUILD)/$(1)/pair/exports.map \
		-Wl,--exclude-libs,ALL -o $$@ $$(filter %.o %.a,$$^) -ldl

# Each Fortran library is linked from the same objects and has its own names; the first is needed by the others.
$$(addprefix $$($(1)_folder)/,$$($(1)_fortran)): $$($(1)_folder)/%: $$($(1)_fortran_objects) \
		$(BUILD)/$(1)/objects/fortran_handles.o $$($(1)_folder)/$$($(1)_soname) $(BUILD)/$(1)/pair/%.map $(BUILD)/flags/$(1).fortran
	$$(call say,LD,$(1)/$$(@F))$$(CC) $$(CFLAGS) $$(LDFLAGS) $(library_flags) -Wl,-soname,$$(@F) -Wl,--version-script,$(BUILD)/$(1)/pair/$$(@F).map \
		-Wl,--gc-sections -Wl,--no-as-needed -o $$@ $$(filter-out %.map $(BUILD)/flags/%,$$^)
$$(addprefix $$($(1)_folder)/,$$(filter-out $$(firstword $$($(1)_fortran)),$$($(1)_fortran))): \
		$$(addprefix $$($(1)_folder)/,$$(firstword $$($(1)_fortran)))

$$(addprefix $$($(1)_folder)/,$$($(1)_companions)): $$($(1)_folder)/$$($(1)_soname) \
		$(companion_sources) $(BUILD)/flags/companions
	$$(call say,LD,$(1)/$$(@F))$$(CC) $$(adapter_compile) $(call pair_ident,$(1)) -Iadapter-c $$(LDFLAGS) -shared -Wl,-soname,$$(@F) \
		-Wl,--no-as-needed -o $$@ -x c $$(or $$(wildcard adapter-c/companion/$$(@F).c),/dev/null) -x none $$<

# Libraries by the names that earlier releases gave them lead to those of today.
$$($(1)_renamed_libraries): $$(addprefix $$($(1)_folder)/,$$($(1)_soname) $$($(1)_fortran) $$($(1)_companions)) \
		$(wildcard adapter-f77/companion/*.c) $(companion_sources) $(BUILD)/flags/companions
	$$(call say,LD,$(1)/$$(@F))$$(CC) $$(adapter_compile) $(call pair_ident,$(1)) -DFORTRAN_LIBRARY -I$(BUILD)/$(1)/pair -Iadapter-c -Iadapter-f77 $$(LDFLAGS) \
		-shared -Wl,-soname,$$(@F) -Wl,--no-as-needed -o $$@ adapter-f77/companion/earlier.c \
		$$(sort $$($(1)_folder)/$$(patsubst $$(@F)=%,%,$$(filter $$(@F)=%,$$($(1)_renamed))) $$($(1)_folder)/$$($(1)_soname))

# A maker's name of a library is a link: the loader finds the file that is loaded already, and nothing is loaded twice.
$(1)_alias_links := $$(foreach word,$$($(1)_aliases),$$($(1)_folder)/$$(firstword $$(subst =, ,$$(word))))
$$($(1)_alias_links): | $$(addprefix $$($(1)_folder)/,$$($(1)_soname) $$($(1)_fortran))
	$$(call say,LN,$(1)/$$(@F))ln -sfn $$(patsubst $$(@F)=%,%,$$(filter $$(@F)=%,$$($(1)_aliases))) $$@
$(1): $$($(1)_alias_links)

# A stand-in is not among the pair's libraries, which the loader finds ahead of the program's own. Beside it is one that
# leads to the bindings by another of their names, for where these are there: by-NAME/.
$(1)_empty := $$(foreach name,$$($(1)_bindings) $$($(1)_runtime),$$($(1)_folder)/stand-ins/$$(name)/$$(name))
$(1)_leading := $$(foreach name,$$($(1)_bindings),$$(foreach other,$$(filter-out $$(name),$$($(1)_bindings)), \
	$$($(1)_folder)/stand-ins/$$(name)/by-$$(other)/$$(name)))
$(1)_stand_ins := $$($(1)_empty) $$($(1)_leading)
$$($(1)_empty): $$($(1)_folder)/$$($(1)_soname) $(companion_sources) $(BUILD)/flags/companions
$$($(1)_leading): $$($(1)_empty) $(BUILD)/flags/companions
$$($(1)_leading): private leads = yes
$$($(1)_stand_ins):
	@mkdir -p $$(@D)
	$$(call say,LD,$$(patsubst $(BUILD)/lib/mpi-adapter/%,%,$$@))$$(CC) $$(adapter_compile) $(call pair_ident,$(1)) -Iadapter-c $$(LDFLAGS) -shared \
		-Wl,-soname,$$(@F) -Wl,--no-as-needed -o $$@ -x c $$(or $$(wildcard adapter-c/companion/$$(@F).c),/dev/null) -x none \
		$$(if $$(leads),$$(filter %/$$(patsubst by-%,%,$$(notdir $$(@D))),$$^),$$<)
$(1): $$($(1)_stand_ins)

$$($(1)_folder)/pair.conf: $(BUILD)/$(1)/pair/pair.conf $(BUILD)/flags/version
	@mkdir -p $$(@D)
	@# What a build of an earlier version has there would be installed, and found by the application's own launcher.
	@rm -f $$(addprefix $$($(1)_folder)/,$$($(1)_runtime))
	$$(call say,GEN,$(1)/$$(@F)){ cat $(BUILD)/$(1)/pair/pair.conf; echo 'version = $(VERSION)'; } > $$@

$(1): $$(addprefix $$($(1)_folder)/,$$($(1)_soname) $$($(1)_fortran) $$($(1)_companions)) $$($(1)_renamed_libraries) \
		$$($(1)_folder)/pair.conf

-include $$(filter-out $(BUILD)/common/%,$$($(1)_objects:.o=.d) $$($(1)_fortran_objects:.o=.d))
endef

$(BUILD)/common/objects/f77/%.o: adapter-f77/%.c $(BUILD)/flags/fortran
	@mkdir -p $(@D)
	$(call say,CC,f77/$*.c)$(CC) $(adapter_compile) -MMD -MP -Iadapter-c -Iadapter-f77 -c -o $@ $<

$(BUILD)/common/objects/%.o: adapter-c/%.c $(BUILD)/flags/adapter
	@mkdir -p $(@D)
	$(call say,CC,$*.c)$(CC) $(adapter_compile) -MMD -MP -Iadapter-c -Igotswap -c -o $@ $<

common_objects := $(patsubst %.c,$(BUILD)/common/objects/%.o,$(common_sources) $(common_f77_sources))
$(filter %/module.o,$(common_objects)): part_flags = $(fortran_flags)
-include $(common_objects:.o=.d)

$(foreach pair,$(PAIRS),$(eval $(call PAIR_RULES,$(pair))))

# An mpi.h of the application's ABI, for tests of procedures that no installed header declares, and for programs
# that are to run on any MPI; and the procedures that it declares.
$(BUILD)/include/%/emitted: $(emit_inputs) $(wildcard compile/*.h) $(BUILD)/flags/emit
	@mkdir -p $(@D)
	$(call say,GEN,$*/mpi.h)$(PYTHON) gen/header.py --tables $(TABLES) --family $* --output $(@D)/mpi.h \
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
		rm -rf "$$folder" && mv "$$folder.new" "$$folder")

endef
put_pairs = $(foreach pair,$(PAIRS),$(call put_pair,$(pair)))

install-pairs: pairs
	$(put_pairs)
.PHONY: install-pairs
