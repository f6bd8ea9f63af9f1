/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/sentinels.h"

#include <string.h>

#include "config.h"
#include "convert/say.h"
#include "process/linked.h"

enum { SENTINELS = 32 };
static struct one {
    const char *symbol;
    const void *address;
    int is_fixed; /* an object refers to this address without a slot */
} sentinels[SENTINELS];

/* An entry is complete before it is counted. */
static int sentinel_count;

static int count(void)
{
    return __atomic_load_n(&sentinel_count, __ATOMIC_ACQUIRE);
}

int sentinels_exist(void)
{
    return count() > 0;
}

static struct one *find(const char *symbol)
{
    for (int i = 0, end = count(); i < end; i++)
        if (sentinels[i].symbol[0] == symbol[0] && strcmp(sentinels[i].symbol, symbol) == 0)
            return &sentinels[i];
    return 0;
}

/* Of each Fortran library. */
enum { LIBRARIES = 16 };
static void (*told[LIBRARIES])(void);

void sentinels_add(const struct sentinel *table, void (*loaded)(void))
{
    for (int i = 0; i < LIBRARIES; i++)
        if (!told[i]) {
            __atomic_store_n(&told[i], loaded, __ATOMIC_RELEASE);
            break;
        }
    for (; table->symbol; table++) {
        int end = count();
        if (find(table->symbol))
            continue;
        if (end == SENTINELS)
            give_up("the Fortran libraries have more than %d constants that are addresses; reinstall the pair", SENTINELS);
        sentinels[end] = (struct one){ table->symbol, table->address, 0 };
        __atomic_store_n(&sentinel_count, end + 1, __ATOMIC_RELEASE);
    }
}

void sentinels_tell(void)
{
    void (*loaded)(void);
    for (int i = 0; i < LIBRARIES && (loaded = __atomic_load_n(&told[i], __ATOMIC_ACQUIRE)); i++)
        loaded();
}

void *sentinels_find(const char *symbol)
{
    const struct one *found = find(symbol);
    return found ? (void *)__atomic_load_n(&found->address, __ATOMIC_ACQUIRE) : 0;
}

int sentinels_concern(const gotswap_linked *object)
{
    for (int i = 0, end = count(); i < end; i++)
        if (gotswap_defined(object, sentinels[i].symbol, 0))
            return 1;
    return count() > 0 && linked_needs(object, APP_SONAMES);
}

/* The first object whose addresses cannot be those of the process. */
static const char *unserved;

/* Takes the object's address of one sentinel if no other object's is fixed already. */
static int adopt(struct one *sentinel, const gotswap_linked *object, const gotswap_linked *program)
{
    int is_fixed = 0;
    const void *own = gotswap_defined(object, sentinel->symbol, &is_fixed);
    int is_taken = sentinel->is_fixed || (sentinel->address >= program->base && sentinel->address < program->end);
    if (!own || !is_fixed || (is_taken && own == sentinel->address))
        return 0;
    if (is_taken) {
        unserved = unserved ? unserved : strdup(object->name);
        return 0;
    }
    sentinel->is_fixed = 1;
    int is_new = own != sentinel->address;
    __atomic_store_n(&sentinel->address, own, __ATOMIC_RELEASE);
    return is_new;
}

int sentinels_adopt(const gotswap_list *list, size_t first)
{
    int changed = 0;
    for (size_t i = first > 0 ? first : 1; i < list->count && count() > 0; i++)
        for (int j = 0, end = count(); j < end; j++)
            changed |= adopt(&sentinels[j], &list->objects[i], &list->objects[0]);
    return changed;
}

int sentinels_are_in(const void *base, const void *end)
{
    for (int i = 0, all = count(); i < all; i++)
        if (sentinels[i].is_fixed && sentinels[i].address >= base && sentinels[i].address < end)
            return 1;
    return 0;
}

void sentinels_complain(void)
{
    static int is_told;
    if (unserved && !__atomic_exchange_n(&is_told, 1, __ATOMIC_RELAXED))
        complain("%s has Fortran constants of its own, as an object before it has, so MPI_IN_PLACE and its like are not "
                 "recognized in its calls; link it without -Bsymbolic",
                 unserved);
}
