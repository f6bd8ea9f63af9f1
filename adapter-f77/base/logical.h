/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LOGICAL_H
#define LOGICAL_H

#include "convert/types.h"

/* Returns the values of .TRUE. and .FALSE. in the application's compiler. */
HIDDEN void logicals(int *is_true, int *is_false);

#endif
