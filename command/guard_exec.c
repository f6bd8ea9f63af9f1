// SPDX-License-Identifier: BSD-3-Clause
// Stands in front of the functions that start programs, and of those that end the
// process without its destructors. A wrapper that replaces LD_PRELOAD, as people do
// who preload their MPI, would lose the guard, and its program would run natively,
// each rank alone. So the guard is put back behind what LD_PRELOAD has.
//
// A child of vfork() may neither allocate memory nor call the loader, so arrays are
// on the stack.
#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard.h"
#include "process/rank_variables.h"

#define PRELOAD "LD_PRELOAD"
#define EXPORTED __attribute__((visibility("default")))

static struct {
    int (*execve)(const char *, char *const[], char *const[]);
    int (*execvpe)(const char *, char *const[], char *const[]);
    int (*fexecve)(int, char *const[], char *const[]);
    int (*execveat)(int, const char *, char *const[], char *const[], int);
    int (*posix_spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
    int (*posix_spawnp)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
    int (*system)(const char *);
    FILE *(*popen)(const char *, const char *);
    void (*quick_exit)(int);
} next;

void guard_find_next(void)
{
    static bool are_found;
    if (are_found)
        return;
    *(void **)&next.execve = dlsym(RTLD_NEXT, "execve");
    *(void **)&next.execvpe = dlsym(RTLD_NEXT, "execvpe");
    *(void **)&next.fexecve = dlsym(RTLD_NEXT, "fexecve");
    *(void **)&next.execveat = dlsym(RTLD_NEXT, "execveat");
    *(void **)&next.posix_spawn = dlsym(RTLD_NEXT, "posix_spawn");
    *(void **)&next.posix_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
    *(void **)&next.system = dlsym(RTLD_NEXT, "system");
    *(void **)&next.popen = dlsym(RTLD_NEXT, "popen");
    *(void **)&next.quick_exit = dlsym(RTLD_NEXT, "quick_exit");
    are_found = true;
}

// True if LD_PRELOAD has the path, which has neither a space nor a colon.
static bool is_preloaded(const char *preload, const char *path)
{
    size_t length = strlen(path);
    for (preload += strspn(preload, ": "); *preload; preload += strspn(preload, ": ")) {
        size_t part = strcspn(preload, ": ");
        if (part == length && strncmp(preload, path, length) == 0)
            return true;
        preload += part;
    }
    return false;
}

// The guard that an environment lacks, and the room for it.
struct addition {
    const char *guard;   // NULL: nothing
    const char *preload; // what LD_PRELOAD has
    size_t variables;    // elements of the new array
    size_t text;         // bytes of the new LD_PRELOAD
};

static struct addition find_addition(char *const *environment)
{
    struct addition addition = { environment ? guard_of(environment) : NULL, "", 1, 1 };
    const char *preload = addition.guard ? rank_variable_in(environment, PRELOAD) : NULL;
    if (preload)
        addition.preload = preload;
    if (!addition.guard || is_preloaded(addition.preload, addition.guard)) {
        addition.guard = NULL;
        return addition;
    }
    while (environment[addition.variables - 1])
        addition.variables++;
    addition.variables++;
    addition.text = strlen(addition.preload) + strlen(addition.guard) + sizeof PRELOAD "=:";
    return addition;
}

// Returns the environment with the guard, in the caller's array and text, or as it is.
static char *const *with_guard(char *const *environment, const struct addition *addition, char **variables, char *text)
{
    size_t count = 0;
    if (!addition->guard)
        return environment;
    for (; *environment; environment++)
        if (strncmp(*environment, PRELOAD "=", sizeof PRELOAD) != 0)
            variables[count++] = *environment;
    strcpy(text, PRELOAD "=");
    strcat(strcat(strcat(text, addition->preload), *addition->preload ? ":" : ""), addition->guard);
    variables[count++] = text;
    variables[count] = NULL;
    return variables;
}

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[])
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    guard_check();
    return next.execve(path, arguments, with_guard(environment, &addition, variables, text));
}

EXPORTED int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    guard_check();
    return next.execvpe(file, arguments, with_guard(environment, &addition, variables, text));
}

EXPORTED int fexecve(int descriptor, char *const arguments[], char *const environment[])
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    guard_check();
    return next.fexecve(descriptor, arguments, with_guard(environment, &addition, variables, text));
}

// The C library has it since 2.34.
EXPORTED int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags)
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    guard_check();
    if (!next.execveat) {
        errno = ENOSYS;
        return -1;
    }
    return next.execveat(folder, path, arguments, with_guard(environment, &addition, variables, text), flags);
}

EXPORTED int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

EXPORTED int execvp(const char *file, char *const arguments[])
{
    return execvpe(file, arguments, environ);
}

// The arguments of execl() and its kin, from the first to the null.
static size_t count_arguments(va_list list)
{
    size_t count = 1;
    while (va_arg(list, char *))
        count++;
    return count;
}

static void take_arguments(char **arguments, const char *first, va_list list)
{
    *arguments = (char *)first;
    while (*arguments++)
        *arguments = va_arg(list, char *);
}

typedef int start(const char *, char *const[], char *const[]);

// Starts a program with the arguments of a list. The environment follows their null, or is this process's.
static int start_listed(start *function, const char *name, const char *first, va_list list, bool has_environment)
{
    va_list again;
    va_copy(again, list);
    char *arguments[1 + count_arguments(list)];
    take_arguments(arguments, first, again);
    char *const *environment = has_environment ? va_arg(again, char *const *) : environ;
    va_end(again);
    return function(name, arguments, environment);
}

EXPORTED int execl(const char *path, const char *first, ...)
{
    va_list list;
    va_start(list, first);
    int status = start_listed(execve, path, first, list, false);
    va_end(list);
    return status;
}

EXPORTED int execlp(const char *file, const char *first, ...)
{
    va_list list;
    va_start(list, first);
    int status = start_listed(execvpe, file, first, list, false);
    va_end(list);
    return status;
}

EXPORTED int execle(const char *path, const char *first, ...)
{
    va_list list;
    va_start(list, first);
    int status = start_listed(execve, path, first, list, true);
    va_end(list);
    return status;
}

EXPORTED int posix_spawn(pid_t *restrict child, const char *restrict path, const posix_spawn_file_actions_t *actions,
                         const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                         char *const environment[restrict])
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    return next.posix_spawn(child, path, actions, attributes, arguments, with_guard(environment, &addition, variables, text));
}

EXPORTED int posix_spawnp(pid_t *restrict child, const char *restrict file, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                          char *const environment[restrict])
{
    struct addition addition = find_addition(environment);
    char *variables[addition.variables], text[addition.text];
    guard_find_next();
    return next.posix_spawnp(child, file, actions, attributes, arguments, with_guard(environment, &addition, variables, text));
}

// These two take the environment of this process.
static void mend_own_environment(void)
{
    struct addition addition = find_addition(environ);
    char text[addition.text];
    if (!addition.guard)
        return;
    strcat(strcat(strcpy(text, addition.preload), *addition.preload ? ":" : ""), addition.guard);
    guard_set_variable(PRELOAD, text);
}

EXPORTED int system(const char *command)
{
    guard_find_next();
    mend_own_environment();
    return next.system(command);
}

EXPORTED FILE *popen(const char *command, const char *mode)
{
    guard_find_next();
    mend_own_environment();
    return next.popen(command, mode);
}

EXPORTED void _exit(int status)
{
    guard_check();
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORTED void _Exit(int status)
{
    _exit(status);
}

EXPORTED void quick_exit(int status)
{
    guard_find_next();
    guard_check();
    next.quick_exit(status);
    _exit(status);
}
