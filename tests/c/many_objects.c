/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* Every kind of object survives very many creations, with and without being
 * freed: a translator with a table of objects fills it. */
#include "check.h"

enum { REQUESTS = 1 << 21, SERIAL = 200000, ALIVE = 20000 };

static void requests_one_by_one(void)
{
    int value = 1, bad = 0;
    for (int i = 0; i < REQUESTS / 2; i++) {
        MPI_Request request;
        bad += MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
        bad += MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
        bad += MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
        bad += MPI_Request_free(&request) != MPI_SUCCESS;
        bad += request != MPI_REQUEST_NULL;
    }
    CHECK_INT(bad, 0);
}

static void persistent_requests(void)
{
    int value = 1, bad = 0;
    for (int i = 0; i < SERIAL; i++) {
        MPI_Request request;
        bad += MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request) != MPI_SUCCESS;
        bad += MPI_Request_free(&request) != MPI_SUCCESS;
    }
    CHECK_INT(bad, 0);
}

/* 100000 requests completed by one call, with all statuses. */
static void one_huge_waitall(void)
{
    enum { PAIRS = 50000 };
    int *in = malloc(PAIRS * sizeof *in), *out = malloc(PAIRS * sizeof *out), bad = 0;
    MPI_Request *requests = malloc(2 * PAIRS * sizeof *requests);
    MPI_Status *statuses = malloc(2 * PAIRS * sizeof *statuses);
    for (int i = 0; i < PAIRS; i++) {
        out[i] = i;
        OK(MPI_Irecv(&in[i], 1, MPI_INT, 0, i % 1000, MPI_COMM_WORLD, &requests[i]));
        OK(MPI_Isend(&out[i], 1, MPI_INT, 0, i % 1000, MPI_COMM_WORLD, &requests[PAIRS + i]));
    }
    OK(MPI_Waitall(2 * PAIRS, requests, statuses));
    for (int i = 0; i < PAIRS; i++)
        bad += in[i] != i || statuses[i].MPI_TAG != i % 1000 || requests[i] != MPI_REQUEST_NULL;
    CHECK_INT(bad, 0);
    free(in), free(out), free(requests), free(statuses);
}

#define SERIALLY(type, create, release) do {                  \
        int bad = 0;                                          \
        for (int i = 0; i < SERIAL; i++) {                    \
            type object;                                      \
            bad += (create) != MPI_SUCCESS;                   \
            bad += (release) != MPI_SUCCESS;                  \
        }                                                     \
        CHECK_INT(bad, 0);                                    \
    } while (0)

#define ALIVE_AT_ONCE(type, create, release) do {                       \
        int bad = 0;                                                    \
        type *objects = malloc(ALIVE * sizeof *objects);                \
        for (int i = 0; i < ALIVE; i++) {                               \
            type object;                                                \
            bad += (create) != MPI_SUCCESS;                             \
            objects[i] = object;                                        \
            bad += i > 0 && memcmp(&objects[i], &objects[i - 1], sizeof object) == 0; \
        }                                                               \
        for (int i = 0; i < ALIVE; i++) {                               \
            type object = objects[i];                                   \
            bad += (release) != MPI_SUCCESS;                            \
        }                                                               \
        free(objects);                                                  \
        CHECK_INT(bad, 0);                                              \
    } while (0)

#define BOTH(type, create, release) do { \
        SERIALLY(type, create, release);  \
        ALIVE_AT_ONCE(type, create, release); } while (0)

/* Context identifiers are scarce, so few are alive at once. */
static void communicators(void)
{
    int bad = 0;
    for (int i = 0; i < 20000; i++) {
        MPI_Comm comm;
        bad += MPI_Comm_dup(MPI_COMM_SELF, &comm) != MPI_SUCCESS;
        bad += MPI_Comm_free(&comm) != MPI_SUCCESS || comm != MPI_COMM_NULL;
    }
    CHECK_INT(bad, 0);
}

static void on_comm(MPI_Comm *comm, int *code, ...) {}
static void reduce(void *in, void *inout, int *length, MPI_Datatype *type) {}
static int delete_comm(MPI_Comm comm, int keyval, void *value, void *extra) { return MPI_SUCCESS; }
static int copy_comm(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int zero = 0;
    MPI_Group world;
    check_begin(&argc, &argv);
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    requests_one_by_one();
    persistent_requests();
    one_huge_waitall();
    communicators();
    BOTH(MPI_Datatype, MPI_Type_contiguous(3, MPI_INT, &object), MPI_Type_free(&object));
    BOTH(MPI_Info, MPI_Info_create(&object), MPI_Info_free(&object));
    SERIALLY(MPI_Group, MPI_Group_incl(world, 1, &zero, &object), MPI_Group_free(&object));
    BOTH(MPI_Errhandler, MPI_Comm_create_errhandler(on_comm, &object), MPI_Errhandler_free(&object));
    BOTH(MPI_Op, MPI_Op_create(reduce, 1, &object), MPI_Op_free(&object));
    BOTH(int, MPI_Comm_create_keyval(copy_comm, delete_comm, &object, NULL), MPI_Comm_free_keyval(&object));
    OK(MPI_Group_free(&world));
    return check_end();
}
