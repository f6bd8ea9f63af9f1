/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/added_code.h"

#include <stdlib.h>
#include <string.h>

#include "application.h"
#include "layers/lock.h"
#include "convert/text.h"
#include "convert/types.h"

/* The host's code is 0 once it is removed. Blocks are never moved, so that readers need no lock but for
 * the strings. */
#define BLOCK 1024
#define BLOCKS 1024
struct added {
    int host_code, host_class;
    char *string;
};
static struct added *added[BLOCKS];
static int added_count;
LOCK(added_codes);

static struct added *added_at(int index)
{
    return &added[index / BLOCK][index % BLOCK];
}

static int host_code_of(const struct added *code)
{
    return __atomic_load_n(&code->host_code, __ATOMIC_RELAXED);
}

static int count_added(void)
{
    return __atomic_load_n(&added_count, __ATOMIC_ACQUIRE);
}

int error_last_used(void)
{
    return APP_MPI_ERR_LASTCODE + count_added();
}

int added_find(int host_code)
{
    for (int i = 0; i < count_added(); i++)
        if (host_code_of(added_at(i)) == host_code)
            return APP_MPI_ERR_LASTCODE + 1 + i;
    return 0;
}

int added_add(int host_code, int host_class)
{
    int number = INVALID_VALUE;
    take_lock(added_codes);
    struct added **block = &added[added_count / BLOCK % BLOCKS];
    if (added_count < BLOCK * BLOCKS && !*block)
        *block = calloc(BLOCK, sizeof **block);
    if (added_count < BLOCK * BLOCKS && *block) {
        added_at(added_count)->host_class = host_class;
        __atomic_store_n(&added_at(added_count)->host_code, host_code, __ATOMIC_RELAXED);
        __atomic_store_n(&added_count, added_count + 1, __ATOMIC_RELEASE);
        number = error_last_used();
    }
    release_lock(added_codes);
    return number;
}

/* Finds the added code or class with this number; null if there is none. */
static struct added *find_added_code(int number)
{
    int index = number - APP_MPI_ERR_LASTCODE - 1;
    return number > APP_MPI_ERR_LASTCODE && index < count_added() && host_code_of(added_at(index)) ? added_at(index) : 0;
}

int added_host_code(int number)
{
    const struct added *found = find_added_code(number);
    return found ? host_code_of(found) : 0;
}

int added_is_class(int number)
{
    const struct added *found = find_added_code(number);
    return found && host_code_of(found) == found->host_class;
}

int added_is_code_of(int number, int host_class)
{
    const struct added *found = find_added_code(number);
    return found && host_code_of(found) != host_class && found->host_class == host_class;
}

void added_forget(int number)
{
    struct added *found = find_added_code(number);
    added_set_string(number, 0);
    if (found)
        __atomic_store_n(&found->host_code, 0, __ATOMIC_RELAXED);
}

int added_copy_string(int number, char *string, int *length)
{
    const struct added *code = find_added_code(number);
    if (!code)
        return 0;
    take_lock(added_codes);
    int has_string = code->string != 0;
    if (has_string)
        copy_prose(string, code->string, APP_MPI_MAX_ERROR_STRING, length);
    release_lock(added_codes);
    return has_string;
}

int added_set_string(int number, const char *string)
{
    struct added *code = find_added_code(number);
    char *kept = code && string ? strdup(string) : 0;
    if (!code || (string && !kept))
        return !string;
    take_lock(added_codes);
    free(code->string);
    code->string = kept;
    release_lock(added_codes);
    return 1;
}
