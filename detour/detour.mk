# SPDX-License-Identifier: BSD-3-Clause
# Builds and installs detour.so, which is preloaded into programs that have their MPI linked in: one library for all pairs.

include scripts/rules.mk

detour_library := $(BUILD)/lib/mpi-adapter/detour.so
detour_sources := $(filter-out detour/look.c,$(wildcard detour/*.c)) adapter-c/elf/file.c
detour_headers := $(wildcard detour/*.h) adapter-c/elf/file.h $(BUILD)/detour/inside_table.h
# It is in processes that know nothing of MPI: it needs the C library and no other.
detour_flags := -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -Iadapter-c -Idetour -I$(BUILD)/detour -Wall -Wextra -Wshadow \
	-Wstrict-prototypes -Wconversion -shared -Wl,-soname,detour.so -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now
remembered_detour = $(compiler) $(CPPFLAGS) $(CFLAGS) $(detour_flags) $(LDFLAGS) $(detour_sources)

.PHONY: detour install-detour

detour: $(detour_library)

$(detour_library): $(detour_sources) $(detour_headers) $(BUILD)/flags/detour
	@mkdir -p $(@D)
	$(call say,LD,$(@F))$(CC) $(CPPFLAGS) $(CFLAGS) $(detour_flags) $(LDFLAGS) -o $(unplaced) $(detour_sources) -ldl $(placed)

# The first implementation of a family that can be inside programs of its ABI.
$(BUILD)/detour/inside_table.h: detour/inside_table.awk abi-tables/families abi-tables/implementations
	@mkdir -p $(@D)
	$(call say,GEN,$(@F))awk -f $^ > $@.new && mv -f $@.new $@

define put_detour
$(call put_binary,755,$(detour_library),$(PREFIX)/lib/mpi-adapter/detour.so)
endef

install-detour: detour
	$(put_detour)
