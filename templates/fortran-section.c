/* SPDX-License-Identifier: BSD-3-Clause */

static COLD void ${entry}_section($parameters)
{
$open
    const int failed = $failed;
    if (unlikely(failed)) {
        set_ierror(ierror, $error);
    } else {
        $called($arguments);
    }
$close
}
/* Arrays of several dimensions: looking at these takes registers that the entry point would have to save. */
static __attribute__((noinline)) void ${entry}_shaped($parameters)
{
    if (likely($plain))
        $called($addresses);
    else
        ${entry}_section($names);
}
ENTRY void $entry($parameters)
{
    if (likely($flat))
        $called($addresses);
    else
        ${entry}_shaped($names);
}
