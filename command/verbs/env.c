/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter env: prints the environment that ranks need. */
#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "texts.h"
#include "verbs.h"

/* R's own script puts folders ahead in LD_LIBRARY_PATH, unless a variable names what is to be there. */
static void lead_in_r(struct choice *choice)
{
    const char *r = find_in_path("R"), *home = 0, *path = variable("R_LD_LIBRARY_PATH");
    struct list lines = { 0 };
    if (choice->is_native || !r || !is_script(r) || read_lines(r, "", &lines))
        return;
    for (size_t i = 0; i < lines.count && !home; i++)
        if (begins_with(lines.words[i], "R_HOME_DIR=/"))
            home = behind(lines.words[i], '=');
    if (home)
        set_fact(&choice->environment, "R_LD_LIBRARY_PATH",
                 arena_text("%s%s%s:%s", choice->pair->folder, choice->inner ? ":" : "", choice->inner ? choice->inner->pair->folder : "", *path ? path : arena_text("%s/lib", home)));
}

struct problem *act_env(struct job *job, int *status)
{
    struct program program = { .abi = "" };
    struct choice choice;
    (void)status;
    if (job->operands.count > 1)
        return usage_problem_of("more than one program is given");
    HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    if (job->operands.count == 1)
        HAND_ON(examine_program(job, job->operands.words[0], &program));
    else if (job->from_parts.count > 0) {
        program.path = "";
        program.abi = job->from_parts.words[0];
        program.part_abis = job->from_parts;
        program.part_files = arena_memory(job->from_parts.count * sizeof *program.part_files);
    } else {
        program.path = "";
        program.abi = given(job, "--from");
        if (*program.abi == 0 && !(program.abi = only_application(job->site)))
            return problem_of("the installed pairs serve several ABIs; give the program or --from ABI");
    }
    HAND_ON(choose_host(job, &program, 0, "", &choice));
    /* The guard sees to R where a program is given that needs it. */
    if (job->operands.count == 0)
        lead_in_r(&choice);
    if (*given(job, "--json")) {
        put("%s\n", json_planned(&program, &choice));
        return 0;
    }
    for (size_t i = 0; i < choice.environment.keys.count; i++)
        put("export %s=%s\n", choice.environment.keys.words[i], quoted(choice.environment.values.words[i]));
    return 0;
}
