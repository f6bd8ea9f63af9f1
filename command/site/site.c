/* SPDX-License-Identifier: BSD-3-Clause */
#include "site.h"

#include <string.h>

#include "arena.h"
#include "file.h"
#include "texts.h"

/* Reads what is known when the command is made: the version, and folders outside of the installation. */
static struct problem *read_installation(struct site *site)
{
    struct list rows = { 0 };
    site->version = site->configuration = site->site = "";
    HAND_ON(read_rows(arena_text("%s/installation", site->home), &rows));
    for (size_t i = 0; i < rows.count; i++) {
        const char *key = up_to(rows.words[i], ' '), *value = behind(rows.words[i], ' ');
        if (is_same(key, "version"))
            site->version = value;
        else if (is_same(key, "configuration"))
            site->configuration = value;
        else if (is_same(key, "site"))
            site->site = value;
    }
    site->site_home = arena_text("%s/lib/mpi-adapter", site->site);
    return 0;
}

struct problem *open_site(struct site *site, const char *carried)
{
    const char *program = real_path("/proc/self/exe");
    if (!carried && !program)
        return problem_of("/proc/self/exe cannot be read; mount /proc");
    site->program = carried ? arena_text("%s/mpi-adapter", carried) : program;
    site->prefix = carried ? "" : up_to_last(up_to_last(program, '/'), '/');
    site->home = carried ? carried : arena_text("%s/lib/mpi-adapter", site->prefix);
    site->guard = carried ? arena_text("%s/lib/mpi-adapter/guard.so", up_to_last(carried, '/')) : arena_text("%s/guard.so", site->home);
    site->detour = carried ? arena_text("%s/lib/mpi-adapter/detour.so", up_to_last(carried, '/')) : arena_text("%s/detour.so", site->home);
    const char *home = site->home;
    HAND_ON(read_installation(site));
    HAND_ON(read_rows(arena_text("%s/departures", home), &site->departures));
    HAND_ON(read_table(arena_text("%s/families", home), &site->families));
    HAND_ON(read_table(arena_text("%s/implementations", home), &site->implementations));
    HAND_ON(read_dialects(arena_text("%s/launchers", home), &site->launchers));
    HAND_ON(read_rows(arena_text("%s/pairs", home), &site->pair_names));
    HAND_ON(read_rows(arena_text("%s/refused", home), &site->refused));
    /* An installation without it cannot tell what interpreters load. */
    if (read_table(arena_text("%s/interpreters", home), &site->interpreters))
        site->interpreters = (struct table){ { 0 }, 0 };
    return 0;
}
