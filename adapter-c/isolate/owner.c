/* SPDX-License-Identifier: BSD-3-Clause */
#include "isolate/owner.h"

int owner_is_bound_here(enum owner owner)
{
    return owner == HOST || owner == TOOL || owner == ARRIVED;
}

int owner_is_of_host(enum owner owner)
{
    return owner_is_bound_here(owner) || owner == INNER;
}

int owner_calls_tools(enum owner owner)
{
    return owner == TOOL || owner == ARRIVED;
}

enum finding owner_finding(enum owner owner)
{
    static const enum finding findings[] = {
        [ADAPTER] = FOUND_ADAPTER, [PROGRAM] = FOUND_PROGRAM, [HOST] = FOUND_HOST,
        [TOOL] = FOUND_TOOL, [ARRIVED] = FOUND_ARRIVED, [INNER] = FOUND_INNER,
    };
    return findings[owner];
}

/* The owners that a finding may be made of, a bit for each, and the one that it leads to. */
static const struct claim {
    unsigned from;
    enum owner to;
} claims[] = {
    [FOUND_ADAPTER] = { 1u << UNDECIDED | 1u << ADAPTER, ADAPTER },
    [FOUND_PROGRAM] = { 1u << UNDECIDED | 1u << PROGRAM, PROGRAM },
    [FOUND_HOST] = { 1u << UNDECIDED | 1u << PROGRAM | 1u << HOST | 1u << TOOL | 1u << ARRIVED, HOST },
    [FOUND_TOOL] = { 1u << UNDECIDED | 1u << PROGRAM | 1u << HOST | 1u << TOOL | 1u << ARRIVED, TOOL },
    [FOUND_ARRIVED] = { 1u << UNDECIDED | 1u << ARRIVED, ARRIVED },
    [FOUND_INNER] = { 1u << UNDECIDED | 1u << PROGRAM, INNER },
};

static int claim_for(struct ownership *object, const struct claim *claim)
{
    if (object->binding != UNBOUND || !(claim->from >> object->owner & 1))
        return 0;
    *object = (struct ownership){ claim->to, claim->to == INNER ? BOUND : UNBOUND };
    return 1;
}

static int finish_object(struct ownership *object, enum finding finding)
{
    int is_again = finding == FOUND_BOUND && object->binding == BOUND;
    if (!owner_is_bound_here(object->owner) || (object->binding != UNBOUND && !is_again))
        return 0;
    object->binding = finding == FOUND_BOUND ? BOUND : NO_SLOTS;
    return 1;
}

static int forget_object(struct ownership *object)
{
    if (object->owner == ADAPTER)
        return 0;
    *object = (struct ownership){ UNDECIDED, UNBOUND };
    return 1;
}

int owner_move(struct ownership *object, enum finding finding)
{
    if (finding == FOUND_GONE)
        return forget_object(object);
    return finding <= FOUND_INNER ? claim_for(object, &claims[finding]) : finish_object(object, finding);
}
