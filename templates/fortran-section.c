/* SPDX-License-Identifier: BSD-3-Clause */

ENTRY void $entry($parameters)
{
$open
    if (unlikely($failed)) {
        section_failed("$procedure");
        set_ierror(ierror, $error);
    } else {
        $called($arguments);
    }
$close
}
