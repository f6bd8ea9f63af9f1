/* SPDX-License-Identifier: BSD-3-Clause */
/* The implementations of MPI (abi-tables/implementations), and which of them the host is: several may share one ABI. */
#ifndef IMPLEMENTATION_H
#define IMPLEMENTATION_H

struct implementation {
    int place;            /* from 1 among those with the host's ABI, the likeliest first; 0 for one with another */
    const char *version;  /* text in MPI_Get_library_version() that no other implementation has */
    const char *launcher; /* the name of its launcher in the table of rank variables */
    const char *programs;    /* the variable for the number of programs, or null */
    const char *slurm;       /* the word for srun --mpi= */
    const char *spawn_environment; /* the key of MPI_Info for variables of spawned processes, or null */
    const char *spawn_command;     /* the command through which it can spawn, or null */
    const char *file_prefixes;     /* of names of files, with spaces between, or null */
    const char *const *launchers;  /* the commands that are its launchers, the preferred first; ends with null */
};

/* Returns the host's implementation; the likeliest if the host's version text names no other. */
const struct implementation *implementation(void);

/* Returns the implementation of this number, from 0; null after the last. */
const struct implementation *implementation_at(int number);

#endif
