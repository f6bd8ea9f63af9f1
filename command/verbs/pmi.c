/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmi.h"

#include <regex.h>
#include <string.h>

#include "../elf/ask.h"
#include "arena.h"
#include "spawn.h"
#include "texts.h"

const char *pmi_of_library(const struct job *job, const char *library, const char *family)
{
    const char *type = of_implementation(job->site, whose_library(job->site, library, family), "slurm");
    if (imports(library, "PMIx_Init"))
        return "pmix";
    return *type ? type : "pmi2";
}

/* Until Slurm 20.11 it logs them, each with its name ahead, and long ago as mpi/TYPE. */
int mpi_types(const char *srun, struct list *types, const char **said)
{
    struct asked asked = { .errors = ERRORS_ANSWER, .most = 65536 };
    struct list lines = { 0 };
    regex_t form;
    regmatch_t parts[3];
    int status;
    list_add(&asked.words, srun);
    list_add(&asked.words, "--mpi=list");
    list_split_at(&lines, said_by(&asked, &status), '\n');
    *said = lines.count > 0 ? lines.words[lines.count - 1] : "";
    if (status != 0 || regcomp(&form, "^(.*:)?[[:space:]]*([a-z0-9_/]+(,[a-z0-9_]+)*)$", REG_EXTENDED) != 0)
        return 0;
    for (size_t i = 0; i < lines.count; i++) {
        if (regexec(&form, lines.words[i], 3, parts, 0) != 0)
            continue;
        const char *names = lines.words[i] + parts[2].rm_so;
        list_split_at(types, begins_with(names, "mpi/") ? names + 4 : names, ',');
    }
    regfree(&form);
    return 1;
}

struct problem *offered_type(const struct job *job, const char *srun, const char *type, const char *library, const char **offered)
{
    struct list types = { 0 };
    const char *said;
    (void)job;
    *offered = type;
    if (!mpi_types(srun, &types, &said) || types.count == 0 || list_has(&types, type))
        return 0;
    for (size_t i = 0; i < types.count; i++)
        if (begins_with(types.words[i], arena_text("%s_", type))) {
            *offered = types.words[i];
            return 0;
        }
    return problem_of("%s offers '%s', but %s connects its ranks by %s; ask for Slurm's %s plugin, or start it by its own launcher in an allocation",
                      srun, list_joined(&types, " "), library, type, type);
}
