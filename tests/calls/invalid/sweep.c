/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes every call of the generated table in a child of its own, and prints how it ended:
 *     PROCEDURE <tab> ARGUMENT=VALUE <tab> OUTCOME [<tab> raised]
 * OUTCOME is an error class (MPI_SUCCESS among them), "returned" for what returns a value, "signal N",
 * "exit N", "hangs", or "absent" if there is no such procedure; "raised" if an error handler was called.
 *
 *     sweep PART PARTS [FILE]
 *
 * makes the calls of one part of the procedures, PART of 0 to PARTS - 1: those that FILE has a line for,
 * PROCEDURE <tab> ARGUMENT=VALUE, or PROCEDURE <tab> - for all of a procedure's. With SWEEP_SHORT, only procedures that the table
 * has chosen are called. SWEEP_WHEN=before or =after makes the
 * valid call of each, with predefined handles, before MPI is initialized or after it is finalized, which stands in the
 * place of ARGUMENT=VALUE. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "sweep.h"

/* A call that uses this much processor time, or that sleeps this long, hangs. SWEEP_SECONDS overrides
 * both, for a machine that is busy. */
#define SECONDS_OF_CPU 0.2
#define SECONDS 2

static struct result {
    int did_return, is_value, code, number, raised;
} *result;

void returned(int code)
{
    result->code = code;
    result->number = -1;
    result->did_return = 1;
    if (code != MPI_SUCCESS && MPI_Error_class(code, &result->number) != MPI_SUCCESS)
        result->number = -1;
}

void returned_value(void)
{
    result->did_return = result->is_value = 1;
}

void raised(void)
{
    result->raised = 1;
}

static const char *class_name(int number)
{
    static char text[32];
    for (const struct error_class *class = error_classes; class->name; class++)
        if (class->number == number)
            return class->name;
    snprintf(text, sizeof text, "class %d", number);
    return text;
}

/* The child: signals as a program has them that handles none, and no core file. */
static void make_call(const struct call *call, int bad, void *address)
{
    static const int deadly[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGALRM, SIGPROF };
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    const char *patience = getenv("SWEEP_SECONDS");
    double seconds = patience ? atof(patience) : SECONDS_OF_CPU;
    struct itimerval timer = { .it_value = { (time_t)seconds, (suseconds_t)(seconds * 1e6) % 1000000 } };
    setitimer(ITIMER_PROF, &timer, 0);
    alarm(patience ? (unsigned)atoi(patience) : SECONDS);
    call->call(bad, address);
    _exit(0);
}

static const char *outcome(int ended)
{
    static char text[64];
    if (result->did_return)
        return result->is_value ? "returned" : result->code == MPI_SUCCESS ? "MPI_SUCCESS" : class_name(result->number);
    if (WIFSIGNALED(ended)) {
        int number = WTERMSIG(ended);
        if (number == SIGPROF || number == SIGALRM)
            return "hangs";
        snprintf(text, sizeof text, "signal %d", number);
    } else {
        snprintf(text, sizeof text, "exit %d", WEXITSTATUS(ended));
    }
    return text;
}

static void try(int out, const struct call *call, int bad, void *address)
{
    int ended = 0;
    memset(result, 0, sizeof *result);
    if (path[0] && truncate(path, sizeof long_text - 1) != 0)
        perror(path);
    pid_t child = fork();
    if (child == 0)
        make_call(call, bad, address);
    waitpid(child, &ended, 0);
    const char *when = getenv("SWEEP_WHEN");
    dprintf(out, "%s\t%s\t%s%s\n", call->name, when ? when : call->labels[bad], outcome(ended), result->raised ? "\traised" : "");
}

/* The lines of the file of calls, sorted. */
static struct {
    char **lines;
    size_t count;
} wanted;

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void load_wanted(const char *name)
{
    FILE *in = fopen(name, "r");
    char *line = 0;
    size_t room = 0;
    if (!in) {
        perror(name);
        exit(2);
    }
    while (getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = 0;
        wanted.lines = realloc(wanted.lines, (wanted.count + 1) * sizeof *wanted.lines);
        wanted.lines[wanted.count++] = strdup(line);
    }
    free(line);
    fclose(in);
    qsort(wanted.lines, wanted.count, sizeof *wanted.lines, compare_lines);
}

static int has_line(const char *procedure, const char *argument)
{
    char text[256], *line = text;
    snprintf(text, sizeof text, "%s\t%s", procedure, argument);
    return bsearch(&line, wanted.lines, wanted.count, sizeof *wanted.lines, compare_lines) != 0;
}

static void try_all(int out, const struct call *call)
{
    void *address = find(call->name);
    int all = !wanted.lines || has_line(call->name, "-");
    if (!address && all)
        dprintf(out, "%s\t-\tabsent\n", call->name);
    for (int bad = 0; address && call->labels[bad] && (bad == 0 || !getenv("SWEEP_WHEN")); bad++)
        if (all || has_line(call->name, call->labels[bad]))
            try(out, call, bad, address);
}

/* The names of one procedure, MPI_X, MPI_X_c and MPIX_X, are in one part. */
static int part_of(const char *name, int parts)
{
    int sum = 0;
    for (name = strchr(name, '_'); *name && strcmp(name, "_c") != 0; name++)
        sum += *name;
    return sum % parts;
}

int main(int argc, char **argv)
{
    int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (argc < 3)
        return 2;
    if (argc > 3)
        load_wanted(argv[3]);
    result = mmap(0, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const char *when = getenv("SWEEP_WHEN");
    if (!when || strcmp(when, "after") == 0)
        MPI_Init(0, 0);
    if (!when)
        make_all();
    else
        take_predefined();
    if (when && strcmp(when, "after") == 0)
        MPI_Finalize();
    if (!getenv("SWEEP_LOUD")) {
        int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1);
        dup2(nothing, 2);
    }
    for (int i = 0; calls[i].name; i++)
        if ((calls[i].is_chosen || !getenv("SWEEP_SHORT")) && part_of(calls[i].name, atoi(argv[2])) == atoi(argv[1]))
            try_all(out, &calls[i]);
    _exit(0);
}
