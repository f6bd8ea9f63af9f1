/* SPDX-License-Identifier: BSD-3-Clause */
/* A part that uses its MPI's data: addresses that are constants, of C and of its Fortran (data.f90), and functions by their address. Executables
 * that are not position-independent have copies of data and addresses of functions, which the libraries of both MPIs may find. With MAIN, the
 * program. Prints what is wrong. */
#include <mpi.h>
#include <stdio.h>

int program_data(void), library_data(void);
void PART_FORTRAN(int *right);
void PART_CHECK(MPI_Fint *status, MPI_Fint *statuses, int *right);

#ifdef MAIN
#define OWN "program"
#define PART_DATA program_data
#else
#define OWN "library"
#define PART_DATA library_data
#endif

#define CHECK(condition) do { if (!(condition)) printf("the " OWN ": %s\n", #condition), wrong++; } while (0)

/* MPICH knows the addresses when Fortran has initialized MPI. */
void PART_CHECK(MPI_Fint *status, MPI_Fint *statuses, int *right)
{
    *right = (!MPI_F_STATUS_IGNORE || status == MPI_F_STATUS_IGNORE) && (!MPI_F_STATUSES_IGNORE || statuses == MPI_F_STATUSES_IGNORE);
}

static int graphs(void)
{
    int zero = 0, seven = 7, from = 0, from_weight = 0, to = 0, to_weight = 0, in = 0, out = 0, has_weights = 1, wrong = 0;
    int *none = MPI_UNWEIGHTED, *empty = MPI_WEIGHTS_EMPTY;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &zero, none, 1, &zero, none, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &has_weights);
    CHECK(in == 1 && out == 1 && !has_weights);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, &zero, &seven, 1, &zero, &seven, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors(graph, 1, &from, &from_weight, 1, &to, &to_weight);
    CHECK(from_weight == 7 && to_weight == 7);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, &zero, empty, 0, &zero, empty, MPI_INFO_NULL, 0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &has_weights);
    CHECK(in == 0 && out == 0 && has_weights);
    MPI_Comm_free(&graph);
    return wrong;
}

static int functions(void)
{
    int kept, left_out, value = 0, *found = 0, is_set = 0, wrong = 0;
    MPI_Comm copy;
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, 0);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &left_out, 0);
    MPI_Comm_set_attr(MPI_COMM_SELF, kept, &value);
    MPI_Comm_set_attr(MPI_COMM_SELF, left_out, &value);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_get_attr(copy, kept, &found, &is_set);
    CHECK(is_set && found == &value);
    MPI_Comm_get_attr(copy, left_out, &found, &is_set);
    CHECK(!is_set);
    MPI_Comm_free(&copy);
    MPI_Comm_delete_attr(MPI_COMM_SELF, kept);
    MPI_Comm_delete_attr(MPI_COMM_SELF, left_out);
    return wrong;
}

int PART_DATA(void)
{
    int (*volatile size_of)(MPI_Comm, int *) = MPI_Comm_size;
    MPI_Status *ignored = MPI_STATUSES_IGNORE;
    int fortran_is_right = 0, one = 1, sum = 1, size = 0, wrong = 0;
    MPI_Request request;
    PART_FORTRAN(&fortran_is_right);
    CHECK(fortran_is_right);
    MPI_Isend(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Waitall(1, &request, ignored);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    size_of(MPI_COMM_SELF, &size);
    CHECK(sum == 1 && size == 1);
    return wrong + graphs() + functions();
}

#ifdef MAIN
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    puts(program_data() + library_data() + program_data() == 0 ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
#endif
