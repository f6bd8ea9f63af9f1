/* SPDX-License-Identifier: BSD-3-Clause */
/* Workarounds for faults of a host that make whole programs unusable, if they cost other programs nothing.
 * abi-tables/families lists each family's (`faults`), and tests/c/known-faults.tsv what it does natively. The workarounds
 * are a layer around the host (layers/layers.h), so that callers of the host, in whatever language, need not know of them. */
#ifndef HOST_FAULT_H
#define HOST_FAULT_H

#include "layers/layers.h"

/* Overrides a procedure by a workaround, unless the host lacks it: its stand-in calls others by the table. */
#define WORK_AROUND(part, name, workaround)                                                        \
    do {                                                                                           \
        if (!HOST_LACKS(name))                                                                     \
            LAYER_INSTALL(LAYER_WORKAROUND, part, OVERRIDE(part, name, workaround));               \
    } while (0)

/* Installs the workarounds that this host needs. `standard` is its version of MPI, 100 * major + minor. To be called when
 * the table of the host's procedures is complete. */
void faults_work_around(int standard);

#endif
