/* SPDX-License-Identifier: BSD-3-Clause */

$linkage void $entry($parameters)
{
$first
$declare
    int rc = $call;
    set_ierror(ierror, rc);
$always
$success
}
