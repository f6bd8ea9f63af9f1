/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* families: openmpi mpiabi */
/* Buffers of communicators, of sessions and of the process, which may grow by themselves, and flushing that does not wait:
 * MPI-4.1, which the mpi.h of MPICH 4.0 does not have. */
#include "check.h"

enum { LARGE = 1 << 20 };
static char large[LARGE], received[LARGE];

static int peer(void) { return 1 - check_rank; }

/* As much as many messages of one integer take. */
static int room(int messages, MPI_Comm comm)
{
    int size = 0;
    OK(MPI_Pack_size(1, MPI_INT, comm, &size));
    return messages * (size + MPI_BSEND_OVERHEAD);
}

static void receive(int from, int to, MPI_Comm comm)
{
    for (int i = from; i < to; i++) {
        int value = -1;
        MPI_Status status;
        OK(MPI_Recv(&value, 1, MPI_INT, peer(), 5, comm, &status));
        CHECK_INT(value, i);
        CHECK_STATUS(&status, peer(), 5, MPI_INT, 1);
    }
}

static void of_communicator(MPI_Comm comm)
{
    int size = room(4, comm), i, got = 0;
    char *buffer = malloc((size_t)size);
    void *address = NULL;
    MPI_Request request;
    OK(MPI_Comm_attach_buffer(comm, buffer, size));
    CHECK(MPI_Comm_attach_buffer(comm, buffer, size) != MPI_SUCCESS);
    for (i = 0; i < 2; i++)
        OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    OK(MPI_Ibsend(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    i = 3;
    OK(MPI_Bsend_init(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&request));
    receive(0, 4, comm);
    OK(MPI_Comm_flush_buffer(comm));
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    receive(3, 4, comm);
    OK(MPI_Comm_detach_buffer(comm, &address, &got));
    CHECK(address == buffer);
    CHECK_INT(got, size);
    OK(MPI_Comm_attach_buffer(comm, buffer, size));
    FAILS(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, comm), MPI_ERR_BUFFER);
    OK(MPI_Comm_detach_buffer(comm, &address, &got));
    free(buffer);
}

/* Messages that wait for their receivers do not keep the call that flushes. */
static void flushes(MPI_Comm comm, int of_process)
{
    void *address = NULL;
    int size = -1;
    MPI_Request request;
    if (of_process)
        OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    else
        OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    for (int i = 0; i < 3; i++) {
        memset(large, 'a' + i, LARGE);
        OK(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, comm));
    }
    if (of_process)
        OK(MPI_Buffer_iflush(&request));
    else
        OK(MPI_Comm_iflush_buffer(comm, &request));
    for (int i = 0; i < 3; i++) {
        OK(MPI_Recv(received, LARGE, MPI_CHAR, peer(), 5, comm, MPI_STATUS_IGNORE));
        CHECK(received[0] == 'a' + i && received[LARGE - 1] == 'a' + i);
    }
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    if (of_process)
        OK(MPI_Buffer_detach(&address, &size));
    else
        OK(MPI_Comm_detach_buffer(comm, &address, &size));
    CHECK(address == MPI_BUFFER_AUTOMATIC);
}

static void of_process(MPI_Comm comm)
{
    int size = room(2, comm), got = 0, i = 0;
    char *buffer = malloc((size_t)size);
    void *address = NULL;
    MPI_Request request;
    OK(MPI_Buffer_attach(buffer, size));
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    OK(MPI_Buffer_iflush(&request));
    receive(0, 1, comm);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Buffer_flush());
    OK(MPI_Buffer_detach(&address, &got));
    CHECK(address == buffer);
    CHECK_INT(got, size);
    free(buffer);
}

/* ---- sessions ---- */

static MPI_Comm comm_of(MPI_Group group, const char *tag)
{
    MPI_Comm comm = MPI_COMM_NULL;
    OK(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    return comm;
}

static MPI_Comm comm_of_session(MPI_Session session, const char *tag)
{
    MPI_Group world, both;
    OK(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    OK(MPI_Group_incl(world, 2, (int[]){ 0, 1 }, &both));
    OK(MPI_Group_free(&world));
    MPI_Comm comm = comm_of(both, tag);
    OK(MPI_Group_free(&both));
    return comm;
}

static void exchange(MPI_Comm comm)
{
    int i = 7;
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    receive(7, 8, comm);
}

static void exchange_large(MPI_Comm comm)
{
    OK(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, comm));
    OK(MPI_Recv(received, LARGE, MPI_CHAR, peer(), 5, comm, MPI_STATUS_IGNORE));
}

/* A message that no eager protocol takes without a buffer. Open MPI loses the messages that follow one that it refused:
 * it is sent by a duplicate. */
static int has_no_room(MPI_Comm comm)
{
    MPI_Comm copy;
    int class = MPI_SUCCESS;
    OK(MPI_Comm_dup(comm, &copy));
    MPI_Error_class(MPI_Bsend(large, LARGE, MPI_CHAR, peer(), 5, copy), &class);
    OK(MPI_Comm_free(&copy));
    return class == MPI_ERR_BUFFER;
}

/* A communicator that is derived from a session's sends by the session's buffer. */
static void derived(MPI_Comm comm)
{
    MPI_Comm copy, part, cart, again;
    MPI_Group group;
    OK(MPI_Comm_dup(comm, &copy));
    exchange(copy);
    OK(MPI_Comm_split(copy, 0, check_rank, &part));
    exchange(part);
    OK(MPI_Cart_create(part, 1, (int[]){ 2 }, (int[]){ 0 }, 0, &cart));
    exchange(cart);
    OK(MPI_Comm_group(cart, &group));
    again = comm_of(group, "tests.buffers.again");
    OK(MPI_Group_free(&group));
    exchange(again);
    OK(MPI_Comm_free(&again));
    OK(MPI_Comm_free(&cart));
    OK(MPI_Comm_free(&part));
    OK(MPI_Comm_free(&copy));
}

/* A communicator's own buffer is used ahead of the session's, and that ahead of the process's. */
static void in_order(MPI_Comm world, MPI_Comm comm, MPI_Comm of_other)
{
    void *address;
    int size;
    CHECK(has_no_room(comm));
    CHECK(has_no_room(world));
    CHECK(has_no_room(of_other));
    OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
    exchange_large(of_other);
    exchange_large(world);
    CHECK(has_no_room(comm));
    OK(MPI_Buffer_detach(&address, &size));
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    exchange_large(comm);
    OK(MPI_Comm_detach_buffer(comm, &address, &size));
    CHECK(has_no_room(comm));
}

static void of_session(MPI_Comm world)
{
    MPI_Session session, other;
    MPI_Request request;
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other));
    MPI_Comm comm = comm_of_session(session, "tests.buffers"), of_other = comm_of_session(other, "tests.buffers.other");
    int size = room(2, comm), got = 0, i = 7;
    char *buffer = malloc((size_t)size);
    void *address = NULL;
    OK(MPI_Session_attach_buffer(session, buffer, size));
    if (!known_fault("session-errors-abort"))
        CHECK(MPI_Session_attach_buffer(session, buffer, size) != MPI_SUCCESS);
    exchange(comm);
    derived(comm);
    in_order(world, comm, of_other);
    OK(MPI_Bsend(&i, 1, MPI_INT, peer(), 5, comm));
    OK(MPI_Session_iflush_buffer(session, &request));
    receive(7, 8, comm);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Session_iflush_buffer(other, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Session_flush_buffer(session));
    OK(MPI_Session_detach_buffer(session, &address, &got));
    CHECK(address == buffer);
    CHECK_INT(got, size);
    CHECK(has_no_room(comm));
    OK(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
    exchange_large(comm);
    OK(MPI_Comm_free(&comm));
    OK(MPI_Comm_free(&of_other));
    /* Whose buffer it is detaches it. */
    OK(MPI_Session_finalize(&session));
    OK(MPI_Session_finalize(&other));
    free(buffer);
}

/* A persistent request that was made when there was no buffer uses the one that there is when it is started. */
static void before_any(MPI_Comm comm)
{
    static int i = 3;
    void *address;
    int size;
    MPI_Request request;
    OK(MPI_Bsend_init(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Start(&request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    receive(3, 4, comm);
    OK(MPI_Comm_detach_buffer(comm, &address, &size));
    OK(MPI_Request_free(&request));
}

/* No communicator: said once, whatever is attached elsewhere. */
static void of_none(void)
{
    MPI_Comm none = MPI_COMM_NULL, both[2] = { MPI_COMM_WORLD, MPI_COMM_SELF };
    MPI_Errhandler counts, old[2];
    MPI_Request request;
    void *address;
    int size, value = 1;
    OK(MPI_Comm_create_errhandler(check_count, &counts));
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_get_errhandler(both[i], &old[i]));
        OK(MPI_Comm_set_errhandler(both[i], counts));
    }
    RAISES_ONCE(MPI_Comm_attach_buffer(none, MPI_BUFFER_AUTOMATIC, 0), MPI_ERR_COMM);
    RAISES_ONCE(MPI_Comm_flush_buffer(none), MPI_ERR_COMM);
    RAISES_ONCE(MPI_Comm_iflush_buffer(none, &request), MPI_ERR_COMM);
    RAISES_ONCE(MPI_Comm_detach_buffer(none, &address, &size), MPI_ERR_COMM);
    RAISES_ONCE(MPI_Bsend(&value, 1, MPI_INT, 0, 5, none), MPI_ERR_COMM);
    RAISES_ONCE(MPI_Ibsend(&value, 1, MPI_INT, 0, 5, none, &request), MPI_ERR_COMM);
    for (int i = 0; i < 2; i++) {
        OK(MPI_Comm_set_errhandler(both[i], old[i]));
        OK(MPI_Errhandler_free(&old[i]));
    }
    OK(MPI_Errhandler_free(&counts));
}

static int forgotten;

static int forget(MPI_Comm comm, int keyval, void *value, void *state)
{
    forgotten++;
    return MPI_SUCCESS;
}

/* A persistent send is freed while it is started: nothing of it keeps the communicator, once the message has gone. */
static void freed_at_once(MPI_Comm world)
{
    static int i = 3;
    int keyval = MPI_KEYVAL_INVALID, size;
    void *address;
    MPI_Comm comm;
    MPI_Request request;
    OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL));
    OK(MPI_Comm_dup(world, &comm));
    OK(MPI_Comm_set_attr(comm, keyval, NULL));
    OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
    OK(MPI_Bsend_init(&i, 1, MPI_INT, peer(), 5, comm, &request));
    OK(MPI_Start(&request));
    OK(MPI_Request_free(&request));
    receive(3, 4, comm);
    OK(MPI_Comm_detach_buffer(comm, &address, &size));
    OK(MPI_Comm_free(&comm));
    CHECK_INT(forgotten, 1);
    OK(MPI_Comm_free_keyval(&keyval));
}

/* Sizes as they are counted since MPI-4. */
static void large_size(MPI_Comm comm)
{
    const MPI_Count size = 2 * (MPI_Count)LARGE + MPI_BSEND_OVERHEAD;
    MPI_Count got = -1;
    void *buffer = malloc(size), *address = NULL;
    OK(MPI_Comm_attach_buffer_c(comm, buffer, size));
    CHECK(MPI_Comm_attach_buffer_c(comm, buffer, size) != MPI_SUCCESS);
    OK(MPI_Comm_detach_buffer_c(comm, &address, &got));
    CHECK(address == buffer);
    CHECK(got == size);
    free(buffer);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    check_begin(&argc, &argv);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    of_none();
    before_any(comm);
    freed_at_once(comm);
    large_size(comm);
    of_communicator(comm);
    of_none();
    flushes(comm, 0);
    of_process(comm);
    flushes(comm, 1);
    of_session(comm);
    OK(MPI_Comm_free(&comm));
    return check_end();
}
