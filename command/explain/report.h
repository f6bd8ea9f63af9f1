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
    struct names brings;            // MPIs of its own, which others take the place of
    struct names idle_settings;     // variables that set up the program's own MPI, and no host
};

// Print the report on stdout: as text, as JSON, and, for a program, what becomes of calls where conversion is not all: an outcome and a
// procedure, or "missing objects" and their names, each with a null byte behind, as no name has one.
void report_text(const struct report *report);
void report_json(const struct report *report);
void report_records(const struct report *report);

// Returns the names of data that the host does not have, with a space ahead of each, or an empty text. The caller frees it.
char *missing_objects(const struct host *host, const struct program *program);

// Returns the remark on a search path that both forms have.  The caller frees it.
char *search_path_remark(const struct search_path *path);

#endif
