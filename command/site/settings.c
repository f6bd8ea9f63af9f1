/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: see mpi-adapter.conf(5). */
#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "file.h"
#include "setting.h"
#include "site.h"
#include "suggest.h"
#include "texts.h"

static const struct {
    const char *name, *variable;
} KNOWN[] = {
    { "host", "MPI_ADAPTER_HOST" },
    { "host_prefixes", "MPI_ADAPTER_HOST_PREFIXES" },
    { "host_library", "MPI_ADAPTER_HOST_LIBRARY" },
    { "host_preload", "MPI_ADAPTER_HOST_PRELOAD" },
    { "ignore_options", "MPI_ADAPTER_IGNORE_OPTIONS" },
    { "job_log", "MPI_ADAPTER_JOB_LOG" },
    { "launcher", "MPI_ADAPTER_LAUNCHER" },
    { "launcher_arguments", "MPI_ADAPTER_LAUNCHER_ARGUMENTS" },
    { "mpi_release", "MPI_ADAPTER_MPI_RELEASE" },
    { "mpi_version", "MPI_ADAPTER_MPI_VERSION" },
    { "pair_path", "MPI_ADAPTER_PATH" },
};
enum { KNOWN_COUNT = sizeof KNOWN / sizeof *KNOWN };

static const char ADVICE[] = "correct it, see mpi-adapter.conf(5)";

const char *setting(const struct site *site, const char *name)
{
    return fact(&site->settings, name);
}

const char *setting_origin(const struct site *site, const char *name)
{
    return fact(&site->origins, name);
}

const char *setting_variable(const char *name)
{
    for (size_t i = 0; i < KNOWN_COUNT; i++)
        if (is_same(KNOWN[i].name, name))
            return KNOWN[i].variable;
    return "";
}

const char *variable(const char *name)
{
    const char *value = secure_getenv(name);
    return value ? value : "";
}

struct problem *split_setting(const char *place, const char *line, const char *advice, const char **key, const char **value)
{
    const char *at = line + strspn(line, " \t\r\v\f");
    *key = *value = "";
    if (*at == 0 || *at == '#')
        return 0;
    const char *begin = at;
    at += strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    int is_key = at > begin;
    if (is_key && *at == '.') {
        const char *host = ++at;
        while (isalnum((unsigned char)*at) || (*at && strchr("_.+@-", *at)))
            at++;
        is_key = at > host;
    }
    const char *end = at;
    at += strspn(at, " \t\r\v\f");
    if (!is_key || *at != '=')
        return problem_of("%s: not of the form 'key = value'; %s", place, advice);
    at++;
    at += strspn(at, " \t\r\v\f");
    size_t length = strlen(at);
    while (length > 0 && strchr(" \t\r\v\f", at[length - 1]))
        length--;
    *key = arena_text("%.*s", (int)(end - begin), begin);
    *value = arena_text("%.*s", (int)length, at);
    return length > 0 ? 0 : problem_of("%s: %s has no value; %s", place, *key, advice);
}

/* Adds the configuration files, the strongest first. */
static void add_files(const struct site *site, struct list *files)
{
    const char *named = variable("MPI_ADAPTER_CONFIG"), *home = variable("XDG_CONFIG_HOME");
    if (*named) {
        list_split_at(files, named, ':');
        return;
    }
    if (*home)
        list_add(files, arena_text("%s/mpi-adapter/mpi-adapter.conf", home));
    else if (*variable("HOME"))
        list_add(files, arena_text("%s/.config/mpi-adapter/mpi-adapter.conf", variable("HOME")));
    list_add(files, arena_text("%s/etc/mpi-adapter.conf", site->prefix));
    list_add(files, site->configuration);
}

static int is_absolute(const char *path)
{
    return *path == '/' || begins_with(path, "~/");
}

struct problem *check_preloaded(const char *place, const char *key, const char *file)
{
    if (strpbrk(file, " \t\n\r\v\f"))
        return problem_of("%s: %s has '%s', which LD_PRELOAD cannot hold, as it has a space; name a link to it, and put colons between files",
                          place, key, file);
    if (strchr(file, '/') && !is_absolute(file))
        return problem_of("%s: %s has '%s', which is not an absolute path; correct it", place, key, file);
    return 0;
}

static int matches(const char *text, const char *pattern)
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return 0;
    int is_found = regexec(&compiled, text, 0, 0, 0) == 0;
    regfree(&compiled);
    return is_found;
}

/* Folders of a file must be absolute: it is read wherever the user is. */
static struct problem *check_setting(const char *place, const char *key, const char *value)
{
    struct list items = parts_of(value);
    if (is_same(key, "mpi_release") && !matches(value, "^[0-9]+\\.[0-9][0-9a-z.+-]*$"))
        return problem_of("%s: mpi_release is '%s', which is not a release such as 4.1.4; correct it", place, value);
    if (is_same(key, "mpi_version") && !matches(value, "^[1-9][0-9]?\\.[0-9][0-9]?$"))
        return problem_of("%s: mpi_version is '%s', which is not a version of MPI such as 4.0; correct it", place, value);
    for (size_t i = 0; i < items.count; i++) {
        if (begins_with(key, "host_preload"))
            HAND_ON(check_preloaded(place, key, items.words[i]));
        else if (has_word("host_prefixes job_log pair_path", key) && !is_absolute(items.words[i]))
            return problem_of("%s: %s has '%s', which is not an absolute path; correct it", place, key, items.words[i]);
    }
    return 0;
}

/* Only that of a host's libraries to preload may name an ABI or an MPI: KEY.HOST. */
static int names_setting(const struct site *site, const char *key)
{
    if (begins_with(key, "host_preload."))
        return list_has(&site->families.names, up_to(key + strlen("host_preload."), '@'));
    return *setting_variable(key) != 0;
}

static struct problem *unknown_setting(const struct site *site, const char *place, const char *key)
{
    struct list names = site->setting_names;
    names.words = 0, names.count = 0;
    list_add_all(&names, &site->setting_names);
    for (size_t i = 0; i < site->families.names.count; i++)
        list_add(&names, arena_text("host_preload.%s", site->families.names.words[i]));
    const char *advice = did_you_mean(key, &names);
    return problem_of("%s: there is no setting '%s'; %s", place, key, advice ? advice : ADVICE);
}

/* Puts the user's home in the place of ~ at the beginning of each part. */
static const char *with_home(const char *value)
{
    struct list parts = { 0 };
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ":");
        list_add(&parts, begins_with(at, "~/") ? arena_text("%s/%.*s", variable("HOME"), (int)length - 2, at + 2)
                                               : arena_text("%.*s", (int)length, at));
        at += length;
        if (*at == 0)
            return list_joined(&parts, ":");
    }
}

static struct problem *store_line(struct site *site, const char *file, size_t number, const char *line)
{
    const char *key, *value, *place = arena_text("%s:%zu", file, number);
    HAND_ON(split_setting(place, line, ADVICE, &key, &value));
    if (*key == 0)
        return 0;
    if (!names_setting(site, key))
        return unknown_setting(site, place, key);
    if (begins_with(setting_origin(site, key), arena_text("%s:", file)))
        return problem_of("%s: %s is given twice; %s", place, key, ADVICE);
    HAND_ON(check_setting(place, key, value));
    if (has_fact(&site->origins, key))
        return 0;
    if (strchr(key, '.'))
        list_add(&site->setting_names, key);
    set_fact(&site->settings, key, with_home(value));
    set_fact(&site->origins, key, place);
    return 0;
}

void load_settings(struct site *site, struct problems *problems)
{
    struct list files = { 0 };
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        list_add(&site->setting_names, KNOWN[i].name);
        if (*variable(KNOWN[i].variable)) {
            set_fact(&site->settings, KNOWN[i].name, variable(KNOWN[i].variable));
            set_fact(&site->origins, KNOWN[i].name, KNOWN[i].variable);
        }
    }
    add_files(site, &files);
    for (size_t i = 0; i < files.count; i++) {
        struct list lines = { 0 };
        if (!is_there(files.words[i]))
            continue;
        struct problem *problem = read_lines(files.words[i], "correct MPI_ADAPTER_CONFIG, or put a file there", &lines);
        if (problem)
            problems_add(problems, problem);
        for (size_t j = 0; j < lines.count; j++)
            if ((problem = store_line(site, files.words[i], j + 1, lines.words[j])))
                problems_add(problems, problem);
    }
}
