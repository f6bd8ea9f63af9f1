/* SPDX-License-Identifier: BSD-3-Clause */

$linkage void $entry($parameters)
{
$first
$declare
    int rc = CALL($procedure)($arguments);
$always
$success
    set_ierror(ierror, rc);
}
