#include "base/handle_tables.h"

const struct earlier_handle earlier_handles[] = {
    { 0, 0 }
};
