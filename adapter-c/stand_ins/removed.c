/* SPDX-License-Identifier: BSD-3-Clause */
/* Procedures that MPI-2.0 deprecated and MPI-3.0 removed (MPI-5.0 chapters 16 and 17), on hosts without them. Each calls its successor. */
#include "convert/adapter.h"
#include "layers/built.h"

int built_MPI_Address(const void *location, MPI_Aint *address)
{
    return host.MPI_Get_address(location, address);
}

int built_MPI_Type_extent(host_datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lower;
    return host.MPI_Type_get_extent(datatype, &lower, extent);
}

int built_MPI_Type_lb(host_datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint extent;
    return host.MPI_Type_get_extent(datatype, displacement, &extent);
}

int built_MPI_Type_ub(host_datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint lower = 0, extent = 0;
    int rc = displacement ? host.MPI_Type_get_extent(datatype, &lower, &extent) : fail(HOST_MPI_ERR_ARG);
    if (rc == 0)
        *displacement = lower + extent;
    return rc;
}

int built_MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, host_datatype oldtype, host_datatype *newtype)
{
    return host.MPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

int built_MPI_Type_hindexed(int count, const int *array_of_blocklengths, const MPI_Aint *array_of_displacements,
                            host_datatype oldtype, host_datatype *newtype)
{
    return host.MPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}

int built_MPI_Type_struct(int count, const int *array_of_blocklengths, const MPI_Aint *array_of_displacements,
                          const host_datatype *array_of_types, host_datatype *newtype)
{
    return host.MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}

int built_MPI_Attr_put(host_comm comm, int keyval, void *attribute_val)
{
    return host.MPI_Comm_set_attr(comm, keyval, attribute_val);
}

int built_MPI_Attr_delete(host_comm comm, int keyval)
{
    return host.MPI_Comm_delete_attr(comm, keyval);
}

int built_MPI_Keyval_free(int *keyval)
{
    return host.MPI_Comm_free_keyval(keyval);
}
