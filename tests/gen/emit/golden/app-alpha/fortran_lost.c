#include "fortran.h"

EXPORTED char mpi_fortran_bottom[4];
struct fortran_sentinels fortran_sentinels = {
    .bottom = mpi_fortran_bottom,
};

const struct sentinel sentinel_symbols[] = {
    { "mpi_fortran_bottom", mpi_fortran_bottom },
    { 0, 0 }
};

const struct fortran_keyval fortran_keyvals[] = {
    { 0, 0 }
};
