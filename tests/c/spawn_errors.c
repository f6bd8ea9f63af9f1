/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* An info that is none: spawning fails, and a handler is told so once. Open MPI blames MPI_COMM_WORLD. */
#include "check.h"

static int times, class;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    times++;
    MPI_Error_class(*code, &class);
}

#define RAISES_ONCE(call)                                                                          \
    do {                                                                                           \
        times = class = 0;                                                                         \
        CHECK((call) != MPI_SUCCESS);                                                              \
        CHECK_INT(times, 1);                                                                       \
        CHECK_INT(class, MPI_ERR_INFO);                                                            \
    } while (0)

int main(int argc, char **argv)
{
    MPI_Errhandler counts;
    MPI_Info none, freed, infos[2];
    MPI_Comm comm, children;
    char *programs[2] = { argv[0], argv[0] };
    int counts_of[2] = { 1, 1 };
    check_begin(&argc, &argv);
    OK(MPI_Comm_get_parent(&children));
    if (children != MPI_COMM_NULL) /* what should not have been started */
        MPI_Abort(MPI_COMM_WORLD, 1);
    OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
    OK(MPI_Info_create(&none));
    freed = none;
    OK(MPI_Info_free(&freed));
    if (known_fault("freed-info"))
        none = (MPI_Info)0;
    OK(MPI_Comm_create_errhandler(count_error, &counts));
    OK(MPI_Comm_set_errhandler(comm, counts));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, counts));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, counts));
    infos[0] = infos[1] = none;
    if (!known_fault("info-that-is-none")) {
        RAISES_ONCE(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, none, 0, comm, &children, MPI_ERRCODES_IGNORE));
        RAISES_ONCE(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts_of, infos, 0, comm, &children,
                                            MPI_ERRCODES_IGNORE));
    }
    /* The handlers are the program's still. */
    times = 0;
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    CHECK_INT(times, 2);
    OK(MPI_Errhandler_free(&counts));
    OK(MPI_Comm_free(&comm));
    return check_end();
}
