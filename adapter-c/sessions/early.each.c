/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects and error codes before MPI_Init and after MPI_Finalize. Before, they start the host's MPI, as a session
 * does: the program's MPI_Init finds it running. After, they are the adapter's, and those that the program still has
 * are copied as MPI ends. */
#include "sessions/early.h"

#include <stdio.h>

#include "convert/added_code.h"
#include "convert/host_side.h"
#include "layers/lock.h"
#include "layers/layers.h"
#include "convert/index.h"
#include "trace/trace.h"

#define EARLY_CALLS(each) \
    each(MPI_Info_create) each(MPI_Info_free) each(MPI_Info_dup) each(MPI_Info_set) each(MPI_Info_delete) \
    each(MPI_Comm_get_info) each(MPI_File_get_info) each(MPI_Win_get_info) each(MPI_Info_get_nkeys) \
    each(MPI_Info_get_nthkey) each(MPI_Info_get_valuelen) each(MPI_Info_get) each(MPI_Add_error_class) \
    each(MPI_Add_error_code) each(MPI_Add_error_string) each(MPI_Error_class) each(MPI_Error_string) \
    each(MPI_Finalize)
LAYER_PART(early_calls, EARLY_CALLS);
LOCK(early_objects);

/* Like host_phase(), but what can start MPI has done so. */
static enum host_phase phase(void)
{
    enum host_phase now = host_phase();
    return now == NOT_STARTED && host_start() == 0 ? RUNS : now;
}

/* ---- info objects ---- */

struct pair {
    struct pair *next;
    char *value;
    char key[];
};

/* An info object of the program's: as long as MPI runs it is the host's, and has no pairs here. */
struct info {
    struct index_entry entry; /* by the handle's bits */
    struct pair *pairs;
};
static struct index infos;

static struct info *find_info(host_info handle)
{
    take_lock(early_objects);
    struct info *found = (struct info *)*index_find(&infos, HOST_INFO_BITS(handle));
    release_lock(early_objects);
    return found;
}

/* Adds an info object, of the handle with these bits or, if they are 0, of a new handle. Returns null if memory runs out. */
static struct info *add_info(intptr_t bits)
{
    static int last_number;
    struct info *made = calloc(1, sizeof *made);
    if (!made)
        return 0;
    take_lock(early_objects);
    made->entry.key = bits ? bits : sizeof(host_info) > sizeof(int32_t) ? (intptr_t)made : INT32_MIN + last_number++;
    int failed = index_add(&infos, &made->entry);
    release_lock(early_objects);
    if (failed)
        free(made);
    return failed ? 0 : made;
}

/* Returns the link that leads to a key's pair, or the last one, which is null. */
static struct pair **pair_of(struct info *info, const char *key)
{
    struct pair **link = &info->pairs;
    while (*link && strcmp((*link)->key, key) != 0)
        link = &(*link)->next;
    return link;
}

static int set_pair(struct info *info, const char *key, const char *value)
{
    struct pair **link = pair_of(info, key);
    struct pair *pair = *link ? *link : calloc(1, sizeof *pair + strlen(key) + 1);
    char *copy = strdup(value);
    if (!pair || !copy) {
        if (!*link)
            free(pair);
        free(copy);
        return HOST_MPI_ERR_NO_MEM;
    }
    strcpy(pair->key, key);
    free(pair->value);
    pair->value = copy;
    *link = pair;
    return 0;
}

static void drop_pair(struct pair **link)
{
    struct pair *pair = *link;
    *link = pair->next;
    free(pair->value);
    free(pair);
}

/* Forgets an info object. Returns 0 if none has this handle. */
static int forget_info(host_info handle)
{
    take_lock(early_objects);
    struct index_entry **link = index_find(&infos, HOST_INFO_BITS(handle));
    struct info *found = (struct info *)*link;
    if (found)
        index_remove(&infos, link);
    release_lock(early_objects);
    while (found && found->pairs)
        drop_pair(&found->pairs);
    free(found);
    return found != 0;
}

/* Remembers a new info object of the host's, which the program may have for longer than MPI runs. */
static int remember_info(host_code rc, const host_info *info)
{
    if (rc == 0)
        add_info(HOST_INFO_BITS(*info));
    return rc;
}

static int make_info(host_info *info)
{
    if (!info)
        return HOST_MPI_ERR_ARG;
    struct info *made = add_info(0);
    if (!made)
        return HOST_MPI_ERR_NO_MEM;
    *info = HOST_INFO_FROM(made->entry.key);
    return 0;
}

static int early_MPI_Info_create(host_info *info)
{
    return phase() == RUNS ? remember_info(NEXT(early_calls, MPI_Info_create)(info), info) : make_info(info);
}

static int early_MPI_Info_free(host_info *info)
{
    if (phase() == RUNS) {
        host_info before = info ? *info : HOST_MPI_INFO_NULL;
        host_code rc = NEXT(early_calls, MPI_Info_free)(info);
        if (rc == 0)
            forget_info(before);
        return rc;
    }
    if (!info || !forget_info(*info))
        return HOST_MPI_ERR_INFO;
    *info = HOST_MPI_INFO_NULL;
    return 0;
}

/* each
 * class
 * comm
 * file
 * win
 */
static int early_MPI_${Class}_get_info(host_$class handle, host_info *info)
{
    return remember_info(NEXT(early_calls, MPI_${Class}_get_info)(handle, info), info);
}
/* end */

static int early_MPI_Info_dup(host_info info, host_info *newinfo)
{
    if (phase() == RUNS)
        return remember_info(NEXT(early_calls, MPI_Info_dup)(info, newinfo), newinfo);
    struct info *from = find_info(info), *made;
    int is_env = HOST_INFO_BITS(info) == HOST_INFO_BITS(HOST_MPI_INFO_ENV);
    host_code rc = from || is_env ? make_info(newinfo) : HOST_MPI_ERR_INFO;
    made = rc == 0 ? find_info(*newinfo) : 0;
    for (struct pair *pair = from ? from->pairs : 0; rc == 0 && pair; pair = pair->next)
        rc = set_pair(made, pair->key, pair->value);
    return rc;
}

static int early_MPI_Info_set(host_info info, const char *key, const char *value)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_set)(info, key, value);
    struct info *found = find_info(info);
    if (!found)
        return HOST_MPI_ERR_INFO;
    if (!key || !*key)
        return HOST_MPI_ERR_INFO_KEY;
    return value ? set_pair(found, key, value) : HOST_MPI_ERR_INFO_VALUE;
}

static int early_MPI_Info_delete(host_info info, const char *key)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_delete)(info, key);
    struct info *found = find_info(info);
    if (!found)
        return HOST_MPI_ERR_INFO;
    if (!key)
        return HOST_MPI_ERR_INFO_KEY;
    struct pair **link = pair_of(found, key);
    if (!*link)
        return HOST_MPI_ERR_INFO_NOKEY;
    drop_pair(link);
    return 0;
}

static int early_MPI_Info_get_nkeys(host_info info, int *nkeys)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_get_nkeys)(info, nkeys);
    struct info *found = find_info(info);
    if (!found)
        return HOST_MPI_ERR_INFO;
    if (!nkeys)
        return HOST_MPI_ERR_ARG;
    *nkeys = 0;
    for (const struct pair *pair = found->pairs; pair; pair = pair->next)
        ++*nkeys;
    return 0;
}

static int early_MPI_Info_get_nthkey(host_info info, int n, char *key)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_get_nthkey)(info, n, key);
    struct info *found = find_info(info);
    if (!found)
        return HOST_MPI_ERR_INFO;
    const struct pair *pair = n >= 0 ? found->pairs : 0;
    for (; pair && n > 0; n--)
        pair = pair->next;
    if (!pair || !key)
        return HOST_MPI_ERR_ARG;
    snprintf(key, HOST_MPI_MAX_INFO_KEY, "%s", pair->key);
    return 0;
}

/* Finds the value of a key, or null, and sets the flag. Returns an error code of the host's. */
static host_code find_value(host_info info, const char *key, int *flag, const char **value)
{
    struct info *found = find_info(info);
    if (!found)
        return HOST_MPI_ERR_INFO;
    if (!key)
        return HOST_MPI_ERR_INFO_KEY;
    if (!flag)
        return HOST_MPI_ERR_ARG;
    const struct pair *pair = *pair_of(found, key);
    *flag = pair != 0;
    *value = pair ? pair->value : 0;
    return 0;
}

static int early_MPI_Info_get_valuelen(host_info info, const char *key, int *valuelen, int *flag)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_get_valuelen)(info, key, valuelen, flag);
    const char *value = 0;
    host_code rc = find_value(info, key, flag, &value);
    if (value && valuelen)
        *valuelen = (int)strlen(value);
    return rc;
}

static int early_MPI_Info_get(host_info info, const char *key, int valuelen, char *text, int *flag)
{
    if (phase() == RUNS)
        return NEXT(early_calls, MPI_Info_get)(info, key, valuelen, text, flag);
    const char *value = 0;
    host_code rc = find_value(info, key, flag, &value);
    if (value && text && valuelen >= 0)
        snprintf(text, (size_t)valuelen + 1, "%s", value);
    return rc;
}

/* Returns the host's value of a key, which the caller frees; null if there is none. A host may leave alone the room for an empty one. */
static char *fetch_value(host_info info, const char *key)
{
    int length = 0, is_there = 0;
    if (NEXT(early_calls, MPI_Info_get_valuelen)(info, key, &length, &is_there) != 0 || !is_there)
        return 0;
    char *value = calloc(1, (size_t)length + 1);
    if (value && length > 0 && NEXT(early_calls, MPI_Info_get)(info, key, length, value, &is_there) != 0) {
        free(value);
        value = 0;
    }
    return value;
}

/* Copies what an info object of the host's has. */
static void copy_pairs(struct info *info)
{
    host_info handle = HOST_INFO_FROM(info->entry.key);
    char key[HOST_MPI_MAX_INFO_KEY + 1] = "";
    int count = 0;
    NEXT(early_calls, MPI_Info_get_nkeys)(handle, &count);
    for (int i = 0; i < count; i++) {
        char *value = NEXT(early_calls, MPI_Info_get_nthkey)(handle, i, key) == 0 ? fetch_value(handle, key) : 0;
        if (value)
            set_pair(info, key, value);
        free(value);
    }
}

/* MPI_INFO_ENV is asked for after the end, too. No call of this is the program's. */
static int early_MPI_Finalize(void)
{
    int suspended = trace_suspend(1);
    if (!find_info(HOST_MPI_INFO_ENV))
        add_info(HOST_INFO_BITS(HOST_MPI_INFO_ENV));
    for (uint32_t i = 0; infos.count > 0 && i < 1u << infos.log2; i++)
        for (struct index_entry *entry = infos.chains[i]; entry; entry = entry->next)
            copy_pairs((struct info *)entry);
    trace_suspend(suspended);
    return NEXT(early_calls, MPI_Finalize)();
}

/* ---- error codes ---- */

/* Numbers that no host has got to. */
static int next_code(int *code)
{
    static int last = INT32_MAX / 2;
    *code = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return 0;
}

static int early_MPI_Add_error_class(int *errorclass)
{
    return phase() == RUNS ? NEXT(early_calls, MPI_Add_error_class)(errorclass) : next_code(errorclass);
}

static int early_MPI_Add_error_code(int errorclass, int *errorcode)
{
    return phase() == RUNS ? NEXT(early_calls, MPI_Add_error_code)(errorclass, errorcode) : next_code(errorcode);
}

/* The adapter has the text. */
static int early_MPI_Add_error_string(int errorcode, const char *string)
{
    return phase() == RUNS ? NEXT(early_calls, MPI_Add_error_string)(errorcode, string) : 0;
}

static int early_MPI_Error_class(int errorcode, int *errorclass)
{
    if (host_phase() == RUNS)
        return NEXT(early_calls, MPI_Error_class)(errorcode, errorclass);
    host_code added_class = added_host_class(added_find(errorcode));
    *errorclass = added_class != 0 ? added_class : errorcode <= HOST_MPI_ERR_LASTCODE ? errorcode : HOST_MPI_ERR_UNKNOWN;
    return 0;
}

static int early_MPI_Error_string(int errorcode, char *string, int *resultlen)
{
    int class = errorcode;
    if (host_phase() == RUNS)
        return NEXT(early_calls, MPI_Error_string)(errorcode, string, resultlen);
    early_MPI_Error_class(errorcode, &class);
    int length = snprintf(string, HOST_MPI_MAX_ERROR_STRING, class == 0 ? "MPI_SUCCESS: no error" : "MPI error class %d",
                          code_to_app(class));
    *resultlen = length;
    return 0;
}

/* A host of MPI-4 has sessions, and allows all of this. */
void early_begin(void)
{
#define EARLY(name) OVERRIDE(early_calls, name, early_##name),
    if (HOST_LACKS(MPI_Session_init))
        LAYER_INSTALL(LAYER_EARLY, early_calls, EARLY_CALLS(EARLY));
}
