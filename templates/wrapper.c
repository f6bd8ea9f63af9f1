/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, $parameters)
{
$check
$declare
    int rc = host.$procedure($arguments);
$always
$outcome
    return rc;
}
