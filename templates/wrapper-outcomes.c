/* SPDX-License-Identifier: BSD-3-Clause */

    if (likely(rc == 0)) {
$success
    } else {
$failure
        return error_to_app(rc);
    }
