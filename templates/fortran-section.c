/* SPDX-License-Identifier: BSD-3-Clause */

static COLD void ${entry}_section($parameters)
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
ENTRY void $entry($parameters)
{
    if (likely($plain))
        $called($addresses);
    else
        ${entry}_section($names);
}
