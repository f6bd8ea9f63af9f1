/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/facts.h"
#include "host.h"
#include "host_libraries.h"

const char host_family[] = HOST_FAMILY, host_sonames[] = HOST_SONAMES;
