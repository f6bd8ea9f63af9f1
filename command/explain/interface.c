// SPDX-License-Identifier: BSD-3-Clause
#include "interface.h"

#include <fnmatch.h>
#include <stdlib.h>
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

struct pattern {
    const char *pattern;
    enum interface interface;
};

// Names that MPI itself gives, and compilers make of them; the first pattern that fits counts.
static const struct pattern common[] = {
    { "MPI_T_*", INTERFACE_MPI_T },
    { "PMPI_T_*", INTERFACE_MPI_T },
    { "MPIX_*", INTERFACE_EXTENSIONS },
    { "PMPIX_*", INTERFACE_EXTENSIONS },
    { "MPI_[A-Z][a-z]*", INTERFACE_C },
    { "PMPI_[A-Z][a-z]*", INTERFACE_C },
    { "mpi_*_f08_", INTERFACE_MPI_F08 },
    { "mpi_*_f08ts_", INTERFACE_MPI_F08 },
    { "mpi_*_f08gf_", INTERFACE_MPI_F08 },
    { "pmpi_*_f08_", INTERFACE_MPI_F08 },
    { "pmpi_*_f08ts_", INTERFACE_MPI_F08 },
    { "pmpi_*_f08gf_", INTERFACE_MPI_F08 },
    { "__mpi_f08_*", INTERFACE_MPI_F08 },
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
};

// The names of families.
static struct pattern *own;
static size_t own_count;

// The table of families uses these words for interfaces that a family has its own names for.
static const struct { const char *word; enum interface interface; } words[] = {
    { "c", INTERFACE_C },
    { "cxx", INTERFACE_CXX },
    { "f08", INTERFACE_MPI_F08 },
    { "mpif", INTERFACE_MPIF },
    { "private", INTERFACE_PRIVATE },
};

bool interface_add(const char *text)
{
    char *patterns = copy(text), *rest = patterns, *word = strsep(&rest, "=");
    size_t i = 0;
    while (i < sizeof words / sizeof *words && strcmp(words[i].word, word) != 0)
        i++;
    if (i == sizeof words / sizeof *words || !rest) {
        free(patterns);
        return false;
    }
    // The patterns stay as long as the program runs.
    for (char *pattern; (pattern = strsep(&rest, ","));) {
        own = grown(own, own_count, sizeof *own);
        own[own_count++] = (struct pattern){ pattern, words[i].interface };
    }
    return true;
}

static const struct pattern *fitting(const struct pattern *patterns, size_t count, const char *symbol)
{
    for (; count > 0; count--, patterns++)
        if (fnmatch(patterns->pattern, symbol, 0) == 0)
            return patterns;
    return NULL;
}

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static bool ends_with(const char *text, const char *with)
{
    size_t length = strlen(text), size = strlen(with);
    return length >= size && strcmp(text + length - size, with) == 0;
}

unsigned interfaces_of(const char *symbol)
{
    const struct pattern *found = fitting(common, sizeof common / sizeof *common, symbol);
    if (!found)
        found = fitting(own, own_count, symbol);
    if (!found)
        return 0;
    unsigned set = 1u << found->interface;
    if (starts(symbol, "PMPI") || starts(symbol, "pmpi_"))
        set |= 1u << INTERFACE_PROFILING;
    if (found->interface == INTERFACE_C && ends_with(symbol, "_c"))
        set |= 1u << INTERFACE_LARGE_COUNTS;
    return set;
}

static void cut_text(char *text, const char *end)
{
    if (ends_with(text, end))
        text[strlen(text) - strlen(end)] = 0;
}

char *procedure_of(const char *symbol)
{
    bool fortran = starts(symbol, "mpi") || starts(symbol, "pmpi");
    char *name = copy(symbol + (starts(symbol, "PMPI") || starts(symbol, "pmpi")));
    static const char *const marks[] = { "_", "_", "_f08ts", "_f08gf", "_f08" };
    for (size_t i = 0; fortran && i < sizeof marks / sizeof *marks; i++)
        cut_text(name, marks[i]);
    return name;
}
