/* SPDX-License-Identifier: BSD-3-Clause */
/* late LIBRARY [global]: a program without MPI that loads a library of MPI's, and calls it by what dlsym() finds.
 * Prints "right" and the version of MPI that it is told. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*initialize)(int *, char ***) = (int (*)(int *, char ***))dlsym(library, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(library, "PMPI_Finalize");
    int (*get_version)(int *, int *) = (int (*)(int *, int *))dlsym(library, "MPI_Get_version");
    int version = 0, subversion = 0;
    int bad = initialize(0, 0) || get_version(&version, &subversion) || finalize();
    printf("%s %d\n", bad ? "wrong" : "right", version);
    return bad;
}
