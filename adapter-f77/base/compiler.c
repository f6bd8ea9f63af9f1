/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/compiler.h"

#include <link.h>
#include <string.h>

#include "convert/say.h"

/* Finds the compiler whose run-time library a loaded object is, if it is one's. */
static int recognize_compiler(struct dl_phdr_info *object, size_t size, void *found)
{
    const char *slash = strrchr(object->dlpi_name, '/'), *name = slash ? slash + 1 : object->dlpi_name;
    for (const struct compiler *compiler = compilers; compiler->name; compiler++)
        if (strncmp(name, compiler->library, strlen(compiler->library)) == 0) {
            *(const struct compiler **)found = compiler;
            return 1;
        }
    return 0;
}

const struct compiler *find_compiler(const char *name)
{
    const struct compiler *found = 0;
    if (!name || !*name) {
        dl_iterate_phdr(recognize_compiler, &found);
        return found;
    }
    for (found = compilers; found->name && strcmp(found->name, name) != 0; found++)
        ;
    if (!found->name)
        give_up("MPI_ADAPTER_FORTRAN=%s is not a known compiler; set it to one of " COMPILERS, name);
    return found;
}
