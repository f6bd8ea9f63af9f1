/* A staged array of no elements is not initialized, nor read. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include "keep/distinct_datatype.h"
#include "keep/retained_datatypes.h"

/* abi-tables/procedures:4, by templates/parameters.tpl: comm [handle in scalar], comm_name [same], resultlen [same] */
PROCEDURE(app_code, MPI_Comm_get_name, app_comm comm, char *comm_name, int *resultlen)
{
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Comm_get_name(its_comm, comm_name, resultlen);
    if (unlikely(has_failed(rc))) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:7, by templates/parameters.tpl: buf [same], count [same], datatype [handle in scalar], dest [value in scalar], tag [same], comm [handle in scalar], request [handle out scalar] */
PROCEDURE(app_code, MPI_Isend_c, const void *buf, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request)
{
    if (unlikely(request == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_request its_request;
    host_code rc = host.MPI_Isend_c(buf, count, its_datatype, its_dest, tag, its_comm, &its_request);
    if (likely(rc == 0)) {
        *request = request_at(&its_request);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:8, by templates/parameters.tpl: buf [same], count [same], datatype [handle in scalar], source [value in scalar], tag [same], comm [handle in scalar], status [STATUS out scalar] */
PROCEDURE(app_code, MPI_Recv_c, void *buf, MPI_Count count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_source = rank_to_host(source);
    host_comm its_comm = comm_to_host(comm);
    STATUS_ROOM(its_status, status)
    host_code rc = host.MPI_Recv_c(buf, count, its_datatype, its_source, tag, its_comm, its_status_argument);
    if (!IS_IGNORED(status)) status_returned(status, &its_status);
    if (unlikely(has_failed(rc))) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:9, by templates/parameters.tpl: count [same], lengths [same], displs [same], types [DATATYPE distinct in array], newtype [handle out scalar] */
PROCEDURE(app_code, MPI_Type_create_struct_c, MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const app_datatype *types, app_datatype *newtype)
{
    if (unlikely(newtype == 0)) return raise_error(HOST_MPI_ERR_ARG);
    host_datatype local_types[STAGE_LOCAL], *its_types = stage_datatype(local_types, types, count); distinguish_datatypes(its_types, types, count);
    host_datatype its_newtype;
    host_code rc = host.MPI_Type_create_struct_c(count, lengths, displs, its_types, &its_newtype);
    unstage(its_types, local_types);
    if (likely(rc == 0)) {
        *newtype = datatype_at(&its_newtype);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}
