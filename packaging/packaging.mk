# SPDX-License-Identifier: BSD-3-Clause
# Modulefiles of each pair, for Lmod (PAIR.lua) and for Tcl's environment modules (PAIR).

MODULEFILES ?= $(PREFIX)/share/modulefiles
LMODFILES ?= $(MODULEFILES)
name_of_openmpi := Open MPI
name_of_mpich := MPICH
name_of_mpiabi := the standard ABI of MPI-5.0

.PHONY: install-modulefiles

# $(call modulefile,pair,template,file)
define modulefile
	install -d "$$(dirname '$(DESTDIR)$(3)')"
	sed 's|@PAIR@|$(1)|; s|@VERSION@|$(VERSION)|; s|@FOLDER@|$(PREFIX)/lib/mpi-adapter/$(1)|; s|@APPLICATION@|$(name_of_$(word 1,$(subst -to-, ,$(1))))|g; s|@HOST@|$(name_of_$(word 2,$(subst -to-, ,$(1))))|g' \
		packaging/$(2) > '$(DESTDIR)$(3)'
	chmod 644 '$(DESTDIR)$(3)'

endef

install-modulefiles:
	$(foreach pair,$(PAIRS),$(call modulefile,$(pair),modulefile.tcl,$(MODULEFILES)/mpi-adapter/$(pair)))
	$(foreach pair,$(PAIRS),$(call modulefile,$(pair),modulefile.lua,$(LMODFILES)/mpi-adapter/$(pair).lua))
