/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's LOGICAL values. */
#ifndef LOGICAL_H
#define LOGICAL_H

#include "convert/types.h"

/* Stores the values of .TRUE. and .FALSE. in the application's compiler. */
HIDDEN void logicals(int *is_true, int *is_false);

#endif
