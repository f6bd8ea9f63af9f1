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

MPI_Fint other_to_fortran(int handle_class, int count, const intptr_t *handles, intptr_t handle)
{
    return handle < 0 ? number_of_handle(handle, handle_class) : predefined_to_fortran(count, handles, handle);
}
