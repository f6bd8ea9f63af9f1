/* SPDX-License-Identifier: BSD-3-Clause */
#include "native_statuses.h"

#include <stdlib.h>
#include <string.h>

#include "convert/adapter.h"
#include "convert/added_code.h"
#include "convert/error.h"
#include "convert/facts.h"
#include "convert/say.h"
#include "convert/status.h"
#include "isolate/fortran_sentinels.h"
#include "isolate/natives.h"
#include "layers/lock.h"
#include "start/load.h"

/* Every family's status has at least LEAST integers, and at most MOST. */
enum { LEAST = 5, MOST = 8, PLACES = 4096, HOST_INTEGERS = sizeof(host_status) / sizeof(int32_t) };

struct given {
    int count; /* of integers; 0 if none was given here */
    int32_t integers[MOST];
    const void *where;
    uint64_t when;
    host_status status;
};

/* A status stands in the place that its first integers choose, one for each giver. A later one there takes it. */
static struct given (*places)[STATUS_PARTS];
static uint64_t now;

/* Whether a part has given a status that is not here. */
static int has_others[STATUS_PARTS];

LOCK(given_statuses);

static struct given *place_of(const int32_t *integers)
{
    uint32_t sum = 0;
    for (int i = 0; i < LEAST; i++)
        sum = (sum ^ (uint32_t)integers[i]) * 0x9e3779b1u;
    return places[(sum >> 16) % PLACES];
}

static int is_same(const struct given *given, const int32_t *integers)
{
    return given->count > 0 && memcmp(given->integers, integers, (size_t)given->count * sizeof *integers) == 0;
}

void status_given_alone(enum status_part giver)
{
    __atomic_store_n(&has_others[giver], 1, __ATOMIC_RELAXED);
}

static void keep(enum status_part giver, const int32_t *integers, int count, const host_status *status)
{
    if (!places)
        places = calloc(PLACES, sizeof *places);
    if (!places)
        give_up_memory("while a status was given as integers");
    struct given *given = place_of(integers) + giver;
    if (given->count > 0 && !is_same(given, integers))
        status_given_alone(giver);
    *given = (struct given){ .count = count, .where = integers, .when = ++now, .status = *status };
    memcpy(given->integers, integers, (size_t)count * sizeof *integers);
}

void status_give(enum status_part giver, const int32_t *integers, int count, const host_status *status)
{
    take_lock(given_statuses);
    keep(giver, integers, count, status);
    release_lock(given_statuses);
}

static int says_the_same(const struct given *one, const struct given *other)
{
    return one->status.MPI_SOURCE == other->status.MPI_SOURCE && one->status.MPI_TAG == other->status.MPI_TAG &&
           memcmp(one->status.HOST_STATUS_PRIVATE, other->status.HOST_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES) == 0;
}

/* Returns, of two that have these integers, the one that was given there, and last; null if that cannot be told. */
static const struct given *choose(const struct given *one, const struct given *other, const int32_t *integers)
{
    int is_one = one->where == integers, is_other = other->where == integers;
    if (is_one != is_other)
        return is_one ? one : other;
    return is_one || says_the_same(one, other) ? (one->when > other->when ? one : other) : 0;
}

/* Programs of the standard ABI may have these procedures from the header, as `mpicc_abi` compiles them. */
static int may_have_given_others(enum status_part part)
{
    const char *family = part == STATUS_OF_NATIVE ? host_family : part == STATUS_OF_APPLICATION ? application_family : "";
    return __atomic_load_n(&has_others[part], __ATOMIC_RELAXED) || strcmp(family, "mpiabi") == 0;
}

/* Fortran code gives statuses without a call, too: whoever has it takes what is not here for its own. If the host is an adapter, it is asked
 * next. */
static int may_have_own(enum status_part taker)
{
    return taker == STATUS_OF_NATIVE ? natives_have_bindings || natives_are_below : taker == STATUS_OF_APPLICATION && sentinels_have_users();
}

/* Finds who gave the integers; `taker` if nobody is known to. Returns STATUS_PARTS if it cannot be told. */
static enum status_part find(enum status_part taker, const int32_t *integers, host_status *status)
{
    struct given *at = places ? place_of(integers) : 0;
    const struct given *found = 0;
    int is_lost = 0;
    for (int part = 0; part < STATUS_PARTS; part++) {
        is_lost |= part != (int)taker && may_have_given_others((enum status_part)part);
        if (!at || !is_same(&at[part], integers))
            continue;
        found = found ? choose(found, &at[part], integers) : &at[part];
        if (!found)
            return STATUS_PARTS;
    }
    if (!found)
        return is_lost && !may_have_own(taker) ? STATUS_PARTS : taker;
    *status = found->status;
    return (enum status_part)(found - at);
}

int status_take(enum status_part taker, const int32_t *integers, host_status *status)
{
    take_lock(given_statuses);
    enum status_part giver = find(taker, integers, status);
    release_lock(given_statuses);
    if (giver == STATUS_PARTS)
        give_up("MPI_Status_f2c was given a status that may be of another MPI than its own; pass its source, tag and count instead");
    return giver != taker;
}

/* ---- what natives call ---- */

/* Null if the host is another release's adapter, which lacks them. */
static const struct statuses_of_host *statuses_below(void)
{
    return natives_are_below ? load_private("mpi_adapter_statuses") : 0;
}

/* The host has these procedures. */
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

static int take_native(const char *name, const int32_t *from, host_status *to)
{
    const struct statuses_of_host *below = statuses_below();
    host_status taken;
    if (to && from && status_take(STATUS_OF_NATIVE, from, &taken)) {
        *to = taken;
        return 0;
    }
    if (below && may_have_given_others(STATUS_OF_APPLICATION))
        below->given_alone();
    return call_host(name, from, to);
}

#define NATIVE_GIVER(name) \
    static int native_##name(const host_status *from, void *to) { return give_native("MPI_" #name, from, to); }
#define NATIVE_TAKER(name) \
    static int native_##name(const int32_t *from, host_status *to) { return take_native("MPI_" #name, from, to); }
NATIVE_GIVER(Status_c2f)
NATIVE_GIVER(Status_c2f08)
NATIVE_TAKER(Status_f2c)
NATIVE_TAKER(Status_f082c)

void *native_status_procedure(const char *name)
{
    return strcmp(name, "Status_c2f") == 0     ? (void *)native_Status_c2f
           : strcmp(name, "Status_c2f08") == 0 ? (void *)native_Status_c2f08
           : strcmp(name, "Status_f2c") == 0   ? (void *)native_Status_f2c
           : strcmp(name, "Status_f082c") == 0 ? (void *)native_Status_f082c
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

/* Few calls set MPI_ERROR (MPI-4.1 section 3.2.5), so that it may be any number. Only hosts whose codes are not classes take such a one. */
static app_code error_of(const host_status *status)
{
    host_code code = status->MPI_ERROR;
    int is_known = HOST_MPI_ERR_LASTCODE >= ADDED_SHARED_BIT - 1 || added_find(code) != 0 || error_class_to_app(code) != APP_MPI_ERR_UNKNOWN;
    return is_known ? code_to_app(code) : APP_MPI_ERR_UNKNOWN;
}

static void take_as_application(app_status *to, const host_status *from)
{
    memset(to, 0, sizeof *to);
    status_to_app(to, from);
    to->MPI_ERROR = error_of(from);
}

void status_give_application(const int32_t *integers, const app_status *status)
{
    enum { COUNT = sizeof *status / sizeof *integers };
    host_status converted = as_host(status);
    status_give(STATUS_OF_APPLICATION, integers, COUNT, &converted);
    const struct statuses_of_host *below = statuses_below();
    if (below)
        below->give(integers, COUNT, &converted);
}

int status_take_application(const int32_t *integers, app_status *status)
{
    host_status taken;
    const struct statuses_of_host *below = statuses_below();
    if (!(below && below->take(integers, &taken)) && !status_take(STATUS_OF_APPLICATION, integers, &taken))
        return 0;
    take_as_application(status, &taken);
    return 1;
}

static void give_above(const int32_t *integers, int count, const void *status)
{
    host_status converted = as_host(status);
    status_give(STATUS_OF_PAIR_ABOVE, integers, count, &converted);
}

static int take_above(const int32_t *integers, void *status)
{
    host_status taken;
    if (!status_take(STATUS_OF_PAIR_ABOVE, integers, &taken))
        return 0;
    take_as_application(status, &taken);
    return 1;
}

static void given_alone_above(void)
{
    status_given_alone(STATUS_OF_PAIR_ABOVE);
}

static const struct statuses_of_host for_pair_above __attribute__((used)) = { give_above, take_above, given_alone_above };
__asm__(".globl mpi_adapter_statuses\n.set mpi_adapter_statuses, for_pair_above\n"
        ".symver mpi_adapter_statuses, mpi_adapter_statuses@MPI_ADAPTER_PRIVATE, remove");
