/* SPDX-License-Identifier: BSD-3-Clause */
/* LOGICALs, which depend on the compiler. */
#include "base/logical.h"

#include <link.h>
#include <string.h>

#include "compilers.h"
#include "convert/say.h"
#include "process/environment.h"
#include "start/refuse.h"

/* The first compiler of the table is what most programs were compiled with. */
int fortran_true = FORTRAN_TRUE, fortran_false = FORTRAN_FALSE;

static int is_chosen;

static void use_compiler(const struct compiler *compiler)
{
    is_chosen = 1;
    fortran_true = compiler->logical_true;
    fortran_false = compiler->logical_false;
}

/* Chooses the compiler whose run-time library a loaded object is, if it is one's. */
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

static void choose_compiler(void)
{
    const char *wanted = environment_setting("MPI_ADAPTER_FORTRAN");
    const struct compiler *found = 0;
    if (wanted && *wanted) {
        for (found = compilers; found->name && strcmp(found->name, wanted) != 0; found++)
            ;
        if (!found->name)
            give_up("MPI_ADAPTER_FORTRAN=%s is not a known compiler; set it to one of " COMPILERS, wanted);
    } else {
        dl_iterate_phdr(recognize_compiler, &found);
    }
    if (found)
        use_compiler(found);
}

/* Asked by each Fortran library, when it is loaded and when others have been: the compiler's may come with a plugin. */
void logicals(int *is_true, int *is_false)
{
    const char *failure = is_chosen ? 0 : attempt(choose_compiler);
    if (failure)
        refuse(failure);
    *is_true = fortran_true;
    *is_false = fortran_false;
}
