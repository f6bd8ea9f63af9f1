#include "fortran.h"

