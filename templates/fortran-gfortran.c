/* SPDX-License-Identifier: BSD-3-Clause */

static __attribute__((noinline)) void ${entry}_described($parameters)
{
$rooms
    $described($described_arguments);
}
ENTRY void ${entry}_profiling($parameters)
{
    if (likely($flat))
        $called($addresses);
    else
        ${entry}_described($names);
}
/* The same, unless a tool defines the procedure with descriptors. */
static struct descriptor_tool ${entry}_tool = { NOT_FLAT, 0 };
static __attribute__((noinline)) void ${entry}_seen($parameters)
{
    __typeof__(${described}) *tool = (__typeof__(${described}) *)find_tool(&${entry}_tool, "$symbol");
$rooms
    if (tool)
        tool($tool_arguments);
    else
        ${entry}_profiling($names);
}
ENTRY void $entry($parameters)
{
    if (likely($unseen))
        $called($addresses);
    else
        ${entry}_seen($names);
}
