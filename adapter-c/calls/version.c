/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_version and MPI_Get_library_version, MPI-4.1 section 9.1.1, answer as the program's own MPI would, for a program may compare
 * that with its mpi.h. Its own MPI has all symbols that it and its libraries import. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/version.h"

#include "calls/load_once.h"
#include "calls/release.h"
#include "application_libraries.h"
#include "convert/adapter.h"
#include "convert/say.h"
#include "convert/text.h"
#include "isolate/known_objects.h"
#include "process/environment.h"
#include "process/linked.h"
#include "process/names.h"
#include "start/load.h"

/* `name` is a place in version_names. Versions are 100 * major + minor. */
struct version_symbol {
    uint16_t name, version;
};
#include "versions.h"
static const size_t version_symbol_count = sizeof version_symbols / sizeof *version_symbols;

/* Longer ones are no procedures'. */
#define LONGEST_NAME 80

static void strip_suffix(char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    if (length > end && strcmp(name + length - end, suffix) == 0)
        name[length - end] = 0;
}

/* One name for a procedure, in C and in every mangling of Fortran: as in gen/emitter/releases.py. */
static const char *common_name(char *room, const char *symbol)
{
    size_t length = strlen(symbol);
    if (length >= LONGEST_NAME - 2)
        return "";
    for (size_t i = 0; i <= length; i++)
        room[i] = (char)tolower((unsigned char)symbol[i]);
    while (length > 0 && room[length - 1] == '_')
        room[--length] = 0;
    strip_suffix(room, "_large");
    int is_large = strlen(room) < length;
    strip_suffix(room, "_f08ts");
    strip_suffix(room, "_f08gf");
    strip_suffix(room, "_f08");
    if (is_large)
        strcat(room, "_c");
    return strncmp(room, "pmpi_", 5) == 0 ? room + 1 : room;
}

static const char *name_of(const struct version_symbol *symbol)
{
    return version_names + symbol->name;
}

static int by_name(const void *key, const void *entry)
{
    return strcmp(key, name_of(entry));
}

int version_of_symbol(const char *symbol)
{
    char room[LONGEST_NAME];
    const struct version_symbol *found = bsearch(common_name(room, symbol), version_symbols, version_symbol_count,
                                                 sizeof *version_symbols, by_name);
    return found ? found->version : VERSION_OLDEST;
}

/* The version that imports tell of, so far; and that of the earlier release whose library the program needs, or 0. */
static int told, told_by_name;

static int see_symbol(const gotswap_slot *slot, void *context)
{
    int version = version_of_symbol(slot->symbol);
    (void)context;
    told = version > told ? version : told;
    return 0;
}

/* An object that was linked against the application's MPI, and against which of its libraries. The adapter's own
 * libraries for Fortran were, too, and what a host needs may have such a name: they say nothing of the program. */
static void see_object(const gotswap_linked *object)
{
    gotswap_each_word(object, see_symbol, 0);
    for (size_t i = 0; i < version_symbol_count; i++)
        if (version_symbols[i].version > told && linked_needs(object, name_of(&version_symbols[i])))
            told = version_symbols[i].version;
#ifdef VERSION_BY_NAME
#define SEE_NAME(name, version) if (linked_needs(object, name)) told_by_name = version;
    VERSION_BY_NAME(SEE_NAME)
#endif
}

static void see_objects(const gotswap_list *list, void *context)
{
    (void)context;
    for (size_t i = 0; i < list->count; i++) {
        struct known_object known;
        known_read(list, i, &known);
        if (known.is.owner != ADAPTER && !owner_is_of_host(known.is.owner) && needs_application(&list->objects[i]))
            see_object(&list->objects[i]);
    }
}

/* MPI_ADAPTER_MPI_VERSION, or 0. */
static int version_set(void)
{
    const char *text = environment_setting("MPI_ADAPTER_MPI_VERSION");
    int major = 0, minor = 0, length = 0;
    if (!text || !*text)
        return 0;
    if (sscanf(text, "%2d.%2d%n", &major, &minor, &length) != 2 || text[length] || major < 1 || minor < 0)
        give_up("MPI_ADAPTER_MPI_VERSION is '%s'; set it to a version of MPI, such as 4.0", text);
    return 100 * major + minor;
}

/* Versions of MPI, as 100 * major + minor: the newest whose procedures the program imports, and the one the program is told. */
static int imported, version;

static void find_version(void)
{
    told = VERSION_OLDEST;
    linked_look(see_objects, 0);
    imported = told;
    int set = version_set();
#ifdef APP_IDENTITY
    told = set ? told : release_told(imported)->version;
#endif
    if (told_by_name && !set && imported == VERSION_OLDEST)
        told = told_by_name;
    version = set > told ? set : told;
    version = version > VERSION_NEWEST ? VERSION_NEWEST : version;
}

/* It never changes: a library that is loaded later compares with what others were told. Returns 0 if nobody can look: a tool asks
 * whenever memory is allocated, within the load or within this. */
static int look_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local int is_looking;
    if (is_looking || load_is_here())
        return 0;
    is_looking = 1;
    pthread_once(&once, find_version);
    is_looking = 0;
    return 1;
}

PROCEDURE(app_code, MPI_Get_version, int *major, int *minor)
{
    if (!major || !minor)
        return raise_error(HOST_MPI_ERR_ARG);
    int known = look_once() || version ? version : VERSION_OLDEST;
    *major = known / 100;
    *minor = known % 100;
    return 0;
}

/* The program's own MPI's text comes first, ahead of the host's: programs tell by it whose ABI they have. */
#define IDENTITY_ROOM 160
#ifdef APP_IDENTITY
static size_t identify(char *text)
{
    if (!look_once())
        return 0;
    const struct release *release = release_told(imported);
    int length = snprintf(text, IDENTITY_ROOM, APP_IDENTITY "%s%s, adapted by MPI-Adapter %s to ", release->name,
                          release->maker ? " for " : "", release->maker ? release->maker : "", ADAPTER_VERSION);
    return (size_t)length < IDENTITY_ROOM ? (size_t)length : IDENTITY_ROOM - 1;
}
#else
/* No implementation's own. Software that knows implementations by how the text begins finds none. */
static size_t identify(char *text)
{
    return (size_t)snprintf(text, IDENTITY_ROOM, APP_BEGINNING ", adapted by MPI-Adapter %s to ", ADAPTER_VERSION);
}
#endif

/* Changes words of the host's text that software finds anywhere in it, and takes for another ABI's. */
static void reword(char *text)
{
#ifdef APP_REWORDED
    static const char *const words[] = { APP_REWORDED };
    while ((text = strstr(text, words[0])))
        memcpy(text, words[1], strlen(words[1]));
#else
    (void)text;
#endif
}

PROCEDURE(app_code, MPI_Get_library_version, char *text, int *length)
{
    load_probe_entered++;
    if (!text || !length)
        return raise_error(HOST_MPI_ERR_ARG);
    char *all = malloc(IDENTITY_ROOM + HOST_MPI_MAX_LIBRARY_VERSION_STRING + 1); /* too much for a small stack */
    if (!all)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    char *from_host = all + identify(all);
    int host_length, rc = host.MPI_Get_library_version(from_host, &host_length);
    if (rc == 0) {
        reword(from_host);
        copy_prose(text, all, APP_MPI_MAX_LIBRARY_VERSION_STRING, length);
    }
    free(all);
    return rc == 0 ? 0 : error_to_app(rc);
}
