/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the application added (MPI-4.1 section 9.5). It knows them by numbers above
 * APP_MPI_ERR_LASTCODE, whatever the host's code is. The number of a removed one is given to the next. */
#ifndef ADDED_CODE_H
#define ADDED_CODE_H

#include "convert/types.h"

/* No class of any family has this number, or one above, but those of MPI_T of the standard ABI, which are from 1001 on. */
enum { ERROR_CLASSES_END = 128, TOOL_CLASSES = 1001, TOOL_CLASSES_END = 1100 };

/* Added to a code for a family whose MPI_ERR_LASTCODE is not below it. */
enum { ADDED_SHARED_BIT = 1 << 30 };

/* Gives codes, from now on, numbers that parts of the process which were compiled for other MPIs take, too: the host's code itself, or with
 * the bit. */
void added_share(void);

/* Returns whether codes have such numbers. */
int added_are_shared(void);

/* Returns the highest code of the application's that is in use (the value of MPI_LASTUSEDCODE). */
app_code error_last_used(void);

/* Returns the number of a code of the host's, which is new if it has none; INVALID_VALUE if memory runs out. `host_class` is the host's class
 * of the code, or the code itself if it is a class. In another `life` of MPI (convert/life.h), in which hosts may give their codes again, it
 * has no string and no codes to begin with. */
app_code added_add(host_code code, host_code host_class, uint32_t life);

/* Returns whether a number stands for a class. Removed ones do not. */
int added_is_class(app_code number);

/* Returns whether any code belongs to the class. */
int added_has_codes(app_code number);

/* Returns the number of a code of the host's, or 0. */
app_code added_find(host_code code);

/* Returns the host's code of a number; 0 if the number was not added, or was removed. */
host_code added_host_code(app_code number);

/* Returns the host's class of a number; 0 if the number was not added, or was removed. The host need not know it. */
host_code added_host_class(app_code number);

/* Forgets a number whose class or code was removed, and its string. */
void added_forget(app_code number);

/* Copies the string that the application gave a number, which may be longer than the host's can be. Returns 0 if the number
 * has none. */
int added_copy_string(app_code number, char *string, int *length);

/* Returns whether a number has a string that is not empty. */
int added_has_string(app_code number);

/* Sets the string, or removes it if it is null. Returns 0 if there is no such number, or memory runs out. */
int added_set_string(app_code number, const char *string);

#endif
