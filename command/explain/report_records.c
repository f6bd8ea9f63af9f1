// SPDX-License-Identifier: BSD-3-Clause
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

static void print_record(const char *key, const char *value) { printf("%s%c%s%c", key, 0, value, 0); }

static void print_host_records(const struct host *host, const struct program *program)
{
    char *objects = missing_objects(host, program);
    if (*objects)
        print_record("missing objects", objects + 1);
    for (size_t i = 0; i < program->import_count; i++)
        if (!program->imports[i].object && (host->outcomes[i] == OUTCOME_MISSING || host->outcomes[i] == OUTCOME_BUILT))
            print_record(outcome_names[host->outcomes[i]], program->imports[i].symbol);
    free(objects);
}

void report_records(const struct report *report)
{
    for (size_t i = 0; i < report->host_count; i++)
        if (!report->hosts[i].problem)
            print_host_records(&report->hosts[i], &report->program);
}
