/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter run: starts programs with the launcher of the host MPI. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../launch/place.h"
#include "../site/setting.h"
#include "arena.h"
#include "file.h"
#include "pmi.h"
#include "spawn.h"
#include "texts.h"
#include "verbs.h"

/* The line that is made. */
struct run {
    struct job *job;
    const char *launcher, *kind;
    struct list arguments;      /* of the launcher */
    struct list own_words;      /* what the user gave the launcher */
    int all_ranks;
    int is_several;
    int spawns;                 /* a program may spawn, and its own MPI's launcher would let children share cores */
};

/* ---------------------------------------------------------------- words for one program */

static int mentions_mpi(const struct list *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (begins_with(words->words[i], "--mpi"))
            return 1;
    return 0;
}

/* Slurm starts each rank alone unless it is told what the host MPI speaks. Adds the option, where neither the user nor the site has said
 * it. */
static struct problem *add_srun_option(const struct run *run, const struct choice *choice, struct list *arguments)
{
    struct asked asked = { .most = 1 << 20 };
    const char *type, *offered;
    int status;
    if (*variable("SLURM_MPI_TYPE") || mentions_mpi(arguments))
        return 0;
    list_split(&asked.words, "scontrol show config");
    const char *text = said_by(&asked, &status), *said = strstr(text, "MpiDefault");
    if (status != 0 || !said)
        return 0;
    said += strlen("MpiDefault") + strspn(said + strlen("MpiDefault"), " ");
    said += *said == '=';
    said += strspn(said, " ");
    size_t length = strcspn(said, " \t\n");
    if (!is_same(arena_text("%.*s", (int)length, said), "none") && !is_same(arena_text("%.*s", (int)length, said), "(null)"))
        return 0;
    type = pmi_of_library(run->job, choice->host.library, said_in_pair(choice->pair, "host"));
    HAND_ON(offered_type(run->job, run->launcher, type, choice->host.library, &offered));
    list_add(arguments, arena_text("--mpi=%s", offered));
    return 0;
}

/* Adds what the launcher needs ahead of one of several programs, or of the only one. */
static struct problem *add_program_words(struct run *run, const struct program *program, const struct choice *choice)
{
    const struct site *site = run->job->site;
    const char *pattern = "";
    if (!is_batch(site, run->kind)) {
        pattern = run->is_several ? of_launcher(site, run->kind, "one") : launcher_fact(site, run->kind, "gives");
        append_settings(&run->arguments, pattern, &choice->environment);
    }
    list_add(&run->arguments, "-n");
    list_add(&run->arguments, arena_text("%d", run->job->ranks));
    if (is_same(run->kind, "slurm"))
        HAND_ON(add_srun_option(run, choice, &run->arguments));
    return append_starter(run->job, program, choice, *pattern == 0, &run->arguments);
}

/* Sets the arguments to what the launcher needs ahead of the first program. */
static struct problem *begin_line(struct run *run, const struct program *program, const struct choice *choice)
{
    const struct site *site = run->job->site;
    run->arguments = (struct list){ 0 };
    /* The job has the name of the program, not of what starts it. */
    if (is_same(run->kind, "slurm"))
        list_add(&run->arguments, arena_text("--job-name=%s", base_name(program->path)));
    list_split(&run->arguments, of_launcher(site, run->kind, "leads"));
    list_split(&run->arguments, setting(site, "launcher_arguments"));
    list_add_all(&run->arguments, &run->job->launcher_arguments);
    return add_program_words(run, program, choice);
}

struct problem *launcher_words(struct job *job, const struct program *program, const struct choice *choice, struct list *words)
{
    struct run run = { .job = job, .launcher = choice->host.launcher, .kind = choice->host.launcher_kind };
    HAND_ON(begin_line(&run, program, choice));
    *words = run.arguments;
    return 0;
}

/* ---------------------------------------------------------------- where ranks go */

/* Whether a file has a line that is no comment. */
static int has_lines(const char *file)
{
    struct list lines = { 0 };
    if (!is_file(file) || read_lines(file, "", &lines))
        return 0;
    for (size_t i = 0; i < lines.count; i++) {
        const char *text = lines.words[i] + strspn(lines.words[i], " \t\r");
        if (*text && *text != '#')
            return 1;
    }
    return 0;
}

/* Whether it is said where ranks go: by the words for the launcher, or as the table tells. */
static int are_placed(const struct run *run)
{
    struct list names = words_of(of_launcher(run->job->site, run->kind, "placed"));
    const char *real = real_path(run->launcher), *folder = up_to_last(up_to_last(real ? real : "", '/'), '/');
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.words[i];
        if (*name == '-') {
            for (size_t j = 0; j < run->own_words.count; j++)
                if (is_same(single_dash(run->own_words.words[j]), name))
                    return 1;
        } else if (strchr(name, '/') ? has_lines(*name == '/' ? name : arena_text("%s/%s", folder, name)) : getenv(name) != 0)
            return 1;
    }
    return 0;
}

/* Lets ranks share this machine's cores where the launcher would refuse more of them, as others do by themselves. If a user, a site or a
 * batch system says where ranks go, that is left alone. */
static void share_cores(struct run *run)
{
    struct list words = words_of(of_launcher(run->job->site, run->kind, "shares"));
    int cores = words.count > 0 ? count_cores() : 0;
    int is_full = run->all_ranks > 1 && run->all_ranks > cores;
    if (words.count == 0 || !(is_full || run->spawns) || are_placed(run))
        return;
    if (is_full)
        say(&run->job->messages, "%d ranks share %d core%s, by %s; give fewer with -n, or tell the launcher where they go", run->all_ranks, cores,
        cores == 1 ? "" : "s", list_joined(&words, " "));
    list_add_all(&words, &run->arguments);
    run->arguments = words;
}

void share_cores_of(struct job *job, const struct choice *choice, int ranks, struct list *arguments)
{
    struct run run = { .job = job, .launcher = choice->host.launcher, .kind = choice->host.launcher_kind, .arguments = *arguments,
                       .all_ranks = ranks };
    list_split(&run.own_words, setting(job->site, "launcher_arguments"));
    list_add_all(&run.own_words, &job->launcher_arguments);
    share_cores(&run);
    *arguments = run.arguments;
}

/* ---------------------------------------------------------------- several programs */

/* Notes whether a program calls what spawns. Children of programs of an MPI without slots find room where ranks fill the cores. */
static void note_spawning(struct run *run, const struct program *program)
{
    struct list starts = words_of("MPI_Comm_spawn PMPI_Comm_spawn mpi_comm_spawn");
    const char *own = launcher_of_abi(run->job->site, program->abi);
    if (program->subject && own && is_same(of_launcher(run->job->site, own, "share"), "yes") && refers_by(program->subject, &starts))
        run->spawns = 1;
}

/* Takes what stands ahead of the next : from the operands, which keep what follows that. */
static struct problem *next_program(struct job *job, struct list *words)
{
    struct list rest = { 0 };
    *words = (struct list){ 0 };
    for (size_t i = 0; i < job->operands.count; i++) {
        if (!is_same(job->operands.words[i], ":")) {
            list_add(words, job->operands.words[i]);
            continue;
        }
        for (i++; i < job->operands.count; i++)
            list_add(&rest, job->operands.words[i]);
        job->operands = rest;
        return rest.count > 0 ? 0 : usage_problem_of("no program follows the ':'");
    }
    job->operands = rest;
    return 0;
}

static void add_program(struct run *run, const struct program *program, const struct choice *choice, const struct list *words)
{
    note_planned(run->job, program, choice);
    list_add(&run->arguments, program->path);
    for (size_t i = 1; i < words->count; i++)
        list_add(&run->arguments, words->words[i]);
}

/* Adds the programs after the first, each with options of its own. */
static struct problem *add_other_programs(struct run *run)
{
    static const struct option later_options[] = {
        { "-n", "-np", "N", TAKES_WORD, "" }, { "--launcher-arg", 0, "X", TAKES_WORD, "" }, { 0 },
    };
    struct job *job = run->job;
    const char *apart = of_launcher(job->site, run->kind, "apart");
    int wants_help = 0;
    if (job->operands.count == 0)
        return 0;
    /* The user must say what the second program of a srun line needs of --mpi and of --job-name. */
    if (*apart == 0 || is_same(run->kind, "slurm"))
        return problem_of("run can start only one program by %s; give an MPI's own launcher with --launcher PATH", run->launcher);
    while (job->operands.count > 0) {
        struct program program = { .abi = "" };
        struct choice choice;
        struct list words, left = job->operands;
        int is_plain;
        job->ranks = 1;
        job->launcher_arguments = (struct list){ 0 };
        HAND_ON(parse_options(job, later_options, &left, &wants_help));
        if (wants_help)
            put_help(job, verb_of("run"));
        run->all_ranks += job->ranks;
        list_add_all(&run->own_words, &job->launcher_arguments);
        HAND_ON(next_program(job, &words));
        if (words.count == 0)
            return usage_problem_of("no program stands between two ':'");
        HAND_ON(examine_started(job, &words, &program));
        HAND_ON(choose_for_line(job, &program, run->launcher, &choice, &is_plain));
        list_add(&run->arguments, apart);
        list_add_all(&run->arguments, &job->launcher_arguments);
        note_spawning(run, &program);
        HAND_ON(add_program_words(run, &program, &choice));
        add_program(run, &program, &choice, &words);
    }
    return 0;
}

/* Whether the programs behind the first one run on its MPI, too. */
static int rest_runs(const struct run *run, const struct program *program, const struct choice *choice)
{
    struct run trial = *run;
    struct job job = *run->job;
    trial.job = &job;
    trial.own_words = (struct list){ 0 };
    job.messages = (struct messages){ .are_kept = 1 };
    return !begin_line(&trial, program, choice) && !add_other_programs(&trial);
}

/* Chooses what the first program runs on, its own MPI only if the others run there. */
static struct problem *choose_for_all(struct run *run, struct program *program, struct choice *choice)
{
    struct job *job = run->job;
    HAND_ON(choose_host(job, program, 1, wanted_launcher(job), choice));
    run->launcher = job->launcher = choice->host.launcher;
    run->kind = job->launcher_kind = choice->host.launcher_kind;
    job->line_host = said_in_pair(mpi_of_choice(choice)->pair, "host");
    job->line_library = program->linked && choice->is_native ? "" : mpi_of_choice(choice)->host.library;
    if (!choice->own_is_preferred || !run->is_several || rest_runs(run, program, choice))
        return 0;
    job->own_serves = 0;
    job->launcher = job->launcher_kind = job->line_host = job->line_library = job->line_native = "";
    return choose_for_all(run, program, choice);
}

/* ---------------------------------------------------------------- the subcommand */

/* Refuses to be one of several ranks that a launcher started, as each of them would start a job of its own. */
static struct problem *refuse_ranks(const struct job *job)
{
    const struct site *site = job->site;
    const char *name = link_text(arena_text("/proc/%ld/exe", (long)getppid()));
    for (size_t i = 0; i < site->launchers.count; i++) {
        const char *kind = site->launchers.all[i].name, *told = fact_of(&site->launchers.all[i], "told"), *count = *told ? variable(told) : "";
        if (!is_digits(count, 9) || atoi(count) <= 1)
            continue;
        if (!has_word(of_launcher(site, kind, "daemons"), base_name(name)) && !is_called(site, name, kind))
            continue;
        const char *words = list_joined(&job->operands, " ");
        return problem_of("%s started 'mpi-adapter run' in each of %s ranks, and each would start a job of its own; "
                          "type 'mpi-adapter exec -- LAUNCHER -n %s %s', or 'mpi-adapter run -n %s %s'",
                          base_name(name), count, count, words, count, words);
    }
    return 0;
}

/* Takes the ABI of programs that do not tell it from mpiexec_abi, or from the shell that `mpi-adapter shell --from` started. */
static void assume_abi(struct job *job)
{
    const char *abi = variable("MPI_ADAPTER_FROM");
    if (*abi == 0 || *given(job, "--from"))
        return;
    set_fact(&job->given, "--from", abi);
    job->from_is_assumed = 1;
    unsetenv("MPI_ADAPTER_FROM");
}

struct problem *act_run(struct job *job, int *status)
{
    struct run run = { .job = job, .launcher = "", .kind = "" };
    struct program program = { .abi = "" };
    struct choice choice;
    struct list words;
    (void)status;
    if (job->operands.count == 0)
        return usage_problem_of("no program is given");
    HAND_ON(refuse_ranks(job));
    assume_abi(job);
    if (is_launcher_name(job->site, job->operands.words[0]) && find_in_path(job->operands.words[0])) {
        /* The program is a launcher, with its own words: `exec` is meant. */
        if (job->ranks != 1)
            return usage_problem_of("%s starts ranks itself; leave -n out, or the launcher", job->operands.words[0]);
        job->command = "exec";
        return exec_line(job);
    }
    HAND_ON(require_pairs(job->site));
    HAND_ON(check_abi_options(job));
    HAND_ON(next_program(job, &words));
    if (words.count == 0)
        return usage_problem_of("no program stands ahead of the ':'");
    run.is_several = job->operands.count > 0;
    HAND_ON(examine_started(job, &words, &program));
    HAND_ON(choose_for_all(&run, &program, &choice));
    HAND_ON(begin_line(&run, &program, &choice));
    add_program(&run, &program, &choice, &words);
    note_spawning(&run, &program);
    run.all_ranks = job->ranks;
    list_split(&run.own_words, setting(job->site, "launcher_arguments"));
    list_add_all(&run.own_words, &job->launcher_arguments);
    HAND_ON(add_other_programs(&run));
    share_cores(&run);
    struct start start = { .launcher = run.launcher, .logged_ranks = run.all_ranks };
    start.without_library_path = !run.is_several && spares_launcher(job, &choice);
    list_add(&start.words, run.launcher);
    list_add_all(&start.words, &run.arguments);
    return carry_out(job, &start);
}
