/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded for programs of earlier releases that run on their own MPI of today, without a pair: gives datatypes the numbers in Fortran
 * that these releases gave them. MPI's own library for Fortran asks for both through the dynamic linker. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "convert/types.h"
#include "earlier_numbers.h"

typedef const void *datatype;

/* The dynamic linker finds which of these a process has; those that it lacks are null. */
#define DECLARE_OBJECT(number, object) extern const char object[] __attribute__((weak));
EARLIER_DATATYPES(DECLARE_OBJECT)

#define OBJECT_ROW(number, object) { number, object },
static const struct { int number; datatype object; } rows[] = { EARLIER_DATATYPES(OBJECT_ROW) };
enum { ROWS = sizeof rows / sizeof *rows };

static datatype object_of(int number)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].number == number)
            return rows[i].object;
    return NULL;
}

/* The number of an object, or -1. */
static int number_of(datatype object)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].object == object)
            return rows[i].number;
    return -1;
}

static int highest_number(void)
{
    int highest = 0;
    for (size_t i = 0; i < ROWS; i++)
        highest = rows[i].number > highest ? rows[i].number : highest;
    return highest;
}

/* The function that the process would call without this library. */
static void *next_of(const char *symbol)
{
    void *found = dlsym(RTLD_NEXT, symbol);
    if (!found) {
        fprintf(stderr, "mpi-adapter: %s is in no library that the program loads; run it on another MPI\n", symbol);
        _exit(1);
    }
    return found;
}

/* The same, looked up once: several threads may find the same. */
static void *once_next_of(void **found, const char *symbol)
{
    void *next = __atomic_load_n(found, __ATOMIC_RELAXED);
    if (!next)
        __atomic_store_n(found, next = next_of(symbol), __ATOMIC_RELAXED);
    return next;
}

#define NEXT_OF(symbol) ({ static void *found; (__typeof__(&symbol))once_next_of(&found, #symbol); })

EXPORTED datatype MPI_Type_f2c(int number);
datatype MPI_Type_f2c(int number)
{
    datatype object = object_of(number);
    return object ? object : NEXT_OF(MPI_Type_f2c)(number);
}

EXPORTED int MPI_Type_c2f(datatype object);
int MPI_Type_c2f(datatype object)
{
    int number = number_of(object);
    return number >= 0 ? number : NEXT_OF(MPI_Type_c2f)(object);
}

EXPORTED datatype PMPI_Type_f2c(int number);
datatype PMPI_Type_f2c(int number)
{
    datatype object = object_of(number);
    return object ? object : NEXT_OF(PMPI_Type_f2c)(number);
}

EXPORTED int PMPI_Type_c2f(datatype object);
int PMPI_Type_c2f(datatype object)
{
    int number = number_of(object);
    return number >= 0 ? number : NEXT_OF(PMPI_Type_c2f)(object);
}

/* A number of these may be the first that MPI of today gives a datatype of the program's: it is taken, by one that nobody frees. */
static void take_numbers(void)
{
    static int are_taken;
    int (*duplicate)(datatype, datatype *) = (int (*)(datatype, datatype *))next_of("PMPI_Type_dup");
    int (*release)(datatype *) = (int (*)(datatype *))next_of("PMPI_Type_free");
    int highest = highest_number(), number = 0;
    if (__atomic_exchange_n(&are_taken, 1, __ATOMIC_RELAXED))
        return;
    while (number <= highest) {
        datatype made;
        if (duplicate(object_of(highest), &made) != 0)
            return;
        number = NEXT_OF(PMPI_Type_c2f)(made);
        if (number > highest)
            release(&made);
    }
}

static int initialized(int rc)
{
    if (rc == 0)
        take_numbers();
    return rc;
}

EXPORTED int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv)
{
    return initialized(NEXT_OF(MPI_Init)(argc, argv));
}

EXPORTED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return initialized(NEXT_OF(MPI_Init_thread)(argc, argv, required, provided));
}

EXPORTED int PMPI_Init(int *argc, char ***argv);
int PMPI_Init(int *argc, char ***argv)
{
    return initialized(NEXT_OF(PMPI_Init)(argc, argv));
}

EXPORTED int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return initialized(NEXT_OF(PMPI_Init_thread)(argc, argv, required, provided));
}

/* Programs of these releases have no constants for handles but variables, which MPI of today need not have. */
#define DEFINE_VARIABLE(variable, today, earlier)                                                  \
    extern EXPORTED int variable;                                                                  \
    int variable = earlier;
F08_VARIABLES(DEFINE_VARIABLE)
