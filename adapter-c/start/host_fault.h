/* SPDX-License-Identifier: BSD-3-Clause */
/* Faults of a host that make whole programs unusable, and that can be worked around at no cost to
 * others. abi-tables/families says which family has which (`faults`), and tests/c/known-faults.tsv what
 * it does natively. The workarounds are a layer around the host (layers/layers.h): nothing that calls
 * the host, in whatever language, has to know of them. */
#ifndef HOST_FAULT_H
#define HOST_FAULT_H

/* When the table is complete; `standard` is the host's version of MPI, 100 * major + minor. */
void faults_work_around(int standard);

#endif
