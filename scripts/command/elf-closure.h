// SPDX-License-Identifier: BSD-3-Clause
// The libraries that the dynamic loader would load for a file, by reading.
// To ask the loader itself would start what the file names: its interpreter,
// its audit libraries.
#ifndef ELF_CLOSURE_H
#define ELF_CLOSURE_H

// Prints a line NAME <tab> PATH for each library, breadth first, with an empty
// path for what is not found.  The environment has these LD_LIBRARY_PATH and
// LD_PRELOAD.  Returns a code of elf-file.h.
int closure(const char *path, const char *library_path, const char *preload);

#endif
