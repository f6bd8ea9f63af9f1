/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/added_code.h"

#include <stdlib.h>
#include <string.h>

#include "application.h"
#include "convert/index.h"
#include "convert/text.h"
#include "convert/types.h"
#include "layers/lock.h"

/* A class or code that the program added, or one that it removed, whose number the next one gets. */
struct added {
    struct index_entry by_host_code; /* its key is the host's code */
    struct added *next_removed;
    app_code number;
    host_code host_class;
    uint32_t life;         /* of MPI, in which it was added */
    int codes, is_removed; /* codes: that belong to this class */
    char *string;
};
static struct added **added, *last_removed; /* all, in the order of their numbers; the removed ones */
static int added_count, added_room, are_shared;
static app_code last_shared; /* the highest number that was given when they were */
static struct index by_host_code; /* those that are not removed */
LOCK(added_codes);

/* The functions with this ending need the lock. */
static struct added *find_host_code_locked(host_code code)
{
    return (struct added *)*index_find(&by_host_code, code);
}

static app_code shared_number(host_code code)
{
    return (app_code)((int)code > (int)APP_MPI_ERR_LASTCODE ? (int)code : (int)code | ADDED_SHARED_BIT);
}

static struct added *find_shared_locked(app_code number)
{
    struct added *found = find_host_code_locked((host_code)number);
    if (!found || found->number != number)
        found = find_host_code_locked((host_code)((int)number & ~ADDED_SHARED_BIT));
    return found && found->number == number ? found : 0;
}

static struct added *find_number_locked(app_code number)
{
    int index = number - APP_MPI_ERR_LASTCODE - 1;
    if (number <= APP_MPI_ERR_LASTCODE)
        return 0;
    if (index < added_count && added[index]->number == number)
        return added[index]->is_removed ? 0 : added[index];
    return are_shared ? find_shared_locked(number) : 0;
}

app_code error_last_used(void)
{
    app_code last = (app_code)(APP_MPI_ERR_LASTCODE + __atomic_load_n(&added_count, __ATOMIC_ACQUIRE));
    app_code shared = __atomic_load_n(&last_shared, __ATOMIC_ACQUIRE);
    return last > shared ? last : shared;
}

void added_share(void)
{
    __atomic_store_n(&are_shared, 1, __ATOMIC_RELEASE);
}

int added_are_shared(void)
{
    return __atomic_load_n(&are_shared, __ATOMIC_ACQUIRE);
}

app_code added_find(host_code code)
{
    if (__atomic_load_n(&by_host_code.count, __ATOMIC_RELAXED) == 0)
        return 0;
    take_lock(added_codes);
    const struct added *found = find_host_code_locked(code);
    app_code number = found ? found->number : 0;
    release_lock(added_codes);
    return number;
}

/* Makes one with a number that is new. Returns null if memory runs out. */
static struct added *make_added_locked(void)
{
    if (added_count == added_room) {
        int room = 2 * added_room + 16;
        struct added **larger = realloc(added, (size_t)room * sizeof *added);
        if (!larger)
            return 0;
        added = larger;
        added_room = room;
    }
    struct added *made = calloc(1, sizeof *made);
    if (!made)
        return 0;
    added[added_count] = made;
    made->number = (app_code)(APP_MPI_ERR_LASTCODE + 1 + added_count);
    made->is_removed = 1;
    made->next_removed = last_removed;
    last_removed = made;
    __atomic_store_n(&added_count, added_count + 1, __ATOMIC_RELEASE);
    return made;
}

/* Changes how many codes a class has, if the program added it. */
static void count_code_locked(const struct added *code, int change)
{
    struct added *class = find_host_code_locked(code->host_class);
    if (class && class != code)
        class->codes += change;
}

static void share_number_locked(struct added *one, host_code code)
{
    one->number = shared_number(code);
    if (one->number > last_shared)
        __atomic_store_n(&last_shared, one->number, __ATOMIC_RELEASE);
}

static void set_string_locked(struct added *one, char *string)
{
    free(one->string);
    one->string = string;
}

/* Makes one of a host's code that has none. Returns null if memory runs out. */
static struct added *list_locked(host_code code)
{
    struct added *one = last_removed ? last_removed : make_added_locked();
    if (!one)
        return 0;
    one->by_host_code.key = code;
    if (index_add(&by_host_code, &one->by_host_code) != 0)
        return 0;
    last_removed = one->next_removed;
    one->is_removed = 0;
    if (added_are_shared())
        share_number_locked(one, code);
    return one;
}

app_code added_add(host_code code, host_code host_class, uint32_t life)
{
    take_lock(added_codes);
    struct added *one = find_host_code_locked(code);
    int is_new = !one || one->life != life;
    if (!one)
        one = list_locked(code);
    if (one && is_new) {
        set_string_locked(one, 0);
        one->codes = 0;
        one->host_class = host_class;
        one->life = life;
        count_code_locked(one, 1);
    }
    app_code number = one ? one->number : (app_code)INVALID_VALUE;
    release_lock(added_codes);
    return number;
}

host_code added_host_code(app_code number)
{
    take_lock(added_codes);
    const struct added *found = find_number_locked(number);
    host_code code = found ? (host_code)found->by_host_code.key : 0;
    release_lock(added_codes);
    return code;
}

host_code added_host_class(app_code number)
{
    take_lock(added_codes);
    const struct added *found = find_number_locked(number);
    host_code host_class = found ? found->host_class : 0;
    release_lock(added_codes);
    return host_class;
}

int added_is_class(app_code number)
{
    host_code code = added_host_code(number);
    return code != 0 && code == added_host_class(number);
}

int added_has_codes(app_code number)
{
    take_lock(added_codes);
    const struct added *found = find_number_locked(number);
    int has_codes = found && found->codes > 0;
    release_lock(added_codes);
    return has_codes;
}

void added_forget(app_code number)
{
    take_lock(added_codes);
    struct added *found = find_number_locked(number);
    if (found) {
        count_code_locked(found, -1);
        struct index_entry **link = index_find(&by_host_code, found->by_host_code.key);
        index_remove(&by_host_code, link);
        set_string_locked(found, 0);
        found->is_removed = 1;
        found->next_removed = last_removed;
        last_removed = found;
    }
    release_lock(added_codes);
}

int added_copy_string(app_code number, char *string, int *length)
{
    take_lock(added_codes);
    const struct added *found = find_number_locked(number);
    int has_string = found && found->string;
    if (has_string)
        copy_prose(string, found->string, APP_MPI_MAX_ERROR_STRING, length);
    release_lock(added_codes);
    return has_string;
}

int added_has_string(app_code number)
{
    take_lock(added_codes);
    const struct added *found = find_number_locked(number);
    int has_string = found && found->string && *found->string;
    release_lock(added_codes);
    return has_string;
}

int added_set_string(app_code number, const char *string)
{
    char *kept = string ? strdup(string) : 0;
    if (string && !kept)
        return 0;
    take_lock(added_codes);
    struct added *found = find_number_locked(number);
    if (found)
        set_string_locked(found, kept);
    release_lock(added_codes);
    if (!found)
        free(kept);
    return found || !string;
}
