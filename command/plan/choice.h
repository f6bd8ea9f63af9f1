/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice for one program: what it runs on, and what its ranks need for that. */
#ifndef CHOICE_H
#define CHOICE_H

#include "../program/program.h"

/* The host's MPI, as it was found for a pair. */
struct host_mpi {
    const char *library;        /* its library for C; "" while none is found */
    const char *implementation; /* whose it is, and whose launcher starts its programs */
    int is_named;               /* ranks must be told, as the adapter would open the first that it finds */
    int is_ahead;               /* LD_LIBRARY_PATH has its folder ahead of the one whose library has the first of the names */
    const char *behind;         /* of a list A:B, what is behind A: where A is a pair's, its host's */
    const char *departure;      /* why a library that was found is no host, though it has the name of one, as a problem's text; or null */
    const char *folders;        /* where its libraries are, if the dynamic linker must be told; or "" */
    const char *prefix;         /* of the setting host_prefixes, if it is by that; or "" */
    const char *preload;        /* files to preload with it, with colons between */
    const char *launcher, *launcher_kind;       /* "" while none is found */
    int is_absent;              /* no MPI of the ABI was found, not even a damaged one, but perhaps one with other numbers */
};

/* No MPI: its texts are empty. */
extern const struct host_mpi NO_HOST;

struct choice {
    const struct pair *pair;    /* without a folder: an MPI of the program's own ABI */
    int is_native;              /* the program runs without a pair */
    int own_is_preferred;       /* the command chose the program's own MPI itself */
    struct host_mpi host;
    struct facts environment;   /* of ranks: variables that differ from the user's */
    const struct choice *inner; /* with the host's MPI, where the pair's host is another pair that the command chose; or null */
};

/* Returns the choice of the MPI that does the work: the inner one's, if there is one. */
const struct choice *mpi_of_choice(const struct choice *choice);

/* Returns what people call the MPI that was chosen, with its release. */
const char *called_mpi(const struct job *job, const struct program *program, const struct choice *choice);

/* A program of the line, with what was chosen for it. */
struct planned {
    struct program program;
    struct choice choice;
};

/* Notes that this is settled. */
void note_planned(struct job *job, const struct program *program, const struct choice *choice);

/* Says what was chosen, with --verbose. */
void explain_choice(struct job *job, const struct program *program, const struct choice *choice);

/* Chooses what the program runs on, and the environment that its ranks need for that. With `with_launcher` it has to have a launcher: the
 * one that is wanted, if any is. */
struct problem *choose_host(struct job *job, struct program *program, int with_launcher, const char *launcher, struct choice *choice);

/* Chooses for one program of several or of the user's own line: one that the MPI runs as it is needs nothing, unless it is an earlier
 * release's and needs what today's MPI has no more. *is_plain is set where it needs nothing; the choice is empty then. */
struct problem *choose_for_line(struct job *job, struct program *program, const char *launcher, struct choice *choice, int *is_plain);

/* ---------------------------------------------------------------- the host of a pair */

/* Finds the library of a pair's host. */
struct problem *check_host_library(struct job *job, const struct program *program, const struct pair *pair, struct host_mpi *host);

/* Finds its launcher: the one that is wanted, or "". */
struct problem *check_launcher(struct job *job, const struct pair *pair, const char *wanted, struct host_mpi *host);

/* Finds what has to be preloaded with it. */
struct problem *check_host_preload(struct job *job, const struct pair *pair, struct host_mpi *host);

/* Returns what is wrong with a pair's own files. */
struct problem *check_pair_files(const struct pair *pair);

/* Chooses the first pair, in search order, that serves both ABIs and passes the checks; `to` may be "". If none does, that is `before`, or
 * else the first one's problem. *has_host is set if something that may be a pair's MPI is here, or is named. */
struct problem *choose_pair(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                            struct problem *before, struct choice *choice, int *has_host);

/* Returns the file that the dynamic linker takes for a library of that name for the adapter, or for the program without one; null if none.
 * Sets *found to what it would load with that. */
const char *find_library(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                         const char *name, const struct closure_found **found);

/* Returns the LD_LIBRARY_PATH of ranks, as far as the pair and the host's folders ask for it. */
const char *library_path_of(const struct job *job, const struct pair *pair, const struct host_mpi *host);

/* Returns what a pair says of the launchers (`launchers`, `launcher_kind`) of the host's implementation. */
const char *launchers_of_pair(const struct pair *pair, const struct host_mpi *host, const char *key);

/* Returns the prefix of a library's installation: its folder up to the last /lib. */
const char *prefix_of(const char *library);

/* Returns whether launchers of a kind start programs that run on an MPI of this ABI. */
int starts_abi(const struct job *job, const char *kind, const char *abi);

/* Returns whether the launcher is of the installation that a library is of. A batch system's starts every MPI. */
int starts_library(const struct job *job, const struct host_mpi *host, const char *library);

/* Returns the MPI library of this ABI in the installation that a launcher is of, or null. */
const char *library_of_launcher(const struct job *job, const char *launcher, const char *abi, const struct list *names);

/* Returns whether two libraries are of one MPI: one file, or one release. */
int is_same_mpi(const struct job *job, const char *library, const char *other, const char *abi);

/* Returns whether LD_LIBRARY_PATH has an MPI library of the pair's host by another name than those, as a vendor's module puts it there. */
const char *library_in_path(const struct job *job, const struct pair *pair, const struct list *names);

/* ---------------------------------------------------------------- without a pair */

/* Returns whether what was found of the program leaves it to this command on which MPI of its own ABI it runs, and how. */
int may_be_native(const struct job *job, const struct program *program);

/* Returns a pair for what would stand in the description of one that had no folder. */
const struct pair *native_pair(const struct job *job, const struct program *program, const char *abi);

/* Chooses an MPI of the program's own ABI that needs no pair. *is_chosen is 0 where there is none; *why is what keeps one that is there from
 * running it. */
struct problem *choose_natively(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                                struct choice *choice, int *is_chosen, struct problem **why);

/* Chooses the program's own MPI, unless another one is meant by what the user or the site says: an option, a setting, a launcher, or a
 * module. */
struct problem *prefer_own(struct job *job, struct program *program, const char *to, const char *launcher, struct choice *choice,
                           int *is_chosen);

/* Says that the launcher is of another major release than the MPI that is linked into the program. It may start each rank alone. */
void tell_other_release(struct job *job, const struct program *program, const struct host_mpi *host);

/* Chooses the MPI that is linked into a program, if that is asked for, or left to the command, and a launcher of that MPI is here: any other's
 * would start ranks that are alone. */
struct problem *choose_linked(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                              struct choice *choice, int *is_chosen);

/* Chooses the program's own MPI where no pair has one here. */
int runs_itself(struct job *job, const struct program *program, const char *to, int with_launcher, const char *launcher,
                struct choice *choice);

/* Sets *file to what loads the program's MPI: the program, or what its interpreter will load; to "" if that is not known. */
struct problem *own_file(struct job *job, struct program *program, const char **file);

/* Returns whether a file, or a library of its own, calls procedures of MPI that the one that was chosen does not have. */
int misses_procedures(const struct job *job, const struct program *program, const struct choice *choice, const char *file);

/* Returns whether the program needs a variable of an earlier release's mpi_f08, and no library has it that the dynamic linker finds. */
int lacks_variables(const struct job *job, const struct program *program);

/* Returns a library to preload for programs of earlier releases, which may need their numbers, or variables; or null. */
const char *library_for_earlier(const struct job *job, const struct program *program);

/* Returns an installed pair that has stand-ins for what programs of this ABI need besides their MPI, or null. */
const struct pair *pair_of_stand_ins(const struct job *job, const char *abi);

/* Returns the LD_LIBRARY_PATH of the program on an MPI of its own ABI: with stand-ins for what that one does not have. */
const char *own_library_path(const struct job *job, const struct program *program, const struct pair *pair, const struct host_mpi *host,
                             const char *abi);

/* Names the variables that ask for what a pair does, as none runs the program. */
void tell_unheeded(struct job *job, const struct program *program);

/* ---------------------------------------------------------------- the environment of ranks */

/* Sets it for a pair, or for an MPI of the program's own ABI. */
struct problem *make_environment(struct job *job, const struct program *program, struct choice *choice);
struct problem *make_native_environment(struct job *job, const struct program *program, struct choice *choice);

/* Tells ranks what of it is not the user's, so that a start by one of them does not take it for that. */
void note_given(const struct job *job, struct choice *choice);

/* Returns why the dynamic linker will not start the program in that environment, or a tool would look behind handles that are another
 * MPI's. */
struct problem *check_versions_of_program(const struct job *job, const struct program *program, const struct choice *choice);
struct problem *check_tools_of_program(const struct job *job, const struct program *program, const struct choice *choice);

/* Returns which library of the program, that is none of MPI's, is not found in that environment. What starts ranks leaves this to the dynamic
 * linker, which other hosts may have in another environment. */
struct problem *check_libraries_of_program(const struct job *job, const struct program *program, const struct choice *choice);

/* Lets a program with the address sanitizer start with what is preloaded. */
struct problem *let_sanitizer_follow(struct job *job, const struct program *program, struct choice *choice);

/* Returns a path with the folders of the pair's stand-ins for what the program needs and the dynamic linker does not find by that path. */
const char *with_stand_ins(const struct job *job, const struct program *program, const struct pair *pair, const char *path);

/* Returns an LD_PRELOAD with what the host has to have preloaded behind, each once. */
const char *with_host_preload(const char *list, const struct host_mpi *host);

/* Returns whether the launcher is to be started without LD_LIBRARY_PATH, which would give it libraries of the program's; says so. */
int spares_launcher(struct job *job, const struct choice *choice);

/* ---------------------------------------------------------------- links by names that programs have for their MPI */

struct links {
    const char *folder;         /* of links, or "" */
    const char *leading;        /* libraries to preload: names, with spaces between; or files, with colons */
    const char *unknown;        /* names of which the adapter does not know that they are the program's, with colons between */
};

/* Returns the file of the pair's that serves as the program's NAME; *is_known is 0 if the adapter does not know that this name is the
 * program's. */
const char *pair_file(const struct job *job, const struct pair *pair, const char *name, int *is_known);

/* Makes the user's folder of links to what is in the folder `of`, or to the file `of`. */
struct problem *names_folder(const struct program *program, const char *of, const char **folder);

/* Make the folder of links to a pair's libraries; to the host's own. */
struct problem *link_pair(struct job *job, const struct program *program, const struct pair *pair, struct links *links);
struct problem *link_host(struct job *job, const struct program *program, const struct choice *choice, struct links *links);

/* Sets *file to a library that has the procedures which the program refers to and no library has, or to "" where it refers to none, or its
 * ABI has no such library. Each of its procedures is an error. */
struct problem *library_of_newer(const struct job *job, const struct program *program, const struct pair *pair, const char *library_path,
                                 const char *preload, const char **file);

#endif
