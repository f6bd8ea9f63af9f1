/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a matrix by collective parallel HDF5, each rank its interleaved rows, reads a neighbour's
 * part back and prints which MPI library ran.   hdf5 FILE */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_EACH = 3, COLUMNS = 8 };

static int rank, size;

static void fill(int rows[ROWS_EACH][COLUMNS], int of)
{
    for (int i = 0; i < ROWS_EACH; i++)
        for (int j = 0; j < COLUMNS; j++)
            rows[i][j] = (i * size + of) * 100 + j;
}

/* Rows of, of + size, of + 2 size... of the matrix. */
static hid_t rows_of(hid_t dataset, int of)
{
    hid_t space = H5Dget_space(dataset);
    hsize_t start[2] = { (hsize_t)of, 0 }, stride[2] = { (hsize_t)size, 1 }, count[2] = { ROWS_EACH, COLUMNS };
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
    return space;
}

static hid_t create(const char *path, hid_t access, hid_t *dataset)
{
    hsize_t all[2] = { (hsize_t)(ROWS_EACH * size), COLUMNS };
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), space = H5Screate_simple(2, all, NULL);
    *dataset = H5Dcreate2(file, "matrix", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    return file;
}

static int collective(hid_t transfer)
{
    H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
    H5Pget_mpio_actual_io_mode(transfer, &mode);
    return mode != H5D_MPIO_NO_COLLECTIVE;
}

int main(int argc, char **argv)
{
    int mine[ROWS_EACH][COLUMNS], got[ROWS_EACH][COLUMNS], want[ROWS_EACH][COLUMNS], good = 1, all = 0, length;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    hsize_t part[2] = { ROWS_EACH, COLUMNS };
    hid_t dataset;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t memory = H5Screate_simple(2, part, NULL), file = create(argv[1], access, &dataset);
    fill(mine, rank);
    hid_t space = rows_of(dataset, rank);
    good &= H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, transfer, mine) >= 0 && collective(transfer);
    H5Sclose(space);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    MPI_Barrier(MPI_COMM_WORLD);
    int next = (rank + 1) % size;
    fill(want, next);
    space = rows_of(dataset, next);
    good &= H5Dread(dataset, H5T_NATIVE_INT, memory, space, transfer, got) >= 0 && memcmp(got, want, sizeof got) == 0;
    H5Sclose(space);
    H5Sclose(memory);
    H5Dclose(dataset);
    good &= H5Fclose(file) >= 0;
    H5Pclose(access);
    H5Pclose(transfer);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Get_library_version(version, &length);
    const char *host = strstr(version, ", adapted by MPI-Adapter ");
    host = host ? strstr(host, " to ") + strlen(" to ") : version;
    if (rank == 0)
        printf("%s: %d ranks, %.*s\n", all ? "right" : "wrong", size, (int)strcspn(host, ",\n"), host);
    MPI_Finalize();
    return !all;
}
