/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/adapter.h"
#include "layers/layers.h"
#include "keep/closure.h"
#include "keep/own_request.h"
#include "built.h"

/* MPI-4.1 section 3.6: detaching waits until every buffered message is delivered. */
int built_MPI_Buffer_flush(void)
{
    void *buffer = 0;
    int size = 0, rc = host.MPI_Buffer_detach(&buffer, &size);
    return rc == 0 && buffer ? host.MPI_Buffer_attach(buffer, size) : rc;
}

/* A host that cannot tell takes no device memory: that is no error. */
#define NO_DEVICE_SUPPORT(device) \
    int built_MPIX_Query_##device##_support(void) { return 0; }
NO_DEVICE_SUPPORT(cuda)
NO_DEVICE_SUPPORT(ze)

/* The same devices go by two names: MPICH asks for HIP, Open MPI for ROCm. */
int built_MPIX_Query_hip_support(void)
{
    return !HOST_LACKS(MPIX_Query_rocm_support) && host.MPIX_Query_rocm_support();
}

int built_MPIX_Query_rocm_support(void)
{
    return !HOST_LACKS(MPIX_Query_hip_support) && host.MPIX_Query_hip_support();
}

/* MPI-4.1 section 9.1.2: nothing is known of the hardware. */
int built_MPI_Get_hw_resource_info(host_info *hw_info)
{
    return host.MPI_Info_create(hw_info);
}

/* MPI-4.1 section 9.5: the adapter forgets the number; the host keeps an unused one. Those of the
 * standard, and such that nobody added, are not removed. */
static int check_added_in(int code, const char *function)
{
    return code <= HOST_MPI_ERR_LASTCODE ? fail_in(HOST_MPI_ERR_ARG, function) : 0;
}
#define check_added(code) check_added_in(code, __func__)

int built_MPI_Remove_error_class(int errorclass)
{
    return check_added(errorclass);
}

int built_MPI_Remove_error_code(int errorcode)
{
    return check_added(errorcode);
}

int built_MPI_Remove_error_string(int errorcode)
{
    return host.MPI_Add_error_string(errorcode, "");
}

/* MPI-4.1 section 3.7.6, from the enquiry about one request. */
static int check_requests_in(int count, const host_request *requests, const char *function)
{
    return count < 0 ? fail_in(HOST_MPI_ERR_COUNT, function) : count > 0 && !requests ? fail_in(HOST_MPI_ERR_ARG, function) : 0;
}
#define check_requests(count, requests) check_requests_in(count, requests, __func__)

int built_MPI_Request_get_status_all(int count, const host_request *requests, int *flag, host_status *statuses)
{
    int bad = flag ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    *flag = 1;
    for (int i = 0; i < count && *flag; i++) {
        host_status *status = statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[i];
        int rc = own_get_status(requests[i], flag, status);
        if (rc != 0)
            return rc;
    }
    return 0;
}

int built_MPI_Request_get_status_any(int count, const host_request *requests, int *index, int *flag,
                                     host_status *status)
{
    int active = 0, bad = flag && index ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    *flag = 0;
    *index = HOST_MPI_UNDEFINED;
    for (int i = 0; i < count; i++) {
        if (own_is_inactive(requests[i]))
            continue;
        active = 1;
        int rc = own_get_status(requests[i], flag, status);
        if (*flag)
            *index = i;
        if (rc != 0 || *flag)
            return rc;
    }
    /* With no active request the status is empty, as MPI_REQUEST_NULL's is. */
    return active ? 0 : host.MPI_Request_get_status(HOST_MPI_REQUEST_NULL, flag, status);
}

int built_MPI_Request_get_status_some(int count, const host_request *requests, int *outcount, int *indices,
                                      host_status *statuses)
{
    int active = 0, done = 0;
    int bad = outcount && (indices || count <= 0) ? check_requests(count, requests) : fail(HOST_MPI_ERR_ARG);
    if (bad != 0)
        return bad;
    for (int i = 0; i < count; i++) {
        host_status *status = statuses == HOST_MPI_STATUSES_IGNORE ? HOST_MPI_STATUS_IGNORE : &statuses[done];
        int flag = 0, rc = !own_is_inactive(requests[i]) ? own_get_status(requests[i], &flag, status) : 0;
        if (rc != 0)
            return rc;
        active |= !own_is_inactive(requests[i]);
        if (flag)
            indices[done++] = i;
    }
    *outcount = active ? done : HOST_MPI_UNDEFINED;
    return 0;
}

int built_MPI_Status_set_elements_c(host_status *status, host_datatype datatype, MPI_Count count)
{
    return host.MPI_Status_set_elements_x(status, datatype, count);
}

/* MPI-4.1 section 5.1.4: the predefined pairs; there are no others. */
int built_MPI_Type_get_value_index(host_datatype value_type, host_datatype index_type, host_datatype *pair_type)
{
    const struct { host_datatype value, index, pair; } pairs[] = {
        { HOST_MPI_FLOAT, HOST_MPI_INT, HOST_MPI_FLOAT_INT },
        { HOST_MPI_DOUBLE, HOST_MPI_INT, HOST_MPI_DOUBLE_INT },
        { HOST_MPI_LONG, HOST_MPI_INT, HOST_MPI_LONG_INT },
        { HOST_MPI_INT, HOST_MPI_INT, HOST_MPI_2INT },
        { HOST_MPI_SHORT, HOST_MPI_INT, HOST_MPI_SHORT_INT },
        { HOST_MPI_LONG_DOUBLE, HOST_MPI_INT, HOST_MPI_LONG_DOUBLE_INT },
        { HOST_MPI_REAL, HOST_MPI_REAL, HOST_MPI_2REAL },
        { HOST_MPI_DOUBLE_PRECISION, HOST_MPI_DOUBLE_PRECISION, HOST_MPI_2DOUBLE_PRECISION },
        { HOST_MPI_INTEGER, HOST_MPI_INTEGER, HOST_MPI_2INTEGER },
    };
    *pair_type = HOST_MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (HOST_DATATYPE_BITS(pairs[i].value) == HOST_DATATYPE_BITS(value_type) &&
            HOST_DATATYPE_BITS(pairs[i].index) == HOST_DATATYPE_BITS(index_type))
            *pair_type = pairs[i].pair;
    return 0;
}

/* The hints are advice; the copy has the communicator's own. */
int built_MPI_Comm_idup_with_info(host_comm comm, host_info info, host_comm *newcomm, host_request *request)
{
    return host.MPI_Comm_idup(comm, newcomm, request);
}

/* MPI-4.1 section 10: as much of the value as fits, and the room that all of it needs. The whole
 * value is asked for, because some hosts fail where it does not fit. */
int built_MPI_Info_get_string(host_info info, const char *key, int *buflen, char *value, int *flag)
{
    int length = 0, rc = host.MPI_Info_get_valuelen(info, key, &length, flag);
    if (rc == 0 && (!buflen || (*buflen > 0 && !value)))
        return fail(HOST_MPI_ERR_ARG);
    if (rc != 0 || !*flag)
        return rc;
    if (*buflen > 0) {
        char *whole = malloc((size_t)length + 1);
        rc = whole ? host.MPI_Info_get(info, key, length, whole, flag) : fail(HOST_MPI_ERR_NO_MEM);
        if (rc == 0)
            copy_prose(value, whole, *buflen, 0);
        free(whole);
    }
    if (rc == 0)
        *buflen = length + 1;
    return rc;
}

/* What the launcher told the process; its arguments are the same. */
int built_MPI_Info_create_env(int argc, char *argv[], host_info *info)
{
    return host.MPI_Info_dup(HOST_MPI_INFO_ENV, info);
}

/* Elements of any datatype are counted as bytes, which a count of them is divided from. */
int built_MPI_Get_count_c(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    MPI_Count bytes = 0, size = 0;
    int rc = count ? host.MPI_Type_size_x(datatype, &size) : fail(HOST_MPI_ERR_ARG);
    if (rc == 0)
        rc = host.MPI_Get_elements_x(status, HOST_MPI_BYTE, &bytes);
    if (rc == 0)
        *count = size == 0 ? 0 : bytes % size ? HOST_MPI_UNDEFINED : bytes / size;
    return rc;
}

int built_MPI_Get_elements_c(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    return host.MPI_Get_elements_x(status, datatype, count);
}

int built_MPI_Type_size_c(host_datatype datatype, MPI_Count *size)
{
    return host.MPI_Type_size_x(datatype, size);
}

/* A reduction that takes a large count, called with the host's int. */
typedef void large_reduction(void *, void *, MPI_Count *, host_datatype *);

__attribute__((used)) static void reduce_large(void *in, void *inout, int *length, host_datatype *datatype,
                                               large_reduction *function)
{
    MPI_Count large = *length;
    function(in, inout, &large, datatype);
}
CLOSURE_ENTRY_5(reduce_large_entry, reduce_large)

int built_MPI_Op_create_c(mpi_function *user_fn, int commute, host_op *op)
{
    mpi_function *called = user_fn ? closure(reduce_large_entry, user_fn) : 0;
    if (user_fn && !called) {
        raise_error(HOST_MPI_ERR_NO_MEM);
        return HOST_MPI_ERR_NO_MEM;
    }
    return host.MPI_Op_create(called, commute, op);
}
