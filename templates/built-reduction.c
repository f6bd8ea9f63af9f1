/* SPDX-License-Identifier: BSD-3-Clause */

int built_$name($parameters)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < parts_of($count); i++)
        rc = host.$small($arguments);
    return rc;
}
