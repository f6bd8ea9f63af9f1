# SPDX-License-Identifier: BSD-3-Clause
# Builds libgotswap.  Included by the top-level Makefile; also works alone:
#   make -f gotswap/gotswap.mk gotswap

CC ?= cc
CFLAGS ?= -O2 -g
include scripts/rules.mk
LIBDIR ?= $(PREFIX)/lib
VERSION ?= unreleased
BATS ?= bats

gotswap_flags := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wstrict-prototypes -fPIC -fvisibility=hidden -pthread
gotswap_build := $(BUILD)/gotswap
gotswap_sources := $(sort $(wildcard gotswap/*.c))
gotswap_objects := $(gotswap_sources:gotswap/%.c=$(gotswap_build)/%.o)

.PHONY: gotswap check-gotswap install-gotswap

gotswap: $(gotswap_build)/libgotswap.so $(gotswap_build)/libgotswap.a

check-gotswap: gotswap
	BUILD='$(abspath $(BUILD))' $(BATS) tests/gotswap

remembered_gotswap = $(compiler) $(CPPFLAGS) $(CFLAGS) $(gotswap_flags)
remembered_libgotswap.so = $(compiler) $(CFLAGS) $(LDFLAGS) $(gotswap_objects)
remembered_libgotswap.a = $(AR) $(gotswap_objects)

$(gotswap_build)/%.o: gotswap/%.c $(BUILD)/flags/gotswap | $(gotswap_build)
	$(call say,CC,$<)$(CC) $(CPPFLAGS) $(CFLAGS) $(gotswap_flags) -MMD -MP -c -o $@ $<

$(gotswap_build)/gotswap.map: gotswap/gotswap.symbols gotswap/gotswap.mk | $(gotswap_build)
	$(call say,GEN,$(@F)){ echo 'GOTSWAP_1 { global:'; sed '/^#/d; s/$$/;/' $<; echo 'local: *; };'; } > $@

$(gotswap_build)/libgotswap.so.1: $(gotswap_objects) $(gotswap_build)/gotswap.map $(BUILD)/flags/libgotswap.so
	$(call say,LD,$(@F))$(CC) $(CFLAGS) $(LDFLAGS) -shared -pthread -Wl,-soname,libgotswap.so.1 \
		-Wl,--version-script,$(gotswap_build)/gotswap.map -Wl,-z,defs -Wl,-z,relro -Wl,-z,now \
		-o $(unplaced) $(gotswap_objects) -lelf $(placed)

$(gotswap_build)/libgotswap.so: $(gotswap_build)/libgotswap.so.1
	$(call say,LN,$(@F))ln -sf libgotswap.so.1 $@

$(gotswap_build)/libgotswap.a: $(gotswap_objects) $(BUILD)/flags/libgotswap.a
	@rm -f $@
	$(call say,AR,$(@F))$(AR) rcs $@ $(gotswap_objects)

$(gotswap_build):
	@mkdir -p $@

-include $(gotswap_objects:.o=.d)

# A program that is linked with the static library needs libelf itself: pkg-config --static says so.
define put_gotswap
$(call put,644,gotswap/gotswap.h,$(PREFIX)/include/gotswap.h)
$(call put_binary,755,$(gotswap_build)/libgotswap.so.1,$(LIBDIR)/libgotswap.so.1)
$(call put_link,libgotswap.so.1,$(LIBDIR)/libgotswap.so)
$(call put_binary,644,$(gotswap_build)/libgotswap.a,$(LIBDIR)/libgotswap.a)
$(call put_filled,gotswap/gotswap.pc.in,$(LIBDIR)/pkgconfig/gotswap.pc,s|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|; $(fill_homepage))
$(call put,644,docs/man/gotswap.3,$(PREFIX)/share/man/man3/gotswap.3)
endef

install-gotswap: gotswap
	$(put_gotswap)
