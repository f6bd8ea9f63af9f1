/* SPDX-License-Identifier: BSD-3-Clause */
/* Packing with large counts, which no derived datatype can stand for, as sizes are counts. */
#include "stand_ins/narrow.h"
#include "convert/host_side.h"
#include "layers/built.h"

/* Sets the size of the packed data, or raises the error of an argument on the communicator. */
static int checked_size(host_datatype datatype, host_comm comm, MPI_Count *size)
{
    int packed, rc = host.MPI_Pack_size(0, datatype, comm, &packed);
    return rc == 0 ? host.MPI_Type_size_x(datatype, size) : rc;
}

/* Sets how many elements can be packed at a time: their size must be an int. */
static int pack_at_a_time(host_datatype datatype, host_comm comm, int *elements)
{
    MPI_Count size = 0;
    host_code rc = checked_size(datatype, comm, &size);
    if (rc == 0 && size > NARROW_MAX)
        rc = fail_comm(comm, unsupported("packing of such a large datatype"));
    *elements = rc == 0 && size > 0 ? (int)(NARROW_MAX / size) : NARROW_MAX;
    return rc;
}

static int smaller(MPI_Count count, int limit)
{
    return count < limit ? narrow_count(count) : limit;
}

/* Returns the size that packing in parts needs. A datatype that fits no part needs the size of its elements. */
host_code built_MPI_Pack_size_c(MPI_Count incount, host_datatype datatype, host_comm comm, MPI_Count *size)
{
    MPI_Count element = 0;
    int each = 0, rest = 0, rc = checked_size(datatype, comm, &element);
    if (rc == 0 && (!size || (incount < 0 && element > NARROW_MAX)))
        rc = fail_comm(comm, size ? HOST_MPI_ERR_COUNT : HOST_MPI_ERR_ARG);
    int most = element > 0 && element <= NARROW_MAX ? (int)(NARROW_MAX / element) : NARROW_MAX;
    if (rc == 0 && element <= NARROW_MAX)
        rc = host.MPI_Pack_size(smaller(incount, most), datatype, comm, &each);
    if (rc == 0 && element <= NARROW_MAX && incount > most)
        rc = host.MPI_Pack_size((int)(incount % most), datatype, comm, &rest);
    if (rc != 0)
        return rc;
    if (element > NARROW_MAX)
        *size = incount * element;
    else
        *size = incount > most ? each * (incount / most) + rest : each;
    return 0;
}

/* Packing or unpacking begins at *position, which an error leaves alone. */
host_code built_MPI_Pack_c(const void *inbuf, MPI_Count incount, host_datatype datatype, void *outbuf, MPI_Count outsize,
                     MPI_Count *position, host_comm comm)
{
    MPI_Count done = 0, at = position ? *position : 0;
    int most = 1, rc = pack_at_a_time(datatype, comm, &most);
    if (rc == 0 && !position)
        rc = fail_comm(comm, HOST_MPI_ERR_ARG);
    MPI_Aint extent = rc == 0 ? narrow_extent(datatype) : 0;
    for (int begun = 0; rc == 0 && (!begun || done < incount); begun = 1) {
        int number = smaller(incount - done, most), place = 0;
        rc = host.MPI_Pack((const char *)inbuf + done * extent, number, datatype, (char *)outbuf + at,
                           smaller(outsize - at, INT_MAX), &place, comm);
        at += place;
        done += number;
    }
    if (rc == 0)
        *position = at;
    return rc;
}

host_code built_MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                       host_datatype datatype, host_comm comm)
{
    MPI_Count done = 0, at = position ? *position : 0;
    int most = 1, rc = pack_at_a_time(datatype, comm, &most);
    if (rc == 0 && !position)
        rc = fail_comm(comm, HOST_MPI_ERR_ARG);
    MPI_Aint extent = rc == 0 ? narrow_extent(datatype) : 0;
    for (int begun = 0; rc == 0 && (!begun || done < outcount); begun = 1) {
        int number = smaller(outcount - done, most), place = 0;
        rc = host.MPI_Unpack((const char *)inbuf + at, smaller(insize - at, INT_MAX), &place,
                             (char *)outbuf + done * extent, number, datatype, comm);
        at += place;
        done += number;
    }
    if (rc == 0)
        *position = at;
    return rc;
}
