/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/narrow.h"

#include "convert/host_side.h"

void drop_datatype(host_datatype *datatype)
{
    if (!is_null_datatype(*datatype))
        host.MPI_Type_free(datatype);
}

MPI_Aint narrow_extent(host_datatype datatype)
{
    MPI_Aint lower, extent = 0;
    host.MPI_Type_get_extent(datatype, &lower, &extent);
    return extent;
}

/* Makes a datatype of `whole`, and of `rest` at a place behind it. */
static int join_datatypes(host_datatype whole, host_datatype rest, MPI_Aint place, host_datatype *made)
{
    int lengths[] = { 1, 1 };
    MPI_Aint places[] = { 0, place };
    host_datatype types[] = { whole, rest };
    return host.MPI_Type_create_struct(2, lengths, places, types, made);
}

/* Makes a datatype of contiguous elements, without care for the extent's alignment. */
static int repeat_datatype(MPI_Count count, host_datatype datatype, MPI_Aint extent, host_datatype *made)
{
    host_datatype block = HOST_MPI_DATATYPE_NULL, whole = block, rest = block;
    if (count <= NARROW_MAX)
        return host.MPI_Type_contiguous((int)count, datatype, made);
    MPI_Count blocks = count / NARROW_MAX;
    host_code rc = host.MPI_Type_contiguous(NARROW_MAX, datatype, &block);
    if (rc == 0)
        rc = repeat_datatype(blocks, block, extent * NARROW_MAX, &whole);
    if (rc == 0)
        rc = host.MPI_Type_contiguous((int)(count % NARROW_MAX), datatype, &rest);
    if (rc == 0)
        rc = join_datatypes(whole, rest, extent * NARROW_MAX * blocks, made);
    drop_datatype(&block);
    drop_datatype(&whole);
    drop_datatype(&rest);
    return rc;
}

/* Among the parts of another datatype, one that is resized hides the bounds of those that are not (MPI-4.1 section 5.1.6):
 * nothing is resized that has its extent already. */
static int has_extent(host_datatype datatype, MPI_Aint lower, MPI_Aint extent)
{
    MPI_Aint its_lower = 0, its_extent = 0;
    return host.MPI_Type_get_extent(datatype, &its_lower, &its_extent) == 0 && its_lower == lower && its_extent == extent;
}

int narrow_datatype(MPI_Count count, host_datatype datatype, host_datatype *made)
{
    MPI_Aint lower = 0, extent = 0;
    host_datatype repeated = HOST_MPI_DATATYPE_NULL;
    host_code rc = host.MPI_Type_get_extent(datatype, &lower, &extent);
    if (rc == 0)
        rc = repeat_datatype(count, datatype, extent, &repeated);
    if (rc == 0 && has_extent(repeated, lower, extent * count)) {
        *made = repeated;
    } else {
        if (rc == 0)
            rc = host.MPI_Type_create_resized(repeated, lower, extent * count, made);
        drop_datatype(&repeated);
    }
    if (rc != 0)
        return rc;
    rc = host.MPI_Type_commit(made);
    if (rc != 0)
        drop_datatype(made);
    return rc;
}

int narrow_array(void **arrays, int **copy, const void *values, int length)
{
    const int64_t *large = values;
    *copy = 0;
    if (!values)
        return 0;
    int *made = retained_room(arrays, length > 0 ? (size_t)length * sizeof *made : 1);
    if (!made)
        return HOST_MPI_ERR_NO_MEM;
    for (int i = 0; i < length; i++) {
        made[i] = (int)large[i];
        if (made[i] != large[i])
            return -1;
    }
    *copy = made;
    return 0;
}
