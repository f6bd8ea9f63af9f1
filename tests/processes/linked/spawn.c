/* SPDX-License-Identifier: BSD-3-Clause */
/* On spawn_host.c: spawns ./child in every way. */
#include <mpi.h>

static void spawn(char *command, char **argv, MPI_Info info)
{
    MPI_Comm children;
    MPI_Comm_spawn(command, argv, 1, info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
}

static void spawn_two(char ***argvs)
{
    char *commands[] = { "./child", "./child" };
    int counts[] = { 1, 1 };
    MPI_Info infos[] = { MPI_INFO_NULL, MPI_INFO_NULL };
    MPI_Comm children;
    MPI_Comm_spawn_multiple(2, commands, argvs, counts, infos, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
}

int main(int argc, char **argv)
{
    char *words[] = { "one", "two words", 0 }, *last[] = { "three", 0 }, **each[] = { words, last };
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "wdir", "/");
    spawn("./child", words, info);
    spawn("./child", MPI_ARGV_NULL, MPI_INFO_NULL);
    spawn_two(each);
    spawn_two(MPI_ARGVS_NULL);
    /* The child finds these only if it starts them by itself. */
    spawn("./a=child", last, MPI_INFO_NULL);
    MPI_Info_set(info, "path", "/nowhere");
    spawn("./child", last, info);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
