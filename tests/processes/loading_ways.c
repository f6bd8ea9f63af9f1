/* SPDX-License-Identifier: BSD-3-Clause */
/* loading_ways ACTION local|global MODULE MODULE: opens two modules that call MPI, the second one when MPI runs, has them do
 * their work, and prints what they found, in one line. ACTION is what else the process does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char line[512];
static void *modules[2];

static void append_words(const char *format, const char *word, int number)
{
    size_t length = strlen(line);
    snprintf(line + length, sizeof line - length, format, word, number);
}

static void end_line(void)
{
    strcat(line, "\n");
    if (write(1, line, strlen(line)) < 0)
        _exit(99);
    line[0] = 0;
}

static void *symbol(int module, const char *name)
{
    void *found = dlsym(modules[module], name);
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(98);
    }
    return found;
}

static void open_module(int module, const char *name, const char *scope)
{
    modules[module] = dlopen(name, RTLD_NOW | (strcmp(scope, "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!modules[module]) {
        fprintf(stderr, "%s\n", dlerror());
        exit(97);
    }
}

static void work(int module)
{
    int found[5];
    ((void (*)(int *))symbol(module, "module_work"))(found);
    for (int i = 0; i < 5; i++)
        append_words("%s%d", i == 0 ? ", " : " ", found[i]);
}

static void tell_state(void)
{
    int begun = 0, ended = 0;
    ((void (*)(int *, int *))symbol(0, "module_state"))(&begun, &ended);
    append_words("%s%d", "begun ", begun);
    append_words("%s%d", ", ended ", ended);
    end_line();
}

static void tell_status(int status)
{
    append_words("%s%d", ", child ", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void fork_child(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    waitpid(child, &status, 0);
    tell_status(status);
}

int main(int count, char **arguments)
{
    const char *action = arguments[1];
    int rank = -1, size = -1;
    if (count != 5)
        return 96;
    if (strcmp(action, "execute") == 0 && !getenv("EXECUTED")) {
        setenv("EXECUTED", "yes", 1);
        execv("/proc/self/exe", arguments);
    }
    open_module(0, arguments[3], arguments[2]);
    ((void (*)(int *, int *))symbol(0, "module_start"))(&rank, &size);
    open_module(1, arguments[4], arguments[2]);
    append_words("%s%d", "rank ", rank);
    append_words("%s%d", " of ", size);
    work(0);
    work(1);
    if (strcmp(action, "fork") == 0)
        fork_child();
    if (strcmp(action, "start") == 0)
        tell_status(system("exit 7"));
    end_line();
    if (strcmp(action, "atexit") == 0)
        atexit(tell_state);
    ((void (*)(void))symbol(1, "module_end"))();
    if (strcmp(action, "exit") == 0)
        ((void (*)(int))symbol(1, "module_exit"))(5);
    if (strcmp(action, "_exit") == 0)
        _exit(6);
    if (strcmp(action, "close") == 0) {
        dlclose(modules[1]);
        dlclose(modules[0]);
        exit(4);
    }
    return 0;
}
