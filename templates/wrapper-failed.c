/* SPDX-License-Identifier: BSD-3-Clause */

    if (unlikely(has_failed(rc))) {
$failure
        rc = error_to_app(rc);
    }
