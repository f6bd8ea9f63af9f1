/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 4 */
/* Communicators: making, naming, comparing, info, intercommunicators. */
#include "check.h"

#define W MPI_COMM_WORLD

static void split(void)
{
    int rank = -1, size = -1;
    MPI_Comm comm = W;
    OK(MPI_Comm_split(W, check_rank % 2, -check_rank, &comm));
    OK(MPI_Comm_size(comm, &size));
    CHECK_INT(size, (check_size + 1 - check_rank % 2) / 2);
    OK(MPI_Comm_rank(comm, &rank));
    CHECK_INT(rank, size - 1 - check_rank / 2);
    OK(MPI_Comm_free(&comm));
    CHECK(comm == MPI_COMM_NULL);
    OK(MPI_Comm_split(W, check_rank == 0 ? MPI_UNDEFINED : 3, 0, &comm));
    CHECK((comm == MPI_COMM_NULL) == (check_rank == 0));
    if (comm != MPI_COMM_NULL)
        OK(MPI_Comm_free(&comm));
}

static void split_type(void)
{
    int size = -1;
    MPI_Comm comm = W;
    OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, check_rank, MPI_INFO_NULL, &comm));
    OK(MPI_Comm_size(comm, &size));
    CHECK_INT(size, check_size);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_split_type(W, check_rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm));
    CHECK((comm == MPI_COMM_NULL) == (check_rank == 0));
    if (comm != MPI_COMM_NULL)
        OK(MPI_Comm_free(&comm));
}

#ifdef MPI_COMM_TYPE_HW_GUIDED
/* The size of the communicator that a split by a named resource makes; 0 if it makes none. */
static int split_size(int type, const char *resource)
{
    int size = 0;
    MPI_Comm comm = W;
    MPI_Info info;
    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_hw_resource_type", resource));
    OK(MPI_Comm_split_type(W, type, 0, info, &comm));
    OK(MPI_Info_free(&info));
    if (comm == MPI_COMM_NULL)
        return 0;
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Comm_free(&comm));
    return size;
}

static void guided_split_type(void)
{
    MPI_Comm comm = W;
    CHECK_INT(split_size(MPI_COMM_TYPE_HW_GUIDED, "mpi_shared_memory"), split_size(MPI_COMM_TYPE_SHARED, "any"));
    CHECK_INT(split_size(MPI_COMM_TYPE_HW_GUIDED, "no such resource"), 0);
    OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm));
    if (comm != MPI_COMM_NULL)
        OK(MPI_Comm_free(&comm));
}
#else
static void guided_split_type(void) {}
#endif

static void duplicates(void)
{
    int result = -1, value = 4;
    MPI_Comm dup, lazy, reversed;
    MPI_Request request;
    MPI_Info info;
    OK(MPI_Comm_dup(W, &dup));
    OK(MPI_Comm_compare(dup, W, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    OK(MPI_Comm_compare(dup, dup, &result));
    CHECK_INT(result, MPI_IDENT);
    OK(MPI_Comm_compare(W, MPI_COMM_SELF, &result));
    CHECK_INT(result, MPI_UNEQUAL);
    OK(MPI_Comm_split(W, 0, -check_rank, &reversed));
    OK(MPI_Comm_compare(W, reversed, &result));
    CHECK_INT(result, MPI_SIMILAR);
    OK(MPI_Comm_free(&reversed));
    OK(MPI_Comm_idup(dup, &lazy, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Bcast(&value, 1, MPI_INT, 0, lazy));
    OK(MPI_Comm_compare(dup, lazy, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    OK(MPI_Comm_free(&lazy));
    OK(MPI_Info_create(&info));
    OK(MPI_Comm_dup_with_info(dup, info, &lazy));
    OK(MPI_Comm_set_info(lazy, info));
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_get_info(lazy, &info));
    CHECK(info != MPI_INFO_NULL);
    OK(MPI_Info_free(&info));
    OK(MPI_Comm_disconnect(&lazy));
    CHECK(lazy == MPI_COMM_NULL);
    OK(MPI_Comm_free(&dup));
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME + 8], longest[MPI_MAX_OBJECT_NAME];
    int length = -1;
    MPI_Comm dup;
    memset(name, '#', sizeof name);
    OK(MPI_Comm_get_name(W, name, &length));
    CHECK_STR(name, "MPI_COMM_WORLD");
    CHECK_INT(length, 14);
    OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &length));
    CHECK_STR(name, "MPI_COMM_SELF");
    OK(MPI_Comm_dup(W, &dup));
    OK(MPI_Comm_set_name(dup, "the name"));
    OK(MPI_Comm_get_name(dup, name, &length));
    CHECK_STR(name, "the name");
    CHECK_INT(length, 8);
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    OK(MPI_Comm_set_name(dup, longest));
    OK(MPI_Comm_get_name(dup, name, &length));
    CHECK_STR(name, longest);
    for (int i = MPI_MAX_OBJECT_NAME; i < MPI_MAX_OBJECT_NAME + 8; i++)
        CHECK_INT(name[i], '#');
    OK(MPI_Comm_free(&dup));
}

/* Even and odd ranks face each other. */
static MPI_Comm make_inter(MPI_Comm *local)
{
    MPI_Comm inter = MPI_COMM_NULL;
    OK(MPI_Comm_split(W, check_rank % 2, check_rank, local));
    OK(MPI_Intercomm_create(*local, 0, W, 1 - check_rank % 2, 12, &inter));
    return inter;
}

static void inter_basics(MPI_Comm inter, MPI_Comm local)
{
    int flag = 0, remote = 0, size, result, rank;
    MPI_Comm merged, dup;
    MPI_Group group;
    OK(MPI_Comm_test_inter(inter, &flag));
    CHECK_INT(!!flag, 1);
    OK(MPI_Comm_test_inter(W, &flag));
    CHECK_INT(flag, 0);
    OK(MPI_Comm_remote_size(inter, &remote));
    CHECK_INT(remote, check_size / 2);
    OK(MPI_Comm_remote_group(inter, &group));
    OK(MPI_Group_size(group, &size));
    CHECK_INT(size, remote);
    OK(MPI_Group_rank(group, &rank));
    CHECK_INT(rank, MPI_UNDEFINED);
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_dup(inter, &dup));
    OK(MPI_Comm_compare(inter, dup, &result));
    CHECK_INT(result, MPI_CONGRUENT);
    OK(MPI_Comm_free(&dup));
    OK(MPI_Intercomm_merge(inter, check_rank % 2, &merged));
    OK(MPI_Comm_size(merged, &size));
    CHECK_INT(size, check_size);
    OK(MPI_Comm_rank(merged, &rank));
    CHECK_INT(rank, check_rank / 2 + (check_rank % 2 ? check_size / 2 : 0));
    OK(MPI_Comm_free(&merged));
}

/* Rooted collectives: MPI_ROOT at the root, MPI_PROC_NULL beside it. */
static void inter_rooted(MPI_Comm inter, int nonblocking)
{
    int even = check_rank % 2 == 0, half = check_size / 2;
    int root = even ? (check_rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    int value = check_rank == 0 ? 77 : -1, in[16] = { 0 }, out[16], sum = -1;
    MPI_Request request;
    for (int i = 0; i < 16; i++)
        out[i] = 10 * check_rank + i;
#define DO(blocking_name, nonblocking_name, ...) do {                      \
        if (!nonblocking)                                                  \
            OK(MPI_##blocking_name(__VA_ARGS__));                          \
        else {                                                             \
            OK(MPI_##nonblocking_name(__VA_ARGS__, &request));             \
            OK(MPI_Wait(&request, MPI_STATUS_IGNORE));                     \
        }                                                                  \
    } while (0)
    DO(Bcast, Ibcast, &value, 1, MPI_INT, root, inter);
    CHECK_INT(value, even && check_rank != 0 ? -1 : 77);
    DO(Gather, Igather, out, 1, MPI_INT, in, 1, MPI_INT, root, inter);
    if (check_rank == 0)
        for (int r = 0; r < half; r++)
            CHECK_INT(in[r], 10 * (2 * r + 1));
    DO(Scatter, Iscatter, out, 1, MPI_INT, in, 1, MPI_INT, root, inter);
    if (!even)
        CHECK_INT(in[0], check_rank / 2);
    DO(Reduce, Ireduce, &check_rank, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    CHECK_INT(sum, check_rank == 0 ? half * half : -1);
    /* Beside the root no argument but that means anything (MPI-4.1 section 6.9.1). */
    int apart = root == MPI_PROC_NULL;
    if (!known_fault("reduce-beside-root"))
        DO(Reduce, Ireduce, apart ? NULL : &check_rank, apart ? NULL : &sum, 1, apart ? MPI_BYTE : MPI_INT, MPI_SUM, root, inter);
    DO(Allreduce, Iallreduce, &check_rank, &sum, 1, MPI_INT, MPI_SUM, inter);
    CHECK_INT(sum, even ? half * half : half * (half - 1));
    DO(Allgather, Iallgather, &check_rank, 1, MPI_INT, in, 1, MPI_INT, inter);
    CHECK_INT(in[half - 1], 2 * (half - 1) + even);
    DO(Alltoall, Ialltoall, out, 1, MPI_INT, in, 1, MPI_INT, inter);
    CHECK_INT(in[half - 1], 10 * (2 * (half - 1) + even) + check_rank / 2);
    DO(Barrier, Ibarrier, inter);
#undef DO
}

static void intercommunicators(void)
{
    MPI_Comm local, inter = make_inter(&local);
    int got = -1, peer = check_rank / 2;
    MPI_Status status;
    inter_basics(inter, local);
    inter_rooted(inter, 0);
    inter_rooted(inter, 1);
    OK(MPI_Sendrecv(&check_rank, 1, MPI_INT, peer, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1, inter, &status));
    CHECK_INT(got, check_rank ^ 1);
    CHECK_INT(status.MPI_SOURCE, peer);
    OK(MPI_Comm_free(&inter));
    OK(MPI_Comm_free(&local));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    split();
    split_type();
    guided_split_type();
    duplicates();
    names();
    intercommunicators();
    return check_end();
}
