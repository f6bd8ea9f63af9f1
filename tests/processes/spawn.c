/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawns two children and talks to them; as a child, talks to its parents.
 *   spawn COMMAND [KEY VALUE]...    KEY and VALUE: info for MPI_Comm_spawn
 *   spawn multiple COMMAND          by MPI_Comm_spawn_multiple, one process each
 * Prints "right". A child's answer is its rank, the size of its world, whether its library is the
 * adapter and the value of the environment variable TOLD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct answer {
    int rank, size, adapted, told;
};

static int is_adapted(void)
{
    Dl_info info;
    return dladdr((void *)MPI_Init, &info) && strstr(info.dli_fname, "mpi-adapter/") != NULL;
}

static int child(MPI_Comm parent)
{
    struct answer answer = { .adapted = is_adapted(), .told = getenv("TOLD") ? atoi(getenv("TOLD")) : -1 };
    int go = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &answer.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &answer.size);
    MPI_Send(&answer, 4, MPI_INT, 0, 7, parent);
    MPI_Bcast(&go, 1, MPI_INT, 0, parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return go != 4711;
}

static int check_answers(MPI_Comm children, int want_adapted)
{
    int good = 1;
    for (int i = 0; i < 2; i++) {
        struct answer answer;
        MPI_Recv(&answer, 4, MPI_INT, i, 7, children, MPI_STATUS_IGNORE);
        good &= answer.rank == i && answer.size == 2;
        if (answer.adapted != want_adapted || answer.told != (getenv("TOLD") ? atoi(getenv("TOLD")) : -1)) {
            fprintf(stderr, "child %d: adapted %d, told %d\n", i, answer.adapted, answer.told);
            good = 0;
        }
    }
    return good;
}

static MPI_Info info_of(char **words)
{
    MPI_Info info = MPI_INFO_NULL;
    if (words[0])
        MPI_Info_create(&info);
    for (; words[0] && words[1]; words += 2)
        MPI_Info_set(info, words[0], words[1]);
    return info;
}

static void start(int argc, char **argv, MPI_Comm *children)
{
    MPI_Info info = MPI_INFO_NULL;
    if (strcmp(argv[1], "multiple") == 0) {
        char *commands[2] = { argv[2], argv[2] };
        MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, (int[2]){ 1, 1 },
                                (MPI_Info[2]){ MPI_INFO_NULL, MPI_INFO_NULL }, 0, MPI_COMM_WORLD, children,
                                MPI_ERRCODES_IGNORE);
        return;
    }
    info = info_of(argv + 2);
    MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 2, info, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    int rank, remote = 0, good = 1, go = 4711;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        return child(parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start(argc, argv, &children);
    MPI_Comm_remote_size(children, &remote);
    /* Children of either ABI. */
    if (rank == 0)
        good = remote == 2 && check_answers(children, getenv("CHILDREN_ADAPTED") ? atoi(getenv("CHILDREN_ADAPTED")) : 1);
    MPI_Bcast(&go, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
    MPI_Comm_disconnect(&children);
    if (rank == 0)
        fputs(good ? "right\n" : "wrong\n", stdout);
    MPI_Finalize();
    return !good;
}
