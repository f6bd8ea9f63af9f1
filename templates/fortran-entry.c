/* SPDX-License-Identifier: BSD-3-Clause */

$linkage void $entry($parameters)
{
$first
$declare
    int rc = CALL($procedure)($arguments);
    set_ierror(ierror, rc);
$always
$success
}
