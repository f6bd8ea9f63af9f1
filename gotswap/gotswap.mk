# SPDX-License-Identifier: BSD-3-Clause
# Builds libgotswap.  Included by the top-level Makefile; also works alone:
#   make -f gotswap/gotswap.mk gotswap

BUILD ?= build
CC ?= cc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
VERSION ?= unreleased
BATS ?= bats

gotswap_warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes
gotswap_build := $(BUILD)/gotswap
gotswap_sources := $(sort $(wildcard gotswap/*.c))
gotswap_objects := $(gotswap_sources:gotswap/%.c=$(gotswap_build)/%.o)

.PHONY: gotswap check-gotswap install-gotswap

gotswap: $(gotswap_build)/libgotswap.so $(gotswap_build)/libgotswap.a

check-gotswap: gotswap
	BUILD='$(abspath $(BUILD))' $(BATS) tests/gotswap

$(gotswap_build)/%.o: gotswap/%.c gotswap/gotswap.mk | $(gotswap_build)
	$(CC) $(CPPFLAGS) $(CFLAGS) -std=c11 -D_GNU_SOURCE \
		$(gotswap_warnings) -fPIC -fvisibility=hidden -pthread -MMD -MP -c -o $@ $<

$(gotswap_build)/gotswap.map: gotswap/gotswap.symbols | $(gotswap_build)
	{ echo '{ global:'; sed '/^#/d; s/$$/;/' $<; echo 'local: *; };'; } > $@

$(gotswap_build)/libgotswap.so.1: $(gotswap_objects) $(gotswap_build)/gotswap.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -pthread -Wl,-soname,libgotswap.so.1 \
		-Wl,--version-script,$(gotswap_build)/gotswap.map -Wl,-z,defs -Wl,-z,relro -Wl,-z,now \
		-o $@ $(gotswap_objects) -lelf

$(gotswap_build)/libgotswap.so: $(gotswap_build)/libgotswap.so.1
	ln -sf libgotswap.so.1 $@

$(gotswap_build)/libgotswap.a: $(gotswap_objects)
	rm -f $@
	$(AR) rcs $@ $(gotswap_objects)

$(gotswap_build):
	mkdir -p $@

-include $(gotswap_objects:.o=.d)

# A program that is linked with the static library needs libelf itself: pkg-config --static says so.
install-gotswap: gotswap
	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(PREFIX)/include' '$(DESTDIR)$(PREFIX)/share/man/man3'
	install -m 644 gotswap/gotswap.h '$(DESTDIR)$(PREFIX)/include/gotswap.h'
	install -m 755 $(gotswap_build)/libgotswap.so.1 '$(DESTDIR)$(LIBDIR)/libgotswap.so.1'
	ln -sf libgotswap.so.1 '$(DESTDIR)$(LIBDIR)/libgotswap.so'
	install -m 644 $(gotswap_build)/libgotswap.a '$(DESTDIR)$(LIBDIR)/libgotswap.a'
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' gotswap/gotswap.pc.in \
		> '$(DESTDIR)$(LIBDIR)/pkgconfig/gotswap.pc'
	chmod 644 '$(DESTDIR)$(LIBDIR)/pkgconfig/gotswap.pc'
	install -m 644 docs/man/gotswap.3 '$(DESTDIR)$(PREFIX)/share/man/man3/gotswap.3'
