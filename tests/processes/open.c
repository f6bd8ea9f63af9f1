/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows no MPI and opens plugins.
 *
 *   open local|global|deep WHAT PLUGIN:FUNCTION...
 *
 * Opens the plugins in that scope, which is RTLD_LOCAL with RTLD_DEEPBIND if it is deep, each when those before it are in use, and calls each function with 1, unless WHAT is "idle", and,
 * if it is "spawn", with 3. The first initializes MPI (0) and finalizes it (2). Prints, for each plugin, what its function returned.
 * With "threads" each plugin is opened by a thread of its own; with "again" all but the first are closed and opened once more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLUGINS = 16 };

typedef int function(int what);

/* A plugin: its file, the name of its function, and what that has returned. */
struct plugin {
    char *file, *name;
    void *handle;
    function *call;
    int missed;
};

static int scope;
static const char *what;

static void *open_plugin(void *argument)
{
    struct plugin *plugin = argument;
    plugin->handle = dlopen(plugin->file, RTLD_NOW | scope);
    plugin->call = plugin->handle ? (function *)dlsym(plugin->handle, plugin->name) : 0;
    if (!plugin->call) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return 0;
}

static void open_next(struct plugin *plugin)
{
    pthread_t thread;
    if (strcmp(what, "threads") != 0) {
        open_plugin(plugin);
        return;
    }
    pthread_create(&thread, 0, open_plugin, plugin);
    pthread_join(thread, 0);
}

static void ask(struct plugin *plugins, int count)
{
    for (int i = 0; i < count; i++)
        plugins[i].missed |= plugins[i].call(1);
}

static void open_again(struct plugin *plugins, int count)
{
    for (int i = 1; i < count; i++)
        dlclose(plugins[i].handle);
    for (int i = count - 1; i > 0; i--)
        open_next(&plugins[i]);
    ask(plugins, count);
}

static int scope_of(const char *word)
{
    return strcmp(word, "global") == 0 ? RTLD_GLOBAL : strcmp(word, "deep") == 0 ? RTLD_DEEPBIND : RTLD_LOCAL;
}

int main(int argc, char **argv)
{
    static struct plugin plugins[PLUGINS];
    int count = argc - 3;
    scope = scope_of(argv[1]);
    what = argv[2];
    for (int i = 0; i < count && i < PLUGINS; i++) {
        plugins[i].file = argv[i + 3];
        plugins[i].name = strrchr(argv[i + 3], ':');
        *plugins[i].name++ = 0;
        open_next(&plugins[i]);
        if (i == 0)
            plugins[0].call(0);
        if (strcmp(what, "idle") != 0)
            ask(plugins, i + 1);
    }
    if (strcmp(what, "again") == 0)
        open_again(plugins, count);
    for (int i = 0; i < count && strcmp(what, "spawn") == 0; i++)
        plugins[i].call(3);
    plugins[0].call(2);
    for (int i = 0; i < count; i++)
        printf("%s misses %d\n", plugins[i].file, plugins[i].missed);
    return 0;
}
