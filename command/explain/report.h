// SPDX-License-Identifier: BSD-3-Clause
// The findings of `explain`, and how they are shown.
#ifndef REPORT_H
#define REPORT_H

#include "host.h"
#include "program.h"

struct report {
    struct program program;
    struct host *hosts;
    size_t host_count;
    // The oldest known release that has all that is imported, and the symbol by which; or NULL.
    const char *release, *release_symbol;
    const char *oldest_release;     // that is known
    const char *here;               // whether and on what it runs here; or NULL
    struct names idle_settings;     // variables that set up the program's own MPI, and no host
};

// Print the report on stdout, as text and as JSON.
void report_text(const struct report *report);
void report_json(const struct report *report);

// Returns the remark on a search path that both forms have.  The caller frees it.
char *search_path_remark(const struct search_path *path);

#endif
