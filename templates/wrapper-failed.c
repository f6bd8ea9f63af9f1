/* SPDX-License-Identifier: BSD-3-Clause */

    if (unlikely(has_failed(rc))) {
$failure
        return error_to_app(rc);
    }
