/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 2 */
/* A buffer sized with the application's MPI_BSEND_OVERHEAD holds exactly the
 * messages it was sized for, even if the host's overhead is larger. */
#include "check.h"

enum { MOST = 50, BYTES = 100 };

static void fill_then_drain(int messages)
{
    int size = messages * (BYTES + MPI_BSEND_OVERHEAD), bytes = 0, packed = 0;
    char *space = malloc(size + 16), data[BYTES], *back = NULL;
    OK(MPI_Pack_size(BYTES, MPI_CHAR, MPI_COMM_WORLD, &packed));
    CHECK(packed >= BYTES);
    memset(space, '#', size + 16);
    OK(MPI_Buffer_attach(space, size));
    if (check_rank == 0) {
        for (int i = 0; i < messages; i++) {
            memset(data, i, sizeof data);
            OK(MPI_Bsend(data, BYTES, MPI_CHAR, 1, i, MPI_COMM_WORLD));
        }
    }
    OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; check_rank == 1 && i < messages; i++) {
        OK(MPI_Recv(data, BYTES, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(data[0] == (char)i && data[BYTES - 1] == (char)i);
    }
    OK(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == space);
    CHECK_INT(bytes, size);
    for (int i = 0; i < 16; i++)
        CHECK_INT(space[size + i], '#');
    free(space);
}

/* Detaching waits for the messages; the buffer can be attached again. */
static void attach_again(void)
{
    for (int round = 0; round < 5; round++)
        fill_then_drain(3);
}

static void too_small(void)
{
    static char space[MPI_BSEND_OVERHEAD + 8], data[100000];
    void *back;
    int bytes;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Buffer_attach(space, sizeof space));
    int code = MPI_Bsend(data, sizeof data, MPI_CHAR, check_rank, 0, MPI_COMM_WORLD);
    CHECK(check_class(code) == MPI_ERR_BUFFER || check_class(code) == MPI_ERR_OTHER);
    OK(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == space);
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

/* A buffer that is refused leaves the attached one as it was. */
static void attach_twice(void)
{
    static char first[1000], second[500];
    void *back = NULL;
    int bytes = 0;
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Buffer_attach(first, sizeof first));
    CHECK(MPI_Buffer_attach(second, sizeof second) != MPI_SUCCESS);
    OK(MPI_Buffer_detach(&back, &bytes));
    CHECK(back == first);
    CHECK_INT(bytes, sizeof first);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv);
    for (int messages = 1; messages <= MOST; messages += 7)
        fill_then_drain(messages);
    attach_again();
    attach_twice();
    too_small();
    return check_end();
}
