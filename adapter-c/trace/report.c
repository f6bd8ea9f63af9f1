/* SPDX-License-Identifier: BSD-3-Clause */
#include "trace/report.h"

#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "convert/error.h"
#include "layers/lock.h"
#include "convert/say.h"
#include "process/launcher.h"
#include "process/user_file.h"

enum { CALLS = 64, ARGUMENTS = 12, FACTS = 16384, STACK = 65536, PATIENCE = 500 };

/* A call as the ring keeps it: of arguments the values, not what they lead to. */
struct noted {
    uint64_t number; /* from 1; 0 while it is written */
    int index, thread, returned;
    intptr_t result, arguments[ARGUMENTS];
    struct timespec begun;
};

/* All that is needed when the process dies, as nothing may be allocated or asked for then. */
struct state {
    struct noted ring[CALLS];
    char stack[STACK]; /* for the signal handler, if the main thread has overrun its own */
    char facts[FACTS];
    size_t length;
    char path[PATH_MAX];
};

static struct state *state; /* null if no report is wanted */
static const char *const *names;
static uint64_t last;
static pid_t process;
static const char *refused;
static int is_running, is_finalized, is_written, is_writing;

static const struct {
    int number;
    const char *name;
} deadly[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" }, { SIGILL, "SIGILL" }, { SIGFPE, "SIGFPE" }, { SIGABRT, "SIGABRT" },
};
enum { DEADLY = sizeof deadly / sizeof *deadly };

/* ---------------------------------------------------------------- the ring */

void report_begin(const struct trace_call *call, uint64_t *number)
{
    *number = 0;
    if (!state)
        return;
    *number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    struct noted *noted = &state->ring[*number % CALLS];
    int count = trace_procedures[call->index].count;
    __atomic_store_n(&noted->number, 0, __ATOMIC_RELAXED);
    noted->index = call->index;
    noted->thread = (int)syscall(SYS_gettid);
    noted->returned = 0;
    clock_gettime(CLOCK_REALTIME, &noted->begun);
    memcpy(noted->arguments, call->arguments, (size_t)(count < ARGUMENTS ? count : ARGUMENTS) * sizeof *call->arguments);
    __atomic_store_n(&noted->number, *number, __ATOMIC_RELEASE);
}

void report_end(uint64_t number, int index, intptr_t result)
{
    if (!state || number == 0)
        return;
    struct noted *noted = &state->ring[number % CALLS];
    if (__atomic_load_n(&noted->number, __ATOMIC_ACQUIRE) != number || noted->index != index)
        return;
    noted->result = result;
    noted->returned = 1;
}

/* ---------------------------------------------------------------- writing, also in a signal handler */

struct out {
    int fd, error;
    size_t length, total;
    char text[1024];
};

static void write_out(struct out *out)
{
    for (size_t done = 0; done < out->length;) {
        ssize_t written = write(out->fd, out->text + done, out->length - done);
        if (written < 0 && errno != EINTR) {
            out->error = errno;
            break;
        }
        done += written > 0 ? (size_t)written : 0;
        out->total += written > 0 ? (size_t)written : 0;
    }
    out->length = 0;
}

static void put_bytes(struct out *out, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (out->length == sizeof out->text)
            write_out(out);
        out->text[out->length++] = bytes[i];
    }
}

static void put_text(struct out *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

/* A number to this base, with at least so many digits. */
static void put_digits(struct out *out, uint64_t value, unsigned base, int least)
{
    char digits[24];
    int at = sizeof digits;
    while (value > 0 || least > 0) {
        digits[--at] = "0123456789abcdef"[value % base];
        value /= base;
        least--;
    }
    put_bytes(out, digits + at, sizeof digits - (size_t)at);
}

static void put_number(struct out *out, intptr_t value)
{
    if (value < 0)
        put_text(out, "-");
    put_digits(out, value < 0 ? -(uint64_t)value : (uint64_t)value, 10, 1);
}

static void put_address(struct out *out, intptr_t value)
{
    put_text(out, "0x");
    put_digits(out, (uint64_t)value, 16, 1);
}

/* A value as a name, a number or an address; what is somebody's data is left out. */
static void put_value(struct out *out, const struct trace_parameter *parameter, intptr_t value)
{
    const char *name = parameter->passed == TRACE_VALUE ? trace_name(parameter->kind, value) : 0;
    if (name)
        put_text(out, name);
    else if (parameter->passed != TRACE_VALUE || parameter->show == SHOW_ADDRESS || parameter->show == SHOW_HANDLE)
        put_address(out, value);
    else if (parameter->show == SHOW_NUMBER || parameter->show == SHOW_FLAGS || parameter->show == SHOW_ERROR)
        put_number(out, value);
    else
        put_text(out, "...");
}

static void put_call(struct out *out, const struct noted *noted)
{
    const struct trace_procedure *procedure = &trace_procedures[noted->index];
    put_number(out, noted->begun.tv_sec);
    put_text(out, ".");
    put_digits(out, (uint64_t)noted->begun.tv_nsec / 1000, 10, 6);
    put_text(out, " ");
    put_number(out, noted->thread);
    put_text(out, " ");
    put_text(out, names[noted->index]);
    put_text(out, "(");
    for (int i = 0; i < procedure->count && i < ARGUMENTS; i++) {
        const struct trace_parameter *parameter = &trace_parameters[procedure->first + i];
        put_text(out, i ? ", " : "");
        put_text(out, trace_names + parameter->name);
        put_text(out, "=");
        put_value(out, parameter, noted->arguments[i]);
    }
    put_text(out, procedure->count > ARGUMENTS ? ", ...)" : ")");
    if (noted->returned) {
        put_text(out, " = ");
        put_value(out, &procedure->result, noted->result);
    } else {
        put_text(out, " did not return");
    }
    put_text(out, "\n");
}

static void put_calls(struct out *out)
{
    uint64_t end = __atomic_load_n(&last, __ATOMIC_RELAXED), first = end > CALLS ? end - CALLS + 1 : 1;
    put_text(out, "\nthe last of ");
    put_number(out, (intptr_t)end);
    put_text(out, " calls to the host: time, thread, call = result\n");
    for (uint64_t number = first; number <= end; number++) {
        struct noted *noted = &state->ring[number % CALLS];
        if (__atomic_load_n(&noted->number, __ATOMIC_ACQUIRE) == number)
            put_call(out, noted);
    }
}

static void put_file(struct out *out, const char *path)
{
    char bytes[1024];
    ssize_t count;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    put_text(out, "\n");
    put_text(out, path);
    put_text(out, "\n");
    while (fd >= 0 && ((count = read(fd, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR)))
        put_bytes(out, bytes, count > 0 ? (size_t)count : 0);
    if (fd >= 0)
        close(fd);
}

/* Why the report is written, and its first lines. */
struct reason {
    const char *text, *what;
    intptr_t number;
    const siginfo_t *info;
};

static void put_reason(struct out *out, const struct reason *reason)
{
    put_text(out, reason->text);
    put_text(out, reason->what ? reason->what : "");
    if (reason->number != INVALID_VALUE)
        put_number(out, reason->number);
    if (reason->info && reason->info->si_code > 0) {
        put_text(out, " at the address ");
        put_address(out, (intptr_t)reason->info->si_addr);
    } else if (reason->info) {
        put_text(out, " sent by process ");
        put_number(out, reason->info->si_pid);
    }
    put_text(out, "\nthread         ");
    put_number(out, syscall(SYS_gettid));
    put_text(out, "\n");
    if (refused) {
        put_text(out, "refused        ");
        put_text(out, refused);
        put_text(out, ", which the host does not have\n");
    }
}

/* Says that the report could not be written, and removes one that is empty. */
static void complain_of(const struct out *failed)
{
    struct out out = { .fd = STDERR_FILENO };
    if (failed->fd >= 0 && failed->total == 0)
        unlink(state->path);
    if (failed->error == EEXIST) {
        put_text(&out, "mpi-adapter: the report ");
        put_text(&out, state->path);
        put_text(&out, " would be a link or somebody else's file; set MPI_ADAPTER_REPORT to a folder of your own\n");
        write_out(&out);
        return;
    }
    put_text(&out, "mpi-adapter: cannot write all of the report ");
    put_text(&out, state->path);
    put_text(&out, " (error ");
    put_number(&out, failed->error);
    put_text(&out, "); set MPI_ADAPTER_REPORT to a folder that has room\n");
    write_out(&out);
}

/* Writes the reason first, then what was known at the start, the calls, and where everything is mapped. */
static void write_report(const struct reason *reason)
{
    struct out out = { .fd = user_file_open(state->path, O_TRUNC, 0644) };
    out.error = out.fd < 0 ? errno : 0;
    if (out.fd < 0) {
        complain_of(&out);
        return;
    }
    put_text(&out, "A program that MPI-Adapter adapted has died. There is nothing of its data here.\n\nreason         ");
    put_reason(&out, reason);
    put_bytes(&out, state->facts, state->length);
    put_calls(&out);
    put_file(&out, "/proc/self/maps");
    write_out(&out);
    if (close(out.fd) != 0 && errno != EINTR)
        out.error = errno;
    if (out.error)
        complain_of(&out);
}

/* One thread writes; another one that dies meanwhile waits, as it would end the process. */
static void report(const struct reason *reason)
{
    int error = errno;
    struct timespec moment = { 0, 10000000 };
    if (!state || getpid() != process)
        return;
    for (int turns = 0; __atomic_exchange_n(&is_writing, 1, __ATOMIC_ACQUIRE); turns++) {
        if (turns == PATIENCE)
            return;
        nanosleep(&moment, 0);
    }
    if (!is_written)
        write_report(reason);
    is_written = 1;
    __atomic_store_n(&is_writing, 0, __ATOMIC_RELEASE);
    errno = error;
}

void report_death(const char *text, intptr_t number)
{
    report(&(struct reason){ .text = text, .number = number });
}

void report_refusal(const char *procedure)
{
    if (!state || refused)
        return;
    refused = procedure;
    report(&(struct reason){ .text = "a call failed, as the host does not have ", .what = procedure, .number = INVALID_VALUE });
    is_written = 0; /* if the process dies, the report of that replaces this one */
}

void report_host_end(const char *by)
{
    if (!is_finalized)
        report(&(struct reason){ .text = "the host's MPI ended the process by ", .what = by, .number = INVALID_VALUE });
}

void report_exit(void)
{
    if (is_running)
        report_death("the process ended before MPI_Finalize", INVALID_VALUE);
}

void report_initialized(void)
{
    is_running = 1;
}

void report_finalized(void)
{
    is_running = 0;
    is_finalized = 1;
    if (state && refused && !is_written && getpid() == process)
        unlink(state->path);
}

/* ---------------------------------------------------------------- signals */

static struct sigaction handled_before[DEADLY]; /* what ours goes on to */
/* Nobody handled the signal ahead of what the host does now, for this thread: several may begin sessions. */
static _Thread_local int is_free[DEADLY];

/* Reports, and lets the signal do what it would have done: the instruction at fault is tried again, and what was sent is sent again. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    int error = errno, i = 0;
    (void)context;
    while (i < DEADLY - 1 && deadly[i].number != signal)
        i++;
    report(&(struct reason){ .text = "the signal ", .what = deadly[i].name, .number = INVALID_VALUE, .info = info });
    sigaction(signal, &handled_before[i], 0);
    if (info->si_code <= 0)
        syscall(SYS_rt_tgsigqueueinfo, getpid(), (int)syscall(SYS_gettid), signal, info);
    errno = error;
}

static int is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_signal;
}

void report_before_host(void)
{
    struct sigaction now;
    for (int i = 0; i < DEADLY; i++)
        is_free[i] = sigaction(deadly[i].number, 0, &now) == 0 &&
                     (is_ours(&now) || (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL));
}

/* A program's handler of a signal stays, and so does a signal that it ignores. The host's handlers come after ours. */
void report_after_host(void)
{
    LOCK(signal_handlers);
    struct sigaction own = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK }, now;
    if (!state)
        return;
    sigemptyset(&own.sa_mask);
    take_lock(signal_handlers);
    for (int i = 0; i < DEADLY; i++)
        if (is_free[i] && sigaction(deadly[i].number, 0, &now) == 0 && !is_ours(&now)) {
            handled_before[i] = now;
            sigaction(deadly[i].number, &own, 0);
        }
    release_lock(signal_handlers);
}

/* Gives the main thread a stack for signal handlers, because it may have overrun its own. Keeps a stack that the program set. */
static void provide_stack(void)
{
    stack_t stack = { .ss_sp = state->stack, .ss_size = sizeof state->stack }, old;
    if (sigaltstack(0, &old) == 0 && (old.ss_flags & SS_DISABLE))
        sigaltstack(&stack, 0);
}

/* ---------------------------------------------------------------- the start */

int report_is_on(void)
{
    return state != 0;
}

/* Control characters would break a line. */
static void make_plain(char *text)
{
    for (; *text; text++)
        *text = (unsigned char)*text < ' ' ? '?' : *text;
}

void report_fact(const char *key, const char *format, ...)
{
    va_list arguments;
    if (!state)
        return;
    char *at = state->facts + state->length;
    size_t room = sizeof state->facts - state->length;
    int length = snprintf(at, room, "%-14s ", key);
    va_start(arguments, format);
    length += length < (int)room ? vsnprintf(at + length, room - (size_t)length, format, arguments) : 0;
    va_end(arguments);
    if (length + 1 >= (int)room)
        return; /* no room: the whole line is left out */
    make_plain(at);
    at[length] = '\n';
    state->length += (size_t)length + 1;
}

/* The settings by which libraries are found, and ours. */
static void note_settings(void)
{
    for (char **setting = environ; *setting; setting++)
        if (strncmp(*setting, "MPI_ADAPTER_", 12) == 0 || strncmp(*setting, "LD_", 3) == 0)
            report_fact("setting", "%s", *setting);
}

static void note_surroundings(void)
{
    struct utsname machine;
    time_t now = time(0);
    char text[64];
    int rank = launcher_rank();
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    uname(&machine);
    report_fact("started", "%s", text);
    report_fact("program", "%s", program_invocation_name);
    report_fact("process", "%d", (int)process);
    report_fact("rank", rank < 0 ? "not known to the launcher" : "%d by the launcher", rank);
    report_fact("launcher", "%s", launcher_name());
    report_fact("machine", "%s, %s %s %s, C library %s", machine.nodename, machine.sysname, machine.release, machine.machine,
                gnu_get_libc_version());
    note_settings();
}

/* Makes a folder with those above it. Returns 0, or errno. */
static int make_folder(const char *folder)
{
    char part[PATH_MAX];
    size_t length = strlen(folder);
    for (size_t i = 1; i < length && i < sizeof part; i++)
        if (folder[i] == '/') {
            memcpy(part, folder, i);
            part[i] = 0;
            mkdir(part, 0777);
        }
    return mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

/* Chooses the report's file, by a whole path: the program may go to another folder. */
static void choose_path(const char *folder)
{
    char whole[PATH_MAX], machine[65] = "machine";
    int rank = launcher_rank(), error = make_folder(folder);
    gethostname(machine, sizeof machine - 1);
    if (!realpath(folder, whole) || access(whole, W_OK | X_OK) != 0)
        give_up("cannot write reports into %s (%s); set MPI_ADAPTER_REPORT to a folder that can be written", folder,
                strerror(error ? error : errno));
    int length = snprintf(state->path, sizeof state->path, "%s/%s.%s.rank%d.%d.txt", whole, program_invocation_short_name, machine,
                          rank < 0 ? 0 : rank, (int)process);
    if (length >= (int)sizeof state->path)
        give_up("the name of %s is too long; set MPI_ADAPTER_REPORT to another folder", folder);
    make_plain(state->path + strlen(whole));
}

void report_start(const char *folder, const char *const *procedure_names)
{
    if (!folder)
        return;
    state = calloc(1, sizeof *state);
    if (!state)
        give_up_memory("while a report begins");
    names = procedure_names;
    process = getpid();
    choose_path(folder);
    note_surroundings();
    unsupported_report(report_refusal);
    provide_stack();
    report_after_host();
}
