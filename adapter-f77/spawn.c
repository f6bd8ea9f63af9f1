/* SPDX-License-Identifier: BSD-3-Clause */
/* Process creation, MPI-4.1 section 11.8: arrays of strings become arrays of pointers. All strings
 * of a Fortran array have one length; a blank one ends a list of arguments. */
#include <string.h>

#include "fortran.h"
#include "fortran_prototypes.h"

static int is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ')
            return 0;
    return 1;
}

static void free_strings(char **strings)
{
    for (char **each = strings; each && *each; each++)
        free(*each);
    free(strings);
}

/* `count` strings, of which each begins `stride` bytes after the one before, as a list that a null
 * pointer ends; null if memory runs out. */
static char **strings_from_fortran(const char *first, size_t length, size_t stride, size_t count)
{
    char **strings = calloc(count + 1, sizeof *strings);
    for (size_t i = 0; strings && i < count; i++) {
        char local[FORTRAN_TEXT], *text = string_from_fortran(local, first + i * stride, length);
        strings[i] = text == local ? strdup(text) : text;
        if (!strings[i]) {
            free_strings(strings);
            return 0;
        }
    }
    return strings;
}

/* The same of a list of arguments, which a blank string ends. */
static char **arguments_from_fortran(const char *first, size_t length, size_t stride)
{
    size_t count = 0;
    while (!is_blank(first + count * stride, length))
        count++;
    return strings_from_fortran(first, length, stride, count);
}

static int *errcodes_from_fortran(MPI_Fint *errcodes)
{
    return IS_ANY_SENTINEL(errcodes, errcodes_ignore) ? APP_MPI_ERRCODES_IGNORE : errcodes;
}

/* Arguments that count only at the root are read only there. */
void fortran_MPI_Comm_spawn(char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info, MPI_Fint *root,
                            MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes, MPI_Fint *ierror,
                            size_t command_length, size_t argv_length)
{
    char local[FORTRAN_TEXT], *its_command = string_from_fortran(local, command, command_length);
    int rank = *root, rc = CALL(MPI_Comm_rank)(comm_from_fortran(*comm), &rank);
    int without = IS_ANY_SENTINEL(argv, argv_null) || rc != 0 || rank != *root;
    char **arguments = without ? APP_MPI_ARGV_NULL : arguments_from_fortran(argv, argv_length, argv_length);
    app_comm made;
    if (rc == 0)
        rc = its_command && (arguments || without)
                 ? CALL(MPI_Comm_spawn)(its_command, arguments, *maxprocs, info_from_fortran(*info), *root,
                                        comm_from_fortran(*comm), &made, errcodes_from_fortran(errcodes))
                 : raise_comm(comm_from_fortran(*comm), APP_MPI_ERR_NO_MEM);
    if (rc == 0)
        *intercomm = comm_to_fortran(made);
    if (!without)
        free_strings(arguments);
    fortran_unstage(its_command, local);
    set_ierror(ierror, rc);
}

static void free_lists(char ***lists, int count)
{
    for (int i = 0; lists && i < count; i++)
        free_strings(lists[i]);
    free(lists);
}

/* Row i of the array of strings ARGV(COUNT, *) holds the arguments of command i. */
static char ***lists_from_fortran(const char *argv, size_t length, int count)
{
    char ***lists = calloc((size_t)count + 1, sizeof *lists);
    for (int i = 0; lists && i < count; i++) {
        lists[i] = arguments_from_fortran(argv + (size_t)i * length, length, (size_t)count * length);
        if (!lists[i]) {
            free_lists(lists, count);
            return 0;
        }
    }
    return lists;
}

void fortran_MPI_Comm_spawn_multiple(MPI_Fint *count, char *commands, char *argv, MPI_Fint *maxprocs, MPI_Fint *infos,
                                     MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes,
                                     MPI_Fint *ierror, size_t commands_length, size_t argv_length)
{
    int rank = *root, number = 0, rc = CALL(MPI_Comm_rank)(comm_from_fortran(*comm), &rank);
    if (rc == 0 && rank == *root)
        number = *count;
    char **its_commands = strings_from_fortran(commands, commands_length, commands_length, (size_t)number);
    int without = IS_ANY_SENTINEL(argv, argvs_null);
    char ***lists = without ? APP_MPI_ARGVS_NULL : lists_from_fortran(argv, argv_length, number);
    app_info local[FORTRAN_LOCAL], *its_infos = info_stage_fortran(local, infos, number);
    app_comm made;
    if (rc == 0)
        rc = its_commands && (lists || without) && !IS_LACKING(its_infos, infos)
                 ? CALL(MPI_Comm_spawn_multiple)(number, its_commands, lists, maxprocs, its_infos, *root,
                                                 comm_from_fortran(*comm), &made, errcodes_from_fortran(errcodes))
                 : raise_comm(comm_from_fortran(*comm), APP_MPI_ERR_NO_MEM);
    if (rc == 0)
        *intercomm = comm_to_fortran(made);
    info_unstage_fortran(its_infos, local);
    if (!without)
        free_lists(lists, number);
    free_strings(its_commands);
    set_ierror(ierror, rc);
}
