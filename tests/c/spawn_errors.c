/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 */
/* An info that is none: spawning fails, and a handler is told so once. Open MPI blames MPI_COMM_WORLD. */
#include "check.h"

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
    OK(MPI_Comm_create_errhandler(check_count, &counts));
    OK(MPI_Comm_set_errhandler(comm, counts));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, counts));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, counts));
    infos[0] = infos[1] = none;
    if (!known_fault("info-that-is-none")) {
        RAISES_ONCE(CHECK(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, none, 0, comm, &children, MPI_ERRCODES_IGNORE) != MPI_SUCCESS),
                    MPI_ERR_INFO);
        RAISES_ONCE(CHECK(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts_of, infos, 0, comm, &children,
                                                  MPI_ERRCODES_IGNORE) != MPI_SUCCESS),
                    MPI_ERR_INFO);
    }
    /* The handlers are the program's still. */
    check_counted = 0;
    MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    CHECK_INT(check_counted, 2);
    OK(MPI_Errhandler_free(&counts));
    OK(MPI_Comm_free(&comm));
    return check_end();
}
