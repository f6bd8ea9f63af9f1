/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "convert/host_symbols.h"
#include "convert/facts.h"
#include "layers/lock.h"
#include "convert/say.h"
#include "layers/layers.h"
#include "process/environment.h"
#include "process/launcher.h"
#include "trace/report.h"
#include "trace/trace_file.h"
#include "trace/trace_show.h"

struct counter {
    uint64_t calls, nanoseconds;
};

static struct counter *counters; /* by procedure; null if nothing is counted */
static const char **names_by_index; /* by procedure */
static struct trace_file trace_file = { -1, 0, 0, 0, 0 }, counts_file = { -1, 0, 0, 0, 0 };
static int rank = -1, reported;
static pid_t traced_process;
static const void *own_base;

/* The call whose line is not ended yet, at the end of the trace. */
static const struct trace_call *open_line;
LOCK(trace_lines);

/* The stand-in that the thread is in; and whether the thread is in this file already, which asks the host by the same table. */
static __thread const struct trace_call *stand_in;
static __thread int busy;

static int64_t now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Returns whether an address is the adapter's own, and finds what it is in. */
static int is_own(const void *address, Dl_info *found)
{
    return dladdr(address, found) && found->dli_fbase == own_base;
}

/* Returns the entry point from which the adapter's own functions asked the host, without the P of the profiling interface; null if the
 * stack does not have it. */
static const char *entry_above(const void *from)
{
    void *frames[24];
    int count = backtrace(frames, 24), at = 0;
    Dl_info found;
    while (at < count && frames[at] != from)
        at++;
    for (; at < count && is_own(frames[at], &found); at++)
        if (found.dli_sname)
            return found.dli_sname + (found.dli_sname[0] == 'P');
    return 0;
}

/* Names the application's call if the host is asked for another procedure. */
static const char *application_call(const struct trace_call *call)
{
    Dl_info found;
    const char *entry = is_own(call->from, &found) ? entry_above(call->from) : 0;
    if (!entry && call->outer)
        entry = names_by_index[call->outer->index];
    return entry && strcmp(entry, names_by_index[call->index]) != 0 ? entry : 0;
}

static void add_stamp(struct text *text)
{
    int64_t time = now(CLOCK_REALTIME);
    text_add(text, "%ld.%06ld ", (long)(time / 1000000000), (long)(time % 1000000000 / 1000));
    text_add(text, rank < 0 ? "- " : "%d ", rank);
    text_add(text, "%d ", (int)syscall(SYS_gettid));
}

static void write_line(const char *text, size_t length)
{
    trace_file_write(&trace_file, text, length);
}

/* Nothing else may be written while the lock is held, nor may the thread be cancelled. */
static int lock_lines(void)
{
    int cancelling;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
    take_lock(trace_lines);
    return cancelling;
}

static void unlock_lines(int cancelling)
{
    release_lock(trace_lines);
    pthread_setcancelstate(cancelling, 0);
}

static void end_open_line(void)
{
    if (open_line)
        write_line(" <unfinished ...>\n", 18);
    open_line = 0;
}

/* Writes what is known before the call, so that a call which does not return is seen; where others
 * write to the file, a line is written as a whole. */
static void begin_line(struct trace_call *call)
{
    struct text text = { call->line, 0, TRACE_LINE / 2, 0 };
    add_stamp(&text);
    text_add(&text, "%s(", names_by_index[call->index]);
    show_arguments(&text, &trace_procedures[call->index], call->arguments);
    text_add(&text, ")");
    call->length = text.length;
    if (!trace_file.is_private)
        return;
    int cancelling = lock_lines();
    end_open_line();
    write_line(call->line, call->length);
    open_line = call;
    unlock_lines(cancelling);
}

static void add_end(struct text *text, const struct trace_call *call, intptr_t result)
{
    const char *application = application_call(call);
    show_results(text, &trace_procedures[call->index], call->arguments, result);
    text->room = TRACE_LINE;
    if (application)
        text_add(text, " [%s]", application);
    if (call->is_stand_in)
        text_add(text, " [by the adapter]");
    text_add(text, " <%.6f>\n", (double)(now(CLOCK_MONOTONIC) - call->begun) / 1e9);
}

static void end_line(struct trace_call *call, intptr_t result)
{
    struct text text = { call->line, call->length, TRACE_LINE - 256, 0 };
    add_end(&text, call, result);
    int cancelling = lock_lines();
    if (open_line == call) {
        write_line(call->line + call->length, text.length - call->length);
        open_line = 0;
    } else if (!trace_file.is_private) {
        write_line(call->line, text.length);
    } else {
        char resumed[128];
        struct text again = { resumed, 0, sizeof resumed, 0 };
        end_open_line();
        add_stamp(&again);
        text_add(&again, "<... %s resumed>", names_by_index[call->index]);
        write_line(resumed, again.length);
        write_line(call->line + call->length, text.length - call->length);
    }
    unlock_lines(cancelling);
}

void trace_begin(struct trace_call *call, int index, const intptr_t *arguments, const void *from)
{
    int error = errno;
    call->active = !busy;
    if (busy)
        return;
    busy = 1;
    call->index = index;
    call->arguments = arguments;
    call->from = from;
    call->is_stand_in = (unsigned char)layer_host_lacks(index);
    call->is_line = trace_file.fd >= 0;
    /* One that ended by an exception or longjmp() did not come back to trace_end(): its place on the stack is gone. */
    call->outer = (uintptr_t)stand_in > (uintptr_t)call ? stand_in : 0;
    if (counters)
        __atomic_fetch_add(&counters[index].calls, 1, __ATOMIC_RELAXED);
    report_begin(call, &call->number);
    if (call->is_line)
        begin_line(call);
    stand_in = call->is_stand_in ? call : call->outer;
    busy = 0;
    call->begun = now(CLOCK_MONOTONIC);
    errno = error;
}

void trace_end(struct trace_call *call, intptr_t result)
{
    int error = errno;
    if (!call->active)
        return;
    busy = 1;
    if (counters)
        __atomic_fetch_add(&counters[call->index].nanoseconds, (uint64_t)(now(CLOCK_MONOTONIC) - call->begun),
                           __ATOMIC_RELAXED);
    stand_in = call->outer;
    report_end(call->number, call->index, result);
    if (call->is_line)
        end_line(call, result);
    busy = 0;
    errno = error;
}

static uint64_t calls_of(int index)
{
    return __atomic_load_n(&counters[index].calls, __ATOMIC_RELAXED);
}

static int compare_calls(const void *left, const void *right)
{
    uint64_t first = calls_of(*(const int *)left), second = calls_of(*(const int *)right);
    return first < second ? 1 : first > second ? -1 : *(const int *)left - *(const int *)right;
}

static void add_count(FILE *table, const char *who, uint64_t calls, uint64_t nanoseconds, const char *what)
{
    fprintf(table, "mpi-adapter: %s: %10llu calls %12.6f s  %s\n", who, (unsigned long long)calls,
            (double)nanoseconds / 1e9, what);
}

static void add_counts(FILE *table, const char *who)
{
    int order[HOST_PROCEDURES], used = 0;
    uint64_t calls = 0, nanoseconds = 0;
    char what[96];
    for (int i = 0; i < HOST_PROCEDURES; i++)
        if (calls_of(i) > 0)
            order[used++] = i;
    qsort(order, (size_t)used, sizeof *order, compare_calls);
    for (int i = 0; i < used; i++) {
        int stands_in = layer_host_lacks(order[i]);
        uint64_t time = __atomic_load_n(&counters[order[i]].nanoseconds, __ATOMIC_RELAXED);
        snprintf(what, sizeof what, "%s%s", names_by_index[order[i]], stands_in ? " (by the adapter)" : "");
        add_count(table, who, calls_of(order[i]), time, what);
        calls += stands_in ? 0 : calls_of(order[i]);
        nanoseconds += stands_in ? 0 : time;
    }
    add_count(table, who, calls, nanoseconds, "in all");
}

void trace_report(void)
{
    char *text = 0, who[32] = "rank ?";
    size_t size = 0;
    if (!counters || getpid() != traced_process || __atomic_exchange_n(&reported, 1, __ATOMIC_RELAXED))
        return;
    FILE *table = open_memstream(&text, &size);
    if (!table)
        return;
    if (rank >= 0)
        snprintf(who, sizeof who, "rank %d", rank);
    add_counts(table, who);
    if (fclose(table) == 0)
        trace_file_write(&counts_file, text, size);
    free(text);
}

__attribute__((destructor)) static void at_exit(void)
{
    if (getpid() != traced_process)
        return;
    trace_report();
    report_exit();
    int cancelling = lock_lines();
    end_open_line();
    unlock_lines(cancelling);
}

/* fork() waits until no other thread holds the lock. */
static void before_fork(void) { take_lock(trace_lines); }
static void after_fork(void) { release_lock(trace_lines); }

/* Adds the first lines of a file: whose calls these are. */
static void add_header(const char *path)
{
    char line[TRACE_LINE];
    struct text text = { line, 0, sizeof line, 0 };
    text_add(&text, "# %s: process %d, rank ", program_invocation_name, (int)traced_process);
    text_add(&text, rank < 0 ? "unknown" : "%d", rank);
    text_add(&text, ", of %s, on %s\n# time rank thread call = result -> what it wrote [the application's call] <seconds>\n",
             application_family, path);
    write_line(line, text.length);
}

/* The setting, if it asks this adapter for something, or null. */
static const char *wanted_setting(const char *variable, int host_is_adapter)
{
    const char *value = environment_wanted(variable);
    return value && (!host_is_adapter || trace_file_is_own(value)) ? value : 0;
}

static void open_files(const char *trace, const char *counts)
{
    if (trace)
        trace_file_open(&trace_file, "MPI_ADAPTER_TRACE", trace);
    if (counts && strcmp(counts, "1") != 0)
        trace_file_open(&counts_file, "MPI_ADAPTER_STATS", counts);
    else if (counts)
        trace_file_stderr(&counts_file, "MPI_ADAPTER_STATS");
}

void trace_start(const char *path, int host_is_adapter)
{
    const char *trace = wanted_setting("MPI_ADAPTER_TRACE", host_is_adapter),
               *counts = wanted_setting("MPI_ADAPTER_STATS", host_is_adapter);
    const char *reports = host_is_adapter ? 0 : environment_wanted("MPI_ADAPTER_REPORT");
    Dl_info own;
    void *frame;
    if (!trace && !counts && !reports)
        return;
    names_by_index = malloc(HOST_PROCEDURES * sizeof *names_by_index);
    counters = counts ? calloc(HOST_PROCEDURES, sizeof *counters) : 0;
    if (!names_by_index || (counts && !counters))
        give_up_memory("while a trace begins");
    const char *name = host_procedure_names;
    for (int i = 0; i < HOST_PROCEDURES; i++, name += strlen(name) + 1)
        names_by_index[i] = name;
    own_base = dladdr((void *)trace_start, &own) ? own.dli_fbase : 0;
    rank = launcher_rank();
    traced_process = getpid();
    open_files(trace, counts);
    report_start(reports, names_by_index);
    pthread_atfork(before_fork, after_fork, after_fork);
    trace_install();
    if (trace_file.fd >= 0)
        add_header(path);
    backtrace(&frame, 1); /* the first use loads a library, which must not be in the middle of the program's calls */
}

int trace_suspend(int suspended)
{
    int was_busy = busy;
    busy = suspended;
    return was_busy;
}

void trace_ranked(int number)
{
    rank = number;
}
