/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that MPI-3.0 removed, and those of attributes that MPI-2.0 replaced and not every library of the standard ABI has, by today's
   procedures. mpi.h includes this for programs that define MPI_ADAPTER_REMOVED. */
#ifndef MPI_ADAPTER_REMOVED_H
#define MPI_ADAPTER_REMOVED_H

#ifdef __cplusplus
extern "C" {
#endif

/* MPI_LB and MPI_UB mark the bounds of a type that MPI_Type_struct makes, and are no datatypes elsewhere. */
extern char mpi_adapter_lb, mpi_adapter_ub;
#define MPI_LB ((MPI_Datatype)(void *)&mpi_adapter_lb)
#define MPI_UB ((MPI_Datatype)(void *)&mpi_adapter_ub)

/* Makes a type of members, as MPI_Type_create_struct does, whose bounds are those of markers among them. */
int mpi_adapter_type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[], MPI_Datatype *type);

/* Sets *extent to that of MPI_Type_get_extent. */
int mpi_adapter_type_extent(MPI_Datatype type, MPI_Aint *extent);

/* Sets *displacement to the lower bound of MPI_Type_get_extent. */
int mpi_adapter_type_lb(MPI_Datatype type, MPI_Aint *displacement);

/* Sets *displacement to the upper bound: the lower one and the extent of MPI_Type_get_extent. */
int mpi_adapter_type_ub(MPI_Datatype type, MPI_Aint *displacement);

#ifdef __cplusplus
}
#endif

typedef MPI_Comm_errhandler_function MPI_Handler_function;
#define MPI_Address MPI_Get_address
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_get MPI_Comm_get_errhandler
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Type_extent mpi_adapter_type_extent
#define MPI_Type_hindexed MPI_Type_create_hindexed
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_lb mpi_adapter_type_lb
#define MPI_Type_struct mpi_adapter_type_struct
#define MPI_Type_ub mpi_adapter_type_ub

#define MPI_Attr_delete MPI_Comm_delete_attr
#define MPI_Attr_get MPI_Comm_get_attr
#define MPI_Attr_put MPI_Comm_set_attr
#define MPI_Keyval_create MPI_Comm_create_keyval
#define MPI_Keyval_free MPI_Comm_free_keyval

#endif
