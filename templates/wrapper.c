/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, $parameters)
{
$check
$declare
    host_code rc = host.$procedure($arguments);
$always
$outcome
    return (app_code)rc;
}
