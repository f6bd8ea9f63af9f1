/* SPDX-License-Identifier: BSD-3-Clause */
/* On faults_host.c: every rank gets its own codes of a spawn that fails, those that are not written stay,
 * and a variable stays bound when the call that bound it has returned. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static int spawn(int rank)
{
    int codes[5] = { -7, -7, -7, -7, -7 };
    MPI_Comm children;
    int rc = MPI_Comm_spawn("x", MPI_ARGV_NULL, rank == 0 ? 4 : 99, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    int ignored = MPI_Comm_spawn("x", MPI_ARGV_NULL, 4, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    return class_of(rc) == MPI_ERR_SPAWN && class_of(ignored) == MPI_ERR_SPAWN && codes[0] == MPI_SUCCESS &&
           codes[1] == MPI_ERR_NO_SUCH_FILE && codes[2] == -7 && codes[3] == MPI_ERR_SPAWN && codes[4] == -7;
}

static void bind(MPI_T_cvar_handle *handle)
{
    MPI_Comm self = MPI_COMM_SELF;
    int count;
    MPI_T_cvar_handle_alloc(0, &self, handle, &count);
}

static int scribble(void)
{
    volatile char stack[8192];
    memset((char *)stack, 0x5a, sizeof stack);
    return stack[17];
}

int main(int argc, char **argv)
{
    int rank, provided, is_self = -1;
    MPI_T_cvar_handle handle = 0;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int codes_right = spawn(rank);
    bind(&handle);
    scribble();
    MPI_T_cvar_read(handle, &is_self);
    printf("codes %s, bound %s\n", codes_right ? "right" : "wrong", is_self == 1 ? "right" : "wrong");
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
