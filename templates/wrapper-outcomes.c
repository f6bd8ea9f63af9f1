/* SPDX-License-Identifier: BSD-3-Clause */

    if (likely(rc == 0)) {
$success
    } else {
$failure
        rc = error_to_app(rc);
    }
