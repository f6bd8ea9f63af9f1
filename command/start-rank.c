/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start-rank TOLD HOST [NAME=VALUE]... -- PROGRAM [ARGUMENT]...: stands between a launcher and each rank, which it becomes.
 *
 * Sets the variables that it is given, as env does, and those by which the launchers named in TOLD (with commas between, or -)
 * would tell the rank its place; HOST is the launcher that started it, as far as the command knows, or -. Only the rank's own process
 * knows its rank. This file uses no C library: it runs in containers of any, and takes no time to start.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "process/rank_variables.h"

/* The kernel starts a process with the stack pointer at argc, argv, a null, the environment, a null. */
#if defined __x86_64__
__asm__(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall start\n\thlt\n");

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}
#elif defined __aarch64__
__asm__(".globl _start\n_start:\n\tmov x0, sp\n\tbl start\n\tbrk #0\n");

static long call(long number, long a, long b, long c)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}
#else
#error "start-rank: how a process begins on this architecture is not in command/start-rank.c"
#endif

/* Compilers make calls of these by themselves. */
void *memset(void *to, int byte, size_t size);
void *memset(void *to, int byte, size_t size)
{
    for (volatile char *at = to; size > 0; size--)
        *at++ = (char)byte;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    volatile char *at = to;
    for (const char *byte = from; size > 0; size--)
        *at++ = *byte++;
    return to;
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

static void say(const char *text)
{
    call(SYS_write, 2, (long)text, (long)length_of(text));
}

__attribute__((noreturn)) static void end(int status)
{
    for (;;)
        call(SYS_exit_group, status, 0, 0);
}

__attribute__((noreturn)) static void fail(int status, const char *name, const char *what)
{
    say("mpi-adapter: ");
    say(name);
    say(what);
    end(status);
}

/* A path that cannot be used on this host, which is named. */
__attribute__((noreturn)) static void fail_here(int status, const char *path, const char *what, const char *then)
{
    static struct utsname host;
    say("mpi-adapter: ");
    say(path);
    say(what);
    say(call(SYS_uname, (long)&host, 0, 0) == 0 ? host.nodename : "this host");
    say(then);
    end(status);
}

/* ---- the environment ---- */

/* More variables than a kernel's 2 MiB of words allow in practice. */
enum { MOST_VARIABLES = 32768 };
static char *variables[MOST_VARIABLES + 1];
static size_t variable_count;

/* Returns the place of the variable that an entry NAME=VALUE, or NAME, sets: the one behind the last if it is new. */
static size_t place_of(const char *entry)
{
    size_t place = 0;
    for (; place < variable_count; place++) {
        size_t i = 0;
        while (entry[i] && entry[i] != '=' && entry[i] == variables[place][i])
            i++;
        if ((entry[i] == '=' || !entry[i]) && variables[place][i] == '=')
            break;
    }
    return place;
}

static int has_sign(const char *entry)
{
    while (*entry && *entry != '=')
        entry++;
    return *entry == '=';
}

/* Sets a variable, or removes it if the entry is a name alone. */
static void set_variable(char *entry)
{
    size_t place = place_of(entry);
    if (has_sign(entry)) {
        if (place == MOST_VARIABLES)
            fail(126, "the environment", " has too many variables; start the rank with fewer\n");
        variables[place] = entry;
        variable_count += place == variable_count;
    } else if (place < variable_count) {
        variables[place] = variables[--variable_count];
    }
    variables[variable_count] = NULL;
}

/* ---- the variables of the host's launcher ---- */

enum { MOST_NAMED = 4 };
static char commands[MOST_NAMED][4096], arguments[MOST_NAMED][65536];

/* Gives a variable that the launcher has set another value: words with spaces between, as far as they fit. */
static void replace_word(const char *name, char *text, size_t room, char **words)
{
    size_t used = 0;
    if (!rank_variable_in(variables, name))
        return;
    for (; *name && used + 2 < room; name++)
        text[used++] = *name;
    text[used++] = '=';
    for (size_t first = used; *words; words++) {
        if (used > first && used + 1 < room)
            text[used++] = ' ';
        for (const char *from = *words; *from && used + 1 < room; from++)
            text[used++] = *from;
    }
    text[used] = 0;
    set_variable(text);
}

/* The launcher names this program; the ranks are to see the user's. */
static void name_program(char **words)
{
    const char *name;
    char *base = words[0];
    for (char *at = base; *at; at++)
        if (*at == '/')
            base = at + 1;
    for (int i = 0; i < MOST_NAMED && (name = rank_variable_of(RANK_COMMAND, i)); i++)
        replace_word(name, commands[i], sizeof commands[i], (char *[]){ base, NULL });
    for (int i = 0; i < MOST_NAMED && (name = rank_variable_of(RANK_ARGUMENTS, i)); i++)
        replace_word(name, arguments[i], sizeof arguments[i], words + 1);
}

unsigned long rank_socket_at(int descriptor)
{
    static struct stat status; /* the kernel's own, on these architectures */
    return call(SYS_fstat, descriptor, (long)&status, 0) == 0 && S_ISSOCK(status.st_mode) ? (unsigned long)status.st_ino : 0;
}

static const char *list_of(const char *word)
{
    return word[0] == '-' && !word[1] ? "" : word;
}

static char file[8192];

/* ---- the libraries ---- */

/* The loader only warns of a file that it cannot preload: without these, the rank would run natively, and alone. They lie elsewhere where
 * a host has another installation than the one that chose them. */
static void look_for_libraries(void)
{
    const char *list = rank_variable_in(variables, "MPI_ADAPTER_PRELOAD");
    for (; list && *list; list += *list == ':') {
        size_t length = 0;
        for (; *list && *list != ':'; list++)
            if (length + 1 < sizeof file)
                file[length++] = *list;
        file[length] = 0;
        if (file[0] == '/' && call(SYS_faccessat, AT_FDCWD, (long)file, 0) == -ENOENT)
            fail_here(127, file, " is not there on ", "; install the pair there, too, in the same folder\n");
    }
}

/* ---- the program ---- */

/* Starts a file as execvp() does: one that is no program is a script of the shell. Returns the error. */
static long start_file(const char *name, char **words)
{
    long error = call(SYS_execve, (long)name, (long)words, (long)variables);
    if (error != -ENOEXEC)
        return error;
    /* The word ahead of the program's is not needed any more. */
    words[-1] = "/bin/sh";
    words[0] = (char *)name;
    return call(SYS_execve, (long)words[-1], (long)(words - 1), (long)variables);
}

static int is_path(const char *name)
{
    while (*name && *name != '/')
        name++;
    return *name == '/';
}

/* Puts the file of that name in a folder, of this length, into `file`. */
static void join_path(const char *folder, size_t length, const char *name)
{
    size_t used = 0;
    for (; used < length; used++)
        file[used] = folder[used];
    if (length > 0)
        file[used++] = '/';
    for (size_t i = 0; i <= length_of(name); i++)
        file[used++] = name[i];
}

/* Starts a program, which is looked for in PATH. Returns the error. */
static long start_program(char **words)
{
    char *name = words[0];
    const char *path = rank_variable_in(variables, "PATH");
    long error = -ENOENT;
    if (is_path(name))
        return start_file(name, words);
    for (path = path ? path : "/bin:/usr/bin";; path++) {
        size_t length = 0;
        while (path[length] && path[length] != ':')
            length++;
        if (length + length_of(name) + 2 < sizeof file) {
            join_path(path, length, name);
            long tried = start_file(file, words);
            error = tried == -EACCES || error == -ENOENT ? tried : error;
            words[0] = name;
        }
        path += length;
        if (!*path)
            return error;
    }
}

__attribute__((noreturn, used)) void start(char **stack);

static struct rank_plan plan;

void start(char **stack)
{
    size_t count = (size_t)stack[0], at = 3;
    char **words = stack + 1;
    for (char **entry = words + count + 1; *entry && variable_count < MOST_VARIABLES; entry++)
        variables[variable_count++] = *entry;
    while (at < count && (words[at][0] != '-' || words[at][1] != '-' || words[at][2]))
        set_variable(words[at++]);
    if (at + 1 >= count)
        fail(125, "start-rank", " was given no program; install mpi-adapter again\n");
    rank_plan_make(&plan, variables, list_of(words[1]), list_of(words[2]));
    for (int i = 0; i < plan.count; i++)
        set_variable(plan.words[i]);
    name_program(words + at + 1);
    look_for_libraries();
    long error = start_program(words + at + 1);
    if (error == -E2BIG)
        fail(126, words[at + 1], " cannot be started, as its arguments and environment are too long; give fewer\n");
    if (error == -ENOENT)
        fail_here(127, words[at + 1], " is not there on ", "; correct its name\n");
    fail_here(126, words[at + 1], " cannot be started on ", "; correct its name, or its permissions\n");
}
