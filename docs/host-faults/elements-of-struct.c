/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Get_elements crashes for a structure of different basic datatypes of one size (MPI_DOUBLE, MPI_INT64_T), and for MPI_FLOAT_INT.
 *
 * of: MPICH
 * section: MPI-4.1, 5.1.11 Use of General Datatypes in Communication
 * expected: elements: 6
 * actual: ends
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

struct cell {
    double value;
    int64_t number[2];
};

int main(int argc, char **argv)
{
    struct cell sent[2] = { { 1.0, { 2, 3 } }, { 4.0, { 5, 6 } } }, received[2];
    int lengths[2] = { 1, 2 }, count = -1;
    MPI_Aint places[2] = { 0, 8 };
    MPI_Datatype types[2] = { MPI_DOUBLE, MPI_INT64_T }, type;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(sent, 2, type, 0, 0, received, 2, type, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_elements(&status, type, &count);
    printf("elements: %d\n", count);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
