/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the tool information interface, MPI-4.1 section 15.3.8, on a host without them: there
 * are none, and no sources of them. These procedures return their errors and raise none. */
#include "convert/host_side.h"
#include "layers/built.h"

static int nothing(int *count)
{
    if (count)
        *count = 0;
    return 0;
}

host_code built_MPI_T_event_get_num(int *num_events) { return nothing(num_events); }
host_code built_MPI_T_source_get_num(int *num_sources) { return nothing(num_sources); }

static int check_category(int index)
{
    int count = 0, rc = host.MPI_T_category_get_num(&count);
    return rc != 0 ? rc : index >= 0 && index < count ? 0 : HOST_MPI_T_ERR_INVALID_INDEX;
}

host_code built_MPI_T_category_get_num_events(int cat_index, int *num_events)
{
    host_code rc = check_category(cat_index);
    return rc == 0 ? nothing(num_events) : rc;
}

host_code built_MPI_T_category_get_events(int cat_index, int len, int *indices)
{
    return check_category(cat_index);
}

host_code built_MPI_T_event_get_index(const char *name, int *event_index)
{
    return HOST_MPI_T_ERR_INVALID_NAME;
}

/* No number is that of an event or a source, and no event has been registered: each of these fails. */
host_code built_MPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len, int *ordering,
                                      MPI_Count *ticks_per_second, MPI_Count *max_ticks, host_info *info)
{
    return HOST_MPI_T_ERR_INVALID_INDEX;
}

host_code built_MPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp)
{
    return HOST_MPI_T_ERR_INVALID_INDEX;
}

host_code built_MPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity,
                                     host_datatype *array_of_datatypes, MPI_Aint *array_of_displacements, int *num_elements,
                                     void **enumtype, host_info *info, char *desc, int *desc_len, int *bind)
{
    return HOST_MPI_T_ERR_INVALID_INDEX;
}

host_code built_MPI_T_event_handle_alloc(int event_index, void *obj_handle, host_info info, void **event_registration)
{
    return HOST_MPI_T_ERR_INVALID_INDEX;
}

host_code built_MPI_T_event_callback_get_info(void *event_registration, int cb_safety, host_info *info_used)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_callback_set_info(void *event_registration, int cb_safety, host_info info)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_copy(void *event_instance, void *buffer)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_get_source(void *event_instance, int *source_index)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_get_timestamp(void *event_instance, MPI_Count *event_timestamp)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_handle_free(void *event_registration, void *user_data, mpi_function *free_cb_function)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_handle_get_info(void *event_registration, host_info *info_used)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_handle_set_info(void *event_registration, host_info info)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_read(void *event_instance, int element_index, void *buffer)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_register_callback(void *event_registration, int cb_safety, host_info info, void *user_data,
                                              mpi_function *event_cb_function)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}

host_code built_MPI_T_event_set_dropped_handler(void *event_registration, mpi_function *dropped_cb_function)
{
    return HOST_MPI_T_ERR_INVALID_HANDLE;
}
