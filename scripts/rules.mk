# SPDX-License-Identifier: BSD-3-Clause
# What the Makefile and its fragments share: jobs, short lines, flags that files depend on, and
# how files are installed. Each fragment that works alone includes it.
ifndef rules
rules := included

BUILD ?= build
# One folder has one name, also below a link to the checkout: what an object depends on is noted by that, and what compiled it.
ifneq ($(filter /%,$(BUILD)),)
override BUILD := $(patsubst %/,%,$(BUILD))
override BUILD := $(patsubst $(realpath $(CURDIR))/%,%,$(patsubst %/,%,$(or $(realpath $(dir $(BUILD))),$(dir $(BUILD))))/$(notdir $(BUILD)))
endif
PREFIX ?= /usr/local

# As many jobs as there are processors, unless somebody has said how many. Together with other goals,
# `clean` and `uninstall` mean what stands before and after them.
given_flags := $(shell printenv MAKEFLAGS)
given_jobs := $(filter -j% --jobs%,$(given_flags) $(MAKEFLAGS))$(findstring j,$(filter-out -% %=%,$(firstword $(given_flags))))
ordered_goals := $(and $(filter clean uninstall,$(MAKECMDGOALS)),$(word 2,$(MAKECMDGOALS)))
ifeq ($(given_jobs)$(ordered_goals),)
MAKEFLAGS += -j$(or $(shell nproc 2>/dev/null),1)
endif

# $(call say,WHAT,OF) in front of a command: it is shown by these two words, with V=1 as it is.
say = $(if $(filter 1,$(V)),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '  %-3s %s\n' '$(1)' '$(2)' && ))

# What depends on $(BUILD)/flags/NAME is made again when the value of remembered_NAME is another one than
# when it was made.
quoted = '$(subst ','\'',$(1))'
$(BUILD)/flags/%: always
	@mkdir -p $(@D)
	@printf '%s\n' $(call quoted,$(remembered_$*)) | cmp -s - $@ || printf '%s\n' $(call quoted,$(remembered_$*)) > $@
.PRECIOUS: $(BUILD)/flags/%

# What the compiler is for objects: ccache changes none.
compiler = $(filter-out ccache %/ccache,$(CC))

.PHONY: always

# $(call put,MODE,FILE,PLACE) and its like install something in $(DESTDIR). While `listing` is set, they
# note its place in the new manifest instead.
manifest = $(PREFIX)/share/mpi-adapter/manifest
note = @printf '%s\n' '$(1)' >> '$(DESTDIR)$(manifest).new'

define put
$(if $(listing),$(call note,$(3)),$(call say,PUT,$(3))install -D -m $(1) $(2) '$(DESTDIR)$(3)')

endef

# $(call put_link,TARGET,PLACE)
define put_link
$(if $(listing),$(call note,$(2)),$(call say,PUT,$(2))ln -sf $(1) '$(DESTDIR)$(2)')

endef

# $(call put_filled,FILE,PLACE,SED-SCRIPT)
define put_filled
$(if $(listing),$(call note,$(2)),$(call say,PUT,$(2))install -d "$$(dirname '$(DESTDIR)$(2)')" && \
	sed '$(3)' $(1) > '$(DESTDIR)$(2)' && chmod 644 '$(DESTDIR)$(2)')

endef

endif
