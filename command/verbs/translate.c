/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch lines that were written for another launcher than the host's: what their options mean is written for the launcher that there is. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../launch/settle.h"
#include "../launch/write.h"
#include "../site/launcher.h"
#include "../site/setting.h"
#include "../site/suggest.h"
#include "arena.h"
#include "file.h"
#include "texts.h"
#include "verbs.h"

extern char **environ;

struct list known_dialects(const struct job *job)
{
    const struct dialects *launchers = &job->site->launchers;
    struct list names = { 0 };
    for (size_t i = 0; i < launchers->count; i++)
        if (*fact_of(&launchers->all[i], "ranks") && !is_variant(&launchers->all[i]))
            list_add(&names, launchers->all[i].name);
    return names;
}

const char *shown_dialect(const struct job *job, const struct user_line *user)
{
    const struct dialects *launchers = &job->site->launchers;
    const char *found = 0;
    int count = 0;
    for (size_t i = 0; i < launchers->count; i++) {
        struct line line = { .dialects = launchers, .dialect = &launchers->all[i], .words = user->words, .launcher_at = user->launcher_at };
        if (!is_called(job->site, user->words.words[user->launcher_at], line.dialect->name) || !knows_options(&line))
            continue;
        found = line.dialect->name;
        count++;
    }
    return count == 1 ? found : 0;
}

/* ---------------------------------------------------------------- the programs of the line */

/* Notes what the line tells the ranks of a program of variables by which the dynamic linker searches. */
static void note_told(const struct items *items, struct told *told)
{
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = &items->all[i];
        struct list words = { 0 };
        if (is_same(item->meaning, "variables"))
            list_split_at(&words, item->value, ',');
        else if (is_same(item->meaning, "variable") || is_same(item->meaning, "shared_variable"))
            list_add(&words, item->value);
        for (size_t j = 0; j < words.count; j++) {
            if (begins_with(words.words[j], "LD_LIBRARY_PATH="))
                told->library_path = behind(words.words[j], '=');
            else if (begins_with(words.words[j], "LD_PRELOAD="))
                told->preload = behind(words.words[j], '=');
        }
    }
}

/* One program of the line. */
struct piece {
    struct places at;
    struct program program;
    struct choice choice;
};

static struct problem *find_in_part(struct job *job, const struct line *line, const struct part *part, struct places *at)
{
    const char *folder = value_said("folder", &part->items, &line->items);
    *at = (struct places){ (long)part->begin, -1, -1, folder ? folder : "" };
    if (part->begin >= part->end)
        return problem_of("no program is in '%s'; name one after the options", list_joined(&line->words, " "));
    for (size_t i = part->begin; i < part->end && at->program < 0; i++) {
        const char *file = startable_file(at->folder, line->words.words[i]);
        if (file && uses_mpi(job, file))
            at->program = (long)i;
    }
    return 0;
}

/* The program, and its host by the launcher that is wanted. The first one settles the host and its launcher. */
static struct problem *examine_file(struct job *job, const char *file, struct piece *piece)
{
    int is_plain;
    const char *launcher = has_fact(&job->given, "--launcher") ? given(job, "--launcher") : setting(job->site, "launcher");
    HAND_ON(examine_program(job, file, &piece->program));
    HAND_ON(choose_for_line(job, &piece->program, launcher, &piece->choice, &is_plain));
    if (!is_plain) {
        job->launcher = piece->choice.host.launcher;
        job->launcher_kind = piece->choice.host.launcher_kind;
    }
    const char *own = *job->launcher ? 0 : native_launcher(job, piece->program.abi, "");
    if (own) {
        job->launcher = own;
        job->launcher_kind = launcher_of_abi(job->site, piece->program.abi);
    }
    piece->choice.host.launcher = job->launcher;
    piece->choice.host.launcher_kind = job->launcher_kind;
    return 0;
}

static struct problem *examine_part(struct job *job, const struct line *line, const struct part *part, struct piece *piece)
{
    const char *file = given(job, "--program"), *library_path = job->library_path, *preload = job->preload;
    struct told told = { 0, 0 };
    *piece = (struct piece){ .program = { .abi = "" } };
    HAND_ON(find_in_part(job, line, part, &piece->at));
    note_told(&line->items, &told);
    note_told(&part->items, &told);
    piece->program.is_started_by_other = piece->at.program >= 0 && piece->at.command != piece->at.program;
    if (*file == 0) {
        file = startable_file(piece->at.folder, line->words.words[piece->at.program >= 0 ? piece->at.program : piece->at.command]);
        if (!file)
            return problem_of("%s: no such program; correct its name", line->words.words[piece->at.command]);
    }
    job->library_path = told.library_path ? told.library_path : library_path;
    job->preload = told.preload ? told.preload : preload;
    struct problem *problem = examine_file(job, file, piece);
    job->library_path = library_path;
    job->preload = preload;
    return problem;
}

/* Notes what the ranks of a program are told, and the words that start it. */
static struct problem *fill_part(struct job *job, const struct line *line, struct part *part, const struct piece *piece)
{
    const struct facts *environment = &piece->choice.environment;
    int takes_settings = *of_launcher(job->site, job->launcher_kind, "one") != 0;
    for (size_t i = 0; takes_settings && i < environment->keys.count; i++)
        list_add(&part->settings, arena_text("%s=%s", environment->keys.words[i], environment->values.words[i]));
    part->command = (struct list){ 0 };
    HAND_ON(append_starter(job, &piece->program, &piece->choice, !takes_settings, &part->command));
    const char *first = line->words.words[piece->at.command];
    list_add(&part->command, part->command.count > 0 && stands_bare(first) ? arena_text("./%s", first) : first);
    for (size_t i = (size_t)piece->at.command + 1; i < part->end; i++)
        list_add(&part->command, line->words.words[i]);
    return 0;
}

/* ---------------------------------------------------------------- the line of the host's launcher */

/* Opens a file with this text, which the launcher inherits, and which has no name any more. */
static struct problem *open_list(const char *text, const char **path, struct list *files)
{
    const char *folder = variable("TMPDIR");
    char *name = arena_text("%s/tmp.XXXXXX", *folder ? folder : "/tmp");
    int written = mkostemp(name, O_CLOEXEC), opened = written >= 0 ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    int number = opened >= 0 ? fcntl(opened, F_DUPFD, 10) : -1;
    int is_right = number >= 0 && dprintf(written, "%s\n", text) > 0;
    if (written >= 0)
        unlink(name), close(written);
    if (opened >= 0)
        close(opened);
    if (!is_right)
        return problem_of("no file can be created in %s; free space there or set TMPDIR to another folder", *folder ? folder : "/tmp");
    list_add(files, arena_text("%d<<< %s", number, shell_word(text)));
    *path = arena_text("/dev/fd/%d", number);
    return 0;
}

/* Names of the user's variables, as shells have them. */
static void find_names(struct list *names)
{
    for (char **entry = environ; *entry; entry++) {
        size_t length = strspn(*entry, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        if ((*entry)[length] == '=')
            list_add_once(names, arena_text("%.*s", (int)length, *entry));
    }
    list_sort(names);
}

static struct problem *write_for_host(struct job *job, struct line *line, struct translation *translation)
{
    struct host_launcher host = { dialect_of(&job->site->launchers, variant_of_launcher(job->site, job->launcher, job->launcher_kind)), job->launcher };
    struct placement placement = { 0 };
    struct written written = { { 0 }, { 0 } };
    struct list names = { 0 }, variables = { 0 };
    for (char **entry = environ; *entry; entry++)
        list_add(&variables, *entry);
    find_names(&names);
    line->notes = (struct list){ 0 };
    parse_environment(line, host.dialect);
    HAND_ON(settle_line(line, &host, &names, &placement));
    HAND_ON(write_line(line, &host, &variables, &written));
    for (size_t i = 0; i < line->notes.count; i++)
        say_more(&job->messages, "%s", line->notes.words[i]);
    translation->start.variables = written.variables;
    for (size_t i = 0; i < written.words.count; i++) {
        const char *word = written.words.words[i];
        for (size_t j = 0; j < placement.lists.count; j++)
            if (word == placement.list_names.words[j]) {
                HAND_ON(open_list(placement.lists.words[j], &word, &translation->start.files));
                break;
            }
        list_add(&translation->start.words, word);
    }
    if (line->without_effect.count > 0)
        say(&job->messages, "without effect on %s: %s", job->launcher, joined(", ", &line->without_effect));
    return 0;
}

static struct problem *refuse_dialect(const char *dialect, const struct list *names)
{
    const char *advice = did_you_mean(dialect, names);
    return problem_of("the options of %s are not known; %s", dialect, advice ? advice : "start the line by the launcher of the host");
}

/* Options are named with or without dashes. */
static void add_ignored(struct line *line, const char *list)
{
    struct list names = comma_parts_of(list);
    for (size_t i = 0; i < names.count; i++)
        list_add(&line->ignored, names.words[i] + strspn(names.words[i], "- "));
}

/* The line was written for the host's launcher, which has another name here. */
static void take_own_line(struct job *job, const struct user_line *user, const struct line *line, struct translation *translation)
{
    translation->is_own = 1;
    translation->user = (struct user_line){ .launcher_at = user->launcher_at, .launcher = job->launcher, .kind = job->launcher_kind };
    for (size_t i = 0; i < line->words.count; i++)
        list_add(&translation->user.words, i == user->launcher_at ? job->launcher : line->words.words[i]);
    job->line_host = job->line_library = "";
}

struct problem *translate_line(struct job *job, const struct user_line *user, const char *dialect, struct translation *translation)
{
    struct line line = { .dialects = &job->site->launchers, .launcher_at = user->launcher_at, .cores = count_cores() };
    struct list names = known_dialects(job);
    struct piece *pieces;
    const char *family;
    if (!list_has(&names, dialect))
        return refuse_dialect(dialect, &names);
    line.dialect = dialect_of(line.dialects, dialect);
    list_add_all(&line.words, &user->words);
    add_ignored(&line, given(job, "--ignore-options"));
    add_ignored(&line, setting(job->site, "ignore_options"));
    /* The host's is not known yet. */
    job->launcher = job->launcher_kind = "";
    HAND_ON(parse_line(&line));
    for (size_t i = 0; i < line.notes.count; i++)
        say_more(&job->messages, "%s", line.notes.words[i]);
    if (*given(job, "--from") == 0 && (family = family_of_launcher(job->site, dialect))) {
        set_fact(&job->given, "--from", family);
        job->from_is_assumed = 1;
    }
    pieces = arena_memory((line.count + 1) * sizeof *pieces);
    for (size_t i = 0; i < line.count; i++) {
        HAND_ON(examine_part(job, &line, &line.parts[i], &pieces[i]));
        if (i == 0 && is_same(variant_of_launcher(job->site, job->launcher, job->launcher_kind), dialect)) {
            take_own_line(job, user, &line, translation);
            return 0;
        }
        HAND_ON(fill_part(job, &line, &line.parts[i], &pieces[i]));
        note_planned(job, &pieces[i].program, &pieces[i].choice);
    }
    if (line.count > 0)
        translation->choice = pieces[line.count - 1].choice;
    for (size_t i = 0; i < user->launcher_at; i++)
        list_add(&translation->start.words, user->words.words[i]);
    list_add(&translation->start.words, job->launcher);
    list_split(&translation->start.words, of_launcher(job->site, job->launcher_kind, "leads"));
    list_split(&translation->start.words, setting(job->site, "launcher_arguments"));
    return write_for_host(job, &line, translation);
}
