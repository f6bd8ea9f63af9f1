/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter list: shows the installed pairs. */
#include "arena.h"
#include "json.h"
#include "texts.h"
#include "verbs.h"

/* A pair with what it would use. */
struct shown {
    const struct pair *pair;
    struct host_mpi host;
    struct list problems;       /* as people see them: of its library, of its launcher */
    const char *library, *launcher;     /* each, or its problem */
};

static struct shown shown_pair(struct job *job, const struct pair *pair)
{
    struct program none = { .path = "", .abi = "" };
    struct shown shown = { .pair = pair, .host = NO_HOST };
    struct problem *problem = check_host_library(job, &none, pair, &shown.host);
    shown.library = problem ? shown_problem(problem->text) : shown.host.library;
    if (problem)
        list_add(&shown.problems, shown.library);
    problem = check_launcher(job, pair, setting(job->site, "launcher"), &shown.host);
    shown.launcher = problem ? shown_problem(problem->text) : shown.host.launcher;
    if (problem)
        list_add(&shown.problems, shown.launcher);
    return shown;
}

void put_pair(struct job *job, const struct pair *pair)
{
    struct shown shown = shown_pair(job, pair);
    const char *version = said_in_pair(pair, "version"), *product = said_in_pair(pair, "host_product"), *prefix = said_in_pair(pair, "host_prefix");
    put("%s\n", plain(pair->called));
    put_field(13, "application:", said_in_pair(pair, "application"));
    put_field(13, "host:", said_in_pair(pair, "host"));
    put_field(13, "version:", *version ? version : "unknown");
    put_field(13, "folder:", pair->folder);
    put_field(13, "host library:", shown.library);
    put_field(13, "launcher:", shown.launcher);
    if (*product)
        put_field(13, "made for:", arena_text("%s in %s", product, *prefix ? prefix : "an unknown place"));
}

void put_settings(const struct site *site)
{
    put("settings\n");
    for (size_t i = 0; i < site->setting_names.count; i++) {
        const char *name = site->setting_names.words[i], *value = setting(site, name);
        put_field(19, arena_text("%s:", name), *value ? arena_text("%s (%s)", value, setting_origin(site, name)) : "not set");
    }
}

static const char *json_pair(struct job *job, const struct pair *pair)
{
    struct shown shown = shown_pair(job, pair);
    struct list members = { 0 };
    json_add(&members, "name", json_string(pair->called));
    json_add(&members, "application", json_value(said_in_pair(pair, "application")));
    json_add(&members, "host", json_value(said_in_pair(pair, "host")));
    json_add(&members, "version", json_value(said_in_pair(pair, "version")));
    json_add(&members, "folder", json_value(pair->folder));
    json_add(&members, "host_library", json_value(shown.host.library));
    json_add(&members, "launcher", json_value(shown.host.launcher));
    json_add(&members, "made_for", json_value(said_in_pair(pair, "host_product")));
    json_add(&members, "problems", json_strings(&shown.problems));
    return json_members(&members);
}

static void put_json_list(struct job *job)
{
    const struct site *site = job->site;
    struct list settings = { 0 }, pairs = { 0 };
    for (size_t i = 0; i < site->pair_count; i++)
        list_add(&pairs, arena_text("\n  %s", json_pair(job, site->pairs[i])));
    for (size_t i = 0; i < site->setting_names.count; i++) {
        const char *name = site->setting_names.words[i];
        struct list members = { 0 };
        if (*setting(site, name) == 0)
            continue;
        json_add(&members, "value", json_string(setting(site, name)));
        json_add(&members, "from", json_string(setting_origin(site, name)));
        json_add(&settings, name, json_members(&members));
    }
    put("{\"mpi_adapter\": \"%s\", \"settings\": %s, \"pairs\": [%s\n]}\n", site->version, json_members(&settings), list_joined(&pairs, ","));
}

/* The names that --from and --to take. */
static void put_abis(const struct site *site)
{
    struct list names = { 0 };
    for (size_t i = 0; i < site->families.names.count; i++)
        list_add_once(&names, site->families.names.words[i]);
    for (size_t i = 0; i < site->pair_count; i++) {
        list_add_once(&names, said_in_pair(site->pairs[i], "application"));
        list_add_once(&names, host_of_pair(site->pairs[i]));
    }
    list_sort(&names);
    put("%s\n", list_joined(&names, "\n"));
}

struct problem *act_list(struct job *job, int *status)
{
    struct site *site = job->site;
    struct problems problems = { 0 };
    if (job->operands.count > 0)
        return usage_problem_of("unexpected argument '%s'", job->operands.words[0]);
    load_settings(site, &problems);
    load_pairs(site, &problems);
    if (*given(job, "--abis")) {
        put_abis(site);
        return 0;
    }
    for (size_t i = 0; i < problems.count; i++)
        say_problem(&job->messages, problems.all[i]);
    *status = problems.count > 0;
    if (site->pair_count == 0)
        return problem_of("no pair is installed in %s; install one, or name its folder in MPI_ADAPTER_PATH",
                          list_joined(&site->pair_folders, " "));
    if (*given(job, "--json")) {
        put_json_list(job);
        return 0;
    }
    for (size_t i = 0; i < site->pair_count; i++)
        put_pair(job, site->pairs[i]);
    put_settings(site);
    return 0;
}
