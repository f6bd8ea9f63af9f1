# SPDX-License-Identifier: BSD-3-Clause
# Installs modulefiles of each pair, for Lmod (PAIR.lua) and for Tcl's environment modules (PAIR).

MODULEFILES ?= $(PREFIX)/share/modulefiles
LMODFILES ?= $(MODULEFILES)

.PHONY: install-modulefiles

# $(call put_modulefile,pair,template,file)
put_modulefile = $(call put_filled,packaging/$(2),$(3),s|@PAIR@|$(1)|; s|@VERSION@|$(VERSION)|; s|@FOLDER@|$(PREFIX)/lib/mpi-adapter/$(1)|; s|@APPLICATION@|$($(1)_application_called)|g; s|@HOST@|$($(1)_host_called)|g)

define put_modulefiles
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile.tcl,$(MODULEFILES)/mpi-adapter/$(pair)))
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile.lua,$(LMODFILES)/mpi-adapter/$(pair).lua))
endef

install-modulefiles:
	$(put_modulefiles)
