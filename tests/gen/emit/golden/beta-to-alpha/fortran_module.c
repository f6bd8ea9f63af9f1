#include "convert/types.h"

