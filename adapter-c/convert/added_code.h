/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the application added (MPI-4.1 section 9.5), in the order of adding: the
 * application knows number i as APP_MPI_ERR_LASTCODE + 1 + i, whatever the host's code is. */
#ifndef ADDED_CODE_H
#define ADDED_CODE_H

/* The highest code of the application's that is in use (the value of MPI_LASTUSEDCODE). */
int error_last_used(void);

/* Gives a code of the host's a number; INVALID_VALUE if memory runs out. `host_class` is the host's class of the code, or
 * the code itself if it is a class: some hosts do not tell the class of such a code. */
int added_add(int host_code, int host_class);

/* Whether a number stands for a class, or for a code that belongs to the class `host_class`. Removed ones are neither. */
int added_is_class(int number);
int added_is_code_of(int number, int host_class);

/* Whether any code belongs to the class. */
int added_has_codes(int host_class);

/* The number of a code of the host's, or 0. */
int added_find(int host_code);

/* The host's code of a number, or 0 if it is none that was added, or was removed. */
int added_host_code(int number);

/* A number is forgotten: its class or code was removed. */
void added_forget(int number);

/* The string that the application gave a number, which may be longer than the host's can be. Copies it;
 * false if there is none. */
int added_copy_string(int number, char *string, int *length);

/* Whether a number has a string that is not empty. */
int added_has_string(int number);

/* Sets the string, or takes it back if it is null; false if memory is lacking. */
int added_set_string(int number, const char *string);

#endif
