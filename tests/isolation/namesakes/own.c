/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for the library in which an Open MPI that offers the standard ABI keeps its own: names of it are names that
 * Open MPI's programs, and the adapter for them, have, too. */
char ompi_mpi_comm_world[512] = "the host's data";
char *const kept = ompi_mpi_comm_world;

const char *ompi_op_set_cxx_callback(void) { return "the host's function"; }

/* By the slots of this library. */
const char *seen_data(void) { return ompi_mpi_comm_world; }
const char *seen_pointer(void) { return kept; }
const char *seen_function(void) { return ompi_op_set_cxx_callback(); }
