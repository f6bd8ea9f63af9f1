/* SPDX-License-Identifier: BSD-3-Clause */
#include "start/elements.h"

#include <limits.h>
#include <stdlib.h>

#include "convert/host_side.h"
#include "host_libraries.h"
#include "start/host_fault.h"

#ifdef HOST_FAULT_ELEMENTS

#define ELEMENTS(each) each(MPI_Get_elements) each(MPI_Get_elements_x) each(MPI_Get_elements_c)
LAYER_PART(element_counts, ELEMENTS);

/* Takes the host's own procedures. */
#define OWN(name) WITHIN(LAYER_WORKAROUND, name)

static MPI_Count size_of_basics(host_datatype datatype);

static int is_same(host_datatype one, host_datatype other)
{
    return HOST_DATATYPE_BITS(one) == HOST_DATATYPE_BITS(other);
}

/* Returns the size of a predefined datatype's elements; 0 if they have several. Some pairs have two elements of one size. */
static MPI_Count size_of_predefined(host_datatype datatype)
{
    const host_datatype even[] = { HOST_MPI_2INT, HOST_MPI_FLOAT_INT, HOST_MPI_2REAL, HOST_MPI_2INTEGER, HOST_MPI_2DOUBLE_PRECISION };
    const host_datatype odd[] = { HOST_MPI_DOUBLE_INT, HOST_MPI_LONG_INT, HOST_MPI_SHORT_INT, HOST_MPI_LONG_DOUBLE_INT };
    MPI_Count size = 0;
    if (OWN(MPI_Type_size_x)(datatype, &size) != 0)
        return 0;
    for (size_t i = 0; i < sizeof even / sizeof *even; i++)
        if (is_same(datatype, even[i]))
            return size / 2;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (is_same(datatype, odd[i]))
            return 0;
    return size;
}

/* Returns the size of what a datatype is made of, and frees that. Blocks of no elements count for nothing. */
static MPI_Count size_of_parts(int combiner, int count, const int *integers, const host_datatype *types)
{
    MPI_Count common = 0;
    int has_several = 0, is_first = 1;
    for (int i = 0; i < count; i++) {
        MPI_Count size = size_of_basics(types[i]);
        if (combiner == HOST_MPI_COMBINER_STRUCT && integers[1 + i] == 0)
            continue;
        has_several |= !is_first && size != common;
        common = size;
        is_first = 0;
    }
    return has_several ? 0 : common;
}

/* Returns the size of the elements of a datatype that was made; 0 if they have several, or the host does not tell. */
static MPI_Count size_of_made(host_datatype datatype, int combiner, int integer_count, int address_count, int type_count)
{
    int *integers = malloc(((size_t)integer_count + 1) * sizeof *integers);
    MPI_Aint *addresses = malloc(((size_t)address_count + 1) * sizeof *addresses);
    host_datatype *types = malloc(((size_t)type_count + 1) * sizeof *types);
    MPI_Count size = 0;
    if (integers && addresses && types &&
        OWN(MPI_Type_get_contents)(datatype, integer_count, address_count, type_count, integers, addresses, types) == 0)
        size = size_of_parts(combiner, type_count, integers, types);
    free(integers);
    free(addresses);
    free(types);
    return size;
}

/* Returns the size of a datatype's elements as above, and frees a datatype that is not predefined. */
static MPI_Count size_of_basics(host_datatype datatype)
{
    int integers = 0, addresses = 0, types = 0, combiner = HOST_MPI_COMBINER_NAMED;
    if (OWN(MPI_Type_get_envelope)(datatype, &integers, &addresses, &types, &combiner) != 0)
        return 0;
    MPI_Count size = types == 0 ? size_of_predefined(datatype) : size_of_made(datatype, combiner, integers, addresses, types);
    if (types > 0)
        OWN(MPI_Type_free)(&datatype);
    return size;
}

/* Counts elements of one size, whatever they are. Returns 0 if the host is to count. */
static int count_elements(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    int integers = 0, addresses = 0, types = 0, combiner = HOST_MPI_COMBINER_NAMED;
    MPI_Count bytes = 0;
    if (is_same(datatype, HOST_MPI_DATATYPE_NULL) || OWN(MPI_Type_get_envelope)(datatype, &integers, &addresses, &types, &combiner) != 0 || types == 0)
        return 0;
    MPI_Count size = size_of_made(datatype, combiner, integers, addresses, types);
    if (size <= 0 || OWN(MPI_Get_elements_x)(status, HOST_MPI_BYTE, &bytes) != 0 || bytes < 0)
        return 0;
    *count = bytes / size;
    return 1;
}

static int get_elements(const host_status *status, host_datatype datatype, int *count)
{
    MPI_Count elements;
    if (!count || !count_elements(status, datatype, &elements))
        return NEXT(element_counts, MPI_Get_elements)(status, datatype, count);
    *count = elements <= INT_MAX ? (int)elements : HOST_MPI_UNDEFINED;
    return 0;
}

static int get_elements_x(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    return count && count_elements(status, datatype, count) ? 0 : NEXT(element_counts, MPI_Get_elements_x)(status, datatype, count);
}

static int get_elements_c(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    return count && count_elements(status, datatype, count) ? 0 : NEXT(element_counts, MPI_Get_elements_c)(status, datatype, count);
}

void elements_work_around(int standard)
{
    if (standard >= HOST_FAULT_ELEMENTS)
        return;
    WORK_AROUND(element_counts, MPI_Get_elements, get_elements);
    WORK_AROUND(element_counts, MPI_Get_elements_x, get_elements_x);
    WORK_AROUND(element_counts, MPI_Get_elements_c, get_elements_c);
}

#else
void elements_work_around(int standard) {}
#endif
