/* SPDX-License-Identifier: BSD-3-Clause */

    if (unlikely(rc != 0)) {
$failure
        return error_to_app(rc);
    }
