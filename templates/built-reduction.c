/* SPDX-License-Identifier: BSD-3-Clause */

host_code built_$name($parameters)
{
    host_code rc = 0;
    for (int i = 0; rc == 0 && i < parts_of($count); i++)
        rc = host.$small($arguments);
    return rc;
}
