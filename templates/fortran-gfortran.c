/* SPDX-License-Identifier: BSD-3-Clause */

static __attribute__((noinline)) void ${entry}_described($parameters)
{
$rooms
    $described($described_arguments);
}
ENTRY void $entry($parameters)
{
    if (likely($flat))
        $called($addresses);
    else
        ${entry}_described($names);
}
