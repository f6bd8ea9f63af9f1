/* SPDX-License-Identifier: BSD-3-Clause */

    ".$binding $name\n.set $name, $entry\n"
