/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* The _c variants of sends, receives, one-sided and file operations. */
#include "check.h"

#define W MPI_COMM_WORLD
typedef int (*send_fn)(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
typedef int (*isend_fn)(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static const send_fn sends[] = { MPI_Send_c, MPI_Bsend_c, MPI_Ssend_c, MPI_Rsend_c };
static const isend_fn isends[] = { MPI_Isend_c, MPI_Ibsend_c, MPI_Issend_c, MPI_Irsend_c };
static const isend_fn inits[] = { MPI_Send_init_c, MPI_Bsend_init_c, MPI_Ssend_init_c, MPI_Rsend_init_c };
static int me, peer;

/* Receives are posted before the barrier, for the ready sends. */
static void modes(int mode)
{
    int out[3] = { 10 * mode + me, 20 * mode + me, 30 * mode + me }, in[3] = { -1, -1, -1 };
    MPI_Request receives[3], request, start;
    for (int i = 0; i < 3; i++)
        OK(MPI_Irecv_c(&in[i], 1, MPI_INT, peer, i, W, &receives[i]));
    OK(MPI_Barrier(W));
    OK(sends[mode](&out[0], 1, MPI_INT, peer, 0, W));
    OK(isends[mode](&out[1], 1, MPI_INT, peer, 1, W, &request));
    OK(inits[mode](&out[2], 1, MPI_INT, peer, 2, W, &start));
    OK(MPI_Start(&start));
    OK(MPI_Waitall(3, receives, MPI_STATUSES_IGNORE));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&start, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&start));
    for (int i = 0; i < 3; i++)
        CHECK_INT(in[i], 10 * (i + 1) * mode + peer);
}

static void synchronous_and_matched(void)
{
    int value = 40 + me, in = -1;
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    if (me == 0)
        OK(MPI_Ssend_c(&value, 1, MPI_INT, 1, 1, W));
    else
        OK(MPI_Recv_c(&in, 1, MPI_INT, 0, 1, W, &status));
    CHECK_INT(in, me == 0 ? -1 : 40);
    OK(MPI_Isend_c(&value, 1, MPI_INT, peer, 2, W, &request));
    OK(MPI_Mprobe(peer, 2, W, &message, &status));
    OK(MPI_Mrecv_c(&in, 1, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_INT(in, 40 + peer);
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Isend_c(&value, 1, MPI_INT, peer, 3, W, &request));
    OK(MPI_Mprobe(peer, 3, W, &message, &status));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Imrecv_c(&in, 1, MPI_INT, &message, &request));
    OK(MPI_Wait(&request, &status));
    OK(MPI_Sendrecv_replace_c(&value, 1, MPI_INT, peer, 4, peer, 4, W, MPI_STATUS_IGNORE));
    CHECK_INT(value, 40 + peer);
    OK(MPI_Recv_init_c(&in, 1, MPI_INT, MPI_PROC_NULL, 0, W, &request));
    OK(MPI_Request_free(&request));
}

static void one_sided(void)
{
    static int room[12] __attribute__((aligned(16)));
    int *memory = room + (known_fault("window-address") ? 0 : 1 + me), value = 3 + me, old = -1;
    MPI_Win win;
    MPI_Request request;
    OK(MPI_Win_create_c(memory, 8 * sizeof(int), (MPI_Aint)sizeof(int), MPI_INFO_NULL, W, &win));
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Accumulate_c(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_SUM, win));
    OK(MPI_Win_flush(peer, win));
    OK(MPI_Get_accumulate_c(&value, 1, MPI_INT, &old, 1, MPI_INT, peer, 0, 1, MPI_INT, MPI_NO_OP, win));
    OK(MPI_Win_flush(peer, win));
    CHECK_INT(old, 3 + me);
    OK(MPI_Rput_c(&value, 1, MPI_INT, peer, 1, 1, MPI_INT, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_flush(peer, win));
    OK(MPI_Rget_c(&old, 1, MPI_INT, peer, 1, 1, MPI_INT, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(old, 3 + me);
    OK(MPI_Put_c(&value, 1, MPI_INT, peer, 2, 1, MPI_INT, win));
    OK(MPI_Win_flush(peer, win));
    OK(MPI_Get_c(&old, 1, MPI_INT, peer, 2, 1, MPI_INT, win));
    OK(MPI_Win_flush(peer, win));
    CHECK_INT(old, 3 + me);
    OK(MPI_Raccumulate_c(&value, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_REPLACE, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Rget_accumulate_c(&value, 1, MPI_INT, &old, 1, MPI_INT, peer, 1, 1, MPI_INT, MPI_MAX, win, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Win_unlock_all(win));
    OK(MPI_Barrier(W));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    CHECK_INT(memory[0], 3 + peer);
    CHECK_INT(memory[2], 3 + peer);
    OK(MPI_Win_unlock(me, win));
    OK(MPI_Win_free(&win));
    CHECK(room[0] == (memory == room ? 3 + peer : 0));
}

static void files(void)
{
    char path[400];
    const char *folder = getenv("MPI_TEST_DIR");
    int out[2] = { 5 + me, 6 + me }, in[2] = { -1, -1 };
    MPI_Offset at = me * sizeof out;
    MPI_Count extent = -1;
    MPI_Request request;
    MPI_File file;
    snprintf(path, sizeof path, "%s/large.data", folder ? folder : ".");
    OK(MPI_File_open(W, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file));
    OK(MPI_File_write_at_c(file, at, out, 2, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_read_at_all_c(file, at, in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 6 + me);
    out[1] = 60 + me;
    OK(MPI_File_iwrite_at_c(file, at, out, 2, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_File_iread_at_c(file, at, in, 2, MPI_INT, &request));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_INT(in[1], 60 + me);
    OK(MPI_File_write_at_all_begin_c(file, at, in, 2, MPI_INT));
    OK(MPI_File_write_at_all_end(file, in, MPI_STATUS_IGNORE));
    OK(MPI_File_seek(file, at, MPI_SEEK_SET));
    OK(MPI_File_read_c(file, in, 2, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_INT(in[0], 5 + me);
    OK(MPI_File_write_ordered_c(file, out, 1, MPI_INT, MPI_STATUS_IGNORE));
    OK(MPI_File_get_type_extent_c(file, MPI_INT, &extent));
    CHECK_INT(extent, 4);
    OK(MPI_File_close(&file));
}

int main(int argc, char **argv)
{
    static char space[10000];
    void *back;
    MPI_Count size = -1;
    check_begin(&argc, &argv);
    me = check_rank, peer = 1 - me;
    OK(MPI_Buffer_attach_c(space, sizeof space));
    for (int mode = 0; mode < 4; mode++)
        modes(mode);
    synchronous_and_matched();
    OK(MPI_Buffer_detach_c(&back, &size));
    CHECK(back == space);
    CHECK_INT(size, sizeof space);
    one_sided();
    files();
    return check_end();
}
