/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter doctor: tries what is there, and says what to do about failures. */
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../site/machine.h"
#include "../site/setting.h"
#include "arena.h"
#include "checksum.h"
#include "elf/file.h"
#include "file.h"
#include "json.h"
#include "pmi.h"
#include "progress.h"
#include "spawn.h"
#include "texts.h"
#include "tree.h"

struct doctor {
    struct job *job;
    struct machine machine;
    struct problems damaged;    /* settings and pairs */
    const char *work;           /* a folder for links */
    const char *part;           /* of the answer: MPIs, launchers, pairs, trees */
    struct list findings;       /* objects of JSON */
    int seconds;                /* that a probe may take */
    int status;
};

/* ---------------------------------------------------------------- the answer */

static void begin_part(struct doctor *doctor, const char *part)
{
    doctor->part = part;
    if (*given(doctor->job, "--json") == 0)
        put("%s\n", part);
}

static void note_finding(struct doctor *doctor, const char *result, const char *text, const char *next)
{
    const char *members[] = { "part", json_string(doctor->part), "result", json_string(result), "text", json_string(text), "next", json_value(next) };
    struct list list = { 0 };
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        list_add(&list, members[i]);
    list_add(&doctor->findings, arena_text("\n  %s", json_members(&list)));
}

/* Ends where the user has interrupted it. */
static void end_if_interrupted(void)
{
    if (!interrupted())
        return;
    end_step();
    exit(130);
}

static void report(struct doctor *doctor, const char *result, const char *sign, const char *text)
{
    end_if_interrupted();
    if (*given(doctor->job, "--json"))
        note_finding(doctor, result, text, "");
    else
        put("  %s  %s\n", sign, plain(text));
}

static void report_ok(struct doctor *doctor, const char *text)
{
    report(doctor, "ok", "ok  ", text);
}

static void report_note(struct doctor *doctor, const char *text)
{
    report(doctor, "note", "-   ", text);
}

static void report_failure(struct doctor *doctor, const struct problem *problem)
{
    const char *what = what_of(problem->text), *advice = advice_of(problem->text);
    end_if_interrupted();
    doctor->status = 1;
    if (*given(doctor->job, "--json"))
        note_finding(doctor, "failure", what, advice);
    else
        put("  FAIL  %s\n        next: %s\n", plain(what), plain(advice));
}

/* The problem of something that is named ahead. */
static struct problem *problem_with(const char *name, const struct problem *problem)
{
    return problem_of("%s: %s; %s", name, what_of(problem->text), advice_of(problem->text));
}

/* ---------------------------------------------------------------- probes */

/* The first line of a text that begins so; null if none does. */
static const char *line_with(const char *text, const char *start)
{
    struct list lines = { 0 };
    list_split_at(&lines, text, '\n');
    for (size_t i = 0; i < lines.count; i++)
        if (begins_with(lines.words[i], start))
            return lines.words[i];
    return 0;
}

/* Returns what went wrong in a probe, by what others' programs say. */
static struct problem *problem_of_probe(const struct doctor *doctor, int status, const char *text)
{
    static const char loading[] = "error while loading shared libraries: ";
    const char *line;
    struct list lines = { 0 };
    list_split_at(&lines, text, '\n');
    for (size_t i = 0; i < lines.count; i++) {
        const char *advice = begins_with(lines.words[i], "mpi-adapter: ") ? strstr(lines.words[i], "; ") : 0;
        if (advice)
            return problem_of("%.*s; %s", (int)(advice - lines.words[i]) - 13, lines.words[i] + 13, advice + 2);
    }
    if (has_text(text, "of the expected"))
        return problem_of("its ranks do not find each other; use the launcher that came with that MPI, or under Slurm the right srun --mpi");
    if ((line = strstr(text, loading)))
        return problem_of("a rank cannot load %s; install it, or add its folder to LD_LIBRARY_PATH", up_to(line + sizeof loading - 1, ':'));
    if (has_text(text, "symbol lookup error") || has_text(text, "undefined symbol"))
        return problem_of("a library lacks a symbol; install the pair again, or give the MPI that it was made for");
    if (has_text(text, "not enough slots") || has_text(text, "No nodes"))
        return problem_of("the launcher has no room for two ranks; run doctor inside an allocation, or set launcher_arguments");
    if ((line = line_with(text, "probe: ")))
        return problem_of("%s; report this with the output of 'mpi-adapter doctor -v'", line + strlen("probe: "));
    if (status == STATUS_LATE)
        return problem_of("the probe hangs; check the MPI's network settings, or give --timeout more than %d", doctor->seconds);
    return problem_of("the probe ends with status %d (%.120s); see all it says with -v", status, lines.count > 0 ? lines.words[lines.count - 1] : "");
}

static void judge(struct doctor *doctor, const char *what, int status, const char *text)
{
    const char *line = line_with(text, "probe: ok, 2 ranks");
    struct list lines = { 0 };
    end_if_interrupted();
    if (status == 0 && line) {
        report_ok(doctor, arena_text("%s: %s", what, line + strlen("probe: ok, ")));
        return;
    }
    report_failure(doctor, problem_with(what, problem_of_probe(doctor, status, text)));
    list_split_at(&lines, text, '\n');
    for (size_t i = 0; doctor->job->messages.is_verbose && i < lines.count; i++)
        fprintf(stderr, "%s\n", plain(arena_text("%s: %s", what, lines.words[i])));
}

/* Starts a probe, and judges it by its name. */
static void try_probe(struct doctor *doctor, const char *step, const char *what, const struct list *words)
{
    const struct site *site = doctor->job->site;
    struct asked asked = { .words = *words, .errors = ERRORS_ANSWER, .most = 1 << 20, .seconds = doctor->seconds };
    int status;
    /* Variables with which launchers start a trial anywhere. */
    for (size_t i = 0; i < site->implementations.names.count; i++)
        list_split(&asked.set, of_implementation(site, site->implementations.names.words[i], "anywhere"));
    begin_step(arena_text("trying %s", step));
    const char *text = said_by(&asked, &status);
    end_step();
    judge(doctor, what, status, text);
}

static const char *probe_of(const struct doctor *doctor, const char *family)
{
    return arena_text("%s/probe/%s", doctor->job->site->home, family);
}

/* The probe needs its MPI by one name; that MPI may have another. */
static void probe_natively(struct doctor *doctor, size_t at)
{
    const char *library = doctor->machine.libraries.words[at], *family = doctor->machine.families.words[at], *probe = probe_of(doctor, family);
    const char *folder = arena_text("%s/%zu", doctor->work, at), *path = doctor->job->library_path;
    struct list words = { 0 };
    if (!is_startable(probe)) {
        report_note(doctor, arena_text("%s: not tried natively, as there is no probe of the ABI %s", library, family));
        return;
    }
    const char *launcher = launcher_of_library(doctor->job->site, &doctor->machine, library, family);
    if (!launcher) {
        report_failure(doctor, problem_of("%s: no launcher of %s is in PATH or beside it; install it or add its folder to PATH", library, family));
        return;
    }
    mkdir(folder, 0777);
    for (size_t i = 0; i < facts_of(probe)->needed.count; i++)
        if (begins_with(facts_of(probe)->needed.words[i], "libmpi") && symlink(library, arena_text("%s/%s", folder, facts_of(probe)->needed.words[i])) != 0)
            continue;
    list_add(&words, launcher);
    list_split(&words, "-n 2 env");
    list_add(&words, arena_text("LD_LIBRARY_PATH=%s:%s%s%s", folder, up_to_last(library, '/'), *path ? ":" : "", path));
    list_add(&words, probe);
    list_add(&words, "2");
    try_probe(doctor, arena_text("%s natively", library), arena_text("%s natively, by %s", library, launcher), &words);
}

/* Tries a pair as run would. */
static struct problem *probe_pair(struct doctor *doctor, const struct pair *pair, struct host_mpi *host)
{
    struct job *job = doctor->job;
    const char *application = said_in_pair(pair, "application"), *probe = probe_of(doctor, application);
    struct program program = { .path = probe, .subject = probe, .abi = application };
    struct choice choice = { .pair = pair };
    struct list words = { 0 }, arguments;
    if (!is_startable(probe)) {
        report_note(doctor, arena_text("%s: not tried, as there is no probe of the ABI %s", pair->called, application));
        return 0;
    }
    HAND_ON(check_launcher(job, pair, setting(job->site, "launcher"), host));
    HAND_ON(check_host_preload(job, pair, host));
    if (*host->preload)
        report_note(doctor, arena_text("%s: host_preload has %s loaded with its MPI", pair->called, host->preload));
    choice.host = *host;
    job->ranks = 2;
    HAND_ON(make_environment(job, &program, &choice));
    HAND_ON(launcher_words(job, &program, &choice, &arguments));
    list_add(&words, choice.host.launcher);
    list_add_all(&words, &arguments);
    list_add(&words, probe);
    list_add(&words, "2");
    try_probe(doctor, pair->called, pair->called, &words);
    return 0;
}

/* ---------------------------------------------------------------- pairs */

static struct problem *check_pair_libraries(const struct pair *pair)
{
    struct list files = files_like(arena_text("%s/*.so*", glob_escaped(pair->folder)));
    for (size_t i = 0; i < files.count; i++) {
        const char *file = files.words[i];
        const struct elf_facts *facts = facts_of(file);
        if (*link_text(file))
            continue;
        if (facts->status != ELF_YES)
            return problem_of("%s is damaged; install the pair again", file);
        if (!is_same(facts->linkage, "library") || !is_same(facts->soname, base_name(file)))
            return problem_of("%s is not the library %s; install the pair again", file, base_name(file));
    }
    return 0;
}

static struct problem *check_pair(struct doctor *doctor, const struct pair *pair, struct host_mpi *host)
{
    static const struct program none = { .path = "", .abi = "" };
    const char *version = said_in_pair(pair, "version"), *sum = said_in_pair(pair, "host_checksum");
    HAND_ON(check_pair_files(pair));
    HAND_ON(check_pair_libraries(pair));
    if (!is_same(version, doctor->job->site->version))
        return problem_of("its version is %s, the command's is %s; make or install it again", *version ? version : "unknown", doctor->job->site->version);
    if (!is_readable(arena_text("%s/procedures.conf", pair->folder)))
        return problem_of("%s/procedures.conf is missing; install the pair again", pair->folder);
    HAND_ON(check_host_library(doctor->job, &none, pair, host));
    if (*sum == 0 || is_same(checksum_of(host->library), sum))
        return 0;
    const char *prefix = said_in_pair(pair, "host_prefix"), *name = said_in_pair(pair, "name");
    return problem_of("%s has changed since the pair was made for it; run 'mpi-adapter build --host %s --name %s' again", host->library,
                      *prefix ? prefix : "PREFIX", *name ? name : "NAME");
}

static void examine_pairs(struct doctor *doctor)
{
    const struct site *site = doctor->job->site;
    begin_part(doctor, "pairs");
    for (size_t i = 0; i < site->pair_count; i++) {
        const struct pair *pair = site->pairs[i];
        struct host_mpi host = NO_HOST;
        struct problem *problem = check_pair(doctor, pair, &host);
        if (problem && *said_in_pair(pair, "name") == 0 && (host.is_absent || host.departure))
            /* A pair for an MPI that the site does not have is not a fault. */
            report_note(doctor, arena_text("%s: not tried, as %s", pair->called, what_of(problem->text)));
        else {
            problem = problem ? problem : probe_pair(doctor, pair, &host);
            if (problem)
                report_failure(doctor, problem_with(pair->called, problem));
        }
    }
    if (site->pair_count == 0)
        report_failure(doctor, problem_of("no pair is installed in %s; install one, or name its folder in MPI_ADAPTER_PATH",
                                          list_joined(&site->pair_folders, " ")));
}

/* ---------------------------------------------------------------- the machine */

static void examine_mpis(struct doctor *doctor)
{
    const struct machine *machine = &doctor->machine;
    begin_part(doctor, "MPIs");
    if (machine->libraries.count == 0)
        report_failure(doctor, problem_of("no MPI library is found; load its module, or name its prefix in host_prefixes"));
    for (size_t i = 0; i < machine->libraries.count; i++)
        if (*machine->families.words[i])
            probe_natively(doctor, i);
        else
            report_note(doctor, arena_text("%s: of no known ABI", described_library(doctor->job->site, machine->libraries.words[i])));
}

/* srun must offer what each library speaks. */
static void examine_srun(struct doctor *doctor, const char *srun)
{
    const struct machine *machine = &doctor->machine;
    struct list types = { 0 };
    const char *said;
    begin_step(arena_text("asking %s", srun));
    int is_answered = mpi_types(srun, &types, &said);
    end_step();
    if (!is_answered) {
        report_note(doctor, arena_text("%s: Slurm does not answer (%s)", srun, said));
        return;
    }
    for (size_t i = 0; i < machine->libraries.count; i++) {
        const char *library = machine->libraries.words[i], *family = machine->families.words[i], *type;
        if (*family == 0)
            continue;
        type = pmi_of_library(doctor->job, library, family);
        if (list_has(&types, type))
            report_ok(doctor, arena_text("%s --mpi=%s suits %s", srun, type, library));
        else
            report_failure(doctor, problem_of("%s offers '%s', but %s needs %s; ask for Slurm's %s plugin, or start %s by its own launcher in an "
                                              "allocation", srun, list_joined(&types, " "), library, type, type, family));
    }
}

static void examine_launchers(struct doctor *doctor)
{
    const struct machine *machine = &doctor->machine;
    begin_part(doctor, "launchers");
    if (machine->launchers.count == 0)
        report_failure(doctor, problem_of("no launcher is in PATH; load the module of an MPI, or add its bin folder to PATH"));
    for (size_t i = 0; i < machine->launchers.count; i++) {
        const char *launcher = machine->launchers.words[i], *kind = machine->kinds.words[i];
        const char *starts = launcher_fact(doctor->job->site, kind, "starts");
        if (is_same(kind, "slurm"))
            examine_srun(doctor, launcher);
        else if (*starts)
            report_ok(doctor, arena_text("%s starts %s", launcher, starts));
        else
            report_note(doctor, arena_text("%s: whose it is cannot be told", launcher));
    }
}

/* Settings of an MPI whose programs pairs serve: none of their hosts heeds these. */
static void examine_settings(struct doctor *doctor)
{
    const struct site *site = doctor->job->site;
    struct list applications = { 0 };
    for (size_t i = 0; i < site->pair_count; i++)
        list_add_once(&applications, said_in_pair(site->pairs[i], "application"));
    for (size_t i = 0; i < applications.count; i++) {
        const char *kind = launcher_of_abi(site, applications.words[i]);
        struct list names = { 0 };
        if (kind && dialect_of(&site->launchers, kind))
            find_idle_variables(dialect_of(&site->launchers, kind), &names);
        if (names.count > 0)
            report_note(doctor, arena_text("settings without effect on programs of %s that run on another MPI: %s", applications.words[i],
                                           list_joined(&names, " ")));
    }
}

static void examine_installation(struct doctor *doctor)
{
    begin_step("looking for MPIs and launchers");
    find_mpis(doctor->job->site, doctor->job->library_path, &doctor->machine);
    find_launchers(doctor->job->site, &doctor->machine);
    end_step();
    examine_mpis(doctor);
    examine_launchers(doctor);
    examine_pairs(doctor);
    examine_settings(doctor);
}

/* ---------------------------------------------------------------- spliced trees */

/* Reports which programs of the tree have changed since a copy of links was made of it. */
static void examine_copy(struct doctor *doctor, const struct tree *tree)
{
    struct answers answers;
    struct problem *problem = ask_tree_for(doctor->job, tree, "compare", 0, &answers);
    struct list changed = answers_to(&answers, "changed");
    const char *original = answer_to(&answers, "tree");
    if (problem) {
        report_failure(doctor, problem);
        return;
    }
    for (size_t i = 0; i < changed.count; i++)
        report_failure(doctor, problem_of("%s/%s has changed since %s was made of it; remove %s, and run 'mpi-adapter splice --copy %s %s' again",
                                          original, changed.words[i], tree->path, tree->path, tree->path, original));
}

/* Whether a library of this name is still as the splice left it, in any folder. */
static int is_spliced_name(const struct splice *splice, const char *name)
{
    for (size_t i = 0; i < splice->paths.count; i++)
        if (is_same(base_name(splice->paths.words[i]), name) && is_same(splice->states.words[i], "put"))
            return 1;
    return 0;
}

/* Whether a file loads a library that the splice put into the tree. */
static int loads_spliced(const struct doctor *doctor, const struct tree *tree, const struct splice *splice, const char *file)
{
    const struct closure_found *found = trace(file, doctor->job->library_path, doctor->job->preload);
    for (size_t i = 0; i < splice->paths.count; i++) {
        const char *loaded = traced_file(found, base_name(splice->paths.words[i]));
        if (loaded && is_same_file(loaded, arena_text("%s/%s", tree->path, splice->paths.words[i])))
            return 1;
    }
    return 0;
}

/* Reports libraries that a file and the host's MPI both bring; `told` has what was reported before. */
static void examine_conflicts_of(struct doctor *doctor, const struct tree *tree, const struct splice *splice, const char *file, struct list *told)
{
    const struct job *job = doctor->job;
    struct conflicts_found found = conflicts_of(file, job->library_path, job->preload, splice->pair, splice->host);
    for (size_t i = 0; i < found.kinds.count; i++) {
        const char *text = found.texts.words[i], *colon = strstr(text, ": "), *mark = strstr(text, "; ");
        const char *name = colon ? arena_text("%.*s", (int)(colon - text), text) : text;
        if (is_spliced_name(splice, name) || list_has(told, text))
            continue;
        list_add(told, text);
        const char *both = mark ? arena_text("%.*s, and %s", (int)(mark - text), text, mark + 2) : text;
        if (is_same(found.kinds.words[i], "refused"))
            report_failure(doctor, problem_of("%s and the host's MPI both bring %s; give the tree a newer one", file, both));
        else if (is_same(found.kinds.words[i], "preload") && ends_with(text, " serves both"))
            report_failure(doctor, problem_of("%s and the host's MPI both bring %s; run 'mpi-adapter splice %s' again, or put that into LD_PRELOAD",
                                              file, both, tree->path));
        else
            report_note(doctor, arena_text("%s and the host's MPI both bring %s", file, text));
    }
}

/* The tree's other libraries may have been updated since it was spliced. */
static void examine_tree_conflicts(struct doctor *doctor, const struct tree *tree, const struct splice *splice)
{
    struct list found, told = { 0 };
    struct problem *problem = find_tree_programs(doctor->job, tree, &found);
    if (problem) {
        report_failure(doctor, problem);
        return;
    }
    for (size_t i = 0; i < found.count; i++) {
        const char *file = arena_text("%s/%s", tree->path, found.words[i]);
        if (facts_of(file)->status == ELF_YES && is_same(facts_of(file)->linkage, "dynamic") && loads_spliced(doctor, tree, splice, file))
            examine_conflicts_of(doctor, tree, splice, file, &told);
    }
}

static void examine_splice(struct doctor *doctor, const char *name)
{
    struct tree tree;
    struct answers answers;
    int before = doctor->status;
    doctor->status = 0;
    if (!open_tree(name, &tree)) {
        report_failure(doctor, problem_of("%s is not a folder; give the prefix of a tree", name));
        return;
    }
    struct problem *problem = ask_tree_for(doctor->job, &tree, "examine", 0, &answers);
    if (problem) {
        close(tree.folder);
        report_failure(doctor, problem);
        return;
    }
    if (answers.keys.count == 0) {
        close(tree.folder);
        report_note(doctor, arena_text("%s is not spliced", tree.path));
        doctor->status = before;
        return;
    }
    struct splice splice = splice_of(&answers);
    if (!is_same(splice.form, "manifest"))
        report_failure(doctor, problem_of("%s: its splice was interrupted; run 'mpi-adapter splice %s' again, or with --undo", tree.path, tree.path));
    if (!is_readable(splice.host))
        report_failure(doctor, problem_of("%s: its host's MPI %s is gone; run 'mpi-adapter splice %s' again", tree.path, splice.host, tree.path));
    for (size_t i = 0; i < splice.paths.count && i < splice.targets.count && i < splice.states.count; i++) {
        const char *path = splice.paths.words[i], *target = splice.targets.words[i];
        if (!is_same(splice.states.words[i], "put"))
            report_failure(doctor, problem_of("%s/%s was replaced since; run 'mpi-adapter splice %s' again", tree.path, path, tree.path));
        else if (!is_readable(target))
            report_failure(doctor, problem_of("%s, to which %s/%s leads, is gone; run 'mpi-adapter splice %s' again", target, tree.path, path,
                                              tree.path));
    }
    examine_copy(doctor, &tree);
    examine_tree_conflicts(doctor, &tree, &splice);
    if (doctor->status == 0)
        report_ok(doctor, arena_text("%s: %zu files lead to %s and %s", tree.path, splice.paths.count, splice.pair, splice.host));
    doctor->status |= before;
    close(tree.folder);
}

static void examine_trees(struct doctor *doctor)
{
    const struct list *trees = &doctor->job->operands;
    begin_part(doctor, "trees");
    for (size_t i = 0; i < trees->count; i++) {
        begin_step(arena_text("comparing %s", trees->words[i]));
        examine_splice(doctor, trees->words[i]);
        end_step();
    }
}

/* ---------------------------------------------------------------- all of it */

static struct problem *examine_machine(struct doctor *doctor)
{
    const char *folder = *variable("TMPDIR") ? variable("TMPDIR") : "/tmp";
    doctor->work = mkdtemp(arena_text("%s/tmp.XXXXXXXXXX", folder));
    if (!doctor->work)
        return problem_of("no folder can be created in %s; free space there or set TMPDIR to another folder", folder);
    remove_at_exit(doctor->work);
    catch_interrupts();
    if (doctor->job->operands.count > 0)
        examine_trees(doctor);
    else
        examine_installation(doctor);
    for (size_t i = 0; i < doctor->damaged.count; i++)
        report_failure(doctor, doctor->damaged.all[i]);
    end_if_interrupted();
    if (*given(doctor->job, "--json"))
        put("{\"mpi_adapter\": \"%s\", \"findings\": [%s\n]}\n", doctor->job->site->version, list_joined(&doctor->findings, ","));
    return 0;
}

/* Further facts for a report of a fault. */
static void describe_machine(struct doctor *doctor)
{
    static const char *const names[] = { "PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LOADEDMODULES" };
    const struct site *site = doctor->job->site;
    struct list lines = { 0 };
    struct utsname system;
    const char *name = "an unknown system";
    char day[64];
    time_t now = time(0);
    strftime(day, sizeof day, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    uname(&system);
    if (!read_lines("/etc/os-release", "", &lines))
        for (size_t i = 0; i < lines.count; i++)
            if (begins_with(lines.words[i], "PRETTY_NAME="))
                name = up_to(lines.words[i] + strlen("PRETTY_NAME=") + (lines.words[i][strlen("PRETTY_NAME=")] == '"'), '"');
    put("mpi-adapter %s in %s, %s\n", doctor->job->site->version, plain(site->prefix), day);
    put("%s, %s %s %s, glibc %s\n", plain(name), system.sysname, system.release, system.machine, gnu_get_libc_version());
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*variable(names[i]))
            put("%s=%s\n", names[i], plain(variable(names[i])));
    for (size_t i = 0; i < site->pair_count; i++)
        put_pair(doctor->job, site->pairs[i]);
    put_settings(site);
}

/* Copies what the other process writes to the standard output and into the report. */
static int copy_to_both(int input, int file)
{
    char bytes[4096];
    ssize_t length;
    int is_right = 1;
    while ((length = read(input, bytes, sizeof bytes)) > 0) {
        is_right &= write(1, bytes, (size_t)length) == length;
        is_right &= write(file, bytes, (size_t)length) == length;
    }
    return is_right;
}

/* The same as without, and into a file. */
static struct problem *examine_into_report(struct doctor *doctor, const char *name, int *status)
{
    struct utsname system;
    const char *real;
    int ends[2], found = 0;
    uname(&system);
    make_folders(name);
    real = real_folder(name);
    const char *path = arena_text("%s/doctor.%s.%ld-%ld.txt", real ? real : "", system.nodename, (long)getpid(), (long)time(0));
    int file = real ? open_new(path) : -1;
    if (file < 0 || pipe(ends) != 0)
        return problem_of("no report can be written into %s; give --report a folder that can be written", name);
    setenv("MPI_ADAPTER_REPORT", real, 1);
    pid_t process = fork();
    if (process == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        setvbuf(stdout, 0, _IOLBF, 0);
        describe_machine(doctor);
        struct problem *problem = examine_machine(doctor);
        if (problem)
            end_with(doctor->job, problem);
        end_answer();
        exit(doctor->status);
    }
    close(ends[1]);
    int is_right = copy_to_both(ends[0], file);
    waitpid(process, &found, 0);
    if (!is_right)
        return problem_of("the answer cannot be written; free space where it goes");
    put("report\n  %s\n", plain(path));
    *status = WIFEXITED(found) ? WEXITSTATUS(found) : 1;
    return 0;
}

struct problem *act_doctor(struct job *job, int *status)
{
    struct doctor doctor = { .job = job, .seconds = 60 };
    const char *seconds = given(job, "--timeout");
    if (*seconds) {
        doctor.seconds = is_digits(seconds, 6) && *seconds != '0' ? atoi(seconds) : 0;
        if (doctor.seconds == 0)
            return usage_problem_of("--timeout '%s' is not a positive number", seconds);
    }
    if (*given(job, "--report") && *given(job, "--json"))
        return usage_problem_of("--report and --json contradict each other; give one of them");
    job->site->may_start = job->operands.count == 0;
    load_settings(job->site, &doctor.damaged);
    load_pairs(job->site, &doctor.damaged);
    if (*given(job, "--report"))
        return examine_into_report(&doctor, given(job, "--report"), status);
    HAND_ON(examine_machine(&doctor));
    *status = doctor.status;
    return 0;
}
