/* SPDX-License-Identifier: BSD-3-Clause */

ENTRY $type $entry($parameters)
{
    ${returns}$called($arguments);
}
