/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi-adapter build: makes pairs for one MPI of the site. Makefiles do the work; this command gives them facts, tries what they made, and
 * installs it. */
#include "build.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../site/setting.h"
#include "../site/suggest.h"
#include "arena.h"
#include "checksum.h"
#include "elf/file.h"
#include "file.h"
#include "spawn.h"
#include "texts.h"

struct build {
    struct job *job;
    struct site_mpi mpi;
    const char *launcher;
    const struct pair **pairs;  /* those that came with mpi-adapter for this MPI */
    size_t count;
    const char *target;         /* the folder that will hold the pairs */
    const char *stage;          /* a folder in it, where pairs are made ready; or "" */
    const char *work;           /* for the generator and the compiler; or "" */
    const char *source;         /* the folder of the sources */
    const char *python;         /* that has what the generator needs */
    const char *compiled;       /* the folder of pairs that were compiled, or "" */
    const char *log;            /* its name */
    int file;                   /* the log, whatever becomes of that name */
    size_t lines;               /* that it had when the current step began */
    time_t begun;
};

/* ---------------------------------------------------------------- the log */

static struct problem *cannot_log(const struct build *build)
{
    return problem_of("the log %s cannot be written; free space there, or choose another --log", build->log);
}

/* The log's text from a line on. */
static const char *log_from(const struct build *build, size_t line)
{
    struct stat status;
    if (fstat(build->file, &status) != 0)
        return "";
    size_t size = (size_t)status.st_size, kept = 0;
    char *text = arena_memory(size + 1);
    ssize_t length = pread(build->file, text, size, 0);
    for (ssize_t i = 0; i < length; i++)
        if (text[i])
            text[kept++] = text[i];
    text[kept] = 0;
    for (; line > 0 && (text = strchr(text, '\n')); line--)
        text++;
    return text ? text : "";
}

static size_t count_lines(const struct build *build)
{
    char bytes[65536];
    size_t count = 0;
    off_t at = 0;
    for (ssize_t length; (length = pread(build->file, bytes, sizeof bytes, at)) > 0; at += length)
        for (ssize_t i = 0; i < length; i++)
            count += bytes[i] == '\n';
    return count;
}

/* Says what is done. A terminal that is gone is no reason to stop. */
static struct problem *progress(const struct build *build, const char *what, const char *text)
{
    printf("%-10s %s\n", what, plain(text));
    fflush(stdout);
    clearerr(stdout);
    return dprintf(build->file, "== %s: %s\n", what, text) > 0 ? 0 : cannot_log(build);
}

/* The first line of the log's end that tells of an error, or the last one. */
static const char *fault_in_log(const struct build *build, size_t line)
{
    static const char *const signs[] = { "error:", "error 1", "error 2", "error 3", "error 4", "error 5", "error 6", "error 7", "error 8", "error 9",
                                         "cannot", "fatal" };
    struct list lines = { 0 };
    list_split_at(&lines, log_from(build, line), '\n');
    for (size_t i = 0; i < lines.count; i++) {
        const char *small = in_small_letters(lines.words[i]);
        for (size_t j = 0; j < sizeof signs / sizeof *signs; j++)
            if (has_text(small, signs[j]))
                return lines.words[i];
        if (begins_with(small, "probe: "))
            return lines.words[i];
    }
    return lines.count > 0 ? lines.words[lines.count - 1] : "it said nothing";
}

/* ---------------------------------------------------------------- steps */

static void end_if_interrupted(struct build *build)
{
    if (!interrupted())
        return;
    if (*given(build->job, "--log") == 0)
        unlink(build->log);
    say(&build->job->messages, "interrupted, so nothing is installed; start it again");
    exit(130);
}

/* A program, and what its environment has otherwise. */
struct step {
    const char *what;
    struct list words, set, unset;
    int seconds;            /* that it may take; any number of them if this is 0 */
};

static void become(const struct build *build, const struct step *step)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (step->seconds)
        setpgid(0, 0);
    dup2(nothing, 0);
    dup2(build->file, 1);
    dup2(build->file, 2);
    setenv("LC_ALL", "C", 1);
    for (size_t i = 0; i < step->unset.count; i++)
        unsetenv(step->unset.words[i]);
    for (size_t i = 0; i < step->set.count; i++)
        putenv((char *)step->set.words[i]);
    execvp(step->words.words[0], (char **)step->words.words);
    dprintf(2, "%s cannot be started\n", step->words.words[0]);
    _exit(127);
}

/* How often a step that takes long tells that it goes on. */
static double seconds_between(void)
{
    double tick = strtod(variable("MPI_ADAPTER_TICK"), 0);
    return tick > 0 ? tick : isatty(1) ? 2 : 30;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits for the process, and tells now and then that it goes on. */
static int status_of(struct build *build, const struct step *step, pid_t process)
{
    double told = seconds_now(), begun = told;
    int status = 0;
    while (waitpid(process, &status, WNOHANG) == 0) {
        if (interrupted() || (step->seconds && seconds_now() - begun >= step->seconds)) {
            kill(step->seconds ? -process : process, SIGTERM);
            waitpid(process, &status, 0);
            end_if_interrupted(build);
            return STATUS_LATE;
        }
        if (seconds_now() - told >= seconds_between()) {
            told = seconds_now();
            printf("%-10s ... %ld s, %zu commands\n", "", (long)(time(0) - build->begun), count_lines(build) - build->lines);
            fflush(stdout);
            clearerr(stdout);
        }
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, 0);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs a step; what it says goes to the log. */
static struct problem *run_step(struct build *build, const struct step *step)
{
    struct list shown = { 0 };
    end_if_interrupted(build);
    for (size_t i = 0; i < step->words.count; i++)
        list_add(&shown, shell_word(step->words.words[i]));
    build->lines = count_lines(build) + 1;
    if (dprintf(build->file, "$ %s\n", list_joined(&shown, " ")) < 0)
        return cannot_log(build);
    pid_t process = fork();
    if (process == 0)
        become(build, step);
    int status = process > 0 ? status_of(build, step, process) : 127;
    end_if_interrupted(build);
    if (build->job->messages.is_verbose)
        fputs(log_from(build, build->lines - 1), stderr);
    if (status == 0)
        return 0;
    return problem_of("%s failed: %.300s; see %s", step->what, fault_in_log(build, build->lines), build->log);
}

static void add(struct list *list, const char *word, const char *value)
{
    list_add(list, word);
    list_add(list, value);
}

/* ---------------------------------------------------------------- what is there */

/* Whether a program with this input ends well; it says nothing. */
static int ends_well(const struct list *words)
{
    struct asked asked = { .words = *words, .most = 65536, .seconds = 60 };
    int status;
    said_by(&asked, &status);
    return status == 0;
}

static int find_python(struct build *build)
{
    const char *names[] = { *variable("PYTHON") ? variable("PYTHON") : "/usr/bin/python3", "python3" };
    for (int i = 0; i < 2; i++) {
        struct list words = { 0 };
        add(&words, names[i], "-c");
        list_add(&words, "import elftools, pycparser");
        build->python = names[i];
        if (ends_well(&words))
            return 1;
    }
    return 0;
}

static const char *c_compiler(void)
{
    return *variable("CC") ? variable("CC") : "gcc";
}

/* Why pairs cannot be compiled, or null. */
static struct problem *cannot_compile(struct build *build)
{
    const struct site *site = build->job->site;
    const char *names[] = { "make", up_to(c_compiler(), ' ') };
    struct list words = words_of(c_compiler());
    build->source = arena_text("%s/share/mpi-adapter/src", site->prefix);
    if (is_shared(site, build->mpi.family))
        return problem_of("the ABI %s is the same in every MPI that has it; leave out --compile", build->mpi.family);
    for (int i = 0; i < 2; i++)
        if (!find_in_path(names[i]))
            return problem_of("%s is missing; install it, or use --prebuilt", i == 0 ? names[i] : c_compiler());
    if (!find_python(build))
        return problem_of("Python 3 with pycparser and pyelftools is missing; install it, or use --prebuilt");
    if (!is_readable(arena_text("%s/Makefile", build->source)))
        return problem_of("%s has no sources; install them, or use --prebuilt", build->source);
    if (*build->mpi.header == 0 || *build->mpi.release == 0)
        return problem_of("%s has no mpi.h that tells its release; install its headers, or use --prebuilt", build->mpi.prefix);
    list_split(&words, "-E -x c -include libelf.h /dev/null");
    if (!ends_well(&words))
        return problem_of("the header libelf.h is missing; install libelf's, or use --prebuilt");
    return 0;
}

/* Finds the pairs that came with mpi-adapter for the site's MPI. */
static struct problem *find_known_pairs(struct build *build)
{
    const struct site *site = build->job->site;
    struct list wanted = comma_parts_of(given(build->job, "--to-abi")), known = { 0 };
    build->pairs = arena_memory((site->pair_count + 1) * sizeof *build->pairs);
    for (size_t i = 0; i < site->pair_count; i++) {
        const struct pair *pair = site->pairs[i];
        if (!is_same(said_in_pair(pair, "host"), build->mpi.family) || *said_in_pair(pair, "name") || !is_same(up_to_last(pair->folder, '/'), site->home))
            continue;
        list_add(&known, said_in_pair(pair, "application"));
        if (wanted.count == 0 || list_has(&wanted, said_in_pair(pair, "application")))
            build->pairs[build->count++] = pair;
    }
    if (known.count == 0)
        return problem_of("no pair that came with mpi-adapter runs on %s; install mpi-adapter again", build->mpi.family);
    for (size_t i = 0; i < wanted.count; i++) {
        const char *question = list_has(&known, wanted.words[i]) ? 0 : did_you_mean(wanted.words[i], &known);
        if (!list_has(&known, wanted.words[i]))
            return problem_of("programs of %s cannot run on %s; %s", wanted.words[i], build->mpi.family,
                              question ? question : arena_text("give --to-abi one of: %s", list_joined(&known, " ")));
    }
    return 0;
}

/* Finds its launcher: beside the compiler, under the family's names, or the compiler's. */
static struct problem *find_launcher_of(struct build *build)
{
    const char *wanted = given(build->job, "--launcher");
    const struct pair *pair = build->pairs[0];
    struct host_mpi host = NO_HOST;
    host.implementation = whose_library(build->job->site, build->mpi.library, build->mpi.family);
    struct list names = site_launchers(&build->mpi, launchers_of_pair(pair, &host, "launchers"));
    if (*wanted) {
        HAND_ON(check_launcher(build->job, pair, wanted, &host));
        build->launcher = host.launcher;
        return 0;
    }
    for (size_t i = 0; i < names.count; i++)
        if (!check_launcher(build->job, pair, names.words[i], &host)) {
            build->launcher = host.launcher;
            return 0;
        }
    return problem_of("no launcher of %s is in %s; give the launcher with --launcher PATH", build->mpi.family,
                      up_to_last(names.words[names.count - 1], '/'));
}

/* ---------------------------------------------------------------- folders */

/* The folder of a pair under the name that it will have. */
static const char *place_of(const struct build *build, const struct pair *pair)
{
    return arena_text("%s/%s@%s", build->target, pair->called, build->mpi.name);
}

/* The folder of a pair that is there under a name that these will have, for another MPI; or null. */
static const char *taken_place(const struct build *build)
{
    for (size_t i = 0; i < build->count; i++) {
        const char *folder = place_of(build, build->pairs[i]);
        if (is_there(folder) && !is_same(said_in_folder(folder, "host_prefix"), build->mpi.prefix))
            return folder;
    }
    return 0;
}

/* An existing pair of the same name must be of this MPI. With --all, the new one gets another name. */
static struct problem *check_names(struct build *build)
{
    const char *folder;
    if (*variable("MPI_ADAPTER_ONE_OF_ALL") && taken_place(build))
        build->mpi.name = arena_text("%s-%s", build->mpi.name, base_name(build->mpi.prefix));
    if (!is_plain_word(build->mpi.name))
        return problem_of("'%s' cannot be the name of a pair; give --name letters, digits, dots and dashes", build->mpi.name);
    if ((folder = taken_place(build)))
        return problem_of("%s exists already, for %s; choose another --name", folder, *said_in_folder(folder, "host_prefix") ? said_in_folder(folder, "host_prefix") : "something else");
    return 0;
}

/* Whether the files of this installation are a package's, among which nothing else is to be. */
static int is_packaged(const struct site *site)
{
    static const char *const tools[] = { "dpkg-query -S", "rpm -qf" };
    if (is_same(site->prefix, "/usr"))
        return 1;
    for (int i = 0; i < 2; i++) {
        struct list words = words_of(tools[i]);
        list_add(&words, arena_text("%s/families", site->home));
        if (find_in_path(words.words[0]) && ends_well(&words))
            return 1;
    }
    return 0;
}

static const char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash == file ? "/" : arena_text("%.*s", (int)(slash - file), file) : ".";
}

/* Whether others may write into a folder. */
static int is_shared_folder(const char *folder)
{
    struct stat status;
    return stat(folder, &status) == 0 && (status.st_mode & (S_IWGRP | S_IWOTH));
}

/* Whether a folder or a link on the way to a file, by its name or without links, belongs to another user than root, who could lead the way
 * elsewhere. */
static int is_on_anothers_way(const char *file)
{
    const char *folder = folder_of(file), *here = getcwd(0, 0), *real = real_path(folder);
    const char *ways[] = { *folder == '/' ? folder : arena_text("%s/%s", here ? here : "", folder), real ? real : "/" };
    for (int i = 0; i < 2; i++)
        for (const char *way = ways[i];; way = up_to_last(way, '/')) {
            struct stat status;
            if (lstat(*way ? way : "/", &status) == 0 && status.st_uid != 0 && status.st_uid != geteuid())
                return 1;
            if (!strchr(way, '/'))
                break;
        }
    return 0;
}

/* Whether it is a link, or another user's file, in a folder where others may write. */
static int is_somebody_elses(const char *file)
{
    struct stat status;
    if (!is_shared_folder(folder_of(file)) || lstat(file, &status) != 0)
        return 0;
    return S_ISLNK(status.st_mode) || status.st_uid != geteuid();
}

/* Opens the log: the user's file, or one that goes if all is well. */
static struct problem *open_log(struct build *build)
{
    const char *folder = *variable("TMPDIR") ? variable("TMPDIR") : "/tmp";
    struct stat status;
    build->log = given(build->job, "--log");
    if (*build->log == 0) {
        build->log = arena_text("%s/mpi-adapter-build.%s@%s.%ld-%ld", folder, build->mpi.family, build->mpi.name, (long)getpid(), (long)time(0));
        build->file = open_new(build->log);
        return build->file >= 0 ? 0 : problem_of("no file can be created in %s; free space there or set TMPDIR to another folder", folder);
    }
    /* A file that lies there is removed: also one that the folder's owner leads the name to. */
    if (geteuid() == 0 && is_on_anothers_way(build->log))
        return problem_of("the log %s would be in a folder of another user's; choose another --log", build->log);
    if (is_somebody_elses(build->log))
        return problem_of("the log %s is a link or somebody else's file; choose another --log", build->log);
    make_folders(folder_of(build->log));
    if (lstat(build->log, &status) == 0 && S_ISREG(status.st_mode))
        unlink(build->log);
    /* Somebody else may have put a link there meanwhile. */
    build->file = is_there(build->log) && !is_shared_folder(folder_of(build->log)) ? open(build->log, O_RDWR | O_APPEND | O_TRUNC | O_CLOEXEC)
                                                                                  : open_new(build->log);
    return build->file >= 0 && fstat(build->file, &status) == 0 && S_ISREG(status.st_mode) ? 0 : cannot_log(build);
}

static struct problem *prepare_folders(struct build *build)
{
    const struct site *site = build->job->site;
    const char *folder = *variable("TMPDIR") ? variable("TMPDIR") : "/tmp", *prefix = given(build->job, "--prefix");
    if (*prefix == 0)
        prefix = is_packaged(site) ? site->site : site->prefix;
    make_folders(arena_text("%s/lib/mpi-adapter", prefix));
    build->target = real_folder(arena_text("%s/lib/mpi-adapter", prefix));
    if (!build->target || access(build->target, W_OK) != 0)
        return problem_of("%s cannot be written; choose another --prefix, or ask for permission", prefix);
    HAND_ON(check_names(build));
    HAND_ON(open_log(build));
    catch_interrupts();
    char *stage = arena_text("%s/.build-XXXXXX", build->target), *work = arena_text("%s/tmp.XXXXXXXXXX", folder);
    if (mkdtemp(stage))
        remove_at_exit(build->stage = stage);
    if (*build->stage && chmod(stage, 0755) == 0 && mkdtemp(work))
        remove_at_exit(build->work = work);
    if (*build->work == 0)
        return problem_of("no folder can be created in %s or %s; free space there or set TMPDIR to another folder", build->target, folder);
    if (strpbrk(build->work, " \t\n"))
        return problem_of("make cannot work in %s; set TMPDIR to a folder without spaces", build->work);
    time_t now = time(0);
    if (dprintf(build->file, "mpi-adapter %s build --host %s\n%s", site->version, shell_word(given(build->job, "--host")), ctime(&now)) < 0)
        return cannot_log(build);
    return 0;
}

/* ---------------------------------------------------------------- making pairs */

/* Lines of the log's end that say how the MPI compares. */
static struct problem *tell_comparison(struct build *build)
{
    struct list lines = { 0 };
    list_split_at(&lines, log_from(build, build->lines), '\n');
    for (size_t i = lines.count < 2 ? 0 : lines.count - 2; i < lines.count; i++)
        if (begins_with(lines.words[i], "agrees") || begins_with(lines.words[i], "differs") || begins_with(lines.words[i], "not known"))
            HAND_ON(progress(build, "scan", lines.words[i]));
    return 0;
}

/* A maker's compilers look for their header in the prefix that a variable names, which its module sets. */
static void tell_prefix_to_compilers(const struct build *build)
{
    const struct site_mpi *mpi = &build->mpi;
    const char *name = prefix_variable(build->job->site, mpi->library, whose_library(build->job->site, mpi->library, mpi->family));
    if (name && *variable(name) == 0)
        setenv(name, prefix_of(mpi->library), 1);
}

static struct problem *scan_site(struct build *build)
{
    const struct site_mpi *mpi = &build->mpi;
    const char *release = arena_text("%s-%s", mpi->family, mpi->release), *scanned = arena_text("%s/scanned/%s", build->work, release);
    struct step scan = { .what = arena_text("reading %s", mpi->header) }, compare = { .what = "the comparison with the known releases" };
    add(&scan.words, build->python, arena_text("%s/gen/scan.py", build->source));
    add(&scan.words, "--release", release);
    add(&scan.words, "--mpicc", *mpi->compiler ? shell_word(mpi->compiler)
                                               : arena_text("%s -I%s", c_compiler(), shell_word(up_to_last(mpi->header, '/'))));
    add(&scan.words, "--library", mpi->library);
    add(&scan.words, "--output", scanned);
    HAND_ON(run_step(build, &scan));
    add(&compare.words, build->python, arena_text("%s/gen/compare.py", build->source));
    add(&compare.words, "--tables", arena_text("%s/abi-tables", build->source));
    add(&compare.words, "--output", arena_text("%s/tables", build->work));
    add(&compare.words, "--scanned", scanned);
    HAND_ON(run_step(build, &compare));
    return tell_comparison(build);
}

static int processors(void)
{
    cpu_set_t set;
    /* A larger machine than the set has room for says so. */
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static struct problem *compile_pairs(struct build *build)
{
    struct list names = { 0 };
    struct step step = { .unset = words_of("MAKEFLAGS MFLAGS MAKELEVEL") };
    for (size_t i = 0; i < build->count; i++)
        list_add(&names, build->pairs[i]->called);
    const char *all = list_joined(&names, " ");
    HAND_ON(progress(build, "compile", all));
    step.what = arena_text("compiling %s", all);
    add(&step.words, "make", "-C");
    add(&step.words, build->source, "--no-print-directory");
    add(&step.words, "V=1", arena_text("-j%d", processors()));
    add(&step.words, arena_text("BUILD=%s/build", build->work), arena_text("TABLES=%s/tables", build->work));
    add(&step.words, arena_text("PYTHON=%s", build->python), arena_text("VERSION=%s", build->job->site->version));
    list_add(&step.words, arena_text("PAIRS=%s", all));
    if (*variable("CC"))
        list_add(&step.words, arena_text("CC=%s", variable("CC")));
    list_add(&step.words, "pairs");
    HAND_ON(run_step(build, &step));
    build->compiled = arena_text("%s/build/lib/mpi-adapter", build->work);
    return 0;
}

/* Compiles where that is wanted and possible. */
static struct problem *make_pairs(struct build *build)
{
    struct problem *problem;
    if (*given(build->job, "--prebuilt"))
        return progress(build, "pairs", "those that came with mpi-adapter");
    problem = cannot_compile(build);
    if (!problem) {
        HAND_ON(scan_site(build));
        return compile_pairs(build);
    }
    if (*given(build->job, "--compile"))
        return problem;
    return progress(build, "pairs", arena_text("those that came with mpi-adapter, as %s", what_of(problem->text)));
}

/* ---------------------------------------------------------------- a pair for the site's MPI */

/* Writes what pair.conf says besides, of a pair for the site's MPI. */
static int describe_pair(const struct build *build, const char *path)
{
    const struct site_mpi *mpi = &build->mpi;
    FILE *file = fopen(path, "ae");
    if (!file)
        return 0;
    int is_written = fprintf(file,
                             "# Made by mpi-adapter build.\nname = %s\nmade = %s\nhost_product = %s\nhost_prefix = %s\nhost_library = %s\n"
                             "host_checksum = %s\nlibrary_path = %s\nlauncher = %s\n",
                             mpi->name, *build->compiled ? "compiled" : "prebuilt", mpi->product, mpi->prefix, mpi->library,
                             checksum_of(mpi->library), up_to_last(mpi->library, '/'), build->launcher) > 0;
    return (fclose(file) == 0) & is_written;
}

/* A pair's link to the library for Fortran leads from anywhere to the one that is installed. */
static int lead_to_fortran(const struct build *build, const char *folder)
{
    struct list files = files_like(arena_text("%s/*.so*", glob_escaped(folder)));
    for (size_t i = 0; i < files.count; i++)
        if (!is_there(files.words[i]) &&
            (unlink(files.words[i]) != 0 || symlink(arena_text("%s/fortran/%s", build->job->site->home, base_name(files.words[i])), files.words[i]) != 0))
            return 0;
    return 1;
}

/* Copies the files of a pair by the system's own tool, which keeps links. */
static int copy_files(const char *from, const char *to)
{
    struct list words = words_of("cp -P --"), stand_ins = words_of("cp -r --"), rights = words_of("chmod -R u+w,go+rX --"), files;
    const char *folder = arena_text("%s/stand-ins", from);
    files = files_like(arena_text("%s/*.so*", glob_escaped(from)));
    list_add_all(&words, &files);
    files = files_like(arena_text("%s/*.conf", glob_escaped(from)));
    list_add_all(&words, &files);
    list_add(&words, to);
    add(&stand_ins, folder, to);
    list_add(&rights, to);
    return mkdir(to, 0777) == 0 && ends_well(&words) && (!is_folder(folder) || ends_well(&stand_ins)) && ends_well(&rights);
}

/* Makes a pair ready under the name that it will have. */
static struct problem *stage_pair(const struct build *build, const struct pair *pair)
{
    const char *folder = arena_text("%s/%s@%s", build->stage, pair->called, build->mpi.name);
    const char *from = arena_text("%s/%s", *build->compiled ? build->compiled : build->job->site->home, pair->called);
    if (copy_files(from, folder) && lead_to_fortran(build, folder) && describe_pair(build, arena_text("%s/pair.conf", folder)))
        return 0;
    return problem_of("%s cannot be written; free space there or choose another --prefix", folder);
}

/* Tries a pair where it stands, by nothing but its own description: without the user's settings, and as administrators must be able to: as
 * root, and on a machine with a single core. */
static struct problem *try_pair(struct build *build, const struct pair *pair)
{
    const struct site *site = build->job->site;
    const char *application = said_in_pair(pair, "application"), *probe = arena_text("%s/probe/%s", site->home, application), *said = 0;
    struct step step = { .what = arena_text("the self-test of %s", pair->called), .seconds = 120,
                         .unset = words_of("LD_PRELOAD MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_HOST_PRELOAD MPI_ADAPTER_HOST_PREFIXES MPI_ADAPTER_HOST "
                                           "MPI_ADAPTER_LAUNCHER") };
    struct list lines = { 0 };
    if (!is_startable(probe))
        return problem_of("the probe %s is missing; install mpi-adapter again", probe);
    list_add(&step.set, "MPI_ADAPTER_CONFIG=/dev/null");
    for (size_t i = 0; i < site->implementations.names.count; i++)
        list_split(&step.set, of_implementation(site, site->implementations.names.words[i], "anywhere"));
    list_add(&step.set, arena_text("MPI_ADAPTER_PATH=%s", build->stage));
    list_add(&step.set, arena_text("MPI_ADAPTER_LAUNCHER_ARGUMENTS=%s", setting(site, "launcher_arguments")));
    add(&step.words, site->program, "run");
    add(&step.words, "-v", "--from");
    add(&step.words, application, "--to");
    add(&step.words, arena_text("%s@%s", build->mpi.family, build->mpi.name), "-n");
    add(&step.words, "2", probe);
    list_add(&step.words, "2");
    HAND_ON(run_step(build, &step));
    list_split_at(&lines, log_from(build, build->lines), '\n');
    for (size_t i = 0; i < lines.count; i++)
        if (begins_with(lines.words[i], "probe: ok, 2 ranks"))
            said = lines.words[i] + strlen("probe: ok, ");
    if (!said)
        return problem_of("the self-test of %s failed: its ranks said nothing; see %s", pair->called, build->log);
    return progress(build, "self-test", arena_text("%s: %s", pair->called, said));
}

static struct problem *stage_and_try(struct build *build)
{
    for (size_t i = 0; i < build->count; i++) {
        HAND_ON(stage_pair(build, build->pairs[i]));
        if (*given(build->job, "--no-test"))
            HAND_ON(progress(build, "self-test", "left out"));
        else
            HAND_ON(try_pair(build, build->pairs[i]));
    }
    return 0;
}

/* Takes the place of what was there, or leaves that. No signal comes between. */
static struct problem *install_pair(struct build *build, const char *folder)
{
    const char *old = arena_text("%s/.old", build->stage), *place = arena_text("%s/%s", build->target, base_name(folder));
    int was_there = is_there(place);
    end_if_interrupted(build);
    if (was_there && rename(place, old) != 0)
        return problem_of("%s cannot be replaced; check the permissions", place);
    if (rename(folder, place) != 0) {
        if (was_there && rename(old, place) != 0)
            return problem_of("%s cannot be written, and what was there is in %s; check the permissions", place, old);
        return problem_of("%s cannot be written; check the permissions", place);
    }
    if (was_there)
        remove_folder(old);
    return progress(build, "install", place);
}

static struct problem *tell_use(const struct build *build)
{
    const struct site *site = build->job->site;
    struct list folders = parts_of(setting(site, "pair_path"));
    if (*given(build->job, "--log"))
        HAND_ON(progress(build, "log", build->log));
    if (!is_same(build->target, site->home) && !is_same(build->target, site->site_home) && !list_has(&folders, build->target))
        HAND_ON(progress(build, "use", arena_text("set pair_path = %s in mpi-adapter.conf, or MPI_ADAPTER_PATH=%s", build->target,
                                                  shell_word(build->target))));
    HAND_ON(progress(build, "use", arena_text("mpi-adapter run --to %s@%s PROGRAM", build->mpi.family, build->mpi.name)));
    if (*given(build->job, "--log") == 0)
        unlink(build->log);
    return 0;
}

/* ---------------------------------------------------------------- the subcommand */

int run_again(const struct job *job, const struct list *words)
{
    struct list line = { 0 };
    int status = 0;
    list_add(&line, job->site->program);
    list_add_all(&line, words);
    /* Interrupted, that one says so, and this one goes behind. */
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    pid_t process = fork();
    if (process == 0) {
        signal(SIGINT, before);
        execv(line.words[0], (char **)line.words);
        _exit(127);
    }
    return process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static struct problem *refuse_any(const struct job *job, const char *options, const char *form)
{
    struct list names = words_of(options);
    for (size_t i = 0; i < names.count; i++)
        if (*given(job, names.words[i]))
            return usage_problem_of("%s %s; give one of them", names.words[i], form);
    return 0;
}

/* Options that exclude each other. */
static struct problem *check_options(const struct job *job)
{
    const char *name = given(job, "--name");
    if (*given(job, "--prebuilt") && *given(job, "--compile"))
        return usage_problem_of("--prebuilt and --compile contradict each other; give one of them");
    if (*given(job, "--remove"))
        HAND_ON(refuse_any(job, "--host --host-abi --to-abi --name --launcher --log --all --prebuilt --compile --no-test",
                           "makes pairs and --remove takes them away"));
    else if (*given(job, "--all"))
        return refuse_any(job, "--host --name --launcher --log", "is for one MPI and --all for every one");
    if (job->operands.count > 0)
        return usage_problem_of("unexpected argument '%s'", job->operands.words[0]);
    if (*given(job, "--remove") || *given(job, "--host"))
        return 0;
    if (*name)
        return usage_problem_of("--name %s names the pairs of one MPI; give that MPI with --host PREFIX|MPICC", name);
    return usage_problem_of("neither --host nor --all is given; give one of them");
}

static struct problem *remove_made(struct job *job)
{
    struct problems problems = { 0 };
    const char *prefix = given(job, "--prefix");
    load_settings(job->site, &problems);
    if (problems.count > 0)
        return problems.all[0];
    if (*prefix)
        set_fact(&job->site->settings, "pair_path", arena_text("%s/lib/mpi-adapter", prefix));
    load_pairs(job->site, &problems);
    for (size_t i = 0; i < problems.count; i++)
        say_problem(&job->messages, problems.all[i]);
    return remove_pairs(job, given(job, "--remove"));
}

static struct problem *make_and_install(struct build *build)
{
    HAND_ON(progress(build, "host", arena_text("%s, %s, %s", build->mpi.product, build->mpi.library, build->launcher)));
    HAND_ON(make_pairs(build));
    HAND_ON(stage_and_try(build));
    struct list folders = { 0 };
    for (size_t i = 0; i < build->count; i++)
        list_add(&folders, arena_text("%s/%s@%s", build->stage, build->pairs[i]->called, build->mpi.name));
    list_sort(&folders);
    for (size_t i = 0; i < folders.count; i++)
        HAND_ON(install_pair(build, folders.words[i]));
    return tell_use(build);
}

struct problem *act_build(struct job *job, int *status)
{
    struct build build = { .job = job, .target = "", .stage = "", .work = "", .compiled = "", .log = "", .file = -1, .begun = time(0) };
    const char *abi = given(job, "--host-abi"), *meant;
    (void)status;
    setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    HAND_ON(check_options(job));
    if (*given(job, "--remove"))
        return remove_made(job);
    HAND_ON(require_pairs(job->site));
    if (*given(job, "--all"))
        return build_all(job);
    if (*abi)
        HAND_ON(check_abi_name(job->site, "--host-abi", &abi, 0, &meant));
    HAND_ON(find_site_mpi(job->site, given(job, "--host"), abi, &build.mpi));
    tell_prefix_to_compilers(&build);
    HAND_ON(find_known_pairs(&build));
    HAND_ON(find_launcher_of(&build));
    if (*given(job, "--name"))
        build.mpi.name = given(job, "--name");
    struct problem *problem = prepare_folders(&build);
    problem = problem ? problem : make_and_install(&build);
    if (build.file >= 0)
        end_if_interrupted(&build);
    return problem;
}
