/* SPDX-License-Identifier: BSD-3-Clause */
/* The proposed fault tolerance of MPI (ULFM) where nothing fails, for two processes: prints what each procedure does, or "refused". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm, smaller;
static int rank;

/* Says "refused" of a call that fails because the host lacks the procedure; ends the program for another error. */
static int succeeds(const char *name, int code)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    if (class != MPI_SUCCESS && class != MPI_ERR_UNSUPPORTED_OPERATION)
        MPI_Abort(MPI_COMM_WORLD, class);
    if (rank == 0)
        printf("%s%s", name, class == MPI_SUCCESS ? "=" : " refused\n");
    return class == MPI_SUCCESS;
}

static void says(int value)
{
    if (rank == 0)
        printf("%d\n", value);
}

static void agree(void)
{
    int flags = rank == 0 ? 6 : 3;
    if (succeeds("agree", MPIX_Comm_agree(comm, &flags)))
        says(flags);
}

static void list_failed(void)
{
    MPI_Group failed;
    if (succeeds("acknowledge", MPIX_Comm_failure_ack(comm)))
        says(0);
    if (succeeds("failed", MPIX_Comm_failure_get_acked(comm, &failed))) {
        says(failed == MPI_GROUP_EMPTY);
        MPI_Group_free(&failed);
    }
}

/* A communicator that MPIX_Comm_shrink made is one as others are. */
static void shrink(const char *name)
{
    int sum = 0, one = 1;
    if (!succeeds(name, MPIX_Comm_shrink(comm, &smaller)))
        return;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, smaller);
    says(sum);
    MPI_Comm_free(&smaller);
}

static void revoke(void)
{
    int class;
    if (!succeeds("revoke", MPIX_Comm_revoke(comm)))
        return;
    MPI_Error_class(MPI_Barrier(comm), &class);
    says(class == MPIX_ERR_REVOKED);
    shrink("shrink of a revoked one");
}

/* Open MPI's attribute tells whether the job tolerates faults. An MPI that knows nothing of it has not set it. */
static void ask_attribute(void)
{
#ifdef MPIX_FT
    void *value = NULL;
    int flag = -1, named_flag = -1;
    MPI_Comm_get_attr(comm, MPIX_FT, &value, &flag);
    MPI_Attr_get(comm, MPI_FT, &value, &named_flag);
    if (rank == 0)
        printf("attribute=%d,%d\n", flag, named_flag);
    if (rank == 0 && (MPI_Comm_get_attr(MPI_COMM_NULL, MPIX_FT, &value, &flag) == MPI_SUCCESS ||
                      MPI_Comm_get_attr(comm, MPIX_FT, NULL, &flag) == MPI_SUCCESS ||
                      MPI_Comm_get_attr(comm, MPIX_FT, &value, NULL) == MPI_SUCCESS))
        printf("of bad arguments, too\n");
#endif
}

int main(int argc, char **argv)
{
    setenv("OMPI_MCA_mpi_ft_enable", "true", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ask_attribute();
    if (argc > 1) {
        agree();
        list_failed();
        shrink("shrink");
        revoke();
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
