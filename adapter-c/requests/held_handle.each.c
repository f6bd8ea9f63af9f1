/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests/held_handle.h"

#include <stdlib.h>

#include "convert/adapter.h"
#include "layers/lock.h"
#include "requests/by_handle.h"

struct held {
    struct by_handle by;
    int times;
    int to_be_freed;
};

static struct index held;
LOCK(held_handles);

/* Returns non-zero if memory runs out. */
static int hold_handle(int handle_class, intptr_t bits)
{
    take_lock(held_handles);
    struct held *found = (struct held *)*find_by_handle(&held, handle_class, bits);
    if (!found)
        found = index_new(&held, bits, sizeof *found);
    if (found) {
        found->by.handle_class = handle_class;
        found->times++;
    }
    release_lock(held_handles);
    return found ? 0 : -1;
}

/* Returns whether the handle is to be freed now. */
static int release_handle(int handle_class, intptr_t bits)
{
    int to_be_freed = 0;
    take_lock(held_handles);
    struct index_entry **link = find_by_handle(&held, handle_class, bits);
    struct held *found = (struct held *)*link;
    if (found && --found->times == 0) {
        to_be_freed = found->to_be_freed;
        index_remove(&held, link);
        free(found);
    }
    release_lock(held_handles);
    return to_be_freed;
}

/* Puts off freeing a handle that is held. Returns whether it is. */
static COLD int put_off_held(int handle_class, intptr_t bits)
{
    take_lock(held_handles);
    struct held *found = (struct held *)*find_by_handle(&held, handle_class, bits);
    if (found)
        found->to_be_freed = 1;
    release_lock(held_handles);
    return found != 0;
}

INLINE int put_off(int handle_class, intptr_t bits)
{
    return unlikely(__atomic_load_n(&held.count, __ATOMIC_RELAXED) != 0) && put_off_held(handle_class, bits);
}

/* each
 * class
 * comm
 * datatype
 * op
 */
/* Predefined handles are never held: freeing them is the host's to refuse. */
static int is_lasting_$class(host_$class handle)
{
    intptr_t bits = HOST_${CLASS}_BITS(handle);
    return bits == 0 || predefined_find(&predefined_$class, bits) != 0;
}

int hold_$class(host_$class handle)
{
    return is_lasting_$class(handle) ? 0 : hold_handle(CLASS_$CLASS, HOST_${CLASS}_BITS(handle));
}

void release_$class(host_$class handle)
{
    if (!is_lasting_$class(handle) && release_handle(CLASS_$CLASS, HOST_${CLASS}_BITS(handle)))
        host.MPI_${Class}_free(&handle);
}

INLINE host_code free_or_put_off_$class(host_$class *handle)
{
    if (!handle || !put_off(CLASS_$CLASS, HOST_${CLASS}_BITS(*handle)))
        return host.MPI_${Class}_free(handle);
    *handle = HOST_NULL_$class;
    return 0;
}

int free_$class(host_$class *handle)
{
    return free_or_put_off_$class(handle);
}

/* A handle that is not freed stays as it was: several of the application's may stand for one of the host's. */
PROCEDURE(app_code, MPI_${Class}_free, app_$class *handle)
{
    host_$class staged = handle ? ${class}_to_host(*handle) : HOST_NULL_$class;
    host_code rc = free_or_put_off_$class(handle ? &staged : 0);
    if (unlikely(rc != 0))
        return error_to_app(rc);
    *handle = APP_NULL_$class;
    return 0;
}
/* end */

static int hold_datatypes(const host_datatype *datatypes, int count)
{
    int done = 0;
    while (done < count && hold_datatype(datatypes[done]) == 0)
        done++;
    if (done == count)
        return 0;
    while (done > 0)
        release_datatype(datatypes[--done]);
    return -1;
}

int hold_all(const struct holding *holding)
{
    if (hold_comm(holding->comm) != 0)
        return -1;
    if (hold_op(holding->op) == 0) {
        if (hold_datatypes(holding->datatypes, holding->count) == 0)
            return 0;
        release_op(holding->op);
    }
    release_comm(holding->comm);
    return -1;
}

void release_all(const struct holding *holding)
{
    for (int i = holding->count - 1; i >= 0; i--)
        release_datatype(holding->datatypes[i]);
    release_op(holding->op);
    release_comm(holding->comm);
}
