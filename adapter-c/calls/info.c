/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects that hosts treat differently. MPI_Info_get (MPI-3.1 section 9.1): a value that is longer than the application's
 * room is cut. MPICH 4.0 takes it for an error, so the host is only asked for values that fit. */
#include <string.h>

#include "convert/adapter.h"

/* Fetches a value of `length` characters and gives the application the first `room` of them. */
static int get_cut(host_info info, const char *key, int length, int room, char *value, int *flag)
{
    char *whole = malloc((size_t)length + 1);
    if (!whole)
        return raise_error(HOST_MPI_ERR_NO_MEM);
    host_code rc = host.MPI_Info_get(info, key, length, whole, flag);
    if (rc == 0 && *flag) {
        memcpy(value, whole, (size_t)room);
        value[room] = 0;
    }
    free(whole);
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Info_get, app_info info, const char *key, int valuelen, char *value, int *flag)
{
    host_info object = info_to_host(info);
    int length = 0, found = 0;
    host_code rc = value && flag && valuelen >= 0 ? host.MPI_Info_get_valuelen(object, key, &length, &found) : 0;
    if (rc == 0 && found && length > valuelen)
        return get_cut(object, key, length, valuelen, value, flag);
    if (rc == 0)
        rc = host.MPI_Info_get(object, key, valuelen, value, flag);
    return rc == 0 ? 0 : error_to_app(rc);
}

/* MPI_INFO_ENV is predefined and cannot be freed (MPI-4.1 section 2.5.4). Open MPI tries, and aborts. */
PROCEDURE(int, MPI_Info_free, app_info *info)
{
    host_info its = info ? info_to_host(*info) : HOST_NULL_info;
    if (info && (is_no_info(*info, its) || HOST_INFO_BITS(its) == HOST_INFO_BITS(HOST_MPI_INFO_ENV)))
        return raise_error(HOST_MPI_ERR_INFO);
    int rc = host.MPI_Info_free(info ? &its : 0);
    if (info)
        *info = info_to_app(its);
    return rc == 0 ? 0 : error_to_app(rc);
}
