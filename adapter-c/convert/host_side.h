/* SPDX-License-Identifier: BSD-3-Clause */
/* For code that knows the host's side alone: it overrides the host's procedures, or stands in for them. */
#ifndef CONVERT_HOST_SIDE_H
#define CONVERT_HOST_SIDE_H

#include <string.h>

#include "convert/error.h"
#include "convert/handle_classes.h"
#include "convert/room.h"
#include "convert/text.h"
#include "host.h"

#endif
