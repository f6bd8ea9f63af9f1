/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOST_ITSELF_H
#define HOST_ITSELF_H

#include "host.h"

/* The host's table for what is no call of the program's: tools do not see it. */
extern HIDDEN const struct host_procedures *host_itself;

#endif
