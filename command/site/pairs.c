/* SPDX-License-Identifier: BSD-3-Clause */
/* The installed pairs. */
#include <string.h>

#include "arena.h"
#include "file.h"
#include "setting.h"
#include "site.h"
#include "texts.h"

static const char ADVICE[] = "install the pair again";

const char *said_in_pair(const struct pair *pair, const char *key)
{
    return fact(&pair->facts, key);
}

const char *said_in_folder(const char *folder, const char *key)
{
    const char *start = arena_text("%s = ", key), *said = "";
    struct list lines = { 0 };
    if (!read_lines(arena_text("%s/pair.conf", folder), "", &lines))
        for (size_t i = 0; i < lines.count; i++)
            if (begins_with(lines.words[i], start))
                said = lines.words[i] + strlen(start);
    return said;
}

const char *host_of_pair(const struct pair *pair)
{
    const char *name = said_in_pair(pair, "name");
    return arena_text("%s%s%s", said_in_pair(pair, "host"), *name ? "@" : "", name);
}

static int may_be(const struct site *site, const char *key, const char *value)
{
    if (is_same(key, "application") || is_same(key, "host") || is_same(key, "name"))
        return is_plain_word(value);
    if (is_same(key, "host_library") || is_same(key, "launcher"))
        return *value == '/';
    if (is_same(key, "launcher_kind") || ends_with(key, "_launcher_kind"))
        return is_launcher_kind(site, value);
    return 1;
}

struct problem *read_pair(const struct site *site, struct pair *pair)
{
    static const char *const required[] = { "application", "host", "application_sonames", "host_libraries", "launchers", "launcher_kind",
                                            "preload" };
    const char *file = arena_text("%s/pair.conf", pair->folder), *key, *value;
    struct list lines = { 0 };
    HAND_ON(read_lines(file, ADVICE, &lines));
    for (size_t i = 0; i < lines.count; i++) {
        const char *place = arena_text("%s:%zu", file, i + 1);
        HAND_ON(split_setting(place, lines.words[i], ADVICE, &key, &value));
        if (*key == 0)
            continue;
        if (has_fact(&pair->facts, key))
            return problem_of("%s: %s is given twice; %s", place, key, ADVICE);
        if (!may_be(site, key, value))
            return problem_of("%s: %s cannot be '%s'; %s", place, key, value, ADVICE);
        set_fact(&pair->facts, key, value);
    }
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (*said_in_pair(pair, required[i]) == 0)
            return problem_of("%s:%zu: %s is missing; %s", file, lines.count, required[i], ADVICE);
    return 0;
}

/* Other pairs that somebody installed there are another installation's. */
static void find_folders(struct site *site)
{
    site->pair_folders = parts_of(setting(site, "pair_path"));
    list_add(&site->pair_folders, site->home);
    if (!is_same_file(site->site_home, site->home) && files_like(arena_text("%s/*@*/pair.conf", site->site_home)).count > 0)
        list_add(&site->pair_folders, site->site_home);
}

static void add_like(const struct site *site, const char *folder, const char *pattern, struct list *found)
{
    struct list folders = files_like(arena_text("%s/%s", glob_escaped(folder), pattern));
    for (size_t i = 0; i < folders.count; i++) {
        const char *pair = folders.words[i];
        if (!is_there(arena_text("%s/pair.conf", pair)) ||
            (is_same(folder, site->site_home) && !is_same(folder, site->home) && !strchr(base_name(pair), '@')))
            continue;
        list_add_once(found, pair);
    }
}

/* The folders of the pairs in a folder: those of the table in its order, each ahead of those that were made of it for one MPI, and then
 * any others. */
static struct list pairs_in(const struct site *site, const char *folder)
{
    struct list found = { 0 };
    for (size_t i = 0; i < site->pair_names.count; i++) {
        const char *name = site->pair_names.words[i];
        add_like(site, folder, name, &found);
        add_like(site, folder, arena_text("%s@*", name), &found);
    }
    add_like(site, folder, "*", &found);
    return found;
}

void load_pairs(struct site *site, struct problems *problems)
{
    find_folders(site);
    for (size_t i = 0; i < site->pair_folders.count; i++) {
        struct list found = pairs_in(site, site->pair_folders.words[i]);
        for (size_t j = 0; j < found.count; j++) {
            struct pair *pair = arena_memory(sizeof *pair);
            pair->folder = real_folder(found.words[j]);
            if (!pair->folder)
                continue;
            pair->called = base_name(pair->folder);
            struct problem *problem = read_pair(site, pair);
            if (problem) {
                problems_add(problems, problem);
                continue;
            }
            site->pairs = arena_grown(site->pairs, site->pair_count, sizeof *site->pairs);
            site->pairs[site->pair_count++] = pair;
        }
    }
}

struct problem *require_pairs(struct site *site)
{
    struct problems problems = { 0 };
    load_settings(site, &problems);
    if (problems.count == 0)
        load_pairs(site, &problems);
    if (problems.count > 0)
        return problems.all[0];
    if (site->pair_count == 0)
        return problem_of("no pair is installed in %s; install one, or name its folder in MPI_ADAPTER_PATH",
                          list_joined(&site->pair_folders, " "));
    return 0;
}
