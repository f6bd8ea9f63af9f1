/* SPDX-License-Identifier: BSD-3-Clause */
#include "native_statuses.h"

#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/error.h"
#include "convert/say.h"
#include "convert/status.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/natives.h"
#include "layers/lock.h"
#include "start/load.h"

/* Every family's status has at least LEAST integers, and at most MOST. */
enum { LEAST = 5, MOST = 8, BUCKETS = 4096, HOST_INTEGERS = sizeof(host_status) / sizeof(int32_t), APP_INTEGERS = sizeof(app_status) / sizeof(int32_t) };

/* A status that a part gave, once for the same integers. Where and when it did last. */
struct given {
    struct given *next;
    enum status_part giver;
    int count;
    int32_t integers[MOST];
    const void *where;
    uint64_t when;
    host_status status;
};

/* A bucket has all that begin with the same integers. They are never freed. There are no buckets before the first status. */
static struct given **buckets;
static uint64_t now;

LOCK(given_statuses);

static size_t bucket_of(const int32_t *integers)
{
    uint32_t sum = 0;
    for (int i = 0; i < LEAST; i++)
        sum = (sum ^ (uint32_t)integers[i]) * 0x9e3779b1u;
    return (sum >> 16) % BUCKETS;
}

static struct given *first_of(const int32_t *integers)
{
    return buckets ? buckets[bucket_of(integers)] : 0;
}

/* Returns cleared memory that is never freed. */
static void *new_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        give_up_memory("while a status was given as integers");
    return memory;
}

/* An array of another part may be shorter: integers beyond LEAST are looked at if those before are the same. */
static int is_same(const int32_t *one, const int32_t *other, int count)
{
    int i = 0;
    while (i < count && one[i] == other[i])
        i++;
    return i == count;
}

/* Returns what has these integers already, or is new. */
static struct given *keep(enum status_part giver, const int32_t *integers, int count)
{
    struct given *given = first_of(integers), **bucket;
    while (given && (given->giver != giver || !is_same(given->integers, integers, count)))
        given = given->next;
    if (given)
        return given;
    if (!buckets)
        buckets = new_memory(BUCKETS, sizeof *buckets);
    bucket = &buckets[bucket_of(integers)];
    given = new_memory(1, sizeof *given);
    *given = (struct given){ .next = *bucket, .giver = giver, .count = count };
    memcpy(given->integers, integers, (size_t)count * sizeof *integers);
    return *bucket = given;
}

void status_give(enum status_part giver, const int32_t *integers, int count, const host_status *status)
{
    take_lock(given_statuses);
    struct given *given = keep(giver, integers, count);
    given->where = integers;
    given->when = ++now;
    given->status = *status;
    release_lock(given_statuses);
}

static int says_the_same(const struct given *one, const struct given *other)
{
    return one->status.MPI_SOURCE == other->status.MPI_SOURCE && one->status.MPI_TAG == other->status.MPI_TAG &&
           memcmp(one->status.HOST_STATUS_PRIVATE, other->status.HOST_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES) == 0;
}

/* Returns the last status that was given at this address, if these are its integers still; else null. */
static const struct given *find_here(const int32_t *integers)
{
    const struct given *here = 0;
    for (const struct given *given = first_of(integers); given; given = given->next)
        if (given->where == integers && is_same(given->integers, integers, given->count) && (!here || given->when > here->when))
            here = given;
    return here;
}

/* The statuses whose integers an array has, which is no longer than `count` of them. */
struct found {
    const struct given *other; /* one that another part gave */
    const struct given *last;
    int is_own, differ; /* whether the taker gave it, too; whether not all say the same */
};

static struct found find_same(enum status_part taker, const int32_t *integers, int count)
{
    struct found found = { 0 };
    for (const struct given *given = first_of(integers); given; given = given->next) {
        if (!is_same(given->integers, integers, given->count < count ? given->count : count))
            continue;
        if (given->giver == taker)
            found.is_own = 1;
        else
            found.other = given;
        found.differ |= found.last && !says_the_same(found.last, given);
        found.last = !found.last || given->when > found.last->when ? given : found.last;
    }
    return found;
}

/* Finds who gave the integers: at this address, or elsewhere, from where they were copied. Fortran code fills arrays without a call, so that
 * a taker that has it takes those that were not given here for its own. Returns STATUS_PARTS if it cannot be told. */
static enum status_part choose(enum status_part taker, int has_fortran, const int32_t *integers, int count, host_status *status)
{
    const struct given *here = find_here(integers);
    struct found found = find_same(taker, integers, here && here->count < count ? here->count : count);
    const struct given *chosen = here ? here : has_fortran || (found.is_own && !found.differ) ? 0 : found.other;
    if (!chosen)
        return taker;
    if (found.differ && found.last != here)
        return STATUS_PARTS;
    *status = chosen->status;
    return chosen->giver;
}

int status_take(enum status_part taker, int has_fortran, const int32_t *integers, int count, host_status *status)
{
    take_lock(given_statuses);
    enum status_part giver = choose(taker, has_fortran, integers, count, status);
    release_lock(given_statuses);
    if (giver == STATUS_PARTS)
        give_up("MPI_Status_f2c was given a status that may be of another MPI than its own; pass its source, tag and count instead");
    return giver != taker;
}

/* ---- what natives call ---- */

static int call_host(const char *name, const void *from, void *to)
{
    int (*convert)(const void *, void *) = (int (*)(const void *, void *))load_extension(name);
    return convert(from, to);
}

static int give_native(const char *name, const host_status *from, void *to)
{
    int rc = call_host(name, from, to);
    if (rc == 0 && !natives_are_below)
        status_give(STATUS_OF_NATIVE, to, HOST_INTEGERS, from);
    return rc;
}

/* The constants are addresses, which the host checks. */
static int is_ignored_by_host(const int32_t *from, const host_status *to)
{
    int32_t *const *ignore = (int32_t *const *)load_extension("MPI_F_STATUS_IGNORE");
    return !from || (ignore && from == *ignore) || (uintptr_t)to <= (uintptr_t)HOST_MPI_STATUS_IGNORE;
}

static int take_native(const char *name, const int32_t *from, host_status *to)
{
    host_status taken;
    if (is_ignored_by_host(from, to) || !status_take(STATUS_OF_NATIVE, natives_have_bindings, from, HOST_INTEGERS, &taken))
        return call_host(name, from, to);
    *to = taken;
    return 0;
}

#define NATIVE_GIVER(name) \
    static int native_##name(const host_status *from, void *to) { return give_native("MPI_" #name, from, to); }
#define NATIVE_TAKER(name) \
    static int native_##name(const int32_t *from, host_status *to) { return take_native("MPI_" #name, from, to); }
NATIVE_GIVER(Status_c2f)
NATIVE_GIVER(Status_c2f08)
NATIVE_TAKER(Status_f2c)
NATIVE_TAKER(Status_f082c)

/* Some hosts have those of mpi_f08 in their library for Fortran. */
void *native_status_procedure(const char *name)
{
    return !load_extension(name)                   ? 0
           : strcmp(name, "MPI_Status_c2f") == 0   ? (void *)native_Status_c2f
           : strcmp(name, "MPI_Status_c2f08") == 0 ? (void *)native_Status_c2f08
           : strcmp(name, "MPI_Status_f2c") == 0   ? (void *)native_Status_f2c
           : strcmp(name, "MPI_Status_f082c") == 0 ? (void *)native_Status_f082c
                                                   : 0;
}

/* ---- what the application's parts, and those of a pair above, call ---- */

static host_status as_host(const app_status *status)
{
    host_status converted = { 0 };
    status_to_host(&converted, status);
    converted.MPI_ERROR = error_to_host(status->MPI_ERROR);
    return converted;
}

/* Few calls set MPI_ERROR (MPI-4.1 section 3.2.5), so that it may be any number, which becomes none of the application's. Hosts whose codes
 * are not classes are asked for its class. */
static app_code error_of(const host_status *status)
{
    host_code code = status->MPI_ERROR, class = code;
    app_code number = added_find(code);
    if (code == HOST_MPI_SUCCESS || number != 0)
        return code == HOST_MPI_SUCCESS ? APP_MPI_SUCCESS : number;
    if (HOST_MPI_ERR_LASTCODE >= ADDED_SHARED_BIT - 1 && error_class_to_app(code) == APP_MPI_ERR_UNKNOWN && host.MPI_Error_class(code, &class) != 0)
        return APP_MPI_ERR_UNKNOWN;
    number = added_find(class);
    return number != 0 ? number : error_class_to_app(class);
}

static void take_as_application(app_status *to, const host_status *from)
{
    memset(to, 0, sizeof *to);
    status_to_app(to, from);
    to->MPI_ERROR = error_of(from);
}

/* Null if the host is no adapter with natives, or another release's, which lacks them. */
static const struct statuses_of_host *statuses_below(void)
{
    static const struct statuses_of_host *known;
    const struct statuses_of_host *below = __atomic_load_n(&known, __ATOMIC_ACQUIRE);
    if (!below && natives_are_below)
        __atomic_store_n(&known, below = load_private("mpi_adapter_statuses"), __ATOMIC_RELEASE);
    return below;
}

void status_give_application(const int32_t *integers, const app_status *status)
{
    host_status converted = as_host(status);
    const struct statuses_of_host *below = statuses_below();
    status_give(STATUS_OF_APPLICATION, integers, APP_INTEGERS, &converted);
    if (below)
        below->give(integers, APP_INTEGERS, &converted);
}

int status_take_application(const int32_t *integers, app_status *status)
{
    const struct statuses_of_host *below = statuses_below();
    int has_fortran = sentinels_have_users();
    host_status taken;
    if (!(below && below->take(has_fortran, integers, APP_INTEGERS, &taken)) &&
        !status_take(STATUS_OF_APPLICATION, has_fortran, integers, APP_INTEGERS, &taken))
        return 0;
    take_as_application(status, &taken);
    return 1;
}

static void give_above(const int32_t *integers, int count, const void *status)
{
    host_status converted = as_host(status);
    status_give(STATUS_OF_PAIR_ABOVE, integers, count, &converted);
}

static int take_above(int has_fortran, const int32_t *integers, int count, void *status)
{
    host_status taken;
    if (!status_take(STATUS_OF_PAIR_ABOVE, has_fortran, integers, count, &taken))
        return 0;
    take_as_application(status, &taken);
    return 1;
}

static const struct statuses_of_host for_pair_above __attribute__((used)) = { give_above, take_above };
__asm__(".globl mpi_adapter_statuses\n.set mpi_adapter_statuses, for_pair_above\n"
        ".symver mpi_adapter_statuses, mpi_adapter_statuses@MPI_ADAPTER_PRIVATE, remove");
