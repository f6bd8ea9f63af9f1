/* SPDX-License-Identifier: BSD-3-Clause */
#include "stand_ins/collective.h"

#include <stdio.h>

#include "convert/host_side.h"
#include "start/load.h"

/* Copies an array to `*room`, and moves that on. A null array stays null. */
static const void *keep_array(char **room, const void *array, int count, size_t size)
{
    char *copy = *room;
    if (!array)
        return 0;
    *room += (size_t)count * size;
    return memcpy(copy, array, (size_t)count * size);
}

/* Copies the arguments, with copies of the arrays behind them, the widest elements first. The datatypes are side by side, to be
 * held. */
static struct collective *copy_collective(const struct collective *c)
{
    size_t each = sizeof(int) + c->place_size + sizeof(host_datatype);
    const host_datatype single[] = { c->sendtype, c->recvtype };
    struct collective *kept = malloc(sizeof *kept + sizeof single + (size_t)(c->send_peers + c->recv_peers) * each);
    if (!kept)
        return 0;
    char *room = (char *)(kept + 1);
    *kept = *c;
    const host_datatype *datatypes = keep_array(&room, single, 2, sizeof(host_datatype));
    kept->sendtypes = keep_array(&room, c->sendtypes, c->send_peers, sizeof(host_datatype));
    kept->recvtypes = keep_array(&room, c->recvtypes, c->recv_peers, sizeof(host_datatype));
    kept->held = (struct holding){ c->comm, c->op, (int)((const host_datatype *)room - datatypes), datatypes };
    kept->sendplaces = keep_array(&room, c->sendplaces, c->send_peers, c->place_size);
    kept->recvplaces = keep_array(&room, c->recvplaces, c->recv_peers, c->place_size);
    kept->sendcounts = keep_array(&room, c->sendcounts, c->send_peers, sizeof(int));
    kept->recvcounts = keep_array(&room, c->recvcounts, c->recv_peers, sizeof(int));
    return kept;
}

static void free_arguments(intptr_t arguments)
{
    free_holder((void *)arguments);
}

/* Creates a request of the host's own, which reads the arguments and uses their handles until it is freed. */
static int init_by_extension(init_extension *init, mpi_function *extension, struct collective *kept, host_request *request)
{
    host_code rc = init(extension, kept, request);
    if (rc == 0 && retain_value(*request, (intptr_t)kept, free_arguments) == 0)
        return 0;
    if (rc == 0)
        rc = host.MPI_Request_free(request) != 0 ? HOST_MPI_ERR_REQUEST : fail_comm(kept->comm, HOST_MPI_ERR_NO_MEM);
    free_holder(kept);
    return rc;
}

/* The host's extension that does what the procedure does, or null. */
static mpi_function *extension_of(const char *name)
{
    char extension[64];
    int length = snprintf(extension, sizeof extension, "MPIX_%s", name + strlen("MPI_"));
    return length < (int)sizeof extension ? load_extension(extension) : 0;
}

int collective_init(const char *name, init_extension *init, adapter_issue *issue, const struct collective *arguments,
                    host_request *request)
{
    host_code rc = check_collective(arguments);
    if (rc != 0)
        return rc;
    struct collective *kept = copy_collective(arguments);
    if (!kept || hold_all(&kept->held) != 0) {
        free(kept);
        return fail_comm(arguments->comm, HOST_MPI_ERR_NO_MEM);
    }
    mpi_function *extension = extension_of(name);
    if (extension && request)
        return init_by_extension(init, extension, kept, request);
    return adapter_persistent(
        &(struct adapter_operation){
            .comm = kept->comm, .parts = 1, .issue = issue, .release = free_holder, .arguments = kept },
        request);
}
