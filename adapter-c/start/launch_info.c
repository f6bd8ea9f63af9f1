/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/launch_info.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "convert/host_side.h"
#include "convert/facts.h"
#include "layers/layers.h"
#include "process/implementation.h"
#include "trace/trace.h"

static char *const *words;

void launch_info_note(char *const *arguments)
{
    words = arguments;
}

/* The sources of the values. */
struct launch {
    int size;
    struct utsname machine;
};

/* Each puts a value into a room of HOST_MPI_MAX_INFO_VAL, or nothing. */
typedef void put_value(const struct launch *launch, char *value);

static void put_command(const struct launch *launch, char *value)
{
    const char *word = words && words[0] ? words[0] : "", *slash = strrchr(word, '/');
    snprintf(value, HOST_MPI_MAX_INFO_VAL, "%s", slash ? slash + 1 : word);
}

/* The words after the first, with spaces between, as far as they fit. */
static void put_arguments(const struct launch *launch, char *value)
{
    size_t used = 0;
    for (char *const *word = words && words[0] ? words + 1 : 0; word && *word && used < HOST_MPI_MAX_INFO_VAL; word++)
        used += (size_t)snprintf(value + used, HOST_MPI_MAX_INFO_VAL - used, "%s%s", used ? " " : "", *word);
}

static void put_size(const struct launch *launch, char *value)
{
    snprintf(value, HOST_MPI_MAX_INFO_VAL, "%d", launch->size);
}

static void put_host(const struct launch *launch, char *value)
{
    strcpy(value, launch->machine.nodename);
}

static void put_architecture(const struct launch *launch, char *value)
{
    strcpy(value, launch->machine.machine);
}

static void put_folder(const struct launch *launch, char *value)
{
    if (!getcwd(value, HOST_MPI_MAX_INFO_VAL))
        value[0] = 0;
}

static void put_thread_level(const struct launch *launch, char *value)
{
    int level = HOST_MPI_THREAD_SINGLE;
    host_itself->MPI_Query_thread(&level);
    strcpy(value, level == HOST_MPI_THREAD_MULTIPLE     ? "MPI_THREAD_MULTIPLE"
                  : level == HOST_MPI_THREAD_SERIALIZED ? "MPI_THREAD_SERIALIZED"
                  : level == HOST_MPI_THREAD_FUNNELED   ? "MPI_THREAD_FUNNELED"
                                                        : "MPI_THREAD_SINGLE");
}

static const struct {
    const char *key;
    put_value *put;
} keys[] = {
    { "command", put_command },      { "argv", put_arguments }, { "maxprocs", put_size },
    { "soft", put_size },            { "host", put_host },      { "arch", put_architecture },
    { "wdir", put_folder },          { "thread_level", put_thread_level },
};

/* True if the list, with commas between, has the word. */
static int has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strncmp(list, word, length) == 0 && (list[length] == ',' || !list[length]))
            return 1;
    return 0;
}

#define READERS(each)                                                                              \
    each(MPI_Info_get) each(MPI_Info_get_valuelen) each(MPI_Info_get_string) each(MPI_Info_get_nkeys) each(MPI_Info_get_nthkey) \
    each(MPI_Info_dup)
#define OURS(each) READERS(each) each(MPI_Finalize)
LAYER_PART(inner, OURS);

/* The host's MPI_INFO_ENV with further keys: some host lets nobody add keys to its own. */
static host_info filled;

/* Returns the object that is read in the place of `info`. */
static host_info read_of(host_info info)
{
    return HOST_INFO_BITS(info) == HOST_INFO_BITS(HOST_MPI_INFO_ENV) ? filled : info;
}

#define READS(name, parameters, ...)                                                               \
    static int reading_##name parameters                                                           \
    {                                                                                              \
        return NEXT(inner, name)(read_of(info), __VA_ARGS__);                                      \
    }
READS(MPI_Info_get, (host_info info, const char *key, int valuelen, char *value, int *flag), key, valuelen, value, flag)
READS(MPI_Info_get_valuelen, (host_info info, const char *key, int *valuelen, int *flag), key, valuelen, flag)
READS(MPI_Info_get_string, (host_info info, const char *key, int *buflen, char *value, int *flag), key, buflen, value, flag)
READS(MPI_Info_get_nkeys, (host_info info, int *nkeys), nkeys)
READS(MPI_Info_get_nthkey, (host_info info, int n, char *key), n, key)
READS(MPI_Info_dup, (host_info info, host_info *newinfo), newinfo)

static int freeing_MPI_Finalize(void)
{
    layer_remove(LAYER_LAUNCH_INFO, &inner.head);
    int suspended = trace_suspend(1);
    host_itself->MPI_Info_free(&filled);
    trace_suspend(suspended);
    return NEXT(inner, MPI_Finalize)();
}

#define READING(name) OVERRIDE(inner, name, reading_##name),

/* Has what reads MPI_INFO_ENV read a copy of it. Returns 0 if there can be none. */
static int has_copy(void)
{
    static int is_made;
    if (!is_made && host_itself->MPI_Info_dup(HOST_MPI_INFO_ENV, &filled) == 0) {
        LAYER_INSTALL(LAYER_LAUNCH_INFO, inner, READERS(READING) OVERRIDE(inner, MPI_Finalize, freeing_MPI_Finalize));
        is_made = 1;
    }
    return is_made;
}

void launch_info_fill(int size)
{
    const char *given = application_info_env;
    char value[HOST_MPI_MAX_INFO_VAL + 1];
    struct launch launch = { .size = size };
    if (!*given || size <= 0)
        return;
    uname(&launch.machine);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int length = 0, has_key = 0;
        value[0] = 0;
        if (!has_word(given, keys[i].key) ||
            host_itself->MPI_Info_get_valuelen(HOST_MPI_INFO_ENV, keys[i].key, &length, &has_key) != 0 || has_key)
            continue;
        keys[i].put(&launch, value);
        if (*value && has_copy())
            host_itself->MPI_Info_set(filled, keys[i].key, value);
    }
}
