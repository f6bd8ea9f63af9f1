/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects, MPI-4.1 chapter 10. */
#include "convert/host_side.h"
#include "layers/built.h"

/* MPI-4.1 section 10: as much of the value as fits, and the room that all of it needs. The whole
 * value is asked for, because some hosts fail where it does not fit. An empty one is not: a host may leave its room alone. */
host_code built_MPI_Info_get_string(host_info info, const char *key, int *buflen, char *value, int *flag)
{
    int length = 0, rc = host.MPI_Info_get_valuelen(info, key, &length, flag);
    if (rc == 0 && (!buflen || *buflen < 0 || (*buflen > 0 && !value)))
        return fail(HOST_MPI_ERR_ARG);
    if (rc != 0 || !*flag)
        return rc;
    if (*buflen > 0) {
        char *whole = calloc(1, (size_t)length + 1);
        if (!whole)
            rc = fail(HOST_MPI_ERR_NO_MEM);
        else if (length > 0)
            rc = host.MPI_Info_get(info, key, length, whole, flag);
        if (rc == 0)
            copy_prose(value, whole, *buflen, 0);
        free(whole);
    }
    if (rc == 0)
        *buflen = length + 1;
    return rc;
}

/* MPI_Info_create_env: reports what the launcher told the process. The arguments do not matter. */
host_code built_MPI_Info_create_env(int argc, char *argv[], host_info *info)
{
    return host.MPI_Info_dup(HOST_MPI_INFO_ENV, info);
}
