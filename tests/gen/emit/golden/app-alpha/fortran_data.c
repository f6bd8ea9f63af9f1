#include "fortran.h"

extern EXPORTED char mpi_fortran_bottom_[4];

struct fortran_sentinels fortran_sentinels = {
    .bottom = mpi_fortran_bottom_ + 0,
};

const struct sentinel sentinel_symbols[] = {
    { "mpi_fortran_bottom_", mpi_fortran_bottom_ },
    { 0, 0 }
};

const struct fortran_keyval fortran_keyvals[] = {
    { 0, 0 }
};
