/* SPDX-License-Identifier: BSD-3-Clause */
/* Error classes and codes that the program removes, MPI-4.1 section 9.5, on a host that keeps all that were ever added.
 * The program gets removed ones again, because hosts have few: MPICH has 127 classes. */
#include <pthread.h>
#include <stdlib.h>

#include "convert/added_code.h"
#include "convert/host_side.h"
#include "layers/built.h"
#include "layers/layers.h"

/* The program's calls come one at a time (`error_codes` in layers/lock.h). */
struct unused {
    struct unused *next;
    int code;
};
static struct unused *unused_classes, *unused_codes;

#define REUSES(each) each(MPI_Add_error_class) each(MPI_Add_error_code)
LAYER_PART(reuse, REUSES);

/* Returns 0 if no code is unused. */
static int take_unused(struct unused **list)
{
    struct unused *taken = *list;
    int code = taken ? taken->code : 0;
    *list = taken ? taken->next : 0;
    free(taken);
    return code;
}

static int reuse_MPI_Add_error_class(int *errorclass)
{
    int class = take_unused(&unused_classes);
    if (class == 0)
        return NEXT(reuse, MPI_Add_error_class)(errorclass);
    *errorclass = class;
    return 0;
}

/* The adapter knows the class of an added code, so the code may have been of another one. */
static int reuse_MPI_Add_error_code(int errorclass, int *errorcode)
{
    int class = 0, rc = unused_codes ? host.MPI_Error_class(errorclass, &class) : 0;
    if (rc != 0)
        return rc;
    int code = class == errorclass ? take_unused(&unused_codes) : 0;
    if (code == 0)
        return NEXT(reuse, MPI_Add_error_code)(errorclass, errorcode);
    *errorcode = code;
    return 0;
}

static void install_reuse(void)
{
    LAYER_INSTALL(LAYER_WORKAROUND, reuse, OVERRIDE(reuse, MPI_Add_error_class, reuse_MPI_Add_error_class),
                  OVERRIDE(reuse, MPI_Add_error_code, reuse_MPI_Add_error_code));
}

/* Keeps a code that the program has removed. Without memory it is not used again. */
static void put_unused(struct unused **list, int code)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct unused *removed = malloc(sizeof *removed);
    pthread_once(&once, install_reuse);
    if (removed) {
        *removed = (struct unused){ *list, code };
        *list = removed;
    }
}

/* Only classes and codes that the program added can be removed, when they have no string any more, and a class when it has no
 * codes. The adapter forgets the number. */
host_code built_MPI_Remove_error_class(int errorclass)
{
    int number = added_find(errorclass);
    if (!added_is_class(number) || added_has_codes(number) || added_has_string(number))
        return fail(HOST_MPI_ERR_ARG);
    put_unused(&unused_classes, errorclass);
    return 0;
}

host_code built_MPI_Remove_error_code(int errorcode)
{
    int number = added_find(errorcode);
    if (!number || added_is_class(number) || added_has_string(number))
        return fail(HOST_MPI_ERR_ARG);
    put_unused(&unused_codes, errorcode);
    return 0;
}

host_code built_MPI_Remove_error_string(int errorcode)
{
    return added_find(errorcode) ? host.MPI_Add_error_string(errorcode, "") : fail(HOST_MPI_ERR_ARG);
}
