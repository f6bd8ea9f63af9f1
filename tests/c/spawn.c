/* SPDX-License-Identifier: BSD-3-Clause */
/* hangs: openmpi */
/* ranks: 1 2 */
/* Dynamic processes: the program spawns itself. */
#include "check.h"

/* Children answer with their rank plus a number from their arguments. */
static int child(MPI_Comm parent, int argc, char **argv)
{
    int answer, remote = 0;
    MPI_Comm_remote_size(parent, &remote);
    answer = check_rank + (argc > 1 ? atoi(argv[1]) : 1000) + (argc > 2 ? 10000 : 0);
    MPI_Send(&answer, 1, MPI_INT, 0, 5, parent);
    MPI_Bcast(&answer, 1, MPI_INT, 0, parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return answer != 321 || remote < 1 || parent != MPI_COMM_NULL;
}

static void finish_children(MPI_Comm children, int count, const int *want)
{
    int go = 321, remote = -1;
    OK(MPI_Comm_remote_size(children, &remote));
    CHECK_INT(remote, count);
    for (int r = 0; check_rank == 0 && r < count; r++) {
        int got = -1;
        OK(MPI_Recv(&got, 1, MPI_INT, r, 5, children, MPI_STATUS_IGNORE));
        CHECK_INT(got, want[r]);
    }
    OK(MPI_Bcast(&go, 1, MPI_INT, check_rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children));
    OK(MPI_Comm_disconnect(&children));
    CHECK(children == MPI_COMM_NULL);
}

static void spawn(char *program, char **arguments, int *codes, const int *want)
{
    MPI_Comm children = MPI_COMM_NULL;
    OK(check_rank == 0 ? MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes)
                       : MPI_Comm_spawn(JUNK(char *), JUNK(char **), 2, JUNK(MPI_Info), 0, MPI_COMM_WORLD, &children, codes));
    if (codes != MPI_ERRCODES_IGNORE) {
        CHECK_INT(codes[0], MPI_SUCCESS);
        CHECK_INT(codes[1], MPI_SUCCESS);
    }
    if (children != MPI_COMM_NULL)
        finish_children(children, 2, want);
}

static void spawn_multiple(char *program)
{
    char *programs[2] = { program, program };
    char *first[] = { (char *)"7", NULL }, *second[] = { (char *)"8", NULL }, **arguments[2] = { first, second };
    int counts[2] = { 1, 1 }, codes[2] = { -1, -1 };
    static const int want[2] = { 7, 9 }, plain[2] = { 1000, 1001 };
    MPI_Info infos[2] = { MPI_INFO_NULL, MPI_INFO_NULL };
    MPI_Comm children = MPI_COMM_NULL;
    OK(check_rank == 0 ? MPI_Comm_spawn_multiple(2, programs, arguments, counts, infos, 0, MPI_COMM_WORLD, &children, codes)
                       : MPI_Comm_spawn_multiple(2, JUNK(char **), JUNK(char ***), counts, JUNK(MPI_Info *), 0, MPI_COMM_WORLD,
                                                 &children, codes));
    CHECK_INT(codes[1], MPI_SUCCESS);
    if (children != MPI_COMM_NULL)
        finish_children(children, 2, want);
    OK(MPI_Comm_spawn_multiple(2, programs, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &children,
                               MPI_ERRCODES_IGNORE));
    if (children != MPI_COMM_NULL)
        finish_children(children, 2, plain);
}

int main(int argc, char **argv)
{
    char *arguments[] = { (char *)"40", NULL }, *two[] = { (char *)"40", (char *)"", NULL };
    static const int plain[2] = { 1000, 1001 }, want[2] = { 40, 41 }, want_two[2] = { 10040, 10041 };
    int codes[2] = { -1, -1 };
    MPI_Comm parent = MPI_COMM_WORLD;
    check_begin(&argc, &argv);
    OK(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL)
        return child(parent, argc, argv);
    if (!known_fault("spawn")) {
        spawn(argv[0], arguments, codes, want);
    }
    if (!known_fault("spawn") && !known_fault("spawn-repeatedly")) {
        spawn(argv[0], MPI_ARGV_NULL, MPI_ERRCODES_IGNORE, plain);
        spawn(argv[0], two, codes, want_two);
        spawn_multiple(argv[0]);
    }
    return check_end();
}
