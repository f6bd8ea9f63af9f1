/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/codec.h"

int special_requests;
intptr_t (*handle_of_native)(int handle_class, int32_t number);

intptr_t integer_slow(int32_t handle, int handle_class)
{
    intptr_t found = handle < 0 ? expand_slow(handle, handle_class) : 0;
    if (found == 0 && handle_of_native)
        found = handle_of_native(handle_class, handle);
    if (found == 0)
        found = predefined_number(handle_class, handle);
    if (found == 0 && handle_class == CLASS_REQUEST)
        note_no_request();
    return found;
}

DEFINE_PRESERVING(integer_slow);
