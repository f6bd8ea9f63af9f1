/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A token goes round the ranks, each rank talks with each other, and sums are checked.  Rank 0 prints
 * a line for each rank: its number, its host, the pair that it runs on and whether its results are right.
 *   ring             only that
 *   ring NAME        and the value that each rank has of a variable of the environment
 *   ring --daemons   and, for each process above the rank up to the first of its host, its name and
 *                    whether the adapter is in its memory or in its environment
 *   ring --spawn N   nothing of that, but N processes are spawned, which do
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 4096, LARGE = 50000 };

static int rank, size;

/* The whole of a file of /proc, with its null characters as newlines. */
static char *contents(const char *format, int pid)
{
    char name[64], *text = calloc(1, 1 << 20);
    snprintf(name, sizeof name, format, pid);
    FILE *file = fopen(name, "r");
    size_t length = file ? fread(text, 1, (1 << 20) - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < length; i++)
        if (!text[i])
            text[i] = '\n';
    return text;
}

/* The folder of the MPI library in memory, if it is a pair's. */
static void find_pair(char *pair)
{
    char *maps = contents("/proc/%d/maps", getpid()), *found = strstr(maps, "/lib/mpi-adapter/");
    strcpy(pair, "native");
    if (found)
        sscanf(found, "/lib/mpi-adapter/%63[^/]", pair);
    free(maps);
}

static int parent_of(int pid)
{
    char *status = contents("/proc/%d/status", pid), *line = strstr(status, "\nPPid:");
    int parent = line ? atoi(line + strlen("\nPPid:")) : 0;
    free(status);
    return parent;
}

static void append_text(char *line, const char *text)
{
    strncat(line, text, LINE - 1 - strlen(line));
}

static void add_daemons(char *line)
{
    for (int pid = parent_of(getpid()); pid > 1; pid = parent_of(pid)) {
        char *name = contents("/proc/%d/comm", pid), *maps = contents("/proc/%d/maps", pid);
        char *environment = contents("/proc/%d/environ", pid);
        name[strcspn(name, "\n")] = '\0';
        append_text(line, " ");
        append_text(line, name);
        append_text(line, strstr(maps, "/lib/mpi-adapter/") ? ":mapped" : "");
        append_text(line, strstr(environment, "/lib/mpi-adapter/") ? ":environment" : ":clean");
        free(name);
        free(maps);
        free(environment);
    }
}

static int token_returns(void)
{
    int token = 0, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Irecv(&token, 1, MPI_INT, left, 7, MPI_COMM_WORLD, &request);
    if (rank > 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    int next = token + rank;
    MPI_Send(&next, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
    if (rank > 0)
        return token == rank * (rank - 1) / 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return token == size * (size - 1) / 2;
}

/* Every pair of ranks, both ways. */
static int exchange(int count)
{
    double *mine = calloc(count, sizeof *mine), *theirs = calloc(count, sizeof *theirs);
    int good = 1, received;
    MPI_Status status;
    for (int step = 0; step < size; step++) {
        int peer = (step + size - rank) % size;
        mine[0] = mine[count - 1] = 100.0 * rank + peer;
        MPI_Sendrecv(mine, count, MPI_DOUBLE, peer, step, theirs, count, MPI_DOUBLE, peer, step, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &received);
        good = good && received == count && status.MPI_SOURCE == peer && status.MPI_TAG == step &&
               theirs[0] == 100.0 * peer + rank && theirs[count - 1] == theirs[0];
    }
    free(mine);
    free(theirs);
    return good;
}

static int sums(void)
{
    long mine = rank + 1, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all == (long)size * (size + 1) / 2;
}

static void spawn(char *command, int count)
{
    MPI_Comm children;
    MPI_Comm_spawn(command, MPI_ARGV_NULL, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&children);
}

static void leave_parent(void)
{
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        MPI_Comm_disconnect(&parent);
}

static int work(int argc, char **argv)
{
    char line[LINE] = "", host[MPI_MAX_PROCESSOR_NAME], pair[64], *lines;
    int length, good;
    MPI_Get_processor_name(host, &length);
    find_pair(pair);
    good = token_returns();
    good &= exchange(1);
    good &= exchange(LARGE);
    good &= sums();
    snprintf(line, sizeof line, "rank %d of %d on %s: %s, %s", rank, size, host, pair, good ? "right" : "WRONG");
    if (argc > 1 && strcmp(argv[1], "--daemons") == 0) {
        append_text(line, ", below");
        add_daemons(line);
    } else if (argc > 1) {
        append_text(line, ", ");
        append_text(line, getenv(argv[1]) ? getenv(argv[1]) : "(unset)");
    }
    lines = calloc(size, LINE);
    MPI_Gather(line, LINE, MPI_CHAR, lines, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        puts(lines + (size_t)i * LINE);
    fflush(stdout);
    free(lines);
    leave_parent();
    return good;
}

int main(int argc, char **argv)
{
    int good = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && strcmp(argv[1], "--spawn") == 0)
        spawn(argv[0], atoi(argv[2]));
    else
        good = work(argc, argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return good ? 0 : 1;
}
