#include "types.h"

