# SPDX-License-Identifier: BSD-3-Clause
# Builds what the command knows and tries of each pair.
#
# The probe, a program that tries an MPI, for the ABI of each family that a pair serves:
# $(BUILD)/lib/mpi-adapter/probe/<family>. No MPI is needed: the header is made from the tables, and
# the pair's library has the name and the symbols of the family's own.

probe_families := $(sort $(foreach pair,$(PAIRS),$(word 1,$(subst -to-, ,$(pair)))))
probe_programs := $(addprefix $(BUILD)/lib/mpi-adapter/probe/,$(probe_families))

probe_lists := $(foreach pair,$(PAIRS),$(BUILD)/lib/mpi-adapter/$(pair)/procedures.conf)

.PHONY: probes install-probes

probes: $(probe_programs)

# The first pair that serves a family.
probe_pair = $(firstword $(filter $(1)-to-%,$(PAIRS)))

remembered_probe = $(compiler) $(CPPFLAGS) $(CFLAGS) $(probe_flags) $(LDFLAGS)

# -fPIC: objects that handles point to are larger in the family's own library, and must not be
# copied into the program.
probe_flags := -std=c11 -fPIC -pie -Wall -Wextra
define PROBE_RULE
$(BUILD)/lib/mpi-adapter/probe/$(1): command/probe/probe.c $(BUILD)/include/$(1)/mpi.h \
		$(call library_of,$(call probe_pair,$(1))) $(BUILD)/flags/probe
	@mkdir -p $$(@D)
	$$(call say,LD,probe/$(1))$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(probe_flags) $$(LDFLAGS) -I$(BUILD)/include/$(1) -o $$(unplaced) $$< \
		$(call library_of,$(call probe_pair,$(1))) $$(placed)
endef

$(foreach family,$(probe_families),$(eval $(call PROBE_RULE,$(family))))

.PHONY: headers
headers: $(addprefix $(BUILD)/include/,$(addsuffix /mpi.h,$(probe_families)))

# The list of a pair's procedures, for mpi-adapter explain.
pairs: $(probe_lists)

$(BUILD)/lib/mpi-adapter/%/procedures.conf: $(emit_inputs) $(BUILD)/flags/emit
	$(call say,GEN,$*/$(@F))$(PYTHON) gen/listing.py --tables $(TABLES) --templates templates --application $(word 1,$(subst -to-, ,$*)) \
		--host $(word 2,$(subst -to-, ,$*)) --output $@

define put_probes
$(foreach program,$(probe_programs),$(call put_binary,755,$(program),$(PREFIX)/lib/mpi-adapter/probe/$(notdir $(program))))
endef

install-probes: probes
	$(put_probes)
