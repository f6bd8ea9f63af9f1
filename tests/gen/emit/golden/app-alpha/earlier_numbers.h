#define EARLIER_DATATYPES(each) 
#define F08_VARIABLES(each) each(alpha_f08_mpi_byte, 1, 1) each(alpha_f08_mpi_comm_self, 3, 2) each(alpha_f08_mpi_comm_world, 2, 3) each(__mpi_f08_MOD_mpi_byte, 1, 1) each(__mpi_f08_MOD_mpi_comm_self, 3, 2) each(__mpi_f08_MOD_mpi_comm_world, 2, 3)
