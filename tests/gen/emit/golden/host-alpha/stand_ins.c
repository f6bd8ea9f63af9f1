#include "convert/host_side.h"
#include "convert/host_symbols.h"
#include "layers/built.h"
#include "stand_ins/narrow.h"

static host_code unsupported_MPI_Comm_compare(host_comm comm1, host_comm comm2, int *result)
{
    (void)comm1;
    (void)comm2;
    (void)result;
    if (result) *result = 0;
    return fail_comm(comm1, unsupported("MPI_Comm_compare"));
}

static host_code unsupported_MPI_Comm_get_name(host_comm comm, char *comm_name, int *resultlen)
{
    (void)comm;
    (void)comm_name;
    (void)resultlen;
    if (resultlen) *resultlen = 0;
    return fail_comm(comm, unsupported("MPI_Comm_get_name"));
}

static host_code unsupported_MPI_Finalize(void)
{
    return fail(unsupported("MPI_Finalize"));
}

static host_code unsupported_MPI_Group_translate_ranks(host_group group1, int n, const int *ranks1, host_group group2, int *ranks2)
{
    (void)group1;
    (void)n;
    (void)ranks1;
    (void)group2;
    (void)ranks2;
    return fail(unsupported("MPI_Group_translate_ranks"));
}

static host_code unsupported_MPI_Isend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request)
{
    (void)buf;
    (void)count;
    (void)datatype;
    (void)dest;
    (void)tag;
    (void)comm;
    (void)request;
    if (request) *request = HOST_NULL_request;
    return fail_comm(comm, unsupported("MPI_Isend"));
}

static host_code built_MPI_Isend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request)
{
    (void)buf;
    (void)count;
    (void)datatype;
    (void)dest;
    (void)tag;
    (void)comm;
    (void)request;
    struct narrow narrow_count = { .made = 0 };
    host_code rc = 0;
    if (rc == 0) rc = narrow(&narrow_count, count, datatype);
    if (rc == 0) rc = host.MPI_Isend(buf, narrow_count.count, narrow_count.datatype, dest, tag, comm, request);
    narrow_done(&narrow_count);
    return rc;
}

static host_code unsupported_MPI_Recv(void *buf, int count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status)
{
    (void)buf;
    (void)count;
    (void)datatype;
    (void)source;
    (void)tag;
    (void)comm;
    (void)status;
    return fail_comm(comm, unsupported("MPI_Recv"));
}

static host_code built_MPI_Recv_c(void *buf, MPI_Count count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status)
{
    (void)buf;
    (void)count;
    (void)datatype;
    (void)source;
    (void)tag;
    (void)comm;
    (void)status;
    struct narrow narrow_count = { .made = 0 };
    host_code rc = 0;
    if (rc == 0) rc = narrow(&narrow_count, count, datatype);
    if (rc == 0) rc = host.MPI_Recv(buf, narrow_count.count, narrow_count.datatype, source, tag, comm, status);
    narrow_done(&narrow_count);
    return rc;
}

static host_code unsupported_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displs, const host_datatype *types, host_datatype *newtype)
{
    (void)count;
    (void)lengths;
    (void)displs;
    (void)types;
    (void)newtype;
    if (newtype) *newtype = HOST_NULL_datatype;
    return fail(unsupported("MPI_Type_create_struct"));
}

static host_code unsupported_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const host_datatype *types, host_datatype *newtype)
{
    (void)count;
    (void)lengths;
    (void)displs;
    (void)types;
    (void)newtype;
    if (newtype) *newtype = HOST_NULL_datatype;
    return fail(unsupported("MPI_Type_create_struct"));
}

static host_code unsupported_MPI_Win_fence(int assert, host_win win)
{
    (void)assert;
    (void)win;
    return fail_win(win, unsupported("MPI_Win_fence"));
}

mpi_function *host_stand_in(int procedure)
{
    switch (procedure) {
    case 0: return (mpi_function *)unsupported_MPI_Comm_compare;
    case 1: return (mpi_function *)unsupported_MPI_Comm_get_name;
    case 2: return (mpi_function *)unsupported_MPI_Finalize;
    case 3: return (mpi_function *)unsupported_MPI_Group_translate_ranks;
    case 4: return (mpi_function *)unsupported_MPI_Isend;
    case 5: return (mpi_function *)built_MPI_Isend_c;
    case 6: return (mpi_function *)unsupported_MPI_Recv;
    case 7: return (mpi_function *)built_MPI_Recv_c;
    case 8: return (mpi_function *)unsupported_MPI_Type_create_struct;
    case 9: return (mpi_function *)unsupported_MPI_Type_create_struct_c;
    case 10: return (mpi_function *)unsupported_MPI_Win_fence;
    }
    return 0;
}
