/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the application added (MPI-4.1 section 9.5), in the order of adding: the
 * application knows number i as APP_MPI_ERR_LASTCODE + 1 + i, whatever the host's code is. */
#ifndef ADDED_CODE_H
#define ADDED_CODE_H

#include "convert/types.h"

/* Returns the highest code of the application's that is in use (the value of MPI_LASTUSEDCODE). */
app_code error_last_used(void);

/* Gives a code of the host's a number, and returns that; INVALID_VALUE if memory runs out. `host_class` is the host's class
 * of the code, or the code itself if it is a class: some hosts do not tell the class of such a code. */
app_code added_add(host_code code, host_code host_class);

/* Return whether a number stands for a class, or for a code that belongs to the class `host_class`. Removed ones are neither. */
int added_is_class(app_code number);
int added_is_code_of(app_code number, host_code host_class);

/* Returns whether any code belongs to the class. */
int added_has_codes(host_code host_class);

/* Returns the number of a code of the host's, or 0. */
app_code added_find(host_code code);

/* Returns the host's code of a number; 0 if the number was not added, or was removed. */
host_code added_host_code(app_code number);

/* Forgets a number whose class or code was removed. */
void added_forget(app_code number);

/* Copies the string that the application gave a number, which may be longer than the host's can be. Returns 0 if the number
 * has none. */
int added_copy_string(app_code number, char *string, int *length);

/* Returns whether a number has a string that is not empty. */
int added_has_string(app_code number);

/* Sets the string, or removes it if it is null. Returns 0 if memory runs out. */
int added_set_string(app_code number, const char *string);

#endif
