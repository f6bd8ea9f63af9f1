/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_INFO_ENV (MPI-4.1 section 11.2.1): how the process was started. */
#ifndef LAUNCH_INFO_H
#define LAUNCH_INFO_H

/* Notes the program's arguments, which last. To be called when the library is loaded: /proc has them, too, but opening a
 * file costs more. */
void launch_info_note(char *const *arguments);

/* Adds the keys that the application's own MPI gives and the host's lacks. To be called when MPI has been initialized; `size` is
 * that of the world. */
void launch_info_fill(int size);

#endif
