/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include "../elf/ask.h"
#include "texts.h"

const char *given(const struct job *job, const char *option)
{
    return fact(&job->given, option);
}

const char *wanted_launcher(const struct job *job)
{
    return has_fact(&job->given, "--launcher") ? given(job, "--launcher") : setting(job->site, "launcher");
}

const char *wanted_host(const struct job *job)
{
    return has_fact(&job->given, "--to") ? given(job, "--to") : setting(job->site, "host");
}

static struct problem *check_option(struct job *job, const char *option)
{
    const char *name = given(job, option), *meant;
    if (*name == 0)
        return 0;
    HAND_ON(check_abi_name(job->site, option, &name, 0, &meant));
    if (meant)
        say(&job->messages, "%s is of the ABI %s, and any MPI of that may serve; if it must be %s, name its folder in MPI_ADAPTER_HOST_PREFIXES",
            meant, up_to(name, '@'), meant);
    set_fact(&job->given, option, name);
    return 0;
}

/* --from A,B names the ABIs of parts of a process. */
static struct problem *take_parts(struct job *job)
{
    struct list names = { 0 };
    list_split_at(&names, given(job, "--from"), ',');
    if (names.count < 2)
        return 0;
    if (!has_word("run exec env check explain", job->command))
        return usage_problem_of("--from takes one ABI here");
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.words[i], *meant;
        HAND_ON(check_abi_name(job->site, "--from", &name, 0, &meant));
        list_add_once(&job->from_parts, name);
    }
    set_fact(&job->given, "--from", job->from_parts.count == 1 ? job->from_parts.words[0] : "");
    if (job->from_parts.count == 1)
        job->from_parts = (struct list){ 0 };
    return 0;
}

struct problem *check_abi_options(struct job *job)
{
    const char *host = setting(job->site, "host"), *meant;
    HAND_ON(take_parts(job));
    HAND_ON(check_option(job, "--from"));
    HAND_ON(check_option(job, "--to"));
    if (*host == 0)
        return 0;
    HAND_ON(check_abi_name(job->site, "--to", &host, setting_origin(job->site, "host"), &meant));
    set_fact(&job->site->settings, "host", host);
    return 0;
}

const struct closure_found *needs_of(const struct job *job, const char *file)
{
    return trace(file, job->library_path, "");
}
