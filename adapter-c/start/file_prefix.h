/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefixes of file names that say which file system a file is on, as ROMIO has them (ufs:/path): abi-tables/implementations lists
 * each implementation's. */
#ifndef FILE_PREFIX_H
#define FILE_PREFIX_H

/* Gives the host names of files without the prefixes that it does not have, and keeps it from taking a part of a name for one. To
 * be called when the table is complete. */
void file_prefixes_start(void);

#endif
