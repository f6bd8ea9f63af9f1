/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/proof.h"

#include "isolate/carry_out.h"
#include "isolate/isolate.h"
#include "isolate/kept_slots.h"
#include "isolate/known_objects.h"
#include "isolate/slots.h"

/* How many objects had been loaded when isolation was last proved. */
static unsigned long long proved;

struct proof {
    struct leak leak;
    unsigned long long loaded;
    int slots, objects;
    struct plan taken; /* the objects in which another library took slots */
};

static void plan_again(struct plan *plan, const gotswap_linked *object, const struct known_object *known)
{
    plan_add(plan, (struct task){ .owner = known->is.owner, .seen = known->seen }, object);
}

static void plan_changed(const gotswap_list *list, void *context)
{
    struct known_object known;
    known_refresh(list);
    for (size_t i = 0; i < list->count; i++) {
        if (!kept_slots_changed(&list->objects[i]))
            continue;
        known_read(list, i, &known);
        if (known.is.binding == BOUND && owner_is_bound_here(known.is.owner))
            plan_again(context, &list->objects[i], &known);
    }
}

void bind_changed_again(void)
{
    struct plan changed = { .only_these = 1 };
    linked_look(plan_changed, &changed);
    plan_carry_out(&changed);
}

static void prove_object(const gotswap_linked *object, const struct known_object *known, struct proof *proof)
{
    int before = proof->leak.slots;
    proof->leak.is_taken = 0;
    slots_look(object, &proof->leak);
    proof->objects += proof->leak.slots > before;
    if (proof->leak.is_taken && owner_is_bound_here(known->is.owner))
        plan_again(&proof->taken, object, known);
}

/* An object that was loaded since the last look is not the host's yet; the next look decides. */
static void prove_all(const gotswap_list *list, void *context)
{
    struct proof *proof = context;
    struct known_object known;
    known_refresh(list);
    proof->loaded = list->loads;
    proof->leak.list = list;
    for (size_t i = 0; i < list->count; i++) {
        known_read(list, i, &known);
        if (known.is.binding == BOUND)
            prove_object(&list->objects[i], &known, proof);
    }
}

void prove(int *slots, int *objects)
{
    struct proof proof = { .taken.only_these = 1 };
    isolate_arrivals();
    bind_changed_again();
    linked_look(prove_all, &proof);
    slots_judge(&proof.leak);
    plan_carry_out(&proof.taken);
    __atomic_store_n(&proved, proof.loaded, __ATOMIC_RELEASE);
    *slots = proof.leak.slots;
    *objects = proof.objects;
}

int prove_is_due(void)
{
    return linked_loads() != __atomic_load_n(&proved, __ATOMIC_ACQUIRE);
}
