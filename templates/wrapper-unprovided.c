/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE(int, $base, void)
{
    return error_to_app(unsupported("$base"));
}
