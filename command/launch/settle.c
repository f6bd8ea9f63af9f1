/* SPDX-License-Identifier: BSD-3-Clause */
#include "settle.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static int is_in_job(const struct line *line)
{
    const struct list *variables = &line->dialects->meanings.jobs;
    for (size_t i = 0; i < variables->count; i++)
        if (getenv(variables->words[i]))
            return 1;
    return 0;
}

/* Returns how many ranks the line's own launcher starts of a program that has no number. */
static int default_ranks(const struct line *line, const struct items *part, const struct hosts *hosts)
{
    const char *each = value_said("per_node", part, &line->items), *nodes = value_said("nodes", part, &line->items), *tasks = getenv("SLURM_NTASKS");
    int count = hosts->count > 0 ? (int)hosts->count : 1, is_alone = fact_is(line->dialect, "places", "turn") && !is_in_job(line);
    if (each && is_number(each) && (has_slots(line->dialect) || hosts->count > 0 || nodes || is_alone))
        return atoi(each) * (nodes && is_number(nodes) ? atoi(nodes) : count);
    if (fact_is(line->dialect, "ranks", "one"))
        return 1;
    if (hosts->count > 0) {
        count = 0;
        for (size_t i = 0; i < hosts->count; i++)
            count += hosts->all[i].slots;
        return count;
    }
    if (tasks && is_number(tasks))
        return atoi(tasks);
    return has_slots(line->dialect) ? line->cores : 1;
}

static struct problem *settle_ranks(struct line *line, struct part *part, struct hosts *hosts, struct placement *placement)
{
    const char *ranks;
    HAND_ON(read_hosts(line, &part->items, hosts));
    ranks = value_said("ranks", &part->items, &line->items);
    if (!ranks) {
        if (line->count != 1 && has_slots(line->dialect))
            return problem_of("a program of '%s' has no number of ranks; give each program its -n", list_text(&line->words, 0, line->words.count));
        ranks = arena_text("%d", default_ranks(line, &part->items, hosts));
        add_item(&part->items, "ranks", ranks, "ranks");
    }
    if (!is_number(ranks))
        return problem_of("the number of ranks is '%s'; give a positive number", ranks);
    part->ranks = atoi(ranks);
    return place_ranks(line, &part->items, hosts, part->ranks, placement);
}

static int ranks_of_line(const struct line *line)
{
    int ranks = 0;
    for (size_t i = 0; i < line->count; i++)
        ranks += line->parts[i].ranks;
    return ranks;
}

static int is_plain(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!islower((unsigned char)*at) && !isdigit((unsigned char)*at))
            return 0;
    return *text != 0;
}

/* Returns to what the line's own launcher binds ranks: to that which they are mapped by, if it is a part of the machine. Sets *mapped to
 * what it maps them by then, or null. */
static const char *default_binding(const struct line *line, const struct placement *placement, const char **mapped)
{
    struct list kinds = { 0 }, variables = { 0 };
    const char *map = value_of_line(line, "map");
    *mapped = 0;
    list_split(&kinds, fact_of(line->dialect, "bind"));
    list_split(&variables, fact_of(line->dialect, "bind_variables"));
    for (size_t i = 0; i < variables.count; i++) {
        const char *value = getenv(variables.words[i]);
        if (value && is_plain(value))
            return value;
    }
    /* Ranks that share cores or slots are not bound, nor are those that are placed one by one. */
    if (kinds.count < 2 || placement->is_crowded || (map && strcmp(map, "seq") == 0) || (placement->ranks.count == 0 && ranks_of_line(line) > line->cores))
        return "none";
    if (map && form_of(line->dialect, arena_text("bind:%s", map)))
        return map;
    if (ranks_of_line(line) <= 2)
        return kinds.words[0];
    *mapped = map ? 0 : kinds.words[1];
    return kinds.words[1];
}

static void settle_binding(struct line *line, const struct host_launcher *host, const struct placement *placement)
{
    const char *mapped, *bound, *bind;
    if (is_said(line, "bind") || is_said(line, "cores"))
        return;
    bound = default_binding(line, placement, &mapped);
    bind = arena_text("bind:%s", bound);
    if (fact_is(line->dialect, "bind", fact_of(host->dialect, "bind")) || !form_of(host->dialect, bind))
        return;
    add_item(&line->items, bind, "", bind);
    if (mapped && form_of(host->dialect, arena_text("map:%s", mapped)) && !is_said(line, "map"))
        add_item(&line->items, arena_text("map:%s", mapped), "", arena_text("map:%s", mapped));
}

/* Variables that are a launcher's, the adapter's or this host's own stay here. */
static int is_of_one_host(const struct line *line, const char *name)
{
    const struct list *kept = &line->dialects->meanings.kept;
    for (size_t i = 0; i < kept->count; i++)
        if (fnmatch(kept->words[i], name, 0) == 0)
            return 1;
    return 0;
}

/* Ranks on other hosts have all variables where the line's own launcher gives them all. */
static void settle_environment(struct line *line, const struct host_launcher *host, const struct placement *placement,
                               const struct list *variables)
{
    if (!fact_is(line->dialect, "environment", "all") || !fact_is(host->dialect, "environment", "named") || is_said(line, "no_variables") ||
        (is_said(line, "variables") && !is_said(line, "all_variables")) || placement->ranks.count == 0)
        return;
    for (size_t i = 0; i < variables->count; i++)
        if (!is_of_one_host(line, variables->words[i]) && !gives_value(&line->items, variables->words[i]))
            add_item(&line->items, "named_variable", variables->words[i], variables->words[i]);
}

/* Ranks that are bound share cores, then. A launcher that has no word for it says itself if ranks are too many. */
static void settle_sharing(struct line *line, const struct host_launcher *host)
{
    const char *bound = value_of_line(line, "bind");
    if (!fact_is(line->dialect, "share", "yes") || fact_is(host->dialect, "share", "yes") || !form_of(host->dialect, "share"))
        return;
    add_item(&line->items, "share", "", "share");
    if (((bound && strcmp(bound, "none") != 0) || value_of_line(line, "cores")) && form_of(host->dialect, "overload"))
        add_item(&line->items, "overload", "", "share");
}

/* Outside of a job, a launcher that goes round its hosts starts all ranks on the only one, however many each host is to get. */
static void settle_only_host(struct line *line, const struct host_launcher *host, const struct placement *placement)
{
    static const char *const meanings[] = { "per_node" };
    if (placement->ranks.count == 0 && fact_is(line->dialect, "places", "turn") && has_slots(host->dialect) && !is_in_job(line))
        forget_items(&line->items, meanings, 1);
}

struct problem *settle_line(struct line *line, const struct host_launcher *host, const struct list *variables, struct placement *placement)
{
    struct hosts hosts = { 0 };
    for (size_t i = 0; i < line->count; i++)
        HAND_ON(settle_ranks(line, &line->parts[i], &hosts, placement));
    settle_only_host(line, host, placement);
    HAND_ON(write_hosts(line, host, placement));
    settle_environment(line, host, placement, variables);
    settle_binding(line, host, placement);
    settle_sharing(line, host);
    return 0;
}
