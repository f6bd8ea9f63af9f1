/* SPDX-License-Identifier: BSD-3-Clause */

PROCEDURE($type, $base, void)
{
    app_code error = raise_error_in(unsupported("$base"), __func__);
    return $result;
}
