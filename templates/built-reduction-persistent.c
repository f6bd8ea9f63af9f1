/* SPDX-License-Identifier: BSD-3-Clause */

host_code built_$name($parameters)
{
    const struct reduction r = { $members };
    host_request first;
    if ($count <= NARROW_MAX)
        return host.$small($arguments);
    return reduction_init(issue_${nonblocking}_c, &r, host.$small($first), &first, request);
}
