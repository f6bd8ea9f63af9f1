/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/prove.h"

#include "isolate/isolate.h"
#include "isolate/known.h"
#include "isolate/pass.h"
#include "isolate/slots.h"

/* How many objects had been loaded when isolation was last proved. */
static unsigned long long proved;

struct proof {
    struct leak leak;
    unsigned long long loaded;
    int slots, objects;
    struct pass taken; /* the objects in which somebody took slots */
};

static void prove_object(const gotswap_linked *object, const struct object *known, struct proof *proof)
{
    struct task task = {
        .base = object->base, .end = object->end, .dynamic = object->dynamic, .seen = known->seen, .action = BIND,
        .is_arrival = known->is_arrival, .is_tool = known->is_tool,
    };
    int before = proof->leak.slots;
    proof->leak.is_taken = 0;
    slots_look(object, &proof->leak);
    proof->objects += proof->leak.slots > before;
    if (proof->leak.is_taken && !known->is_below)
        pass_add(&proof->taken, task, object->name);
}

/* Objects that were loaded after the last look are whoever's they are; the next look finds out. */
static void prove_all(const gotswap_list *list, void *context)
{
    struct proof *proof = context;
    struct object known;
    known_refresh(list);
    proof->loaded = list->loads;
    proof->leak.program = &list->objects[0];
    for (size_t i = 0; i < list->count; i++)
        if (known_in(list, i, &known) && known.is_bound)
            prove_object(&list->objects[i], &known, proof);
}

void prove(int *slots, int *objects)
{
    struct proof proof = { .taken.only_these = 1 };
    isolate_arrivals();
    linked_look(prove_all, &proof);
    slots_judge(&proof.leak);
    pass_carry_out(&proof.taken);
    __atomic_store_n(&proved, proof.loaded, __ATOMIC_RELEASE);
    *slots = proof.leak.slots;
    *objects = proof.objects;
}

int prove_is_due(void)
{
    return linked_loads() != __atomic_load_n(&proved, __ATOMIC_ACQUIRE);
}
