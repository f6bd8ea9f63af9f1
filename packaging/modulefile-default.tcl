#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
set ModulesVersion @VERSION@
