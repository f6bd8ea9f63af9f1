/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions of values between the languages, and what depends on the compiler. */
#define _GNU_SOURCE
#include "fortran.h"

#include <link.h>
#include <string.h>

#include "compilers.h"

/* The first compiler of the table is what most programs were compiled with. */
int fortran_true = FORTRAN_TRUE, fortran_false = FORTRAN_FALSE;

static void choose(const struct compiler *compiler)
{
    fortran_true = compiler->logical_true;
    fortran_false = compiler->logical_false;
}

/* Chooses the compiler whose run-time library a loaded object is, if it is one's. */
static int recognize(struct dl_phdr_info *object, size_t size, void *found)
{
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    for (const struct compiler *compiler = compilers; compiler->name; compiler++)
        if (strncmp(name, compiler->library, strlen(compiler->library)) == 0) {
            *(const struct compiler **)found = compiler;
            return 1;
        }
    return 0;
}

__attribute__((constructor)) static void choose_compiler(void)
{
    const char *wanted = getenv("MPI_ADAPTER_FORTRAN");
    const struct compiler *found = 0;
    if (wanted && *wanted) {
        for (found = compilers; found->name && strcmp(found->name, wanted) != 0; found++)
            ;
        if (!found->name)
            give_up("MPI_ADAPTER_FORTRAN=%s is no compiler that is known; set it to one of " COMPILERS, wanted);
    } else {
        dl_iterate_phdr(recognize, &found);
    }
    if (found)
        choose(found);
}

/* A null pointer, which is no handle, must not become the 0 of MPI_COMM_WORLD. */
MPI_Fint predefined_to_fortran(int count, const intptr_t *handles, intptr_t handle)
{
    for (int i = 0; i < count; i++)
        if (handles[i] == handle)
            return i;
    return handle ? (MPI_Fint)((const struct app_object *)handle)->word : -1;
}

int *logicals_from_fortran(int *local, const MPI_Fint *from, int count)
{
    int *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = logical_from_fortran(from[i]);
    return staged;
}

void logicals_to_fortran(MPI_Fint *flags, int count)
{
    for (int i = 0; i < count; i++)
        if (flags[i] == 0 || flags[i] == 1)
            flags[i] = logical_to_fortran(flags[i]);
}

MPI_Aint *widen(MPI_Aint *local, const MPI_Fint *from, int count)
{
    MPI_Aint *staged = stage_room(local, count, sizeof *staged);
    for (int i = 0; staged && i < count; i++)
        staged[i] = from[i];
    return staged;
}

char *string_from_fortran(char *local, const char *from, size_t length)
{
    while (length > 0 && from[length - 1] == ' ')
        length--;
    while (length > 0 && *from == ' ')
        from++, length--;
    char *to = length < FORTRAN_TEXT ? local : malloc(length + 1);
    if (to) {
        memcpy(to, from, length);
        to[length] = 0;
    }
    return to;
}

void string_to_fortran(char *to, size_t length, const char *from)
{
    size_t filled = strnlen(from, length);
    memcpy(to, from, filled);
    memset(to + filled, ' ', length - filled);
}
