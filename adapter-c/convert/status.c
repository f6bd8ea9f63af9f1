/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/status.h"

#include "layers/layers.h"

#ifdef STATUS_REST_BYTES

/* In the last 8 bytes: a mark, whether the operation was cancelled, and 62 bits of size. */
#define PACKED_PLACE (APP_STATUS_PRIVATE_BYTES - sizeof(uint64_t))
#define PACKED_MARK ((uint64_t)1 << 63)
#define PACKED_FLAG ((uint64_t)1 << 62)
#define PACKED_SIZE (PACKED_FLAG - 1)
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the mark is in the last word");

void status_pack(app_status *to, const host_status *from)
{
    MPI_Count bytes = 0;
    int cancelled = 0;
    host_itself->MPI_Get_elements_x(from, HOST_MPI_BYTE, &bytes);
    host_itself->MPI_Test_cancelled(from, &cancelled);
    uint64_t packed = PACKED_MARK | (cancelled ? PACKED_FLAG : 0) | (bytes > 0 ? (uint64_t)bytes & PACKED_SIZE : 0);
    memset(to->APP_STATUS_PRIVATE, 0, APP_STATUS_PRIVATE_BYTES);
    memcpy((char *)to->APP_STATUS_PRIVATE + PACKED_PLACE, &packed, sizeof packed);
}

void status_unpack(host_status *to, const app_status *from)
{
    uint64_t packed;
    memcpy(&packed, (const char *)from->APP_STATUS_PRIVATE + PACKED_PLACE, sizeof packed);
    memset(to->HOST_STATUS_PRIVATE, 0, HOST_STATUS_PRIVATE_BYTES);
    host_itself->MPI_Status_set_elements_x(to, HOST_MPI_BYTE, (MPI_Count)(packed & PACKED_SIZE));
    host_itself->MPI_Status_set_cancelled(to, (packed & PACKED_FLAG) != 0);
}

#endif
