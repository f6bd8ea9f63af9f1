/* SPDX-License-Identifier: BSD-3-Clause */

static host_code issue_$name(void *arguments, host_request *part)
{
    const struct collective *c = arguments;
    return host.$nonblocking($arguments);
}
host_code built_$name($parameters)
{
    return collective_init(issue_$name, &(struct collective){ $members }, request);
}
