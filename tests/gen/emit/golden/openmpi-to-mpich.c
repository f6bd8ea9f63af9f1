PROCEDURE(app_code, MPI_Allreduce, const void *sendbuf, void *recvbuf, int count, app_datatype datatype, app_op op, app_comm comm)
{
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    host_datatype its_datatype = reduced_datatype(datatype, op);
    host_op its_op = op_to_host(op);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Allreduce((void *)its_sendbuf, (void *)its_recvbuf, count, its_datatype, its_op, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Allreduce_c, const void *sendbuf, void *recvbuf, MPI_Count count, app_datatype datatype, app_op op, app_comm comm)
{
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    host_datatype its_datatype = reduced_datatype(datatype, op);
    host_op its_op = op_to_host(op);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Allreduce_c((void *)its_sendbuf, (void *)its_recvbuf, count, its_datatype, its_op, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Cart_rank, app_comm comm, const int *coords, int *rank)
{
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Cart_rank(its_comm, coords, rank);
    if (likely(rc == 0)) {
        *rank = rank_to_app(*rank);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Comm_compare, app_comm comm1, app_comm comm2, int *result)
{
    host_comm its_comm1 = comm_to_host(comm1);
    host_comm its_comm2 = comm_to_host(comm2);
    host_code rc = host.MPI_Comm_compare(its_comm1, its_comm2, result);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Comm_connect, const char *port_name, app_info info, int root, app_comm comm, app_comm *newcomm)
{
    const int counts_at_root = is_root(rank_to_host(root), comm_to_host(comm));
    if (unlikely(counts_at_root < 0)) return error_to_app((host_code)-counts_at_root);
    const host_info its_info = counts_at_root ? info_to_host(info) : IGNORED_INFO; if (unlikely(counts_at_root && is_no_info(info, its_info))) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_INFO);
    if (unlikely(newcomm == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    const char *its_port_name = counts_at_root ? port_name : "";
    int its_root = rank_to_host(root);
    host_comm its_comm = comm_to_host(comm);
    host_comm its_newcomm;
    host_code rc = host.MPI_Comm_connect((const char *)its_port_name, its_info, its_root, its_comm, &its_newcomm);
    if (likely(rc == 0)) {
        *newcomm = comm_at(&its_newcomm);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Comm_split, app_comm comm, int color, int key, app_comm *newcomm)
{
    if (unlikely(newcomm == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    host_comm its_comm = comm_to_host(comm);
    host_comm its_newcomm;
    host_code rc = host.MPI_Comm_split(its_comm, color, key, &its_newcomm);
    if (likely(rc == 0)) {
        *newcomm = comm_at(&its_newcomm);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Dist_graph_create, app_comm comm_old, int n, const int *sources, const int *degrees, const int *destinations, const int *weights, app_info info, int reorder, app_comm *comm_dist_graph)
{
    const host_info its_info = info_to_host(info); if (unlikely(is_no_info(info, its_info))) return raise_comm(comm_to_host(comm_old), HOST_MPI_ERR_INFO);
    if (unlikely(comm_dist_graph == 0)) return raise_comm(comm_to_host(comm_old), HOST_MPI_ERR_ARG);
    host_comm its_comm_old = comm_to_host(comm_old);
    void *its_weights = weights_to_host(weights);
    host_comm its_comm_dist_graph;
    host_code rc = host.MPI_Dist_graph_create(its_comm_old, n, sources, degrees, destinations, (const int *)its_weights, its_info, reorder, &its_comm_dist_graph);
    if (likely(rc == 0)) {
        *comm_dist_graph = comm_at(&its_comm_dist_graph);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_File_open, app_comm comm, const char *filename, int amode, app_info info, app_file *fh)
{
    if (unlikely(fh == 0)) return raise_file(HOST_NULL_file, HOST_MPI_ERR_ARG);
    host_comm its_comm = comm_to_host(comm);
    host_info its_info = info_to_host(info);
    host_file its_fh = HOST_FILE_FROM(NO_HANDLE);
    host_code rc = host.MPI_File_open(its_comm, filename, amode, its_info, &its_fh);
    if (likely(rc == 0)) {
        if (likely(HOST_FILE_BITS(its_fh) != NO_HANDLE)) *fh = file_at(&its_fh);
    } else {
        if (HOST_FILE_BITS(its_fh) != NO_HANDLE) *fh = file_to_app(its_fh);
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_File_read_at, app_file fh, MPI_Offset offset, void *buf, int count, app_datatype datatype, app_status *status)
{
    host_file its_fh = file_to_host(fh);
    host_datatype its_datatype = datatype_to_host(datatype);
    host_status its_status; status_to_host(&its_status, status);
    host_code rc = host.MPI_File_read_at(its_fh, offset, buf, count, its_datatype, IS_IGNORED(status) ? HOST_MPI_STATUS_IGNORE : &its_status);
    if (!IS_IGNORED(status)) status_to_app(status, &its_status);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_File_read_at_c, app_file fh, MPI_Offset offset, void *buf, MPI_Count count, app_datatype datatype, app_status *status)
{
    host_file its_fh = file_to_host(fh);
    host_datatype its_datatype = datatype_to_host(datatype);
    host_status its_status; status_to_host(&its_status, status);
    host_code rc = host.MPI_File_read_at_c(its_fh, offset, buf, count, its_datatype, IS_IGNORED(status) ? HOST_MPI_STATUS_IGNORE : &its_status);
    if (!IS_IGNORED(status)) status_to_app(status, &its_status);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Gather, const void *sendbuf, int sendcount, app_datatype sendtype, void *recvbuf, int recvcount, app_datatype recvtype, int root, app_comm comm)
{
    const int counts_sent_to_root = exchanges_block(coll_buffer_to_host(sendbuf), rank_to_host(root));
    if (unlikely(counts_sent_to_root < 0)) return error_to_app((host_code)-counts_sent_to_root);
    const int counts_at_root = is_root(rank_to_host(root), comm_to_host(comm));
    if (unlikely(counts_at_root < 0)) return error_to_app((host_code)-counts_at_root);
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    const int its_sendcount = counts_sent_to_root ? sendcount : IGNORED_COUNT(counts_sent_to_root);
    host_datatype its_sendtype = counts_sent_to_root ? datatype_to_host(sendtype) : IGNORED_DATATYPE;
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    const int its_recvcount = counts_at_root ? recvcount : IGNORED_COUNT(counts_at_root);
    host_datatype its_recvtype = counts_at_root ? datatype_to_host(recvtype) : IGNORED_DATATYPE;
    int its_root = rank_to_host(root);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Gather((void *)its_sendbuf, its_sendcount, its_sendtype, (void *)its_recvbuf, its_recvcount, its_recvtype, its_root, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Gather_c, const void *sendbuf, MPI_Count sendcount, app_datatype sendtype, void *recvbuf, MPI_Count recvcount, app_datatype recvtype, int root, app_comm comm)
{
    const int counts_sent_to_root = exchanges_block(coll_buffer_to_host(sendbuf), rank_to_host(root));
    if (unlikely(counts_sent_to_root < 0)) return error_to_app((host_code)-counts_sent_to_root);
    const int counts_at_root = is_root(rank_to_host(root), comm_to_host(comm));
    if (unlikely(counts_at_root < 0)) return error_to_app((host_code)-counts_at_root);
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    const MPI_Count its_sendcount = counts_sent_to_root ? sendcount : IGNORED_COUNT(counts_sent_to_root);
    host_datatype its_sendtype = counts_sent_to_root ? datatype_to_host(sendtype) : IGNORED_DATATYPE;
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    const MPI_Count its_recvcount = counts_at_root ? recvcount : IGNORED_COUNT(counts_at_root);
    host_datatype its_recvtype = counts_at_root ? datatype_to_host(recvtype) : IGNORED_DATATYPE;
    int its_root = rank_to_host(root);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Gather_c((void *)its_sendbuf, its_sendcount, its_sendtype, (void *)its_recvbuf, its_recvcount, its_recvtype, its_root, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Get_count, const app_status *status, app_datatype datatype, int *count)
{
    host_status its_status; if (unlikely(IS_IGNORED(status))) return raise_error(HOST_MPI_ERR_ARG); status_to_host(&its_status, status);
    host_datatype its_datatype = datatype_to_host(datatype);
    host_code rc = host.MPI_Get_count(&its_status, its_datatype, count);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Get_count_c, const app_status *status, app_datatype datatype, MPI_Count *count)
{
    host_status its_status; if (unlikely(IS_IGNORED(status))) return raise_error(HOST_MPI_ERR_ARG); status_to_host(&its_status, status);
    host_datatype its_datatype = datatype_to_host(datatype);
    host_code rc = host.MPI_Get_count_c(&its_status, its_datatype, count);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

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

PROCEDURE(app_code, MPI_Ialltoallw, const void *sendbuf, const int *sendcounts, const int *sdispls, const app_datatype *sendtypes, void *recvbuf, const int *recvcounts, const int *rdispls, const app_datatype *recvtypes, app_comm comm, app_request *request)
{
    if (unlikely(request == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    void *retained = 0;
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    host_datatype *its_sendtypes = retained_datatypes(&retained, sendtypes, sendcounts, sizeof *sendcounts, send_peers(sendbuf, comm_to_host(comm)), sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    host_datatype *its_recvtypes = retained_datatypes(&retained, recvtypes, recvcounts, sizeof *recvcounts, recv_peers(sendbuf, comm_to_host(comm)), sendbuf);
    host_comm its_comm = comm_to_host(comm);
    host_request its_request;
    host_code rc = unlikely(IS_LACKING(its_sendtypes, sendtypes) || IS_LACKING(its_recvtypes, recvtypes)) ? fail_comm(comm_to_host(comm), HOST_MPI_ERR_NO_MEM) : host.MPI_Ialltoallw((void *)its_sendbuf, sendcounts, sdispls, its_sendtypes, (void *)its_recvbuf, recvcounts, rdispls, its_recvtypes, its_comm, &its_request);
    retain_arrays(rc == 0 ? &its_request : 0, retained);
    if (likely(rc == 0)) {
        *request = request_at(&its_request);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Ialltoallw_c, const void *sendbuf, const MPI_Count *sendcounts, const MPI_Aint *sdispls, const app_datatype *sendtypes, void *recvbuf, const MPI_Count *recvcounts, const MPI_Aint *rdispls, const app_datatype *recvtypes, app_comm comm, app_request *request)
{
    if (unlikely(request == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    void *retained = 0;
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    host_datatype *its_sendtypes = retained_datatypes(&retained, sendtypes, sendcounts, sizeof *sendcounts, send_peers(sendbuf, comm_to_host(comm)), sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    host_datatype *its_recvtypes = retained_datatypes(&retained, recvtypes, recvcounts, sizeof *recvcounts, recv_peers(sendbuf, comm_to_host(comm)), sendbuf);
    host_comm its_comm = comm_to_host(comm);
    host_request its_request;
    host_code rc = unlikely(IS_LACKING(its_sendtypes, sendtypes) || IS_LACKING(its_recvtypes, recvtypes)) ? fail_comm(comm_to_host(comm), HOST_MPI_ERR_NO_MEM) : host.MPI_Ialltoallw_c((void *)its_sendbuf, sendcounts, sdispls, its_sendtypes, (void *)its_recvbuf, recvcounts, rdispls, its_recvtypes, its_comm, &its_request);
    retain_arrays(rc == 0 ? &its_request : 0, retained);
    if (likely(rc == 0)) {
        *request = request_at(&its_request);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Irecv, void *buf, int count, app_datatype datatype, int source, int tag, app_comm comm, app_request *request)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_source = rank_to_host(source);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Irecv(buf, count, its_datatype, its_source, tag, its_comm, request_lend(request));
    if (likely(rc == 0)) {
        request_settle(request);
    } else {
        request_spoil(request);
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Irecv_c, void *buf, MPI_Count count, app_datatype datatype, int source, int tag, app_comm comm, app_request *request)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_source = rank_to_host(source);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Irecv_c(buf, count, its_datatype, its_source, tag, its_comm, request_lend(request));
    if (likely(rc == 0)) {
        request_settle(request);
    } else {
        request_spoil(request);
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Mprobe, int source, int tag, app_comm comm, app_message *message, app_status *status)
{
    if (unlikely(message == 0)) return raise_comm(comm_to_host(comm), HOST_MPI_ERR_ARG);
    int its_source = rank_to_host(source);
    host_comm its_comm = comm_to_host(comm);
    host_message its_message;
    host_status its_status_room, *its_status = status_room(&its_status_room, status);
    host_code rc = host.MPI_Mprobe(its_source, tag, its_comm, &its_message, its_status);
    if (!IS_IGNORED(status)) status_returned(status, &its_status_room);
    if (likely(rc == 0)) {
        *message = message_at(&its_message);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Op_commutative, app_op op, int *commute)
{
    host_op its_op = op_to_host(op);
    host_code rc = host.MPI_Op_commutative(its_op, commute);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Reduce, const void *sendbuf, void *recvbuf, int count, app_datatype datatype, app_op op, int root, app_comm comm)
{
    const int counts_taking_part = takes_part(rank_to_host(root));
    if (unlikely(counts_taking_part < 0)) return error_to_app((host_code)-counts_taking_part);
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    const int its_count = counts_taking_part ? count : IGNORED_COUNT(counts_taking_part);
    host_datatype its_datatype = counts_taking_part ? reduced_datatype(datatype, op) : IGNORED_DATATYPE;
    host_op its_op = counts_taking_part ? op_to_host(op) : IGNORED_OP;
    int its_root = rank_to_host(root);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Reduce((void *)its_sendbuf, (void *)its_recvbuf, its_count, its_datatype, its_op, its_root, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Reduce_c, const void *sendbuf, void *recvbuf, MPI_Count count, app_datatype datatype, app_op op, int root, app_comm comm)
{
    const int counts_taking_part = takes_part(rank_to_host(root));
    if (unlikely(counts_taking_part < 0)) return error_to_app((host_code)-counts_taking_part);
    void *its_sendbuf = coll_buffer_to_host(sendbuf);
    void *its_recvbuf = coll_buffer_to_host(recvbuf);
    const MPI_Count its_count = counts_taking_part ? count : IGNORED_COUNT(counts_taking_part);
    host_datatype its_datatype = counts_taking_part ? reduced_datatype(datatype, op) : IGNORED_DATATYPE;
    host_op its_op = counts_taking_part ? op_to_host(op) : IGNORED_OP;
    int its_root = rank_to_host(root);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Reduce_c((void *)its_sendbuf, (void *)its_recvbuf, its_count, its_datatype, its_op, its_root, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Send, const void *buf, int count, app_datatype datatype, int dest, int tag, app_comm comm)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Send(buf, count, its_datatype, its_dest, tag, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Send_c, const void *buf, MPI_Count count, app_datatype datatype, int dest, int tag, app_comm comm)
{
    host_datatype its_datatype = datatype_to_host(datatype);
    int its_dest = rank_to_host(dest);
    host_comm its_comm = comm_to_host(comm);
    host_code rc = host.MPI_Send_c(buf, count, its_datatype, its_dest, tag, its_comm);
    if (unlikely(rc != 0)) {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Type_create_struct, int count, const int *array_of_blocklengths, const MPI_Aint *array_of_displacements, const app_datatype *array_of_types, app_datatype *newtype)
{
    if (unlikely(newtype == 0)) return raise_error(HOST_MPI_ERR_ARG);
    host_datatype local_array_of_types[STAGE_LOCAL], *its_array_of_types = stage_datatype(local_array_of_types, array_of_types, count); distinguish_datatypes(its_array_of_types, array_of_types, count);
    host_datatype its_newtype;
    host_code rc = unlikely(IS_LACKING(its_array_of_types, array_of_types)) ? fail(HOST_MPI_ERR_NO_MEM) : host.MPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements, its_array_of_types, &its_newtype);
    unstage(its_array_of_types, local_array_of_types);
    if (likely(rc == 0)) {
        *newtype = datatype_at(&its_newtype);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

PROCEDURE(app_code, MPI_Type_create_struct_c, MPI_Count count, const MPI_Count *array_of_blocklengths, const MPI_Count *array_of_displacements, const app_datatype *array_of_types, app_datatype *newtype)
{
    if (unlikely(newtype == 0)) return raise_error(HOST_MPI_ERR_ARG);
    host_datatype local_array_of_types[STAGE_LOCAL], *its_array_of_types = stage_datatype(local_array_of_types, array_of_types, count); distinguish_datatypes(its_array_of_types, array_of_types, count);
    host_datatype its_newtype;
    host_code rc = unlikely(IS_LACKING(its_array_of_types, array_of_types)) ? fail(HOST_MPI_ERR_NO_MEM) : host.MPI_Type_create_struct_c(count, array_of_blocklengths, array_of_displacements, its_array_of_types, &its_newtype);
    unstage(its_array_of_types, local_array_of_types);
    if (likely(rc == 0)) {
        *newtype = datatype_at(&its_newtype);
    } else {
        return error_to_app(rc);
    }
    return (app_code)rc;
}

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

