// SPDX-License-Identifier: BSD-3-Clause
// A pair and its host MPI, and the outcome of a program's calls there.
#ifndef HOST_H
#define HOST_H

#include "names.h"
#include "program.h"

// In the order in which they are shown.
enum outcome { OUTCOME_DIRECT, OUTCOME_CONVERTED, OUTCOME_BUILT, OUTCOME_MISSING, OUTCOMES };

extern const char *const outcome_names[OUTCOMES];

// A line of the pair's procedures.conf, sorted as strcasecmp() does.
struct procedure {
    char *name;
    char *how;      // its arguments pass, or "unsupported"
    char *host;     // the host's procedure
    char *stand_in; // for that one; "-" if none is needed
    char *since;    // the oldest release that has it, or "-"
};

struct host {
    const char *folder;             // of the pair
    const char *family;
    const char *problem;            // why the host cannot be used, or NULL; then the rest is empty
    const char *library;
    const char *library_path;       // that ranks get
    const char *preload;            // the LD_PRELOAD that ranks get, or NULL for the user's
    struct names host_preload;      // what the setting of this name has preloaded, in that order
    struct procedure *procedures;   // also where there is a problem
    size_t procedure_count;
    enum outcome *outcomes;         // of each import
    size_t counts[OUTCOMES];        // of functions
    struct names preloaded;         // libraries of the pair that a DT_RPATH takes from elsewhere
    struct names conflicts;         // what becomes of libraries that the program and the host's MPI both bring
    struct names stand_ins;         // libraries that are not found, for which the pair's stand-ins serve
};

// Fills in the members behind host_preload.  `preload` is the user's LD_PRELOAD, or NULL.
void host_read(struct host *host, const struct program *program, const char *preload);

// Frees the members that host_read() filled in.
void host_free(struct host *host);

// Returns the procedure of this name, in C's spelling, or Fortran's in any case of letters; NULL if the list lacks it.
const struct procedure *find_procedure(const struct host *host, const char *name);

#endif
