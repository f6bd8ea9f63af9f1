/* SPDX-License-Identifier: BSD-3-Clause */
/* The subcommands' words on themselves. ABIS stands for the names of ABIs, DIALECTS for those of launchers, SITE_FOLDER
 * for the folder of what a site makes. */
#ifndef HELP_H
#define HELP_H

extern const char HELP_MAIN[], HELP_RUN[], HELP_EXEC[], HELP_SHELL[], HELP_ENV[], HELP_LIST[], HELP_CHECK[], HELP_EXPLAIN[], HELP_CONTAINER[], HELP_DOCTOR[], HELP_BUILD[], HELP_SPLICE[];

#endif
