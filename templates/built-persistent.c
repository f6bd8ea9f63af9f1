/* SPDX-License-Identifier: BSD-3-Clause */

static int issue_$name(void *arguments, host_request *part)
{
    const struct collective *c = arguments;
    return host.$nonblocking($arguments);
}
int built_$name($parameters)
{
    return collective_init(issue_$name, &(struct collective){ $members }, request);
}
