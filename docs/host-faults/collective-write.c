/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_File_write_at_all leaves parts of the file unwritten, or with other bytes, where several processes collect the data (cb_nodes).
 *
 * of: Open MPI
 * section: MPI-4.1, 14.4.2 Data Access with Explicit Offsets
 * ranks: 4
 * tries: 5
 * expected: all is written
 * actual: bytes are lost
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 60, MOST = 400 };

static int length(int round, int rank)
{
    return 30 + (round * 37 + rank * 101) % 300;
}

int main(int argc, char **argv)
{
    char path[64] = "", piece[MOST], got[MOST];
    int rank, size, lost = 0, offset = 0;
    MPI_File file;
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(path, sizeof path, "/tmp/collective-write.%d", (int)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_nodes", "4");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, info, &file);
    memset(piece, 'x', sizeof piece);
    for (int round = 0; round < ROUNDS; ++round)
        for (int i = 0; i < size; offset += length(round, i++))
            if (i == rank) {
                int mine = length(round, rank);
                MPI_File_write_at_all(file, offset, piece, mine, MPI_BYTE, MPI_STATUS_IGNORE);
                memset(got, 0, sizeof got);
                MPI_File_sync(file);
                MPI_File_read_at(file, offset, got, mine, MPI_BYTE, MPI_STATUS_IGNORE);
                lost |= memcmp(got, piece, mine) != 0;
            }
    MPI_Allreduce(MPI_IN_PLACE, &lost, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (rank == 0)
        puts(lost ? "bytes are lost" : "all is written");
    MPI_Info_free(&info);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
