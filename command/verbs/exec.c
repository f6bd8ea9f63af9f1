/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter exec: runs a launch line of the user's own. */
#include <stdlib.h>
#include <string.h>

#include "../launch/line.h"
#include "../site/launcher.h"
#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "pmi.h"
#include "texts.h"
#include "verbs.h"

/* Finds the launcher of the line; it has no file if it is not there. Words ahead of it (timeout, env) start the launcher. */
static struct problem *find_line_launcher(struct job *job, struct user_line *line)
{
    long missing = -1;
    for (size_t i = 0; i < line->words.count; i++) {
        const char *word = line->words.words[i], *file, *found;
        if (!is_launcher_name(job->site, word))
            continue;
        file = find_launcher(job->site, word);
        if (!file || !is_file(file) || !is_startable(file)) {
            missing = missing < 0 ? (long)i : missing;
            continue;
        }
        line->launcher_at = i;
        line->launcher = file;
        /* By its name, the line would start what leads back here. */
        found = find_in_path(word);
        if (!found || !is_same_file(found, file))
            line->words.words[i] = file;
        line->kind = kind_of_launcher(job->site, file);
        if (*line->kind == 0)
            return problem_of("don't know which MPI %s belongs to; use 'mpi-adapter env' and start the line yourself", file);
        return 0;
    }
    if (missing < 0)
        return problem_of("'%s' starts no launcher; put one in it, such as 'mpiexec -n 2 PROGRAM', or use 'mpi-adapter run'",
                          list_joined(&line->words, " "));
    line->launcher_at = (size_t)missing;
    return strchr(line->words.words[missing], '/') ? cannot_be_started(line->words.words[missing]) : 0;
}

/* The host is the MPI that the launcher belongs to, whatever the site prefers for other lines. */
static void settle_line_host(struct job *job)
{
    const char *host = setting(job->site, "host");
    if (!is_batch(job->site, job->launcher_kind) && *host && !starts_abi(job, job->launcher_kind, up_to(host, '@')))
        set_fact(&job->site->settings, "host", "");
}

/* The MPI of an installation of its own is meant by its launcher. */
static void prefer_installation(struct job *job)
{
    const char *file = real_path(job->launcher), *folder = file ? up_to_last(file, '/') : "", *prefixes = setting(job->site, "host_prefixes");
    if (!is_same(base_name(folder), "bin") || is_same(folder, "/bin") || is_same(folder, "/usr/bin"))
        return;
    set_fact(&job->site->settings, "host_prefixes", arena_text("%s%s%s", up_to_last(folder, '/'), *prefixes ? ":" : "", prefixes));
}

/* A pair that build made for the MPI of this launcher comes first. */
static void prefer_recorded(struct job *job, const struct program *program)
{
    if (*given(job, "--to") || *job->line_host)
        return;
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const struct pair *pair = job->site->pairs[i];
        if (is_same(said_in_pair(pair, "application"), program->abi) && *said_in_pair(pair, "name") &&
            is_same_file(said_in_pair(pair, "launcher"), job->launcher)) {
            set_fact(&job->given, "--to", host_of_pair(pair));
            return;
        }
    }
}

/* ---------------------------------------------------------------- one program of a line that stays as it is */

/* Holds where the program stands among the words of a part, and what the part becomes. */
struct adapting {
    struct job *job;
    struct user_line *line;
    struct list arguments;
    struct places at;
    struct program program;
    struct choice choice;
};

/* Returns what the launcher is told of a variable between two words; null if nothing. A name alone stands for the value that is here. */
static const char *told_in(const struct adapting *adapting, size_t from, size_t to, const char *name)
{
    const struct list *words = &adapting->line->words;
    for (size_t i = from + 1; i < to; i++) {
        int count;
        if (begins_with(words->words[i], arena_text("%s=", name)))
            return behind(words->words[i], '=');
        if (!is_same(words->words[i], name) || *words->words[i - 1] != '-')
            continue;
        value_words(adapting->job->site, adapting->line->kind, words->words[i - 1], &count);
        return count == 2 && i + 1 < words->count ? words->words[i + 1] : variable(name);
    }
    return 0;
}

static struct problem *cannot_be_told(const struct adapting *adapting)
{
    return problem_of("%s cannot give the adapter to the programs of '%s'; use 'mpi-adapter env' and start the line yourself",
                      adapting->line->launcher, list_joined(&adapting->line->words, " "));
}

/* Refuses a program that is no command to what would start it: a NAME of the working folder that is not in PATH. */
static struct problem *require_command(const struct adapting *adapting)
{
    const struct places *at = &adapting->at;
    const char *name = at->program >= 0 ? adapting->line->words.words[at->program] : "";
    if (at->command < 0 || at->command != at->program || !stands_bare(name))
        return 0;
    return problem_of("%s: no such program in PATH; to run the one in %s, give ./%s", name, *at->folder ? at->folder : "this folder", name);
}

/* Refuses a part in which no program stands. */
static struct problem *lacks_program(const struct adapting *adapting)
{
    const char *words = list_joined(&adapting->line->words, " ");
    if (adapting->at.file >= 0 && *of_launcher(adapting->job->site, adapting->line->kind, "every") == 0)
        return cannot_be_told(adapting);
    if (adapting->at.file >= 0)
        return problem_of("'%s' lists its programs in a file; give one of them with --program FILE", words);
    return problem_of("'%s' has no program that can be found; correct the program's name, or give the program with --program FILE", words);
}

/* Examines the program of the part, its host, and the environment of its ranks. */
static struct problem *examine_part(struct adapting *adapting)
{
    struct job *job = adapting->job;
    const struct places *at = &adapting->at;
    const char *file = given(job, "--program"), *found;
    int is_plain;
    if (at->command >= 0) {
        long first = at->program >= 0 ? at->program : at->command;
        adapting->program.is_started_by_other = at->command != first;
        found = startable_file(at->folder, adapting->line->words.words[first]);
        file = *file || !found ? file : found;
    }
    if (*file == 0)
        return lacks_program(adapting);
    HAND_ON(examine_program(job, file, &adapting->program));
    prefer_recorded(job, &adapting->program);
    return choose_for_line(job, &adapting->program, job->launcher, &adapting->choice, &is_plain);
}

/* Examines the part in the environment that the line gives to its ranks. Sets *is_told if it gives them any. */
static struct problem *examine_as_told(struct adapting *adapting, size_t from, size_t to, int *is_told)
{
    struct job *job = adapting->job;
    const char *library_path = job->library_path, *preload = job->preload;
    const char *told_path = told_in(adapting, from, to, "LD_LIBRARY_PATH"), *told_preload = told_in(adapting, from, to, "LD_PRELOAD");
    *is_told = told_path || told_preload;
    job->library_path = told_path ? told_path : library_path;
    job->preload = told_preload ? told_preload : preload;
    struct problem *problem = examine_part(adapting);
    job->library_path = library_path;
    job->preload = preload;
    return problem;
}

/* Adds the words from the part's first command on, with what must stand ahead of it. A NAME that only the working folder has is none to
 * what starts it. */
static struct problem *append_command(struct adapting *adapting, size_t to, int with_settings)
{
    size_t before = adapting->arguments.count;
    const char *first = adapting->line->words.words[adapting->at.command];
    HAND_ON(append_starter(adapting->job, &adapting->program, &adapting->choice, with_settings, &adapting->arguments));
    list_add(&adapting->arguments, adapting->arguments.count > before && stands_bare(first) ? arena_text("./%s", first) : first);
    for (size_t i = (size_t)adapting->at.command + 1; i < to; i++)
        list_add(&adapting->arguments, adapting->line->words.words[i]);
    return 0;
}

static void append_words(struct adapting *adapting, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        list_add(&adapting->arguments, adapting->line->words.words[i]);
}

/* The line of a script says to a batch system how ranks of the program's own MPI meet. Says how the host's do instead. */
static void renew_meeting(struct adapting *adapting, size_t from, size_t to)
{
    struct job *job = adapting->job;
    struct list *words = &adapting->line->words;
    const char *options = of_launcher(job->site, adapting->line->kind, "meeting"), *host = adapting->choice.pair ? said_in_pair(adapting->choice.pair, "host") : "";
    if (!job->is_as_written || adapting->choice.environment.keys.count == 0 || *options == 0)
        return;
    const char *wanted = pmi_of_library(job, adapting->choice.host.library, host);
    for (size_t i = from; i < to; i++) {
        const char *word = words->words[i];
        int has_value = strchr(word, '=') != 0;
        if (!has_word(options, single_dash(word)) || (!has_value && i + 1 >= words->count))
            continue;
        const char *value = has_value ? behind(word, '=') : words->words[i + 1];
        if (begins_with(value, wanted))
            continue;
        say_more(&job->messages, "%s gets %s instead of %s, as %s connects its ranks by that", adapting->line->launcher, wanted, value, host);
        words->words[has_value ? i : i + 1] = has_value ? arena_text("%s=%s", up_to(word, '='), wanted) : wanted;
    }
}

/* Adds the words between two to the arguments, with what gives the ranks their environment: options of the launcher's, or where the line has
 * such ones for a variable of ours, the starter of ranks. */
static struct problem *adapt_part(struct adapting *adapting, size_t from, size_t to)
{
    const struct site *site = adapting->job->site;
    const char *kind = adapting->line->kind, *one = of_launcher(site, kind, "one"), *every = of_launcher(site, kind, "every");
    const struct facts *environment = &adapting->choice.environment;
    int is_told;
    adapting->program = (struct program){ .abi = "" };
    adapting->choice = (struct choice){ 0 };
    adapting->at = find_program_in(adapting->job, &adapting->line->words, kind, from, to);
    size_t command = adapting->at.command >= 0 ? (size_t)adapting->at.command : to;
    for (size_t i = command + 1; i < to; i++)
        list_add(&adapting->program.words, adapting->line->words.words[i]);
    HAND_ON(examine_as_told(adapting, from, command, &is_told));
    renew_meeting(adapting, from, command);
    note_planned(adapting->job, &adapting->program, &adapting->choice);
    if (environment->keys.count == 0)
        append_words(adapting, from, to);
    else if (adapting->at.file >= 0 && *every) {
        /* Behind what the line says of the same variable, as the last word counts. */
        append_words(adapting, from, to);
        append_settings(&adapting->arguments, every, environment);
    } else if (adapting->at.file < 0 && *one && !is_told) {
        if (*of_launcher(site, kind, "bare") == 0)
            HAND_ON(require_command(adapting));
        append_settings(&adapting->arguments, one, environment);
        append_words(adapting, from, command);
        if (adapting->at.command >= 0)
            HAND_ON(append_command(adapting, to, 0));
    } else if (adapting->at.command >= 0) {
        HAND_ON(require_command(adapting));
        append_words(adapting, from, command);
        HAND_ON(append_command(adapting, to, 1));
    } else
        return cannot_be_told(adapting);
    return 0;
}

/* Sets the arguments to the line with all its programs adapted. */
static struct problem *adapt_line(struct adapting *adapting)
{
    const struct list *words = &adapting->line->words;
    const char *kind = adapting->line->kind, *inner = of_launcher(adapting->job->site, kind, "inner");
    const char *apart = of_launcher(adapting->job->site, kind, "apart");
    size_t from = adapting->line->launcher_at + 1;
    while (from < words->count && has_word(inner, words->words[from]))
        from++;
    append_words(adapting, 0, from);
    for (size_t to = from; to <= words->count; to++) {
        if (to < words->count && (*apart == 0 || !is_same(words->words[to], apart)))
            continue;
        HAND_ON(adapt_part(adapting, from, to));
        if (to < words->count)
            list_add(&adapting->arguments, apart);
        from = to + 1;
    }
    return 0;
}

/* ---------------------------------------------------------------- which launcher the line was written for */

const char *kind_of_name(const struct job *job, const char *name)
{
    const struct list *names = &job->site->implementations.names;
    const char *found = 0, *suffix = strrchr(base_name(name), '.');
    int count = 0;
    for (size_t i = 0; suffix && i < names->count; i++)
        if (has_word(of_implementation(job->site, names->words[i], "launchers"), arena_text("mpiexec.%s", suffix + 1)))
            return of_implementation(job->site, names->words[i], "launcher");
    for (size_t i = 0; i < job->site->launchers.count; i++)
        if (is_called(job->site, name, job->site->launchers.all[i].name)) {
            found = job->site->launchers.all[i].name;
            count++;
        }
    return count == 1 ? found : 0;
}

struct problem *kind_of_program(struct job *job, const struct user_line *line, const char **kind, const char **abi, int *has_parts)
{
    const struct dialects *launchers = &job->site->launchers;
    *kind = 0;
    for (size_t i = 0; i < launchers->count; i++) {
        struct program program = { .abi = "" };
        const char *file;
        if (!is_called(job->site, line->words.words[line->launcher_at], launchers->all[i].name))
            continue;
        struct places at = find_program_in(job, &line->words, launchers->all[i].name, line->launcher_at + 1, line->words.count);
        if (at.program < 0 || !(file = startable_file(at.folder, line->words.words[at.program])))
            continue;
        HAND_ON(examine_program(job, file, &program));
        *abi = program.abi;
        *has_parts = program.part_abis.count > 0;
        *kind = launcher_of_abi(job->site, program.abi);
        return 0;
    }
    return 0;
}

/* The same of a program that opens its MPI late, by what it will load; null if nothing tells. */
static const char *kind_of_late_program(const struct job *job, const struct user_line *line)
{
    const struct dialects *launchers = &job->site->launchers;
    for (size_t i = 0; i < launchers->count; i++) {
        struct job trial = *job;
        struct program program = { .abi = "" };
        const char *file;
        if (!is_called(job->site, line->words.words[line->launcher_at], launchers->all[i].name))
            continue;
        trial.messages = (struct messages){ .are_kept = 1 };
        trial.launcher_kind = launchers->all[i].name;
        struct places at = find_program_in(&trial, &line->words, trial.launcher_kind, line->launcher_at + 1, line->words.count);
        if (at.command < 0 || !(file = startable_file(at.folder, line->words.words[at.command])))
            continue;
        for (size_t j = (size_t)at.command + 1; j < line->words.count; j++)
            list_add(&program.words, line->words.words[j]);
        if (examine_program(&trial, file, &program) || program.abi_is_guess || program.abi_is_usual)
            return 0;
        return launcher_of_abi(job->site, program.abi);
    }
    return 0;
}

/* The kind of launcher that the line was written for: that of the launcher here which has its name, if nothing else tells. */
static struct problem *find_dialect(struct job *job, const struct user_line *line, const char **dialect)
{
    const char *name = line->words.words[line->launcher_at], *abi;
    int has_parts;
    *dialect = given(job, "--as");
    if (**dialect || (*dialect = kind_of_name(job, name)) || (*dialect = shown_dialect(job, line)))
        return 0;
    HAND_ON(kind_of_program(job, line, dialect, &abi, &has_parts));
    if (*dialect || (*given(job, "--from") && (*dialect = launcher_of_abi(job->site, given(job, "--from")))) ||
        (*dialect = kind_of_late_program(job, line)))
        return 0;
    *dialect = line->kind;
    if (**dialect == 0)
        return problem_of("don't know which MPI's launcher '%s' stands for; give --as KIND, or --from ABI", name);
    return 0;
}

/* Whether the launcher has a name that several MPIs' have, and the line the options of another one. It starts ranks of its own MPI all the
 * same, by options of its own. */
static int has_foreign_options(struct job *job, const struct user_line *line)
{
    const char *dialect, *family;
    if (*given(job, "--as") || kind_of_name(job, line->words.words[line->launcher_at]) || !(dialect = shown_dialect(job, line)) ||
        is_same(dialect, line->kind))
        return 0;
    say_more(&job->messages, "the options of '%s' are for %s, and %s gets its own instead", list_joined(&line->words, " "), dialect,
             line->launcher);
    if (*given(job, "--to") == 0 && (family = family_of_launcher(job->site, line->kind)))
        set_fact(&job->given, "--to", family);
    return 1;
}

/* Whether the line's launcher is not there, is not one of the MPI that is wanted, or is not what the line was written for, as --as or the
 * options say. */
static int must_translate(struct job *job, const struct user_line *line)
{
    const char *host = given(job, "--to"), *as = given(job, "--as");
    if (*line->launcher == 0 || (*as && !is_same(as, line->kind)) || has_foreign_options(job, line))
        return 1;
    return *host && !is_batch(job->site, line->kind) && !starts_abi(job, line->kind, up_to(host, '@'));
}

int is_question(const struct list *words, size_t from)
{
    return words->count == from + 1 && has_word("--version -version -V -info --help -h", words->words[from]);
}

/* ---------------------------------------------------------------- the subcommand */

/* Whether the launcher of a line with one program is to be started without LD_LIBRARY_PATH. */
static int spares_line(struct job *job, const struct list *words, const struct choice *choice)
{
    return choice->pair && !list_has(words, ":") && spares_launcher(job, choice);
}

static struct problem *adapt_and_run(struct job *job, struct user_line *line)
{
    struct adapting adapting = { .job = job, .line = line };
    HAND_ON(adapt_line(&adapting));
    struct start start = { .words = adapting.arguments, .launcher = job->launcher };
    start.without_library_path = spares_line(job, &adapting.arguments, &adapting.choice);
    return carry_out(job, &start);
}

struct problem *exec_line(struct job *job)
{
    struct user_line line = { .launcher = "", .kind = "" };
    struct translation translation = { .is_own = 0 };
    const char *dialect, *family;
    list_add_all(&line.words, &job->operands);
    if (job->site->pair_count == 0)
        HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    HAND_ON(find_line_launcher(job, &line));
    job->launcher = line.launcher;
    job->launcher_kind = line.kind;
    if (!must_translate(job, &line)) {
        settle_line_host(job);
        prefer_installation(job);
        return adapt_and_run(job, &line);
    }
    HAND_ON(find_dialect(job, &line, &dialect));
    if (is_question(&line.words, line.launcher_at + 1) && (family = family_of_launcher(job->site, dialect))) {
        answer_as(job, family);
        return 0;
    }
    HAND_ON(translate_line(job, &line, dialect, &translation));
    if (translation.is_own)
        return adapt_and_run(job, &translation.user);
    translation.start.launcher = job->launcher;
    translation.start.without_library_path = spares_line(job, &translation.start.words, &translation.choice);
    return carry_out(job, &translation.start);
}

struct problem *act_exec(struct job *job, int *status)
{
    (void)status;
    if (job->operands.count == 0)
        return usage_problem_of("no launch line is given");
    return exec_line(job);
}
