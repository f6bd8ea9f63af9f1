# SPDX-License-Identifier: BSD-3-Clause
# Shared by the Makefile and its fragments: jobs, short lines, flags that files depend on, installation of files. Each fragment that
# works alone includes it.
ifndef rules
rules := included

BUILD ?= build
PREFIX ?= /usr/local

# Paths stand in single quotes in commands, in search paths and in sed's scripts; make itself cannot escape some of these.
define newline


endef
hash := \#
unusable := ' " $$ : % \ | & ; ` $(hash)
# $(call check_path,PATH,WHAT IT IS): a space is all that may be in it.
check_path = $(foreach character,$(unusable),$(if $(findstring $(character),$(1)),$(call refuse_path,$(character),$(2)))) \
	$(if $(findstring $(newline),$(1)),$(call refuse_path,a newline,$(2)))
refuse_path = $(error mpi-adapter: the path of $(2) has $(1) in it; $(if $(filter this%,$(2)),move it to,give) one without)
$(call check_path,$(CURDIR),this folder)
$(foreach variable,BUILD PREFIX DESTDIR,$(call check_path,$($(variable)),$(variable)))

# One folder has one name, also below a link to the checkout: what an object depends on is noted by that, and what compiled it.
# Make splits names at spaces, so that a path below the checkout is relative, and another one with a space gets a link here.
empty :=
space := $(empty) $(empty)
ifneq ($(findstring $(space),$(BUILD))$(filter /%,$(BUILD)),)
override BUILD := $(shell scripts/build-folder '$(BUILD)')
ifeq ($(BUILD),)
$(error mpi-adapter: there is no name for BUILD that make can use; give a path without spaces)
endif
endif

# For code of which nobody counts the instructions: it compiles in half the time, and takes less room.
seldom_flags = $(if $(filter -O2 -O3,$(CFLAGS)),-Og)

# As many jobs as there are processors, unless somebody has said how many. Together with other goals,
# `clean` and `uninstall` mean what stands before and after them.
given_flags := $(shell printenv MAKEFLAGS)
given_jobs := $(filter -j% --jobs%,$(given_flags) $(MAKEFLAGS))$(findstring j,$(filter-out -% %=%,$(firstword $(given_flags))))
ordered_goals := $(and $(filter clean uninstall,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS)))
ifeq ($(given_jobs)$(ordered_goals),)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif

# $(call say,WHAT,OF) in front of a command that makes a file: it is shown by these two words, behind how many of how many such
# commands have begun and the seconds since the first one; with V=1 it is shown as it is. $(call tell,WHAT,OF) does not count.
is_shown = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,yes)
tell = $(if $(filter 1,$(V)),,@$(if $(is_shown),printf '  %-3s %s\n' '$(1)' '$(2)' && ))
say = $(if $(counting),: $(counted_unit) && ,$(if $(filter 1,$(V)),,@$(if $(is_shown),$(begin_unit)printf '%s %3d s]  %-3s %s\n' \
	'[$(words $(begun_units))/$(units)' $$(($$(date +%s) - $(first_second))) '$(1)' '$(2)' && )))
begin_unit = $(if $(units),)$(eval begun_units += x)

# A second make, which runs nothing, says how many there will be. It is asked when the first command is due, as makefiles that are
# made themselves are there by then: what makes those may not count.
counted_unit := one-unit
# Stands ahead of what makes a file, but leaves it as it was if its content is the same: who runs nothing would take it for new.
often_left := $(if $(counting),|)
ifndef counting
units = $(eval first_second := $$(shell date +%s))$(eval units := $$(shell MAKEFLAGS= $$(MAKE) -n $$(addprefix -f ,$$(firstword \
	$$(MAKEFILE_LIST))) counting=yes $$(MAKEOVERRIDES) $$(MAKECMDGOALS) 2>/dev/null | grep -c '^: $$(counted_unit)'))$(units)
endif

# A target that depends on $(BUILD)/flags/NAME is rebuilt when the value of remembered_NAME changes.
quoted = '$(subst ','\'',$(1))'
# It is looked at even where nothing is to be made, as otherwise everything would seem to depend on a change.
$(BUILD)/flags/%: always
	+@mkdir -p $(@D)
	+@printf '%s\n' $(call quoted,$(remembered_$*)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(remembered_$*)) > $@
.PRECIOUS: $(BUILD)/flags/%

# A linker writes a file by a name of its own, and the file gets the right name when it is whole: others may use the one that is
# there, and two makes may run in one folder. The shell's number tells their files apart.
unplaced = $@.new.$$$$
placed = && mv -f $(unplaced) $@

# The compiler of objects, without ccache, which changes none.
compiler = $(filter-out ccache %/ccache,$(CC))

.PHONY: always

# $(call put,MODE,FILE,PLACE) and its like install something in $(DESTDIR). While `listing` is set, they
# are its place instead, a word of the shell's for $(list), which becomes the manifest. Others may install from the same build folder
# meanwhile.
manifest = $(PREFIX)/share/mpi-adapter/manifest
list := $(BUILD)/installing.$(shell echo $$PPID)

define put
$(if $(listing),'$(3)',$(call tell,PUT,$(3))install -D -m $(1) $(2) '$(DESTDIR)$(3)')

endef

# Files that a compiler made are installed without debugging information; the names stay by which debuggers and profilers tell
# where a program is. With STRIP=no all stays.
STRIP ?= $(eval STRIP := $$(shell $$(CC) -print-prog-name=strip))$(STRIP)
strip_debug = $(if $(filter no,$(STRIP)),true,$(STRIP) -g)
define put_binary
$(if $(listing),'$(3)',$(call tell,PUT,$(3))install -D -m $(1) $(2) '$(DESTDIR)$(3)' && $(strip_debug) '$(DESTDIR)$(3)')

endef

# $(call put_link,TARGET,PLACE)
define put_link
$(if $(listing),'$(2)',$(call tell,PUT,$(2))install -d "$$(dirname '$(DESTDIR)$(2)')" && ln -sfn $(1) '$(DESTDIR)$(2)')

endef

# For sed: the project's site in a file for pkg-config, or no line of it.
fill_homepage = s|@HOMEPAGE@|$(HOMEPAGE)|; /^URL: $$/d

# $(call put_filled,FILE,PLACE,SED-SCRIPT)
define put_filled
$(if $(listing),'$(2)',$(call tell,PUT,$(2))install -d "$$(dirname '$(DESTDIR)$(2)')" && \
	sed '$(3)' $(1) > '$(DESTDIR)$(2)' && chmod 644 '$(DESTDIR)$(2)')

endef

endif
