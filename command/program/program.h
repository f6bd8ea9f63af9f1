/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that is given, and the ABI that it was compiled against. Nothing of it runs. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "../elf/ask.h"
#include "../plan/job.h"

/* Holds what an interpreter or a script will load, as far as files tell. */
struct late {
    struct list abis;           /* those that it may load, each once */
    struct list files;          /* for each, a file that needs it */
    struct list bundle_abis, bundle_names, bundle_files;    /* libraries of MPIs that packages bring */
    struct list libraries;      /* names and patterns of MPI libraries */
    struct list folders;        /* where packages are; the first one counts */
    struct list seen;           /* commands that were looked at */
    struct list guesses;        /* an interpreter, its file and its script, for each whose text tells nothing */
    const char *interpreter;    /* the one that was looked at last */
    const char *linked;         /* a file that has its MPI linked in, or null */
    int is_cut_short;           /* more may be imported than was looked at */
    int is_usual;               /* nothing tells but that a package is there which loads MPI in most programs */
};

struct program {
    const char *path;           /* as the launcher gets it */
    const char *subject;        /* the ELF file that runs: the program or its interpreter; null if no program is known */
    int is_script;
    int is_started_by_other;    /* the launcher starts another program, which starts this one */
    struct list words;          /* it is started with */

    const char *abi;            /* that it was found to be compiled against; "" while it is not known */
    int abi_is_usual;           /* nothing tells it but that a package is there which loads MPI in most programs */
    int abi_is_late;            /* what the program will load tells it, or the user, and not what the program needs itself */
    int abi_is_guess;           /* nothing tells it but that all installed pairs serve the same */

    /* The ABIs of the parts of the process, where libraries were compiled for other MPIs than the program, the program's own first, and the
     * files of each; none elsewhere. A part whose MPI is the host is native, and pairs lead the others there: abi is that of the one whose
     * pair comes first. */
    struct list part_abis, *part_files;

    const struct linked_mpi *linked;    /* the MPI that is linked in, or null */
    const char *linked_file;    /* with that: what has it: the program itself, its library, or what a script starts */
    const char *linked_name;    /* with that: what people call it, with its release */
    const char *linked_implementation;  /* with that: as the table of implementations calls it */

    const char *refusal;        /* why no pair can serve it, as a problem's text; or null */
    struct list other_names;    /* by which it needs its MPI, and which a pair has no library of: a vendor's, or anybody's */
    struct list bundles;        /* files of MPI libraries for C that it, or a package that it loads, brings by a wheel's names */
    const char *chosen_module;  /* NAME=VALUE, by which ranks are told which module of a package's they take; or null */
    struct late late;
};

/* Finds a program, and what it needs. */
struct problem *examine_program(struct job *job, const char *name, struct program *program);

/* Examines the program that these words start: the first one that needs MPI, which the others start. */
struct problem *examine_started(struct job *job, const struct list *words, struct program *program);

/* Finds the file of a program: one that may be started. */
struct problem *find_program(const char *name, struct program *program);

/* Follows scripts to the ELF file that runs. */
struct problem *find_subject(struct job *job, struct program *program);

/* Refuses a file for another machine than this command's; `what` is what it is called. */
struct problem *require_own_machine(const struct job *job, const struct program *program, const char *what);

/* Refuses what no pair can serve: a static program, one with more rights than who starts it, one without its dynamic linker. */
struct problem *require_runnable_elf(struct job *job, struct program *program);

/* Finds the ABI. */
struct problem *settle_abi(struct job *job, struct program *program);

/* Returns the ABI that the program itself was compiled against. */
const char *own_abi(const struct program *program);

/* Returns the files of other parts than the one whose ABI is the program's now. */
struct list files_of_other_parts(const struct program *program);

/* Sets the ABI of a program with several parts to the one of a part. */
void lead_part_to_pair(const struct job *job, struct program *program, const char *abi);

/* Returns the refusal, for a program that needs a pair, or another MPI. */
struct problem *refusal_of(const struct program *program);

/* Return the file into which an MPI is linked: a library of the program's own; or the program itself, if that has one; or null. */
const char *library_with_linked_mpi(const struct job *job, const char *file);
const char *file_with_linked_mpi(const struct job *job, const char *file);

/* Returns the ABI of the MPI that is linked into a file itself, or null. */
const char *abi_linked_in(const struct job *job, const char *file);

/* Sets what is known of the MPI that is linked into a file, if any is: the program, a library of its, or what it starts. */
void take_linked_mpi(const struct job *job, struct program *program, const char *file);

/* Returns why detour.so cannot lead the program's calls to a pair. */
struct problem *check_linked_mpi(const struct program *program, const char *pair);

/* Returns whether a file is a program that needs an MPI library, or has one linked in. */
int uses_mpi(struct job *job, const char *file);

/* Returns whether a file that needs an MPI library is one of that MPI's own tools: neither it nor a library of its own refers to MPI. */
int is_tool_of_mpi(struct job *job, const char *file);

/* Returns whether a file has the name of an interpreter that the tables know. */
int is_interpreter(const struct job *job, const char *file);

/* Returns the command that starts a file which ends as an interpreter's scripts do, if PATH has it; or null. */
const char *starter_of_script(const struct job *job, const char *file);

/* Returns a file for each interpreter that an environment in this folder has. */
struct list interpreters_in(const struct job *job, const char *folder);

/* Returns whether an MPI library is among what a file needs. */
int knows_mpi(struct job *job, const struct list *other_names, const char *file);

/* Returns the file that a launcher would start for a word, in the line's folder; or null. */
const char *startable_file(const char *folder, const char *word);

/* Returns whether a word names a program of the working folder that PATH does not have. */
int stands_bare(const char *word);

/* Finds where, among the words from `from` up to `to` of the line, the first command stands, and the program; -1 for none of them. Options
 * are those of this kind of launchers, or of none. */
struct places {
    long command, program;
    long file;                  /* an option that names a file of programs */
    const char *folder;         /* the working folder that the line gives to the program, "" if none */
};
struct places find_program_in(struct job *job, const struct list *line, const char *kind, size_t from, size_t to);

/* Returns whether it is a library of the program's family by a name that another family's library has, too, and sets *family. */
int is_contested(struct job *job, const struct program *program, const char *file, const char *name, const char **family);

/* Returns whether a library is one of those that programs name besides the library that they call. */
int is_runtime(const struct job *job, const char *name, const char *family);

/* Returns whether it is the family's library for C. */
int is_for_c(const struct job *job, const char *name, const char *family);

/* Adds a file that a wheel brings, if it is an MPI library for C. */
void note_bundle(struct program *program, const char *name, const char *file);

/* Returns the file of what the program's late ABI is known by, "" if nothing tells. */
const char *late_file_of(const struct program *program, const char *abi);

/* Sets program->late to what the program will load. */
struct problem *find_late_abis(struct job *job, struct program *program);

/* Sets the ABI to the one that the program will load; *is_found is 0 if nothing tells. */
struct problem *settle_late_abi(struct job *job, struct program *program, int *is_found);

/* Finds the names by which the program, whose ABI the user says, will load that MPI, and libraries of it that packages bring. */
struct problem *find_late_names(struct job *job, struct program *program);

/* Returns whether the program names what it will load of one ABI alone, and sets that. */
struct problem *loads_one_abi(struct job *job, struct program *program, int *is_found);

#endif
