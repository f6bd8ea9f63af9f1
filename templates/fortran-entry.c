/* SPDX-License-Identifier: BSD-3-Clause */

ENTRY void $entry($parameters)
{
$declare
    int rc = CALL($procedure)($arguments);
$always
$success
    set_ierror(ierror, rc);
}
