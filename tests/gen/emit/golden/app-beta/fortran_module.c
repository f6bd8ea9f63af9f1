#include "fortran.h"

const struct earlier_constant earlier_constants[] = {
    { 0, 0 }
};
