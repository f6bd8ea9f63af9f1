/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts that no derived datatype can stand for: reductions, whose operations are defined on
 * elements and may be applied to parts one after another (MPI-4.1 section 6.9), and packing, whose
 * sizes are counts. */
#include "built/narrow.h"
#include "convert/adapter.h"
#include "keep/held_handle.h"
#include "keep/own_request.h"
#include "lacking.h"

/* The arguments of a reduction, whichever it is. */
struct reduction {
    const void *sendbuf;
    void *recvbuf;
    MPI_Count count;
    host_datatype datatype;
    host_op op;
    int root;
    host_comm comm;
    struct holding held;
};

static MPI_Aint extent_of(host_datatype datatype)
{
    MPI_Aint lower, extent = 0;
    host.MPI_Type_get_extent(datatype, &lower, &extent);
    return extent;
}

/* Part number `part` of a buffer: sentinels stand for the whole. The first part does not depend on
 * the datatype, which is known to be one when the host has taken that part. */
static void *part_of(const void *buffer, int part, host_datatype datatype)
{
    if (part == 0 || buffer == HOST_MPI_IN_PLACE)
        return (void *)buffer;
    return (char *)buffer + (MPI_Count)part * NARROW_MAX * extent_of(datatype);
}

static int parts_of(MPI_Count count)
{
    return count > 0 ? (int)((count + NARROW_MAX - 1) / NARROW_MAX) : 1;
}

static int length_of(MPI_Count count, int part)
{
    MPI_Count rest = count - (MPI_Count)part * NARROW_MAX;
    return rest < NARROW_MAX ? narrow_count(rest) : NARROW_MAX;
}

static void release_held(void *arguments)
{
    struct reduction *r = arguments;
    release_all(&r->held);
    free(r);
}

static int begin(own_issue *issue, const struct reduction *r, host_request *request)
{
    struct reduction *kept = malloc(sizeof *kept);
    if (!kept)
        return fail_comm(r->comm, HOST_MPI_ERR_NO_MEM);
    *kept = *r;
    return own_begin(&(struct own_operation){ .comm = r->comm, .parts = parts_of(r->count), .issue = issue,
                                              .release = free, .arguments = kept }, request);
}

/* `first` is the request that the host makes of the first part: if it makes one the arguments are right. */
static int persistent(own_issue *issue, const struct reduction *r, int rc, host_request *first, host_request *request)
{
    if (rc == 0)
        rc = own_free(first);
    if (rc != 0)
        return rc;
    struct reduction *kept = malloc(sizeof *kept);
    if (!kept)
        return fail_comm(r->comm, HOST_MPI_ERR_NO_MEM);
    *kept = *r;
    kept->held = (struct holding){ r->comm, r->op, 1, &kept->datatype };
    if (hold_all(&kept->held) != 0) {
        free(kept);
        return fail_comm(r->comm, HOST_MPI_ERR_NO_MEM);
    }
    return own_persistent(&(struct own_operation){ .comm = r->comm, .parts = parts_of(r->count), .issue = issue,
                                                   .release = release_held, .arguments = kept }, request);
}

#define UNPACK(...) __VA_ARGS__
#define PARAMETERS(...) const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op, __VA_ARGS__
#define PART(i) part_of(r->sendbuf, i, r->datatype), part_of(r->recvbuf, i, r->datatype), length_of(r->count, i), \
                r->datatype, r->op
#define ALL(...)                                                                                   \
    (&(struct reduction){ .sendbuf = sendbuf, .recvbuf = recvbuf, .count = count, .datatype = datatype, \
                          .op = op, .comm = comm, __VA_ARGS__ })

/* MPI_Name_c, its nonblocking and its persistent form; `root` and what follows it is the parameter,
 * the member that a reduction to one process has in addition, and how it is kept. */
#define REDUCTION(Name, Nonblocking, parameter, member, kept)                                      \
    static int issue_##Name(void *arguments, host_request *parts)                                  \
    {                                                                                              \
        const struct reduction *r = arguments;                                                     \
        int rc = 0;                                                                                \
        for (int i = 0; rc == 0 && i < parts_of(r->count); i++)                                    \
            rc = host.MPI_##Nonblocking(PART(i), UNPACK member r->comm, &parts[i]);                \
        return rc;                                                                                 \
    }                                                                                              \
    int built_MPI_##Name##_c(PARAMETERS(UNPACK parameter host_comm comm))                          \
    {                                                                                              \
        const struct reduction *r = ALL(UNPACK kept);                                              \
        int rc = 0;                                                                                \
        for (int i = 0; rc == 0 && i < parts_of(count); i++)                                       \
            rc = host.MPI_##Name(PART(i), UNPACK member comm);                                     \
        return rc;                                                                                 \
    }                                                                                              \
    int built_MPI_##Nonblocking##_c(PARAMETERS(UNPACK parameter host_comm comm, host_request *request)) \
    {                                                                                              \
        const struct reduction *r = ALL(UNPACK kept);                                              \
        return count <= NARROW_MAX ? host.MPI_##Nonblocking(PART(0), UNPACK member comm, request)  \
                                   : begin(issue_##Name, r, request);                              \
    }                                                                                              \
    int built_MPI_##Name##_init_c(PARAMETERS(UNPACK parameter host_comm comm, host_info info, host_request *request)) \
    {                                                                                              \
        const struct reduction *r = ALL(UNPACK kept);                                              \
        host_request first;                                                                        \
        if (count <= NARROW_MAX)                                                                   \
            return host.MPI_##Name##_init(PART(0), UNPACK member comm, info, request);             \
        return persistent(issue_##Name, r, host.MPI_##Name##_init(PART(0), UNPACK member comm, info, &first), &first, \
                          request);                                                                \
    }

REDUCTION(Reduce, Ireduce, (int root, ), (r->root, ), (.root = root))
REDUCTION(Allreduce, Iallreduce, (), (), ())
REDUCTION(Scan, Iscan, (), (), ())
REDUCTION(Exscan, Iexscan, (), (), ())

int built_MPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, host_datatype datatype, host_op op)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < parts_of(count); i++)
        rc = host.MPI_Reduce_local(part_of(inbuf, i, datatype), part_of(inoutbuf, i, datatype), length_of(count, i),
                                   datatype, op);
    return rc;
}

/* The size of what is packed. What is wrong with the arguments is said on the communicator. */
static int checked_size(host_datatype datatype, host_comm comm, MPI_Count *size)
{
    int packed, rc = host.MPI_Pack_size(0, datatype, comm, &packed);
    return rc == 0 ? host.MPI_Type_size_x(datatype, size) : rc;
}

/* As many elements as can be packed at a time: their size must be an int. */
static int pack_at_a_time(host_datatype datatype, host_comm comm, int *elements)
{
    MPI_Count size = 0;
    int rc = checked_size(datatype, comm, &size);
    if (rc == 0 && size > NARROW_MAX)
        rc = fail_comm(comm, unsupported("packing of such a large datatype"));
    *elements = rc == 0 && size > 0 ? (int)(NARROW_MAX / size) : NARROW_MAX;
    return rc;
}

static int smaller(MPI_Count count, int limit)
{
    return count < limit ? narrow_count(count) : limit;
}

/* What packing in parts needs; a datatype that no part takes is as large as its elements. */
int built_MPI_Pack_size_c(MPI_Count incount, host_datatype datatype, host_comm comm, MPI_Count *size)
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
    if (rc == 0)
        *size = element > NARROW_MAX ? incount * element : incount > most ? each * (incount / most) + rest : each;
    return rc;
}

/* Packing or unpacking begins at *position, which an error leaves alone. */
int built_MPI_Pack_c(const void *inbuf, MPI_Count incount, host_datatype datatype, void *outbuf, MPI_Count outsize,
                     MPI_Count *position, host_comm comm)
{
    MPI_Count done = 0, at = position ? *position : 0;
    int most = 1, rc = pack_at_a_time(datatype, comm, &most);
    if (rc == 0 && !position)
        rc = fail_comm(comm, HOST_MPI_ERR_ARG);
    MPI_Aint extent = rc == 0 ? extent_of(datatype) : 0;
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

int built_MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                       host_datatype datatype, host_comm comm)
{
    MPI_Count done = 0, at = position ? *position : 0;
    int most = 1, rc = pack_at_a_time(datatype, comm, &most);
    if (rc == 0 && !position)
        rc = fail_comm(comm, HOST_MPI_ERR_ARG);
    MPI_Aint extent = rc == 0 ? extent_of(datatype) : 0;
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
