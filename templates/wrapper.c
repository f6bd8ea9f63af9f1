/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, $parameters)
{
$check
$declare
    $assign host.$procedure($arguments);
$always
    if (likely($succeeded)) {
$success
    } else {
$failure
        rc = error_to_app(rc);
    }
    return rc;
}
