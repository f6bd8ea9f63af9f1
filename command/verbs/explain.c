/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter explain: what a program was built against, and what would become of its calls on each host. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arena.h"
#include "elf/file.h"
#include "file.h"
#include "json.h"
#include "texts.h"
#include "verbs.h"

/* Says what can be said of an MPI's own library; nothing in it calls MPI. */
static void put_mpi(const struct job *job, const char *library, const char *family)
{
    struct list pairs = { 0 }, members = { 0 };
    for (size_t i = 0; i < job->site->pair_count; i++)
        if (is_same(said_in_pair(job->site->pairs[i], "host"), family))
            list_add(&pairs, job->site->pairs[i]->called);
    if (*given(job, "--json")) {
        const char *texts[] = { "library", json_string(library), "mpi", json_string(family), "pairs", json_strings(&pairs) };
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            list_add(&members, texts[i]);
        put("%s\n", json_members(&members));
        return;
    }
    put("%-15s %s\n", "library", plain(library));
    put("%-15s an MPI library of the ABI %s\n", "is", plain(family));
    put("%-15s %s\n", "pairs on it", pairs.count > 0 ? plain(list_joined(&pairs, " ")) : "none");
}

/* Finds a file that need not be in PATH, nor may be started, to be explained. */
static struct problem *find_file(struct job *job, const char *name, struct program *program)
{
    if (!strchr(name, '/') && !find_in_path(name)) {
        const char *library = is_like(name, "lib*.so*") ? traced_file(trace(job->site->program, job->library_path, name), name) : 0;
        if (is_file(name))
            name = arena_text("./%s", name);
        else if (library)
            name = library;
    }
    if (!is_file(name) || is_startable(name))
        return find_program(name, program);
    program->path = program->subject = name;
    return 0;
}

/* Finds what is explained. *is_done is set where it is an MPI's own library, of which all is said. */
static struct problem *find_explained(struct job *job, const char *name, struct program *program, int *is_done)
{
    HAND_ON(find_file(job, name, program));
    HAND_ON(find_subject(job, program));
    const struct elf_facts *facts = facts_of(program->subject);
    int is_library = is_same(facts->linkage, "library");
    HAND_ON(is_library ? require_own_machine(job, program, "library") : require_runnable_elf(job, program));
    /* Some libraries are programs, too. */
    if (is_library || *facts->soname) {
        const char *family = family_of_library(job->site, program->subject);
        if (family && *family) {
            put_mpi(job, program->path, family);
            *is_done = 1;
            return 0;
        }
        if (!knows_mpi(job, &program->other_names, program->subject) && *given(job, "--from") == 0)
            return problem_of("%s uses no MPI; give a program or a library that does", program->subject);
    }
    HAND_ON(settle_abi(job, program));
    return program->linked ? 0 : refusal_of(program);
}

/* Adds the options that describe a pair. */
static struct problem *describe_pair(struct job *job, const struct program *program, const struct pair *pair, struct list *words)
{
    struct host_mpi host = NO_HOST;
    struct links links;
    struct problem *problem = check_pair_files(pair);
    list_add(words, "--pair");
    list_add(words, pair->folder);
    list_add(words, "--host");
    list_add(words, said_in_pair(pair, "host"));
    if (!is_readable(arena_text("%s/procedures.conf", pair->folder)))
        problem = problem_of("%s/procedures.conf is missing; install the pair again", pair->folder);
    problem = problem ? problem : check_host_library(job, program, pair, &host);
    problem = problem ? problem : check_host_preload(job, pair, &host);
    if (problem) {
        list_add(words, "--problem");
        list_add(words, shown_problem(problem->text));
        return 0;
    }
    const char *path = with_stand_ins(job, program, pair, library_path_of(job, pair, &host));
    HAND_ON(link_pair(job, program, pair, &links));
    list_add(words, "--library");
    list_add(words, host.library);
    list_add(words, "--library-path");
    list_add(words, *links.folder ? arena_text("%s:%s", path, links.folder) : path);
    if (*host.preload) {
        list_add(words, "--host-preload");
        list_add(words, host.preload);
        list_add(words, "--preload");
        list_add(words, with_host_preload(job->preload, &host));
    }
    return 0;
}

/* Finds what becomes, on a pair, of a program whose MPI is linked in. Sets *library to the host's where it runs there. */
static struct problem *find_linked_host(struct job *job, const struct program *program, const struct pair *pair, const char **library)
{
    struct host_mpi host = NO_HOST;
    HAND_ON(refusal_of(program));
    HAND_ON(check_pair_files(pair));
    HAND_ON(check_host_library(job, program, pair, &host));
    *library = host.library;
    return check_linked_mpi(program, pair->folder);
}

/* Tells of a program that imports nothing of MPI, as it has all that it needs. */
static void put_linked(struct job *job, const struct program *program, const char *here)
{
    struct list members = { 0 }, hosts = { 0 };
    const char *text = "";
    for (size_t i = 0; i < job->site->pair_count; i++) {
        const struct pair *pair = job->site->pairs[i];
        const char *library = "";
        if (!is_same(said_in_pair(pair, "application"), program->abi))
            continue;
        struct list of_host = { 0 };
        struct problem *problem = find_linked_host(job, program, pair, &library);
        json_add(&of_host, "pair", json_string(pair->called));
        json_add(&of_host, "host", json_string(said_in_pair(pair, "host")));
        json_add(&of_host, problem ? "problem" : "library", json_string(problem ? shown_problem(problem->text) : library));
        list_add(&hosts, json_members(&of_host));
        text = arena_text("%s  %s: %s\n", text, pair->called,
                          problem ? shown_problem(problem->text) : arena_text("%s; its calls are led to the pair", plain(library)));
    }
    if (*given(job, "--json")) {
        json_add(&members, "program", json_string(program->path));
        json_add(&members, "file", json_string(program->linked_file));
        json_add(&members, "abi", json_string(program->abi));
        json_add(&members, "linked_in", json_string(program->linked_name));
        json_add(&members, "runs_here", json_string(here));
        json_add(&members, "interfaces", json_strings(&program->linked->interfaces));
        json_add(&members, "hosts", arena_text("[%s]", list_joined(&hosts, ", ")));
        put("%s\n", json_members(&members));
        return;
    }
    put("%-15s %s\n", "program", plain(program->path));
    put("%-15s %s\n", "built against", program->abi);
    put("%-15s %s%s%s\n", "linked in", plain(program->linked_name), program->linked_file == program->subject ? "" : ", into ",
        program->linked_file == program->subject ? "" : plain(program->linked_file));
    put("%-15s %s\n", "interfaces", program->linked->interfaces.count > 0 ? list_joined(&program->linked->interfaces, ", ") : "not known");
    put("%-15s %s\n", "runs here", plain(here));
    put("hosts\n%s", *text ? text : "  none\n");
}

/* Returns what `check` says of a file, in one line; "" for what does not run by itself. */
static const char *verdict_here(struct job *job, const char *name, const struct program *program, struct finding *finding)
{
    if (is_same(facts_of(program->subject)->linkage, "library") || !is_startable(program->path))
        return "";
    struct list words = { 0 };
    list_add(&words, name);
    find_out(job, &words, finding);
    const char *text = verdict(finding);
    for (size_t i = 0; i < finding->others.count; i++)
        text = arena_text("%s; or %s", text, other_verdict(finding->others.words[i]));
    return text;
}

/* Starts a program with this one's output, and returns its exit status. */
static int status_of(const struct list *words)
{
    int status;
    end_answer();
    pid_t process = fork();
    if (process == 0) {
        execv(words->words[0], (char **)words->words);
        _exit(127);
    }
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void add_option(struct list *words, const char *option, const char *value)
{
    list_add(words, option);
    list_add(words, value);
}

struct problem *act_explain(struct job *job, int *status)
{
    struct site *site = job->site;
    const char *explain = arena_text("%s/explain", site->home), *here, *kind;
    struct program program = { .abi = "" };
    struct finding finding = { .pair = "", .inner_pair = "" };
    struct problems problems = { 0 };
    struct list words = { 0 }, idle = { 0 };
    int is_done = 0;
    if (job->operands.count == 0)
        return usage_problem_of("no program or library is given");
    if (job->operands.count > 1)
        return usage_problem_of("more than one program is given");
    if (!is_startable(explain))
        return problem_of("%s is missing; install mpi-adapter again", explain);
    load_settings(site, &problems);
    if (problems.count > 0)
        return problems.all[0];
    load_pairs(site, &problems);
    for (size_t i = 0; i < problems.count; i++)
        say_problem(&job->messages, problems.all[i]);
    HAND_ON(check_abi_options(job));
    HAND_ON(find_explained(job, job->operands.words[0], &program, &is_done));
    if (is_done)
        return 0;
    here = verdict_here(job, job->operands.words[0], &program, &finding);
    if (program.linked) {
        put_linked(job, &program, here);
        return 0;
    }
    for (size_t i = 0; program.part_abis.count > 0 && i < site->pair_count; i++)
        if (is_same(site->pairs[i]->called, finding.pair))
            lead_part_to_pair(job, &program, said_in_pair(site->pairs[i], "application"));
    if (*finding.inner_pair)
        job->named_library = finding.pairs_library;
    list_add(&words, explain);
    if (*given(job, "--json"))
        list_add(&words, "--json");
    if ((kind = launcher_of_abi(site, program.abi)) && dialect_of(&site->launchers, kind))
        find_idle_variables(dialect_of(&site->launchers, kind), &idle);
    add_option(&words, "--program", program.path);
    add_option(&words, "--file", program.subject);
    add_option(&words, "--abi", own_abi(&program));
    add_option(&words, "--sonames", arena_text("%s %s", known_sonames(site), list_joined(&program.other_names, " ")));
    add_option(&words, "--symbols", said_of_all(&site->families, "symbols"));
    add_option(&words, "--left", of_family(site, program.abi, "left"));
    add_option(&words, "--library-path", job->library_path);
    add_option(&words, "--preload", job->preload);
    add_option(&words, "--idle", list_joined(&idle, " "));
    if (*here)
        add_option(&words, "--here", here);
    for (size_t i = 0; i < program.bundles.count; i++) {
        const char *file = program.bundles.words[i];
        add_option(&words, "--brings", arena_text("%s in %s", mpi_of_file(site, file, program.abi), file));
    }
    struct list others = files_of_other_parts(&program);
    for (size_t i = 0; i < others.count; i++)
        add_option(&words, "--native", others.words[i]);
    for (size_t i = 0; i < site->pair_count; i++)
        if (is_same(said_in_pair(site->pairs[i], "application"), program.abi) &&
            (program.part_abis.count == 0 || is_same(site->pairs[i]->called, finding.pair)))
            HAND_ON(describe_pair(job, &program, site->pairs[i], &words));
    *status = status_of(&words);
    if (*status == 0 && *given(job, "--json") == 0 && finding.differs.count > 0)
        put("%-15s %s\n", "may differ", finding.differs.words[0]);
    return 0;
}
