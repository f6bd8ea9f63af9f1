/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split_type, MPI-4.1 section 7.4.2. Programs have the split types of MPI-4.1 on every host. */
#include <string.h>

#include "application_libraries.h"
#include "convert/adapter.h"
#include "layers/layers.h"
#include "stand_ins/resource.h"

/* Whether the info asks for processes that can share memory, which is the one type of resource that MPI itself names. */
static int asks_for_shared_memory(host_info info)
{
    char key[] = "mpi_hw_resource_type", value[sizeof "mpi_shared_memory" + 1] = "";
    int flag = 0;
    return HOST_INFO_BITS(info) != HOST_INFO_BITS(HOST_MPI_INFO_NULL) &&
           host.MPI_Info_get(info, key, (int)sizeof value - 1, value, &flag) == 0 && flag &&
           strcmp(value, "mpi_shared_memory") == 0;
}

/* Whether the host can split by this type. MPI-4.0 brought the first two together with sessions, and MPI-4.1 the third
 * together with the list of resources. */
static int host_knows(int split_type)
{
    switch (split_type) {
    case APP_MPI_COMM_TYPE_HW_GUIDED:
    case APP_MPI_COMM_TYPE_HW_UNGUIDED: return !HOST_LACKS(MPI_Session_init);
    case APP_MPI_COMM_TYPE_RESOURCE_GUIDED: return !HOST_LACKS(MPI_Get_hw_resource_info);
#ifdef APP_MPIX_COMM_TYPE_NEIGHBORHOOD
    case APP_MPIX_COMM_TYPE_NEIGHBORHOOD: return 0;
#endif
    }
    return 1;
}

/* Returns the host's split type. If the host knows no resource, none is there to split by: the result is MPI_COMM_NULL. */
static int type_to_host(int split_type, host_info info)
{
    int is_guided = split_type == APP_MPI_COMM_TYPE_HW_GUIDED || split_type == APP_MPI_COMM_TYPE_RESOURCE_GUIDED;
    if (is_guided && asks_for_shared_memory(info))
        return HOST_MPI_COMM_TYPE_SHARED;
    return host_knows(split_type) ? split_type_to_host(split_type) : HOST_MPI_UNDEFINED;
}

#ifdef APP_SPLIT_TYPES
/* Whether the info asks for processes that see the same directory, as MPICH has it with MPIX_COMM_TYPE_NEIGHBORHOOD. */
static int names_directory(host_info info)
{
    char key[] = "nbhd_common_dirname";
    int length, flag = 0;
    return HOST_INFO_BITS(info) != HOST_INFO_BITS(HOST_MPI_INFO_NULL) && host.MPI_Info_get_valuelen(info, key, &length, &flag) == 0 &&
           flag;
}

/* Whether the type is one of the application's implementation alone. The number that MPICH 4.0 has
 * for a directory is MPI_COMM_TYPE_RESOURCE_GUIDED in later releases, and no directory belongs to that. */
static int own_resource(int split_type, host_info info, enum resource *resource)
{
    static const struct { int type; enum resource resource; } own[] = { APP_SPLIT_TYPES };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].type == split_type && (own[i].resource != RESOURCE_DIRECTORY || names_directory(info))) {
            *resource = own[i].resource == RESOURCE_DIRECTORY ? RESOURCE_NODE : own[i].resource;
            return 1;
        }
    return 0;
}
#else
static int own_resource(int split_type, host_info info, enum resource *resource) { return 0; }
#endif

static host_code split(host_comm comm, int split_type, int key, host_info info, host_comm *newcomm)
{
    enum resource resource;
    return own_resource(split_type, info, &resource) ? resource_split(comm, resource, key, info, newcomm)
                                               : host.MPI_Comm_split_type(comm, type_to_host(split_type, info), key, info, newcomm);
}

PROCEDURE(app_code, MPI_Comm_split_type, app_comm comm, int split_type, int key, app_info info, app_comm *newcomm)
{
    host_comm its_comm = comm_to_host(comm), its_newcomm;
    host_info its_info = info_to_host(info);
    if (is_no_info(info, its_info))
        return raise_comm(its_comm, HOST_MPI_ERR_INFO);
    if (!newcomm)
        return raise_comm(its_comm, HOST_MPI_ERR_ARG);
    host_code rc = split(its_comm, split_type, key, its_info, &its_newcomm);
    if (rc != 0)
        return error_to_app(rc);
    *newcomm = comm_at(&its_newcomm);
    return 0;
}
