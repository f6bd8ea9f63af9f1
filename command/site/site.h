/* SPDX-License-Identifier: BSD-3-Clause */
/* This machine: the installation of the command with its tables, the settings, and the pairs. It holds nothing of a program. */
#ifndef SITE_H
#define SITE_H

#include "../launch/dialect.h"
#include "list.h"
#include "problem.h"
#include "table.h"

/* An installed pair, or, without a folder, an MPI that runs programs of its own ABI. */
struct pair {
    const char *folder;         /* without links; null: no pair */
    const char *called;         /* APPLICATION-to-HOST, or APPLICATION-to-HOST@NAME */
    struct facts facts;         /* its description, pair.conf */
};

struct site {
    const char *program;        /* this command's own file, which also stands for any program of this machine */
    const char *version;        /* of the command */
    const char *prefix;         /* of the installation */
    const char *home;           /* PREFIX/lib/mpi-adapter */
    const char *detour;         /* the library that is preloaded into programs with their MPI linked in */
    const char *guard;          /* the library that is preloaded where an MPI may be loaded late */
    const char *configuration;  /* the system's file of settings */
    const char *site;           /* the folder for what a site makes, if the command came in a package */
    const char *site_home;      /* the folder of pairs that a site makes, if the command came in a package */
    int may_start;              /* whether this subcommand may start what it finds; others examine files, of which nothing runs */

    struct table families, implementations, interpreters;
    struct dialects launchers;
    struct list pair_names;     /* of those that come with mpi-adapter, the preferred ones first */
    struct list departures, refused;    /* rows of these tables */

    struct facts settings;      /* those that are set */
    struct facts origins;       /* where from: a variable, or file:line */
    struct list setting_names;

    struct pair **pairs;        /* in the order in which they are looked for */
    size_t pair_count;
    struct list pair_folders;   /* where pairs were looked for */
};

/* Finds the installation of the running command, and reads its tables. In an image they are in the folder `carried`, which is null
 * elsewhere. */
struct problem *open_site(struct site *site, const char *carried);

/* Reads the description of the pair in pair->folder. */
struct problem *read_pair(const struct site *site, struct pair *pair);

/* Reads the settings: those of the environment count before the user's file, the installation's and the system's. Damaged lines are added
 * to `problems`, and do not count. */
void load_settings(struct site *site, struct problems *problems);

/* Return a setting, "" if it is not set, and where it comes from. */
const char *setting(const struct site *site, const char *name);
const char *setting_origin(const struct site *site, const char *name);

/* Returns the variable that sets it; "" for one that has none. */
const char *setting_variable(const char *name);

/* Returns what is wrong with a file that this setting names to be preloaded, which `place` has set: not what LD_PRELOAD can hold. */
struct problem *check_preloaded(const char *place, const char *key, const char *file);

/* Finds the installed pairs. Damaged ones are added to `problems`. */
void load_pairs(struct site *site, struct problems *problems);

/* Loads settings and pairs, which have to be right; there has to be a pair. */
struct problem *require_pairs(struct site *site);

/* Returns what a pair's description says, "" if nothing. */
const char *said_in_pair(const struct pair *pair, const char *key);

/* Returns the same of a folder whose description need not be in order, or there. */
const char *said_in_folder(const char *folder, const char *key);

/* Returns the host of a pair as --to names it: ABI, or ABI@NAME. */
const char *host_of_pair(const struct pair *pair);

/* ---------------------------------------------------------------- names of ABIs */

/* Return what the tables say of a family, of an implementation, of a kind of launchers (null for one they do not have). */
const char *of_family(const struct site *site, const char *family, const char *key);
const char *of_implementation(const struct site *site, const char *name, const char *key);
const char *of_launcher(const struct site *site, const char *kind, const char *key);

/* Returns what people call a family. */
const char *called(const struct site *site, const char *family);

/* Returns "A, B or C" of all families. */
const char *called_families(const struct site *site);

/* Returns whether the family is no single implementation's own. */
int is_shared(const struct site *site, const char *family);

/* Returns the ABI of a library of that name, or null. */
const char *abi_of_soname(const struct site *site, const char *name);

/* Returns the names that libraries of every known ABI have, with spaces between. */
const char *known_sonames(const struct site *site);

/* Sets *name, which `option` or the setting of that origin (or null) gave, to the ABI that it is, or is of; a host that build made may be
 * behind an @. *meant is the MPI that people name instead of its family, if that is to be told, or null. */
struct problem *check_abi_name(const struct site *site, const char *option, const char **name, const char *origin, const char **meant);

/* Returns whether there is such an ABI. */
int is_abi_name(const struct site *site, const char *name);

/* Returns the ABI of which every installed pair's programs are, or null if there are several. */
const char *only_application(const struct site *site);

/* ---------------------------------------------------------------- names of libraries */

/* Returns the name that a library had before a Python wheel took it in, or null if none did. */
const char *unbundled(const char *name);

/* Returns the same, or the name itself. */
const char *plain_name(const char *name);

/* Returns the library that a name is another name of, a maker's, an earlier release's or a wheel's; or null. */
const char *alias_of(const struct site *site, const char *name, const char *family);

/* Returns what releases of today call a library of the family's. */
const char *library_of_today(const struct site *site, const char *name, const char *family);

/* Returns whether a library is called so by an earlier release of this ABI. */
int is_earlier_name(const struct site *site, const char *name, const char *family);

/* Returns why programs that need such a library cannot be served, "WHAT; WHAT TO DO", or null; sets *family to whose launcher starts them
 * natively, or -. */
const char *refused_library(const struct site *site, const char *name, const char **family);

/* Returns whether a library has the name of a known one but for its version. */
int has_stem(const struct site *site, const char *name);

/* Returns what people call the releases whose library for C had one of these names and another ABI than the family, or null. */
const char *earlier_release(const struct site *site, const char *family, const char *names);

/* ---------------------------------------------------------------- launchers by their names */

/* Returns whether a batch system's launcher starts every MPI. */
int is_batch(const struct site *site, const char *kind);

/* Returns whether a launcher of this kind has such a name. */
int is_called(const struct site *site, const char *file, const char *kind);

/* Returns the batch system whose launcher is called so, or null. */
const char *batch_of_name(const struct site *site, const char *file);

/* Returns whether any launcher is called so. */
int is_launcher_name(const struct site *site, const char *file);

/* Returns whether the table has words of this kind of launchers for an option's value, and sets *count to how many follow it. */
int value_words(const struct site *site, const char *kind, const char *option, int *count);

/* Returns what the launcher has for another one's option, "" where none is needed; null where the table does not say. */
const char *instead_of(const struct site *site, const char *kind, const char *option);

/* Returns whether the table knows an option, of whatever launcher. */
int is_launcher_option(const struct site *site, const char *option);

/* Returns whether an implementation has such a launcher. */
int is_launcher_kind(const struct site *site, const char *kind);

/* Returns the kind of launcher that the MPI of this ABI has; null for an ABI that several MPIs share. */
const char *launcher_of_abi(const struct site *site, const char *abi);

/* Returns the family whose programs a launcher of this kind starts, or null. */
const char *family_of_launcher(const struct site *site, const char *kind);

/* Returns what the first implementation that has such a launcher says of it. */
const char *launcher_fact(const struct site *site, const char *kind, const char *key);

/* Returns the kind of launcher that says this of itself, or null. */
const char *kind_of_text(const struct site *site, const char *text);

/* ---------------------------------------------------------------- files of MPIs */

/* Returns whether FILE is an MPI library of that ABI, by what it exports and calls itself; what the file is called says nothing. */
int library_serves(const struct site *site, const char *file, const char *family);

/* Returns the family of an MPI library, "" for an ABI that is not known; null for what is no MPI library. */
const char *family_of_library(const struct site *site, const char *file);

/* Returns how a library with the family's name numbers constants otherwise, and what to use instead, as a problem's text; or null. */
const char *departs(const struct site *site, const char *file, const char *family);

/* Returns the implementation whose launcher starts a library's programs; "" for a family that the tables do not have. */
const char *whose_library(const struct site *site, const char *file, const char *family);

/* Returns whether a library, or a program, has the marks of an implementation. */
int has_marks_of(const struct site *site, const char *file, const char *implementation);
int has_mark(const char *file, const char *mark);

/* Returns the name of the MPI that a library is of, and its release if the library tells that. */
const char *mpi_of_file(const struct site *site, const char *file, const char *family);

/* Returns the same of an implementation whose library is in a file, or of its maker; "" for one that the tables do not have. */
const char *mpi_with_release(const struct site *site, const char *file, const char *implementation, const char *release);

/* Returns the variable by which a library is told its installation's prefix, or null if it needs none. */
const char *prefix_variable(const struct site *site, const char *file, const char *implementation);

/* Returns a file and, of one that is known and not served, whose it is. */
const char *described_library(const struct site *site, const char *file);

/* Returns whether it is an ELF file that ends early or contradicts itself. */
int is_damaged(const char *file);

/* Returns whether it is for this machine. */
int is_own_machine(const struct site *site, const char *file);

/* Returns whether a library defines all of these names. */
int has_names(const char *file, const struct list *names);
int defines_mpi(const char *file);

/* Returns whether a library belongs to a pair, which stands in for an MPI and is none. */
int belongs_to_pair(const char *file);

/* Returns the MPI library in a folder, or in an installation: one of these names, or another one that serves; null if there is none. */
const char *library_in_folder(const struct site *site, const char *folder, const char *family, const struct list *names);
const char *library_in_prefix(const struct site *site, const char *prefix, const char *family, const struct list *names);

/* Returns how an installation's library of such a name departs from the family, or null. */
const char *departs_in_prefix(const struct site *site, const char *prefix, const char *family, const struct list *names);

/* Returns the libraries for C of the folder, by what they export, that have none of the names. */
struct list other_libraries(const char *folder, const struct list *names);

/* Returns a remark on the package of this system that has an MPI of the family, with its launcher: ", as package X,"; or "". */
const char *package_of_family(const struct site *site, const char *family);

#endif
