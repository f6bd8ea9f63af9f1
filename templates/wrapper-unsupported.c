/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, void)
{
    int error = raise_error(unsupported("$base"));
    return $result;
}
