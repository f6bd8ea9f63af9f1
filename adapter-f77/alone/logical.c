/* SPDX-License-Identifier: BSD-3-Clause */
/* LOGICALs, which depend on the compiler: its run-time library tells which one it was. */
#include "fortran.h"

#include <link.h>
#include <string.h>

#include "compilers.h"

static int is_runtime_of(const struct compiler *compiler, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strncmp(name, compiler->library, strlen(compiler->library)) == 0;
}

static int recognize_compiler(struct dl_phdr_info *object, size_t size, void *found)
{
    for (const struct compiler *compiler = compilers; compiler->name; compiler++)
        if (is_runtime_of(compiler, object->dlpi_name)) {
            *(const struct compiler **)found = compiler;
            return 1;
        }
    return 0;
}

static const struct compiler *named(const char *name)
{
    const struct compiler *compiler = compilers;
    while (compiler->name && strcmp(compiler->name, name) != 0)
        compiler++;
    if (!compiler->name)
        give_up("MPI_ADAPTER_FORTRAN=%s is not a known compiler; set it to one of " COMPILERS, name);
    return compiler;
}

/* The first compiler of the table, where none is found. */
__attribute__((constructor)) static void choose_logicals(void)
{
    const char *wanted = secure_getenv("MPI_ADAPTER_FORTRAN");
    const struct compiler *found = compilers;
    if (wanted && *wanted)
        found = named(wanted);
    else
        dl_iterate_phdr(recognize_compiler, &found);
    fortran_true = found->logical_true;
    fortran_false = found->logical_false;
}
