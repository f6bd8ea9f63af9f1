/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE(int, $base, void)
{
    return raise_error(unsupported("$base"));
}
