/* SPDX-License-Identifier: BSD-3-Clause */

static host_code issue_$name(void *arguments, host_request *parts)
{
    const struct reduction *r = arguments;
    host_code rc = 0;
    for (int i = 0; rc == 0 && i < parts_of(r->$count); i++)
        rc = host.$small($issued);
    return rc;
}
host_code built_$name($parameters)
{
    const struct reduction r = { $members };
    return $count <= NARROW_MAX ? host.$small($arguments) : reduction_begin(issue_$name, &r, request);
}
