/* SPDX-License-Identifier: BSD-3-Clause */
/* LOGICALs, which depend on the compiler. */
#include "base/logical.h"

#include "base/compiler.h"
#include "convert/say.h"
#include "process/environment.h"
#include "start/refuse.h"

/* The first compiler of the table is what most programs were compiled with. */
int fortran_true = FORTRAN_TRUE, fortran_false = FORTRAN_FALSE;

static int is_chosen;

static void choose_compiler(void)
{
    const struct compiler *found = find_compiler(environment_setting("MPI_ADAPTER_FORTRAN"));
    if (!found)
        return;
    is_chosen = 1;
    fortran_true = found->logical_true;
    fortran_false = found->logical_false;
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
