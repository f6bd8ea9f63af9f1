/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, $parameters)
{
$conditions
$check
$declare
    host_code rc = $call;
$always
$outcome
    return (app_code)rc;
}
