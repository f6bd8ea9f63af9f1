/* SPDX-License-Identifier: BSD-3-Clause */

    if (unlikely($dynamic)) {
        $called($arguments);
        return;
    }
