// SPDX-License-Identifier: BSD-3-Clause
#include "interface.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "../elf/allocate.h"

const char *const interface_names[INTERFACES] = {
    [INTERFACE_C] = "C",
    [INTERFACE_CXX] = "C++",
    [INTERFACE_MPI_T] = "MPI_T",
    [INTERFACE_EXTENSIONS] = "extensions",
    [INTERFACE_LARGE_COUNTS] = "large counts",
    [INTERFACE_MPI_F08] = "mpi_f08",
    [INTERFACE_MPIF] = "mpif.h or use mpi",
    [INTERFACE_PRIVATE] = "private",
    [INTERFACE_PROFILING] = "profiling",
};

// The first that fits counts.
static const struct { const char *pattern; enum interface interface; } patterns[] = {
    { "MPI_T_*", INTERFACE_MPI_T },
    { "PMPI_T_*", INTERFACE_MPI_T },
    { "MPIX_*", INTERFACE_EXTENSIONS },
    { "PMPIX_*", INTERFACE_EXTENSIONS },
    { "MPI_[A-Z][a-z]*", INTERFACE_C },
    { "PMPI_[A-Z][a-z]*", INTERFACE_C },
    { "mpi_*_f08_", INTERFACE_MPI_F08 },
    { "mpi_*_f08ts_", INTERFACE_MPI_F08 },
    { "pmpi_*_f08_", INTERFACE_MPI_F08 },
    { "pmpi_*_f08ts_", INTERFACE_MPI_F08 },
    { "__mpi_f08_*", INTERFACE_MPI_F08 },
    { "mpi_fortran_*", INTERFACE_MPIF },
    { "mpipriv*", INTERFACE_MPIF },
    { "mpifcmb*", INTERFACE_MPIF },
    { "mpi_*_", INTERFACE_MPIF },
    { "mpix_*_", INTERFACE_MPIF },
    { "pmpi_*_", INTERFACE_MPIF },
    { "pmpix_*_", INTERFACE_MPIF },
    { "MPI_[A-Z]*", INTERFACE_MPIF },
    { "__mpi_*", INTERFACE_MPIF },
    { "_ZN3MPI*", INTERFACE_CXX },
    { "_ZNK3MPI*", INTERFACE_CXX },
    { "_ZTVN3MPI*", INTERFACE_CXX },
    { "_ZTIN3MPI*", INTERFACE_CXX },
    { "MPIR_F08_*", INTERFACE_MPI_F08 },
    { "MPIR_C_F08_*", INTERFACE_MPI_F08 },
    { "ompi_mpi_cxx_*", INTERFACE_CXX },
    { "ompi_op_set_cxx_*", INTERFACE_CXX },
    { "ompi_mpi_*", INTERFACE_C },
    { "ompi_request_null", INTERFACE_C },
    { "ompi_message_*", INTERFACE_C },
    { "ompi_*", INTERFACE_PRIVATE },
    { "opal_*", INTERFACE_PRIVATE },
    { "orte_*", INTERFACE_PRIVATE },
    { "pmix_*", INTERFACE_PRIVATE },
    { "MPIR_*", INTERFACE_PRIVATE },
    { "MPID_*", INTERFACE_PRIVATE },
    { "mca_*", INTERFACE_PRIVATE },
};

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool ends(const char *text, const char *with)
{
    size_t length = strlen(text), size = strlen(with);
    return length >= size && strcmp(text + length - size, with) == 0;
}

unsigned interfaces_of(const char *symbol)
{
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (fnmatch(patterns[i].pattern, symbol, 0) != 0)
            continue;
        unsigned set = 1u << patterns[i].interface;
        if (starts(symbol, "PMPI") || starts(symbol, "pmpi_"))
            set |= 1u << INTERFACE_PROFILING;
        if (patterns[i].interface == INTERFACE_C && ends(symbol, "_c"))
            set |= 1u << INTERFACE_LARGE_COUNTS;
        return set;
    }
    return 0;
}

static void cut(char *text, const char *end)
{
    if (ends(text, end))
        text[strlen(text) - strlen(end)] = 0;
}

char *procedure_of(const char *symbol)
{
    bool fortran = starts(symbol, "mpi") || starts(symbol, "pmpi");
    char *name = copy(symbol + (starts(symbol, "PMPI") || starts(symbol, "pmpi")));
    static const char *const marks[] = { "_", "_", "_f08ts", "_f08" };
    for (size_t i = 0; fortran && i < sizeof marks / sizeof *marks; i++)
        cut(name, marks[i]);
    return name;
}
