/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: 1 2 */
/* Callbacks during MPI_Finalize: attributes on MPI_COMM_SELF are deleted in
 * reverse order, while MPI still works. */
#include "check.h"

static int deleted[3], count, wrong, keyvals[3];

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int flag = 1, rank = -1, sum = 0, one = 1;
    wrong += comm != MPI_COMM_SELF || extra != &keyvals;
    wrong += MPI_Finalized(&flag) != MPI_SUCCESS || flag;
    wrong += MPI_Initialized(&flag) != MPI_SUCCESS || !flag;
    wrong += MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || rank != check_rank;
    wrong += MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF) != MPI_SUCCESS || sum != 1;
    for (int i = 0; i < 3; i++)
        if (keyval == keyvals[i]) {
            wrong += value != &keyvals[i];
            if (count < 3)
                deleted[count] = i;
            count++;
        }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int flag = 0;
    check_begin(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyvals[i], &keyvals));
        OK(MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &keyvals[i]));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalized(&flag);
    CHECK_INT(flag, 1);
    flag = 0;
    if (!known_fault("initialized-after-end"))
        CHECK(MPI_Initialized(&flag) == MPI_SUCCESS && flag == 1);
    CHECK_INT(count, 3);
    CHECK_INT(deleted[0], 2);
    CHECK_INT(deleted[1], 1);
    CHECK_INT(deleted[2], 0);
    CHECK_INT(wrong, 0);
    if (check_rank == 0 && check_failures == 0)
        printf("ok finalize\n");
    return check_failures != 0;
}
