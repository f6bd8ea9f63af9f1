/* SPDX-License-Identifier: BSD-3-Clause */

static host_code issue_$name(void *arguments, host_request *part)
{
    const struct collective *c = arguments;
    return host.$nonblocking($arguments);
}
static host_code init_$name(mpi_function *extension, void *arguments, host_request *part)
{
    const struct collective *c = arguments;
    return ((__typeof__(host.$name))extension)($init_arguments);
}
host_code built_$name($parameters)
{
    return collective_init("$name", init_$name, issue_$name, &(struct collective){ $members }, request);
}
