/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/reduction.h"

#include "stand_ins/narrow.h"
#include "convert/host_side.h"

void *part_of(const void *buffer, int part, host_datatype datatype)
{
    if (part == 0 || buffer == HOST_MPI_IN_PLACE)
        return (void *)buffer;
    return (char *)buffer + (MPI_Count)part * NARROW_MAX * narrow_extent(datatype);
}

int parts_of(MPI_Count count)
{
    return count > 0 ? (int)((count + NARROW_MAX - 1) / NARROW_MAX) : 1;
}

int length_of(MPI_Count count, int part)
{
    MPI_Count rest = count - (MPI_Count)part * NARROW_MAX;
    return rest < NARROW_MAX ? narrow_count(rest) : NARROW_MAX;
}

int reduction_begin(adapter_issue *issue, const struct reduction *r, host_request *request)
{
    struct reduction *kept = malloc(sizeof *kept);
    if (!kept)
        return fail_comm(r->comm, HOST_MPI_ERR_NO_MEM);
    *kept = *r;
    return adapter_begin(
        &(struct adapter_operation){
            .comm = r->comm, .parts = parts_of(r->count), .issue = issue, .release = free, .arguments = kept },
        request);
}

int reduction_init(adapter_issue *issue, const struct reduction *r, host_code rc, host_request *first,
                   host_request *request)
{
    if (rc == 0)
        rc = adapter_free(first);
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
    return adapter_persistent(
        &(struct adapter_operation){
            .comm = r->comm, .parts = parts_of(r->count), .issue = issue, .release = free_holder, .arguments = kept },
        request);
}
