/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows that a host takes to begin before their first byte, where this has no round address: what is put into them
 * would arrive there. They are made again, from that address on and in bytes, and every displacement is of the bytes
 * that the program means. */
#include "start/host_place.h"

#include <pthread.h>
#include <stdlib.h>

#include "config.h"
#include "convert/adapter.h"
#include "convert/error.h"
#include "keep/life.h"

#ifdef HOST_FAULT_WINDOW_ADDRESS

/* Addresses are multiples of this to the host, or of less. */
#define MOST_ROUND 64

/* Where a rank's part begins in what the host has of it, and the program's unit of displacements, in bytes. */
struct part {
    MPI_Aint offset, unit;
};

struct shifted {
    struct shifted *next;
    host_win win;
    const void *base; /* what its attributes are to the program */
    MPI_Aint size;
    int unit;
    int ranks;
    struct part parts[];
};

static struct shifted *windows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What its procedures' places had before. */
static struct host_procedures next;

/* Its attribute is there to tell that a window is gone. */
static struct own_keyval keyval;

/* The lock is held. */
static struct shifted *find(host_win win)
{
    struct shifted *each = windows;
    while (each && HOST_WIN_BITS(each->win) != HOST_WIN_BITS(win))
        each = each->next;
    return each;
}

static int forget(host_win win, int key, void *value, void *state)
{
    (void)win, (void)key, (void)state;
    struct shifted **place = &windows;
    pthread_mutex_lock(&lock);
    while (*place != value)
        place = &(*place)->next;
    *place = (*place)->next;
    pthread_mutex_unlock(&lock);
    free(value);
    return HOST_MPI_SUCCESS;
}

/* A displacement of the program as the host's, which wraps as addresses do; a wrong one is left for the host to refuse. */
static MPI_Aint displaced(host_win win, int rank, MPI_Aint disp)
{
    pthread_mutex_lock(&lock);
    const struct shifted *window = find(win);
    if (window && rank >= 0 && rank < window->ranks && disp >= 0)
        disp = (MPI_Aint)((size_t)window->parts[rank].offset + (size_t)disp * (size_t)window->parts[rank].unit);
    pthread_mutex_unlock(&lock);
    return disp;
}

/* ---- every procedure with a displacement */

#define OWN(pointer, count) pointer origin, count origin_count, host_datatype origin_type
#define ITS(count) int rank, MPI_Aint disp, count target_count, host_datatype target_type
#define PASS_OWN origin, origin_count, origin_type
#define PASS_ITS rank, displaced(win, rank, disp), target_count, target_type

#define MOVE(name, pointer, count)                                                                 \
    static int shifted_##name(OWN(pointer, count), ITS(count), host_win win)                       \
    {                                                                                              \
        return next.name(PASS_OWN, PASS_ITS, win);                                                 \
    }
#define MOVE_REQUEST(name, pointer, count)                                                         \
    static int shifted_##name(OWN(pointer, count), ITS(count), host_win win, host_request *request) \
    {                                                                                              \
        return next.name(PASS_OWN, PASS_ITS, win, request);                                        \
    }
#define ACCUMULATE(name, count)                                                                    \
    static int shifted_##name(OWN(const void *, count), ITS(count), host_op op, host_win win)      \
    {                                                                                              \
        return next.name(PASS_OWN, PASS_ITS, op, win);                                             \
    }
#define ACCUMULATE_REQUEST(name, count)                                                            \
    static int shifted_##name(OWN(const void *, count), ITS(count), host_op op, host_win win, host_request *request) \
    {                                                                                              \
        return next.name(PASS_OWN, PASS_ITS, op, win, request);                                    \
    }
#define FETCH(name, count)                                                                         \
    static int shifted_##name(OWN(const void *, count), void *result, count result_count, host_datatype result_type, \
                              ITS(count), host_op op, host_win win)                                \
    {                                                                                              \
        return next.name(PASS_OWN, result, result_count, result_type, PASS_ITS, op, win);          \
    }
#define FETCH_REQUEST(name, count)                                                                 \
    static int shifted_##name(OWN(const void *, count), void *result, count result_count, host_datatype result_type, \
                              ITS(count), host_op op, host_win win, host_request *request)         \
    {                                                                                              \
        return next.name(PASS_OWN, result, result_count, result_type, PASS_ITS, op, win, request); \
    }

#define MOVES(APPLY)                                                                               \
    APPLY(MOVE, MPI_Put, const void *)                                                             \
    APPLY(MOVE, MPI_Get, void *)                                                                   \
    APPLY(MOVE_REQUEST, MPI_Rput, const void *)                                                    \
    APPLY(MOVE_REQUEST, MPI_Rget, void *)
#define REDUCTIONS(APPLY)                                                                          \
    APPLY(ACCUMULATE, MPI_Accumulate)                                                              \
    APPLY(ACCUMULATE_REQUEST, MPI_Raccumulate)                                                     \
    APPLY(FETCH, MPI_Get_accumulate)                                                               \
    APPLY(FETCH_REQUEST, MPI_Rget_accumulate)

#define DEFINE_MOVE(shape, name, pointer) shape(name, pointer, int) shape(name##_c, pointer, MPI_Count)
#define DEFINE_REDUCTION(shape, name) shape(name, int) shape(name##_c, MPI_Count)
MOVES(DEFINE_MOVE)
REDUCTIONS(DEFINE_REDUCTION)

static int shifted_MPI_Fetch_and_op(const void *origin, void *result, host_datatype type, int rank, MPI_Aint disp,
                                    host_op op, host_win win)
{
    return next.MPI_Fetch_and_op(origin, result, type, rank, displaced(win, rank, disp), op, win);
}

static int shifted_MPI_Compare_and_swap(const void *origin, const void *compare, void *result, host_datatype type,
                                        int rank, MPI_Aint disp, host_win win)
{
    return next.MPI_Compare_and_swap(origin, compare, result, type, rank, displaced(win, rank, disp), win);
}

static int shifted_get_attr(host_win win, int key, void *value, int *flag)
{
    pthread_mutex_lock(&lock);
    struct shifted *window = find(win);
    void *said = !window                         ? 0
                 : key == HOST_MPI_WIN_BASE      ? (void *)window->base
                 : key == HOST_MPI_WIN_SIZE      ? (void *)&window->size
                 : key == HOST_MPI_WIN_DISP_UNIT ? (void *)&window->unit
                                                 : 0;
    pthread_mutex_unlock(&lock);
    if (!said || !value || !flag)
        return next.MPI_Win_get_attr(win, key, value, flag);
    *(void **)value = said;
    *flag = 1;
    return HOST_MPI_SUCCESS;
}

/* With the first such window: no other program's calls pass here. */
static void take_places(void)
{
    next = host;
#define TAKE_MOVE(shape, name, pointer) TAKE_REDUCTION(shape, name)
#define TAKE_REDUCTION(shape, name)                                                                \
    TAKE_PLACE(name, shifted_##name);                                                              \
    TAKE_PLACE(name##_c, shifted_##name##_c);
    MOVES(TAKE_MOVE)
    REDUCTIONS(TAKE_REDUCTION)
    TAKE_PLACE(MPI_Fetch_and_op, shifted_MPI_Fetch_and_op);
    TAKE_PLACE(MPI_Compare_and_swap, shifted_MPI_Compare_and_swap);
    TAKE_PLACE(MPI_Win_get_attr, shifted_get_attr);
}

/* ---- such a window is made */

/* The hint that all parts are of one size is none of ours: they differ by their offsets. */
static int without_same_size(host_info *info)
{
    char value[8];
    int is_there = 0, rc = HOST_INFO_BITS(*info) == HOST_INFO_BITS(HOST_MPI_INFO_NULL)
                               ? 0
                               : host_original.MPI_Info_get(*info, "same_size", sizeof value - 1, value, &is_there);
    if (rc != 0 || !is_there)
        return rc;
    rc = host_original.MPI_Info_dup(*info, info);
    return rc != 0 ? rc : host_original.MPI_Info_delete(*info, "same_size");
}

static int remember(struct shifted *window)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int rc = own_keyval_need(&keyval, host_original.MPI_Win_create_keyval, host_original.MPI_Win_free_keyval,
                             (mpi_function *)HOST_MPI_WIN_NULL_COPY_FN, (mpi_function *)forget);
    if (rc != 0)
        return rc;
    pthread_once(&once, take_places);
    pthread_mutex_lock(&lock);
    window->next = windows;
    windows = window;
    pthread_mutex_unlock(&lock);
    return host_original.MPI_Win_set_attr(window->win, own_keyval(&keyval), window);
}

static int shift(const void *base, MPI_Aint size, struct part part, host_info info, host_comm comm, host_win *win)
{
    host_info given = info;
    int ranks, rc = host_original.MPI_Comm_size(comm, &ranks);
    struct shifted *window = rc == 0 ? malloc(sizeof *window + (size_t)ranks * sizeof part) : 0;
    if (!window)
        return rc != 0 ? rc : fail_comm(comm, HOST_MPI_ERR_NO_MEM);
    rc = without_same_size(&info);
    if (rc == 0)
        rc = host_original.MPI_Win_free(win);
    if (rc == 0)
        rc = host_original.MPI_Win_create((const char *)base - part.offset, size + part.offset, 1, info, comm, win);
    if (HOST_INFO_BITS(info) != HOST_INFO_BITS(given))
        host_original.MPI_Info_free(&info);
    if (rc == 0)
        rc = host_original.MPI_Allgather(&part, sizeof part, HOST_MPI_BYTE, window->parts, sizeof part, HOST_MPI_BYTE, comm);
    if (rc != 0) {
        free(window);
        return rc;
    }
    window->win = *win, window->base = base, window->size = size, window->unit = (int)part.unit, window->ranks = ranks;
    return remember(window);
}

/* Shifts a window that was made if the host takes a part of it, on any rank, to begin elsewhere. */
static int settle(const void *base, MPI_Aint size, MPI_Aint unit, host_info info, host_comm comm, host_win *win)
{
    struct part part = { .unit = unit };
    MPI_Aint most = 0;
    const char *taken = base;
    int flag = 0, rc = host_original.MPI_Win_get_attr(*win, HOST_MPI_WIN_BASE, &taken, &flag);
    if (flag && size > 0 && taken < (const char *)base && (const char *)base - taken < MOST_ROUND)
        part.offset = (const char *)base - taken;
    if (rc == 0)
        rc = host_original.MPI_Allreduce(&part.offset, &most, 1, HOST_MPI_AINT, HOST_MPI_MAX, comm);
    return rc == 0 && most > 0 ? shift(base, size, part, info, comm, win) : rc;
}

#define CREATE(name, unit_type)                                                                    \
    static int create_##name(const void *base, MPI_Aint size, unit_type unit, host_info info, host_comm comm, host_win *win) \
    {                                                                                              \
        int rc = host_original.name(base, size, unit, info, comm, win);                            \
        return rc == 0 ? settle(base, size, unit, info, comm, win) : rc;                           \
    }
CREATE(MPI_Win_create, int)
CREATE(MPI_Win_create_c, MPI_Aint)

void shifted_window_work_around(int standard)
{
    if (standard >= HOST_FAULT_WINDOW_ADDRESS)
        return;
    TAKE_PLACE(MPI_Win_create, create_MPI_Win_create);
    TAKE_PLACE(MPI_Win_create_c, create_MPI_Win_create_c);
}

#else
void shifted_window_work_around(int standard) {}
#endif
