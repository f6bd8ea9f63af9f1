#include "fortran.h"

const struct earlier_handle earlier_handles[] = {
    { 0, 0 }
};
