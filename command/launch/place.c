/* SPDX-License-Identifier: BSD-3-Clause */
#include "place.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "file.h"
#include "write.h"

int has_slots(const struct dialect *dialect)
{
    return fact_is(dialect, "ranks", "slots");
}

static const char *whole_line(const struct line *line)
{
    return list_text(&line->words, 0, line->words.count);
}

/* Two threads of a core are one. */
int count_cores(void)
{
    static const char siblings_file[] = "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list";
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN), first, second;
    FILE *file = fopen(siblings_file, "re");
    char between, end;
    if (file) {
        if (fscanf(file, "%d%c%d%c", &first, &between, &second, &end) == 4 && (between == ',' || between == '-') && end == '\n' && count > 1)
            count /= 2;
        fclose(file);
    }
    return count;
}

/* ---------------------------------------------------------------- reading */

static int is_own_host(const char *name)
{
    char own[256] = "localhost";
    const char *variable = getenv("HOSTNAME");
    gethostname(own, sizeof own - 1);
    if (variable && *variable)
        snprintf(own, sizeof own, "%s", variable);
    size_t length = strcspn(own, ".");
    return strcmp(name, "localhost") == 0 || strncmp(name, "127.", 4) == 0 || (strcspn(name, ".") == length && strncmp(name, own, length) == 0);
}

static struct host *host_called(const struct hosts *hosts, const char *name)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (strcmp(hosts->all[i].name, name) == 0)
            return &hosts->all[i];
    return 0;
}

static struct host *added_host(struct hosts *hosts, const char *name, int slots)
{
    hosts->all = arena_grown(hosts->all, hosts->count, sizeof *hosts->all);
    hosts->all[hosts->count] = (struct host){ name, slots };
    return &hosts->all[hosts->count++];
}

static int is_host_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            return 0;
    return *name != 0;
}

/* One that is named again has more slots, where there are slots. */
static struct problem *add_host(const struct line *line, struct hosts *hosts, const char *name, const char *slots)
{
    struct host *known = has_slots(line->dialect) ? host_called(hosts, name) : 0;
    if (!is_host_name(name))
        return problem_of("'%s' is not the name of a host; correct the list of hosts", name);
    if (!is_number(slots))
        return problem_of("the number of slots of the host %s is '%s'; correct the list of hosts", name, slots);
    if (known)
        known->slots += atoi(slots);
    else
        added_host(hosts, name, atoi(slots));
    return 0;
}

/* NAME or NAME:N. */
static struct problem *add_named(const struct line *line, struct hosts *hosts, const char *word, const char *slots)
{
    const char *colon = strchr(word, ':');
    return add_host(line, hosts, arena_text("%.*s", (int)strcspn(word, ":"), word), colon ? colon + 1 : slots);
}

static struct problem *hosts_of_list(const struct line *line, struct hosts *hosts, const char *list)
{
    struct list names = { 0 };
    list_split_at(&names, list, ',');
    for (size_t i = 0; i < names.count; i++)
        HAND_ON(add_named(line, hosts, names.words[i], "1"));
    return 0;
}

/* A line is NAME, NAME:N or NAME slots=N. */
static struct problem *hosts_of_file(const struct line *line, struct hosts *hosts, const char *path, const char *slots)
{
    struct list lines = { 0 };
    HAND_ON(read_lines(path, "give a file of hosts", &lines));
    for (size_t i = 0; i < lines.count; i++) {
        struct list words = { 0 };
        list_split(&words, arena_text("%.*s", (int)strcspn(lines.words[i], "#"), lines.words[i]));
        if (words.count == 0)
            continue;
        const char *name = words.words[0], *number = strchr(name, ':') ? strchr(name, ':') + 1 : slots;
        for (size_t j = 1; j < words.count; j++)
            if (strncmp(words.words[j], "slots=", 6) == 0)
                number = words.words[j] + 6;
        HAND_ON(add_host(line, hosts, arena_text("%.*s", (int)strcspn(name, ":"), name), number));
    }
    return hosts->count > 0 ? 0 : problem_of("%s names no host; write a name into each line", path);
}

/* For launchers that begin on their own host, wherever that is named. */
static void put_own_host_first(struct hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (is_own_host(hosts->all[i].name)) {
            struct host own = hosts->all[i];
            memmove(hosts->all + 1, hosts->all, i * sizeof own);
            hosts->all[0] = own;
            return;
        }
}

static struct problem *check_per_node(const char *value)
{
    return is_number(value) ? 0 : problem_of("'%s' is not a number of ranks per node; give a positive number", value);
}

struct problem *read_hosts(const struct line *line, const struct items *part, struct hosts *hosts)
{
    const char *list = value_said("hosts", part, &line->items), *file = value_said("hostfile", part, &line->items);
    const char *each = value_said("per_node", part, &line->items);
    *hosts = (struct hosts){ 0 };
    if (list)
        HAND_ON(hosts_of_list(line, hosts, list));
    else if (file)
        HAND_ON(hosts_of_file(line, hosts, file, has_slots(line->dialect) ? arena_text("%d", line->cores) : "1"));
    if (!has_slots(line->dialect) && each) {
        HAND_ON(check_per_node(each));
        for (size_t i = 0; i < hosts->count; i++)
            hosts->all[i].slots = atoi(each);
    }
    if (fact_is(line->dialect, "first", "own") && !value_said("map:seq", part, &line->items))
        put_own_host_first(hosts);
    return 0;
}

/* ---------------------------------------------------------------- placing */

static void place_on(struct placement *placement, const char *name, int count)
{
    struct host *used = host_called(&placement->used, name);
    used = used ? used : added_host(&placement->used, name, 0);
    used->slots += count;
    while (count-- > 0)
        list_add(&placement->ranks, name);
}

static int free_slots(const struct placement *placement, const struct host *host)
{
    const struct host *used = host_called(&placement->used, host->name);
    int count = host->slots - (used ? used->slots : 0);
    return count > 0 ? count : 0;
}

static struct problem *need_sharing(const struct line *line, const struct items *part)
{
    return value_said("share", part, &line->items) ? 0 : problem_of("'%s' has more ranks than its hosts have slots; give hosts more slots by NAME:N, or add --oversubscribe",
                                                                      whole_line(line));
}

/* Host by host, so many on each and what is left of the ranks, spread over all. */
static void place_evenly(const struct hosts *hosts, const int *each, int rest, struct placement *placement)
{
    int count = (int)hosts->count;
    for (int i = 0; i < count; i++)
        place_on(placement, hosts->all[i].name, (each ? each[i] : 0) + rest / count + (i < rest % count));
}

/* One host after another is filled. */
static struct problem *place_by_slots(const struct line *line, const struct items *part, const struct hosts *hosts, int rest, struct placement *placement)
{
    int *each = arena_memory(hosts->count * sizeof *each);
    for (size_t i = 0; i < hosts->count; i++) {
        int count = free_slots(placement, &hosts->all[i]);
        each[i] = count < rest ? count : rest;
        rest -= each[i];
    }
    if (rest > 0)
        HAND_ON(need_sharing(line, part));
    place_evenly(hosts, each, rest, placement);
    return 0;
}

/* As many on a host as it takes, then the next, and round again, from where the programs before ended. */
static void place_in_turn(const struct hosts *hosts, int ranks, struct placement *placement)
{
    size_t end = placement->ranks.count + (size_t)ranks, turn = 0;
    while (turn < end)
        for (size_t i = 0; i < hosts->count; i++)
            for (int n = 0; n < hosts->all[i].slots && turn < end; n++, turn++)
                if (turn >= placement->ranks.count)
                    place_on(placement, hosts->all[i].name, 1);
}

/* One on each host that has a slot left, round and round. */
static struct problem *place_by_nodes(const struct line *line, const struct items *part, const struct hosts *hosts, int rest, struct placement *placement)
{
    int sharing = !has_slots(line->dialect);
    while (rest > 0) {
        int before = rest;
        for (size_t i = 0; i < hosts->count && rest > 0; i++)
            if (sharing || free_slots(placement, &hosts->all[i]) > 0) {
                place_on(placement, hosts->all[i].name, 1);
                rest--;
            }
        if (rest == before) {
            HAND_ON(need_sharing(line, part));
            sharing = 1;
        }
    }
    return 0;
}

static struct problem *place_by_count(const struct line *line, const struct hosts *hosts, int rest, int each, struct placement *placement)
{
    for (size_t i = 0; i < hosts->count; i++) {
        int count = each < rest ? each : rest;
        place_on(placement, hosts->all[i].name, count);
        rest -= count;
    }
    return rest == 0 ? 0 : problem_of("'%s' has more ranks than %d for each of its hosts; name more hosts, or give more ranks to each", whole_line(line), each);
}

static struct problem *choose_hosts(const struct line *line, const struct items *part, const struct hosts *hosts, int ranks, struct placement *placement)
{
    const char *each = value_said("per_node", part, &line->items);
    if (value_said("map:seq", part, &line->items)) {
        if ((size_t)ranks > hosts->count)
            return problem_of("'%s' has more ranks than its list has hosts; name a host for each rank", whole_line(line));
        for (int i = 0; i < ranks; i++)
            list_add(&placement->ranks, hosts->all[i].name);
        return 0;
    }
    if (value_said("map:node", part, &line->items))
        return place_by_nodes(line, part, hosts, ranks, placement);
    if (fact_is(line->dialect, "places", "turn")) {
        place_in_turn(hosts, ranks, placement);
        return 0;
    }
    if (each) {
        HAND_ON(check_per_node(each));
        return place_by_count(line, hosts, ranks, atoi(each), placement);
    }
    if (has_slots(line->dialect))
        return place_by_slots(line, part, hosts, ranks, placement);
    place_evenly(hosts, 0, ranks, placement);
    return 0;
}

struct problem *place_ranks(const struct line *line, const struct items *part, const struct hosts *hosts, int ranks, struct placement *placement)
{
    if (hosts->count == 0)
        return 0;
    HAND_ON(choose_hosts(line, part, hosts, ranks, placement));
    for (size_t i = 0; i < hosts->count; i++) {
        const struct host *used = host_called(&placement->used, hosts->all[i].name);
        if (used && (used->slots > line->cores || (has_slots(line->dialect) && used->slots > hosts->all[i].slots)))
            placement->is_crowded = 1;
    }
    return 0;
}

/* ---------------------------------------------------------------- writing */

/* Ranks of one host that follow each other are one. */
static void find_runs(const struct placement *placement, struct hosts *runs)
{
    for (size_t i = 0; i < placement->ranks.count; i++) {
        const char *name = placement->ranks.words[i];
        if (i == 0 || strcmp(name, placement->ranks.words[i - 1]) != 0)
            added_host(runs, name, 0);
        runs->all[runs->count - 1].slots++;
    }
}

/* Returns whether the launcher starts in this order. */
static int begins_rightly(const struct dialect *dialect, const struct hosts *hosts)
{
    for (size_t i = 1; i < hosts->count && fact_is(dialect, "first", "own"); i++)
        if (is_own_host(hosts->all[i].name))
            return 0;
    return 1;
}

/* Returns whether ranks of one host follow each other. */
static int are_blocks(const struct hosts *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        if (host_called(runs, runs->all[i].name) != &runs->all[i])
            return 0;
    return 1;
}

/* Finds the hosts among which ranks go round; returns whether they do. */
static int are_rounds(const struct placement *placement, struct hosts *hosts)
{
    const struct list *ranks = &placement->ranks;
    for (size_t i = 0; i < ranks->count && !host_called(hosts, ranks->words[i]); i++)
        added_host(hosts, ranks->words[i], 0);
    for (size_t i = 0; i < ranks->count; i++) {
        struct host *host = &hosts->all[i % hosts->count];
        if (strcmp(ranks->words[i], host->name) != 0)
            return 0;
        host->slots++;
    }
    return 1;
}

static const char *host_list(const struct hosts *hosts, int has_counts)
{
    const char *text = "";
    for (size_t i = 0; i < hosts->count; i++)
        text = arena_text(has_counts ? "%s%s%s:%d" : "%s%s%s", text, i > 0 ? "," : "", hosts->all[i].name, hosts->all[i].slots);
    return text;
}

/* Writes a list of hosts; where the launcher's lists have no numbers, as ranks of a node, if all have as many. */
static int write_list(struct line *line, const struct host_launcher *host, const struct hosts *hosts)
{
    int each = hosts->all[0].slots;
    if (fact_is(host->dialect, "counts", "yes")) {
        add_item(&line->items, "hosts", host_list(hosts, 1), "hosts");
        return 1;
    }
    for (size_t i = 0; i < hosts->count; i++)
        if (hosts->all[i].slots != each)
            return 0;
    add_item(&line->items, "hosts", host_list(hosts, 0), "hosts");
    if (each > 1)
        add_item(&line->items, "per_node", arena_text("%d", each), "per_node");
    return 1;
}

/* Writes a file of hosts with their numbers, for a launcher whose lists have none. */
static int write_counted_file(struct line *line, const struct host_launcher *host, const struct hosts *hosts, struct placement *placement)
{
    static const char name[] = "hosts with counts";
    const char *text = "";
    if (!fact_is(host->dialect, "counts", "file"))
        return 0;
    for (size_t i = 0; i < hosts->count; i++)
        text = arena_text("%s%s%s:%d", text, i > 0 ? "\n" : "", hosts->all[i].name, hosts->all[i].slots);
    list_add(&placement->lists, text);
    list_add(&placement->list_names, name);
    add_item(&line->items, "hostfile", name, "hosts");
    return 1;
}

static int is_meant(const char *meaning, const char *whole)
{
    size_t length = strlen(whole);
    return strncmp(meaning, whole, length) == 0 && (meaning[length] == 0 || meaning[length] == ':');
}

void forget_items(struct items *items, const char *const *meanings, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < items->count; i++) {
        int is_one = 0;
        for (size_t j = 0; j < count; j++)
            is_one |= is_meant(items->all[i].meaning, meanings[j]);
        if (!is_one)
            items->all[kept++] = items->all[i];
    }
    items->count = kept;
}

static void forget_everywhere(struct line *line, const char *const *meanings, size_t count)
{
    forget_items(&line->items, meanings, count);
    for (size_t i = 0; i < line->count; i++)
        forget_items(&line->parts[i].items, meanings, count);
}

/* Tells that a mapping to cores or sockets gives way to places that are listed one by one. */
static void note_lost_maps(struct line *line, const struct items *items)
{
    for (size_t i = 0; i < items->count; i++)
        if (is_meant(items->all[i].meaning, "map"))
            list_add(&line->notes, arena_text("the option %s is left out, as each rank's place is listed", items->all[i].text));
}

/* A file for each program, with the hosts of its ranks, one by one. */
static int write_sequences(struct line *line, const struct host_launcher *host, struct placement *placement)
{
    static const char *const maps[] = { "map" };
    size_t first = 0;
    if (!form_of(host->dialect, "map:seq") || is_of_line(host->dialect, "hostfile"))
        return 0;
    note_lost_maps(line, &line->items);
    for (size_t i = 0; i < line->count; i++)
        note_lost_maps(line, &line->parts[i].items);
    forget_everywhere(line, maps, 1);
    for (size_t i = 0; i < line->count; i++) {
        const char *text = "", *name = arena_text("list %zu", i);
        for (int n = 0; n < line->parts[i].ranks; n++)
            text = arena_text("%s%s%s", text, n > 0 ? "\n" : "", placement->ranks.words[first++]);
        list_add(&placement->lists, text);
        list_add(&placement->list_names, name);
        add_item(&line->parts[i].items, "map:seq", "", "map:seq");
        add_item(&line->parts[i].items, "hostfile", name, "hosts");
    }
    return 1;
}

struct problem *write_hosts(struct line *line, const struct host_launcher *host, struct placement *placement)
{
    static const char *const placing[] = { "hosts", "hostfile", "per_node", "nodes", "map:node", "map:slot", "map:seq" };
    struct hosts runs = { 0 }, rounds = { 0 };
    /* Whether a second program's ranks follow on the host behind that of the last rank of the first. */
    int goes_on_round = line->count == 1 || is_of_line(host->dialect, "hosts");
    if (placement->ranks.count == 0)
        return 0;
    forget_everywhere(line, placing, sizeof placing / sizeof *placing);
    find_runs(placement, &runs);
    if (are_blocks(&runs) && begins_rightly(host->dialect, &runs) &&
        (write_list(line, host, &runs) || write_counted_file(line, host, &runs, placement)))
        return 0;
    if (goes_on_round && are_rounds(placement, &rounds) && begins_rightly(host->dialect, &rounds) && form_of(host->dialect, "map:node") &&
        !is_said(line, "map") && write_list(line, host, &rounds)) {
        add_item(&line->items, "map:node", "", "map:node");
        return 0;
    }
    if (write_sequences(line, host, placement))
        return 0;
    return problem_of("%s cannot start ranks on %s in this order; let the ranks of each host follow each other, or give all hosts as many slots",
                      host->path, list_text(&placement->ranks, 0, placement->ranks.count));
}
