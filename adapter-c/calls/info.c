/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects that hosts treat differently. MPI_Info_get (MPI-3.1 section 9.1): a value that is longer than the application's
 * room is cut. Hosts that take it for an error cut it in MPI_Info_get_string, which counts the terminating null, too. */
#include "convert/adapter.h"
#include "host_libraries.h"

#ifdef HOST_FAULT_INFO_VALUE
#define CUTS_VALUES 0
#else
#define CUTS_VALUES 1
#endif

/* Gets a value for which there is no room. Open MPI leaves the value and the flag alone then, so it is asked for a character. */
COLD static app_code get_nothing(host_info info, const char *key, char *value, int *flag)
{
    char character[2];
    host_code rc = host.MPI_Info_get(info, key, 1, character, flag);
    if (rc == 0 && *flag)
        *value = 0;
    return rc == 0 ? 0 : error_to_app(rc);
}

PROCEDURE(app_code, MPI_Info_get, app_info info, const char *key, int valuelen, char *value, int *flag)
{
    host_info object = info_to_host(info);
    if (CUTS_VALUES && unlikely(valuelen == 0) && value && flag)
        return get_nothing(object, key, value, flag);
    int room = valuelen < HOST_MPI_MAX_INFO_VAL ? valuelen + 1 : 0;
    host_code rc = CUTS_VALUES || room <= 0 || !value || !flag ? host.MPI_Info_get(object, key, valuelen, value, flag)
                                                              : host.MPI_Info_get_string(object, key, &room, value, flag);
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
