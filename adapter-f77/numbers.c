/* SPDX-License-Identifier: BSD-3-Clause */
/* Integers of handles that the library for C is asked for. */
#include "fortran.h"

struct fortran_numbers fortran_numbers[CLASS_COUNT] = { [0 ... CLASS_COUNT - 1] = { 0, INTPTR_MIN } };

__attribute__((constructor)) static void choose_upper_halves(void)
{
    for (int class = 0; class < CLASS_COUNT; class++)
        if (mpi_adapter_shared.integer_classes >> class & 1)
            fortran_numbers[class] = (struct fortran_numbers){ DYNAMIC_OBJECT(intptr_t, 0), 0 };
}

intptr_t handle_of_number(int32_t number, int handle_class)
{
    return mpi_adapter_shared.from_number(handle_class, number);
}
DEFINE_PRESERVING(handle_of_number);

MPI_Fint number_of_handle(intptr_t handle, int handle_class)
{
    return mpi_adapter_shared.to_number(handle_class, handle);
}

#define OTHER_OBJECT(CLASS, class)                                                                 \
    MPI_Fint class##_other_to_fortran(app_##class handle)                                          \
    {                                                                                              \
        return (intptr_t)handle < 0                                                                \
                   ? number_of_handle((intptr_t)handle, CLASS_##CLASS)                             \
                   : predefined_to_fortran(fortran_##class.count, fortran_##class##_handles, (intptr_t)handle); \
    }
#define OTHER_INT(CLASS, class)
#define OTHER_POINTER(CLASS, class)
#define OTHER(CLASS, class) JOIN(OTHER_, APP_##CLASS##_REPRESENTATION)(CLASS, class)
HANDLE_CLASSES(OTHER)
