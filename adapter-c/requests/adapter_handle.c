/* SPDX-License-Identifier: BSD-3-Clause */
#include "requests/adapter_handle.h"

#include <sys/mman.h>

#include "convert/host_side.h"
#include "layers/lock.h"
#include "requests/retained_array.h"

struct place *adapter_places;
static intptr_t free_place, used_places; /* free_place is a number + 1, or 0 */
LOCK(adapter_requests);

static host_request handle_of(intptr_t number)
{
    return HANDLES_ARE_ADDRESSES ? HOST_REQUEST_FROM((intptr_t)&adapter_places[number])
                                 : HOST_REQUEST_FROM(FIRST_INTEGER + number);
}

static int reserve_places(void)
{
    if (adapter_places)
        return 0;
    void *memory = mmap(0, PLACES * sizeof *adapter_places, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    __atomic_store_n(&adapter_places, memory, __ATOMIC_RELEASE);
    return 0;
}

int adapter_publish(struct adapter_request *own, host_request *request)
{
    int failed = -1;
    take_lock(adapter_requests);
    if (reserve_places() == 0 && (free_place || used_places < PLACES)) {
        intptr_t number = free_place ? free_place - 1 : used_places++;
        free_place = free_place ? adapter_places[number].next_free : 0;
        adapter_places[number].own = own;
        *request = handle_of(number);
        __atomic_add_fetch(&special_requests, 1, __ATOMIC_RELAXED);
        failed = 0;
    }
    release_lock(adapter_requests);
    return failed;
}

void adapter_withdraw(host_request request)
{
    release_retained(request, UINT64_MAX);
    struct place *place = place_of(request);
    take_lock(adapter_requests);
    place->own = 0;
    place->next_free = free_place;
    free_place = place - adapter_places + 1;
    __atomic_sub_fetch(&special_requests, 1, __ATOMIC_RELAXED);
    release_lock(adapter_requests);
}
