#ifndef FORTRAN_PROTOTYPES_H
#define FORTRAN_PROTOTYPES_H
#include "base/share.h"

app_code MPI_Comm_get_name(app_comm comm, char *comm_name, int *resultlen);
app_code direct_MPI_Comm_get_name(app_comm comm, char *comm_name, int *resultlen) __asm__("PMPI_Comm_get_name");
app_code MPI_Finalize(void);
app_code direct_MPI_Finalize(void) __asm__("PMPI_Finalize");
app_code MPI_Group_translate_ranks(app_group group1, int n, const int *ranks1, app_group group2, int *ranks2);
app_code direct_MPI_Group_translate_ranks(app_group group1, int n, const int *ranks1, app_group group2, int *ranks2) __asm__("PMPI_Group_translate_ranks");
app_code MPI_Isend(const void *buf, int count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request);
app_code direct_MPI_Isend(const void *buf, int count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request) __asm__("PMPI_Isend");
app_code MPI_Isend_c(const void *buf, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request);
app_code direct_MPI_Isend_c(const void *buf, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request) __asm__("PMPI_Isend_c");
app_code MPI_Recv(void *buf, int count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status);
app_code direct_MPI_Recv(void *buf, int count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status) __asm__("PMPI_Recv");
app_code MPI_Recv_c(void *buf, MPI_Count count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status);
app_code direct_MPI_Recv_c(void *buf, MPI_Count count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status) __asm__("PMPI_Recv_c");
app_code MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displs, const app_datatype *types, app_datatype *newtype);
app_code direct_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displs, const app_datatype *types, app_datatype *newtype) __asm__("PMPI_Type_create_struct");
app_code MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const app_datatype *types, app_datatype *newtype);
app_code direct_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const app_datatype *types, app_datatype *newtype) __asm__("PMPI_Type_create_struct_c");

#endif
