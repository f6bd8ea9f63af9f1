/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefixes of file names that name a file system, as ROMIO has them (ufs:/path). abi-tables/implementations lists each
 * implementation's. */
#ifndef FILE_PREFIX_H
#define FILE_PREFIX_H

/* Strips prefixes that the host does not know from names of files, and keeps the host from taking a part of a name for a
 * prefix. To be called when the table of the host's procedures is complete. */
void file_prefixes_start(void);

#endif
