#include "convert/host_side.h"
#include "convert/array_length.h"
#include "layers/layers.h"
#include "trace/trace.h"

enum {
    KIND_INT,
    KIND_COUNT,
    KIND_DISPL,
    KIND_STRING_OUT,
    KIND_ERROR_CODE,
    KIND_STATUS,
    KIND_RANK,
    KIND_TAG,
    KIND_COMPARISON,
    KIND_WIN_MODEL,
    KIND_RMA_ASSERT,
    KIND_BUFFER,
    KIND_WEIGHTS,
    KIND_COMM,
    KIND_DATATYPE,
    KIND_ERRHANDLER,
    KIND_FILE,
    KIND_GROUP,
    KIND_INFO,
    KIND_MESSAGE,
    KIND_OP,
    KIND_REQUEST,
    KIND_SESSION,
    KIND_WIN,
};

const struct trace_parameter trace_parameters[] = {
    { 17, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm1 */
    { 23, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm2 */
    { 29, KIND_COMPARISON, SHOW_NUMBER, sizeof(int), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* result */
    { 36, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm */
    { 41, KIND_STRING_OUT, SHOW_STRING, sizeof(void *), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }, /* comm_name */
    { 51, KIND_INT, SHOW_NUMBER, sizeof(int), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* resultlen */
    { 61, KIND_GROUP, SHOW_HANDLE, sizeof(host_group), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* group1 */
    { 68, KIND_INT, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* n */
    { 70, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_ARRAY, TRACE_IN, 1 }, /* ranks1 */
    { 77, KIND_GROUP, SHOW_HANDLE, sizeof(host_group), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* group2 */
    { 84, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_ARRAY, TRACE_OUT, 1 }, /* ranks2 */
    { 91, KIND_BUFFER, SHOW_ADDRESS, sizeof(void *), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* buf */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 101, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* datatype */
    { 110, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* dest */
    { 7, KIND_TAG, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* tag */
    { 36, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm */
    { 115, KIND_REQUEST, SHOW_HANDLE, sizeof(host_request), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* request */
    { 91, KIND_BUFFER, SHOW_ADDRESS, sizeof(void *), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* buf */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(MPI_Count), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 101, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* datatype */
    { 110, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* dest */
    { 7, KIND_TAG, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* tag */
    { 36, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm */
    { 115, KIND_REQUEST, SHOW_HANDLE, sizeof(host_request), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* request */
    { 91, KIND_BUFFER, SHOW_ADDRESS, sizeof(void *), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }, /* buf */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 101, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* datatype */
    { 0, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* source */
    { 7, KIND_TAG, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* tag */
    { 36, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm */
    { 123, KIND_STATUS, SHOW_STATUS, sizeof(void *), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }, /* status */
    { 91, KIND_BUFFER, SHOW_ADDRESS, sizeof(void *), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }, /* buf */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(MPI_Count), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 101, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* datatype */
    { 0, KIND_RANK, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* source */
    { 7, KIND_TAG, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* tag */
    { 36, KIND_COMM, SHOW_HANDLE, sizeof(host_comm), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* comm */
    { 123, KIND_STATUS, SHOW_STATUS, sizeof(void *), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN }, /* status */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 130, KIND_COUNT, SHOW_NUMBER, sizeof(int), TRACE_ARRAY, TRACE_IN, EXTENT_UNKNOWN }, /* lengths */
    { 138, KIND_DISPL, SHOW_NUMBER, sizeof(MPI_Aint), TRACE_ARRAY, TRACE_IN, EXTENT_UNKNOWN }, /* displs */
    { 145, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_ARRAY, TRACE_IN, 0 }, /* types */
    { 151, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* newtype */
    { 95, KIND_COUNT, SHOW_NUMBER, sizeof(MPI_Count), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* count */
    { 130, KIND_COUNT, SHOW_NUMBER, sizeof(MPI_Count), TRACE_ARRAY, TRACE_IN, EXTENT_UNKNOWN }, /* lengths */
    { 138, KIND_DISPL, SHOW_NUMBER, sizeof(MPI_Count), TRACE_ARRAY, TRACE_IN, EXTENT_UNKNOWN }, /* displs */
    { 145, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_ARRAY, TRACE_IN, 0 }, /* types */
    { 151, KIND_DATATYPE, SHOW_HANDLE, sizeof(host_datatype), TRACE_POINTED, TRACE_OUT, EXTENT_UNKNOWN }, /* newtype */
    { 159, KIND_RMA_ASSERT, SHOW_FLAGS, sizeof(int), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* assert */
    { 166, KIND_WIN, SHOW_HANDLE, sizeof(host_win), TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN }, /* win */
};

const struct trace_procedure trace_procedures[] = {
    { 0, 3, 0, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Comm_compare */
    { 3, 3, 0, { 0 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Comm_get_name */
    { 6, 0, -1, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Finalize */
    { 6, 5, -1, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Group_translate_ranks */
    { 11, 7, 5, { 5 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Isend */
    { 18, 7, 5, { 5 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Isend_c */
    { 25, 7, 5, { 5 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Recv */
    { 32, 7, 5, { 5 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Recv_c */
    { 39, 5, -1, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Type_create_struct */
    { 44, 5, -1, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Type_create_struct_c */
    { 49, 2, -1, { -1 }, { 0, KIND_ERROR_CODE, SHOW_ERROR, sizeof(host_code), TRACE_VALUE, TRACE_OUT, EXTENT_UNKNOWN } }, /* MPI_Win_fence */
};

/* Source, tag and error of a status. */
const struct trace_parameter trace_status_fields[] = {
    { 0, KIND_RANK, SHOW_NUMBER, 4, TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN },
    { 7, KIND_TAG, SHOW_NUMBER, 4, TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN },
    { 11, KIND_ERROR_CODE, SHOW_ERROR, 4, TRACE_VALUE, TRACE_IN, EXTENT_UNKNOWN },
};

const char trace_names[] =
    "source\0"
    "tag\0"
    "error\0"
    "comm1\0"
    "comm2\0"
    "result\0"
    "comm\0"
    "comm_name\0"
    "resultlen\0"
    "group1\0"
    "n\0"
    "ranks1\0"
    "group2\0"
    "ranks2\0"
    "buf\0"
    "count\0"
    "datatype\0"
    "dest\0"
    "request\0"
    "status\0"
    "lengths\0"
    "displs\0"
    "types\0"
    "newtype\0"
    "assert\0"
    "win\0"
    ;

const char *trace_name(int kind, intptr_t value)
{
    switch (kind) {
    case KIND_ERROR_CODE:
        if (value == 15) return "MPI_ERR_OTHER";
        if (value == 3) return "MPI_ERR_TYPE";
        if (value == 13) return "MPI_ERR_UNKNOWN";
        if (value == 0) return "MPI_SUCCESS";
        break;
    case KIND_STATUS:
        if (value == 1) return "MPI_STATUS_IGNORE";
        break;
    case KIND_RANK:
        if (value == -2) return "MPI_ANY_SOURCE";
        if (value == -1) return "MPI_PROC_NULL";
        if (value == -32766) return "MPI_UNDEFINED";
        break;
    case KIND_TAG:
        if (value == -1) return "MPI_ANY_TAG";
        break;
    case KIND_COMPARISON:
        if (value == 1) return "MPI_CONGRUENT";
        if (value == 0) return "MPI_IDENT";
        if (value == 2) return "MPI_SIMILAR";
        if (value == 4) return "MPI_UNEQUAL";
        break;
    case KIND_WIN_MODEL:
        if (value == 2) return "MPI_WIN_SEPARATE";
        if (value == 3) return "MPI_WIN_UNIFIED";
        break;
    case KIND_RMA_ASSERT:
        if (value == 1024) return "MPI_MODE_NOCHECK";
        if (value == 4096) return "MPI_MODE_NOPUT";
        if (value == 2048) return "MPI_MODE_NOSTORE";
        break;
    case KIND_BUFFER:
        if (value == 0) return "MPI_BOTTOM";
        break;
    case KIND_WEIGHTS:
        if (value == (intptr_t)host_address.MPI_UNWEIGHTED) return "MPI_UNWEIGHTED";
        break;
    case KIND_COMM:
        if (value == 67108864) return "MPI_COMM_NULL";
        if (value == 1140850689) return "MPI_COMM_SELF";
        if (value == 1140850688) return "MPI_COMM_WORLD";
        break;
    case KIND_DATATYPE:
        if (value == 1275068685) return "MPI_BYTE";
        if (value == 201326592) return "MPI_DATATYPE_NULL";
        break;
    case KIND_ERRHANDLER:
        if (value == 335544320) return "MPI_ERRHANDLER_NULL";
        break;
    case KIND_FILE:
        if (value == 0) return "MPI_FILE_NULL";
        break;
    case KIND_GROUP:
        if (value == 134217728) return "MPI_GROUP_NULL";
        break;
    case KIND_INFO:
        if (value == 469762048) return "MPI_INFO_NULL";
        break;
    case KIND_MESSAGE:
        if (value == 738197504) return "MPI_MESSAGE_NULL";
        break;
    case KIND_OP:
        if (value == 402653184) return "MPI_OP_NULL";
        break;
    case KIND_REQUEST:
        if (value == 738197504) return "MPI_REQUEST_NULL";
        break;
    case KIND_SESSION:
        if (value == 939524096) return "MPI_SESSION_NULL";
        break;
    case KIND_WIN:
        if (value == 536870912) return "MPI_WIN_NULL";
        break;
    }
    return 0;
}

int trace_extent(int extent, const int8_t *places, const intptr_t *arguments)
{
    (void)places, (void)arguments;
    switch (extent) {
    case -2: return members(HOST_COMM_FROM(arguments[places[0]]));
    }
    return -1;
}

#define OURS(each) \
    each(MPI_Comm_compare) \
    each(MPI_Comm_get_name) \
    each(MPI_Finalize) \
    each(MPI_Group_translate_ranks) \
    each(MPI_Isend) \
    each(MPI_Isend_c) \
    each(MPI_Recv) \
    each(MPI_Recv_c) \
    each(MPI_Type_create_struct) \
    each(MPI_Type_create_struct_c) \
    each(MPI_Win_fence)
LAYER_PART(inner, OURS);

static host_code trace_MPI_Comm_compare(host_comm comm1, host_comm comm2, int *result)
{
    const intptr_t its_arguments[] = { HOST_COMM_BITS(comm1), HOST_COMM_BITS(comm2), (intptr_t)result };
    struct trace_call its_call;
    trace_begin(&its_call, 0, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Comm_compare)(comm1, comm2, result);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Comm_get_name(host_comm comm, char *comm_name, int *resultlen)
{
    const intptr_t its_arguments[] = { HOST_COMM_BITS(comm), (intptr_t)comm_name, (intptr_t)resultlen };
    struct trace_call its_call;
    trace_begin(&its_call, 1, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Comm_get_name)(comm, comm_name, resultlen);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Finalize(void)
{
    const intptr_t its_arguments[] = { 0 };
    struct trace_call its_call;
    trace_begin(&its_call, 2, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Finalize)();
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Group_translate_ranks(host_group group1, int n, const int *ranks1, host_group group2, int *ranks2)
{
    const intptr_t its_arguments[] = { HOST_GROUP_BITS(group1), (intptr_t)n, (intptr_t)ranks1, HOST_GROUP_BITS(group2), (intptr_t)ranks2 };
    struct trace_call its_call;
    trace_begin(&its_call, 3, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Group_translate_ranks)(group1, n, ranks1, group2, ranks2);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Isend(const void *buf, int count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request)
{
    const intptr_t its_arguments[] = { (intptr_t)buf, (intptr_t)count, HOST_DATATYPE_BITS(datatype), (intptr_t)dest, (intptr_t)tag, HOST_COMM_BITS(comm), (intptr_t)request };
    struct trace_call its_call;
    trace_begin(&its_call, 4, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Isend)(buf, count, datatype, dest, tag, comm, request);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Isend_c(const void *buf, MPI_Count count, host_datatype datatype, int dest, int tag, host_comm comm, host_request *request)
{
    const intptr_t its_arguments[] = { (intptr_t)buf, (intptr_t)count, HOST_DATATYPE_BITS(datatype), (intptr_t)dest, (intptr_t)tag, HOST_COMM_BITS(comm), (intptr_t)request };
    struct trace_call its_call;
    trace_begin(&its_call, 5, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Isend_c)(buf, count, datatype, dest, tag, comm, request);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Recv(void *buf, int count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status)
{
    const intptr_t its_arguments[] = { (intptr_t)buf, (intptr_t)count, HOST_DATATYPE_BITS(datatype), (intptr_t)source, (intptr_t)tag, HOST_COMM_BITS(comm), (intptr_t)status };
    struct trace_call its_call;
    trace_begin(&its_call, 6, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Recv_c(void *buf, MPI_Count count, host_datatype datatype, int source, int tag, host_comm comm, host_status *status)
{
    const intptr_t its_arguments[] = { (intptr_t)buf, (intptr_t)count, HOST_DATATYPE_BITS(datatype), (intptr_t)source, (intptr_t)tag, HOST_COMM_BITS(comm), (intptr_t)status };
    struct trace_call its_call;
    trace_begin(&its_call, 7, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Recv_c)(buf, count, datatype, source, tag, comm, status);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *displs, const host_datatype *types, host_datatype *newtype)
{
    const intptr_t its_arguments[] = { (intptr_t)count, (intptr_t)lengths, (intptr_t)displs, (intptr_t)types, (intptr_t)newtype };
    struct trace_call its_call;
    trace_begin(&its_call, 8, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Type_create_struct)(count, lengths, displs, types, newtype);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Type_create_struct_c(MPI_Count count, const MPI_Count *lengths, const MPI_Count *displs, const host_datatype *types, host_datatype *newtype)
{
    const intptr_t its_arguments[] = { (intptr_t)count, (intptr_t)lengths, (intptr_t)displs, (intptr_t)types, (intptr_t)newtype };
    struct trace_call its_call;
    trace_begin(&its_call, 9, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Type_create_struct_c)(count, lengths, displs, types, newtype);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

static host_code trace_MPI_Win_fence(int assert, host_win win)
{
    const intptr_t its_arguments[] = { (intptr_t)assert, HOST_WIN_BITS(win) };
    struct trace_call its_call;
    trace_begin(&its_call, 10, its_arguments, __builtin_return_address(0));
    host_code its_result = NEXT(inner, MPI_Win_fence)(assert, win);
    trace_end(&its_call, (intptr_t)its_result);
    return its_result;
}

#define OURS_OVERRIDE(name) OVERRIDE(inner, name, trace_##name),
void trace_install(void)
{
    LAYER_INSTALL(LAYER_TRACE, inner, OURS(OURS_OVERRIDE));
}
