/* A staged array of no elements is not initialized, nor read. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include "convert/distinct_datatype.h"
#include "requests/retained_datatypes.h"

/* abi-tables/procedures:3, by templates/parameters.tpl: comm1 [handle in scalar], comm2 [handle in scalar], result [value out scalar] */
PROCEDURE(app_code, MPI_Comm_compare, app_comm comm1, app_comm comm2, int *result)
{
    host_comm its_comm1 = comm_to_host(comm1);
    host_comm its_comm2 = comm_to_host(comm2);
    host_code rc = host.MPI_Comm_compare(its_comm1, its_comm2, result);
    if (likely(rc == 0)) {
        *result = comparison_to_app(*result);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:4, by templates/parameters.tpl: comm [handle in scalar], comm_name [STRING_OUT out], resultlen [same] */
PROCEDURE(app_code, MPI_Comm_get_name, app_comm comm, char *comm_name, int *resultlen)
{
    host_comm its_comm = comm_to_host(comm);
    char its_comm_name[HOST_MPI_MAX_OBJECT_NAME + 1];
    host_code rc = host.MPI_Comm_get_name(its_comm, comm_name ? its_comm_name : 0, resultlen);
    if (likely(rc == 0)) {
        copy_prose(comm_name, its_comm_name, APP_MPI_MAX_OBJECT_NAME, resultlen);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:6, by templates/parameters.tpl: group1 [handle in scalar], n [same], ranks1 [value in array], group2 [handle in scalar], ranks2 [value out array] */
PROCEDURE(app_code, MPI_Group_translate_ranks, app_group group1, int n, const int *ranks1, app_group group2, int *ranks2)
{
    host_group its_group1 = group_to_host(group1);
    int local_ranks1[STAGE_LOCAL], *its_ranks1 = stage_ints(local_ranks1, ranks1, n, rank_to_host);
    host_group its_group2 = group_to_host(group2);
    host_code rc = unlikely(IS_LACKING(its_ranks1, ranks1)) ? fail(HOST_MPI_ERR_NO_MEM) : host.MPI_Group_translate_ranks(its_group1, n, its_ranks1, its_group2, ranks2);
    unstage(its_ranks1, local_ranks1);
    if (likely(rc == 0)) {
        for (int i = 0; i < n; i++) ranks2[i] = rank_to_app(ranks2[i]);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:7, by templates/parameters.tpl: buf [same], count [same], datatype [handle in scalar], dest [value in scalar], tag [same], comm [handle in scalar], request [handle lent out scalar] */
PROCEDURE(app_code, MPI_Isend, const void *buf, int count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Isend(buf, count, its_datatype, its_dest, tag, its_comm, request_lend(request));
    if (likely(rc == 0)) {
        request_settle(request);
    } else {
        request_spoil(request);
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:7, by templates/parameters.tpl: buf [same], count [same], datatype [handle in scalar], dest [value in scalar], tag [same], comm [handle in scalar], request [handle lent out scalar] */
PROCEDURE(app_code, MPI_Isend_c, const void *buf, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm, app_request *request)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Isend_c(buf, count, its_datatype, its_dest, tag, its_comm, request_lend(request));
    if (likely(rc == 0)) {
        request_settle(request);
    } else {
        request_spoil(request);
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:8, by templates/parameters.tpl: buf [same], count [same], datatype [handle in scalar], source [value in scalar], tag [same], comm [handle in scalar], status [STATUS out scalar] */
PROCEDURE(app_code, MPI_Recv, void *buf, int count, app_datatype datatype, int source, int tag, app_comm comm, app_status *status)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_source = rank_to_host(source);
    host_comm its_comm = comm_to_host(comm);
    host_status its_status_room, *its_status = status_room(&its_status_room, status);
    host_code rc = host.MPI_Recv(buf, count, its_datatype, its_source, tag, its_comm, its_status);
    if (!IS_IGNORED(status)) status_returned(status, &its_status_room);
    if (unlikely(rc != 0)) {
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
    host_status its_status_room, *its_status = status_room(&its_status_room, status);
    host_code rc = host.MPI_Recv_c(buf, count, its_datatype, its_source, tag, its_comm, its_status);
    if (!IS_IGNORED(status)) status_returned(status, &its_status_room);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:9, by templates/parameters.tpl: count [same], lengths [same], displs [same], types [DATATYPE distinct in array], newtype [handle out scalar] */
PROCEDURE(app_code, MPI_Type_create_struct, int count, const int *lengths, const MPI_Aint *displs, const app_datatype *types, app_datatype *newtype)
{
    if (unlikely(newtype == 0)) return raise_error(HOST_MPI_ERR_ARG);
    host_datatype local_types[STAGE_LOCAL], *its_types = stage_datatype(local_types, types, count); distinguish_datatypes(its_types, types, count);
    host_datatype its_newtype;
    host_code rc = unlikely(IS_LACKING(its_types, types)) ? fail(HOST_MPI_ERR_NO_MEM) : host.MPI_Type_create_struct(count, lengths, displs, its_types, &its_newtype);
    unstage(its_types, local_types);
    if (likely(rc == 0)) {
        *newtype = datatype_at(&its_newtype);
    } else {
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
    host_code rc = unlikely(IS_LACKING(its_types, types)) ? fail(HOST_MPI_ERR_NO_MEM) : host.MPI_Type_create_struct_c(count, lengths, displs, its_types, &its_newtype);
    unstage(its_types, local_types);
    if (likely(rc == 0)) {
        *newtype = datatype_at(&its_newtype);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:10, by templates/parameters.tpl: assert [value in scalar], win [handle in scalar] */
PROCEDURE(app_code, MPI_Win_fence, int assert, app_win win)
{
    int its_assert = rma_assert_to_host(assert);
    host_win its_win = win_to_host(win);
    host_code rc = host.MPI_Win_fence(its_assert, its_win);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

/* abi-tables/procedures:11, by templates/parameters.tpl: assert [value in scalar], win [handle in scalar] */
PROCEDURE(app_code, MPIX_Fence, int assert, app_win win)
{
    int its_assert = rma_assert_to_host(assert);
    host_win its_win = win_to_host(win);
    host_code rc = host.MPI_Win_fence(its_assert, its_win);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}
