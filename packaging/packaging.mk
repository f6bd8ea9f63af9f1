# SPDX-License-Identifier: BSD-3-Clause
# Installs modulefiles of each pair, for Lmod (PAIR.lua) and for Tcl's environment modules (PAIR): its libraries for the ranks of a user's
# own launch lines, and (PAIR-jobs) the launchers of mpi-adapter shell. The module abi has the compilers, and VERSION, the default, the
# command alone.

MODULEFILES ?= $(PREFIX)/share/modulefiles
LMODFILES ?= $(MODULEFILES)

.PHONY: install-modulefiles install-abi-modulefiles install-modulefile

# $(call put_modulefile,pair,template,file)
put_modulefile = $(call put_filled,packaging/$(2),$(3),s|@PAIR@|$(1)|; s|@VERSION@|$(VERSION)|; s|@PREFIX@|$(PREFIX)|g; s|@FOLDER@|$(PREFIX)/lib/mpi-adapter/$(1)|; s|@SHIMS@|$(PREFIX)/lib/mpi-adapter/shims|; s|@FROM@|$(firstword $(subst -to-, ,$(1)))|; s|@TO@|$(lastword $(subst -to-, ,$(1)))|; s|@APPLICATION@|$($(1)_application_called)|g; s|@HOST@|$($(1)_host_called)|g)

define put_modulefiles
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile.tcl,$(MODULEFILES)/mpi-adapter/$(pair)))
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile.lua,$(LMODFILES)/mpi-adapter/$(pair).lua))
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile-jobs.tcl,$(MODULEFILES)/mpi-adapter/$(pair)-jobs))
$(foreach pair,$(PAIRS),$(call put_modulefile,$(pair),modulefile-jobs.lua,$(LMODFILES)/mpi-adapter/$(pair)-jobs.lua))
endef

put_abi_modulefile = $(call put_filled,packaging/modulefile-abi.$(1),$(2),s|@HOME@|$(PREFIX)/lib/mpi-adapter/abi|g; s|@VERSION@|$(VERSION)|)
define put_abi_modulefiles
$(call put_abi_modulefile,tcl,$(MODULEFILES)/mpi-adapter/abi)
$(call put_abi_modulefile,lua,$(LMODFILES)/mpi-adapter/abi.lua)
endef

install-modulefiles:
	$(put_modulefiles)

# A package of the compilers has theirs.
install-abi-modulefiles:
	$(put_abi_modulefiles)

# Packages of single pairs, which the system's PATH leads to, have none of these. Lmod cannot read a file of a default whose path has a
# space.
define put_version_modulefile
$(call put_modulefile,,modulefile-command.tcl,$(MODULEFILES)/mpi-adapter/$(VERSION))
$(call put_modulefile,,modulefile-command.lua,$(LMODFILES)/mpi-adapter/$(VERSION).lua)
$(if $(word 2,$(MODULEFILES)),,$(call put_modulefile,,modulefile-default.tcl,$(MODULEFILES)/mpi-adapter/.version))
endef

install-modulefile:
	$(put_version_modulefile)
