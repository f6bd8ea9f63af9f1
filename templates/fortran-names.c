/* SPDX-License-Identifier: BSD-3-Clause */

__asm__(
$names
    );
