/* SPDX-License-Identifier: BSD-3-Clause */
/* Large counts that no derived datatype can stand for: reductions, whose operations are defined on
 * elements and may be applied to parts one after another (MPI-4.1 section 6.9), and packing, whose
 * sizes are counts. */
#include "adapter.h"
#include "hold.h"
#include "lacking.h"
#include "narrow.h"
#include "own_request.h"

/* Part number `part` of a buffer: sentinels stand for the whole. */
static void *part_of(const void *buffer, MPI_Count part, MPI_Aint extent)
{
    return buffer == HOST_MPI_IN_PLACE ? (void *)buffer : (char *)buffer + part * NARROW_MAX * extent;
}

static int parts_of(MPI_Count count)
{
    return (int)((count + NARROW_MAX - 1) / NARROW_MAX);
}

static int length_of(MPI_Count count, int part)
{
    MPI_Count rest = count - (MPI_Count)part * NARROW_MAX;
    return rest < NARROW_MAX ? (int)rest : NARROW_MAX;
}

static MPI_Aint extent_of(host_datatype datatype)
{
    MPI_Aint lower, extent = 0;
    host.MPI_Type_get_extent(datatype, &lower, &extent);
    return extent;
}

static int no_memory(host_comm comm)
{
    host.MPI_Comm_call_errhandler(comm, HOST_MPI_ERR_NO_MEM);
    return HOST_MPI_ERR_NO_MEM;
}

/* The arguments of a reduction, whichever it is. */
struct reduction {
    const void *sendbuf;
    void *recvbuf;
    MPI_Count count;
    MPI_Aint extent;
    host_datatype datatype;
    host_op op;
    int root;
    host_comm comm;
};

/* Begins all parts, and makes one request of theirs. */
static int begin(own_issue *issue, struct reduction *r, host_request *request)
{
    int count = parts_of(r->count);
    host_request *parts = malloc((size_t)count * sizeof *parts);
    if (!parts)
        return no_memory(r->comm);
    int rc = issue(r, parts);
    if (rc == 0)
        rc = own_begun(&(struct own_operation){ .parts = count }, parts, request);
    free(parts);
    return rc;
}

static void release(void *arguments)
{
    struct reduction *r = arguments;
    release_datatype(r->datatype);
    release_op(r->op);
    release_comm(r->comm);
    free(r);
}

static int persistent(own_issue *issue, const struct reduction *r, host_request *request)
{
    struct reduction *kept = malloc(sizeof *kept);
    if (!kept || (hold_comm(r->comm) | hold_op(r->op) | hold_datatype(r->datatype)) != 0)
        return no_memory(r->comm);
    *kept = *r;
    return own_persistent(&(struct own_operation){ .parts = parts_of(r->count), .issue = issue, .release = release,
                                                   .arguments = kept }, request);
}

#define UNPACK(...) __VA_ARGS__
#define PARAMETERS(...) const void *sendbuf, void *recvbuf, MPI_Count count, host_datatype datatype, host_op op, __VA_ARGS__
#define PART part_of(r->sendbuf, i, r->extent), part_of(r->recvbuf, i, r->extent), length_of(r->count, i), r->datatype, r->op
#define ALL(...)                                                                                   \
    (&(struct reduction){ .sendbuf = sendbuf, .recvbuf = recvbuf, .count = count,                  \
                          .extent = extent_of(datatype), .datatype = datatype, .op = op, .comm = comm, __VA_ARGS__ })

/* MPI_Name_c, its nonblocking and its persistent form; `root` and what follows it is the parameter,
 * the argument and the member that a reduction to one process has in addition. */
#define REDUCTION(Name, Nonblocking, parameter, argument, member, kept)                            \
    static int issue_##Name(void *arguments, host_request *parts)                                  \
    {                                                                                              \
        const struct reduction *r = arguments;                                                     \
        int rc = 0;                                                                                \
        for (int i = 0; rc == 0 && i < parts_of(r->count); i++)                                    \
            rc = host.MPI_##Nonblocking(PART, UNPACK member r->comm, &parts[i]);                   \
        return rc;                                                                                 \
    }                                                                                              \
    int built_MPI_##Name##_c(PARAMETERS(UNPACK parameter host_comm comm))                          \
    {                                                                                              \
        const struct reduction *r = ALL(UNPACK kept);                                              \
        int rc = 0;                                                                                \
        if (count <= NARROW_MAX)                                                                   \
            return host.MPI_##Name(sendbuf, recvbuf, (int)count, datatype, op, UNPACK argument comm); \
        for (int i = 0; rc == 0 && i < parts_of(count); i++)                                       \
            rc = host.MPI_##Name(PART, UNPACK argument comm);                                      \
        return rc;                                                                                 \
    }                                                                                              \
    int built_MPI_##Nonblocking##_c(PARAMETERS(UNPACK parameter host_comm comm, host_request *request)) \
    {                                                                                              \
        if (count <= NARROW_MAX)                                                                   \
            return host.MPI_##Nonblocking(sendbuf, recvbuf, (int)count, datatype, op, UNPACK argument comm, request); \
        return begin(issue_##Name, ALL(UNPACK kept), request);                                     \
    }                                                                                              \
    int built_MPI_##Name##_init_c(PARAMETERS(UNPACK parameter host_comm comm, host_info info, host_request *request)) \
    {                                                                                              \
        if (count <= NARROW_MAX)                                                                   \
            return host.MPI_##Name##_init(sendbuf, recvbuf, (int)count, datatype, op, UNPACK argument comm, info, request); \
        return persistent(issue_##Name, ALL(UNPACK kept), request);                                \
    }

REDUCTION(Reduce, Ireduce, (int root, ), (root, ), (r->root, ), (.root = root))
REDUCTION(Allreduce, Iallreduce, (), (), (), ())
REDUCTION(Scan, Iscan, (), (), (), ())
REDUCTION(Exscan, Iexscan, (), (), (), ())

int built_MPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, host_datatype datatype, host_op op)
{
    MPI_Aint extent = extent_of(datatype);
    int rc = 0;
    for (int i = 0; rc == 0 && i < (count > 0 ? parts_of(count) : 1); i++)
        rc = host.MPI_Reduce_local(part_of(inbuf, i, extent), part_of(inoutbuf, i, extent), length_of(count, i),
                                   datatype, op);
    return rc;
}

/* As many elements as can be packed at a time: their size must be an int. */
static int pack_at_a_time(host_datatype datatype, int *elements)
{
    MPI_Count size = 0;
    int rc = host.MPI_Type_size_x(datatype, &size);
    if (rc == 0 && size > NARROW_MAX)
        rc = unsupported("packing of such a large datatype");
    *elements = size > 0 ? (int)(NARROW_MAX / size) : NARROW_MAX;
    return rc;
}

static int smaller(MPI_Count count, int limit)
{
    return count < limit ? (int)count : limit;
}

int built_MPI_Pack_size_c(MPI_Count incount, host_datatype datatype, host_comm comm, MPI_Count *size)
{
    int most = 1, each = 0, rest = 0, rc = pack_at_a_time(datatype, &most);
    if (rc == 0)
        rc = host.MPI_Pack_size(smaller(incount, most), datatype, comm, &each);
    if (rc == 0 && incount > most)
        rc = host.MPI_Pack_size((int)(incount % most), datatype, comm, &rest);
    *size = incount > most ? each * (incount / most) + rest : each;
    return rc;
}

int built_MPI_Pack_c(const void *inbuf, MPI_Count incount, host_datatype datatype, void *outbuf, MPI_Count outsize,
                     MPI_Count *position, host_comm comm)
{
    MPI_Aint extent = extent_of(datatype);
    MPI_Count done = 0;
    int most = 1, rc = pack_at_a_time(datatype, &most);
    while (rc == 0) {
        int number = smaller(incount - done, most), place = 0;
        rc = host.MPI_Pack((const char *)inbuf + done * extent, number, datatype, (char *)outbuf + *position,
                           smaller(outsize - *position, INT_MAX), &place, comm);
        *position += rc == 0 ? place : 0;
        done += number;
        if (done >= incount)
            break;
    }
    return rc;
}

int built_MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
                       host_datatype datatype, host_comm comm)
{
    MPI_Aint extent = extent_of(datatype);
    MPI_Count done = 0;
    int most = 1, rc = pack_at_a_time(datatype, &most);
    while (rc == 0) {
        int number = smaller(outcount - done, most), place = 0;
        rc = host.MPI_Unpack((const char *)inbuf + *position, smaller(insize - *position, INT_MAX), &place,
                             (char *)outbuf + done * extent, number, datatype, comm);
        *position += rc == 0 ? place : 0;
        done += number;
        if (done >= outcount)
            break;
    }
    return rc;
}
