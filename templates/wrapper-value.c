/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, $parameters)
{
    return $call;
}
