/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of a host that keeps more than the application's have room for: size and flag come back, whatever the
 * host does with its words, and the host is asked only where the first words do not tell all. */
#include <stdio.h>
#include <stdlib.h>

#include "layers/layers.h"
#include "convert/status.h"

/* How a host uses its words: where the size's two halves and the flag are, and by how much the upper half is
 * shifted to leave room for the flag. */
static const struct layout { int lower, upper, flag, shift; } layouts[] = {
    { 1, 2, 0, 0 }, /* a flag, then a size */
    { 0, 1, 1, 1 }, /* the flag is the lowest bit of the upper half */
    { 3, 4, 2, 0 }, /* the last words */
};
static const struct layout *layout;
static int calls;

static uint32_t word(const host_status *status, int i)
{
    return status_word(status->HOST_STATUS_PRIVATE, 4 * (size_t)i);
}

static void set_word(host_status *status, int i, uint32_t value)
{
    memcpy((char *)status->HOST_STATUS_PRIVATE + 4 * i, &value, 4);
}

static int flag_of(const host_status *status) { return word(status, layout->flag) & 1; }

static MPI_Count size_of(const host_status *status)
{
    return (MPI_Count)((uint64_t)(word(status, layout->upper) >> layout->shift) << 32 | word(status, layout->lower));
}

static void fill(host_status *status, MPI_Count size, int flag)
{
    set_word(status, layout->lower, (uint32_t)size);
    set_word(status, layout->upper, (uint32_t)((uint64_t)size >> 32) << layout->shift);
    set_word(status, layout->flag, layout->shift ? word(status, layout->flag) | (uint32_t)flag : (uint32_t)flag);
}

static int get_elements_x(const host_status *status, host_datatype datatype, MPI_Count *count)
{
    calls++;
    *count = size_of(status);
    return datatype == HOST_MPI_BYTE ? 0 : 1;
}

static int test_cancelled(const host_status *status, int *flag)
{
    calls++;
    *flag = flag_of(status);
    return 0;
}

static int set_elements_x(host_status *status, host_datatype datatype, MPI_Count count)
{
    calls++;
    fill(status, count, layout->shift ? 0 : flag_of(status));
    return datatype == HOST_MPI_BYTE ? 0 : 1;
}

static int set_cancelled(host_status *status, int flag)
{
    calls++;
    fill(status, size_of(status), flag);
    return 0;
}

static struct host_procedures procedures = { .MPI_Get_elements_x = get_elements_x, .MPI_Test_cancelled = test_cancelled,
                                             .MPI_Status_set_elements_x = set_elements_x,
                                             .MPI_Status_set_cancelled = set_cancelled };
const struct host_procedures *host_itself = &procedures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s (layout %d, size %lld, flag %d)\n", __FILE__, __LINE__, #condition, \
                    (int)(layout - layouts), (long long)size, flag);                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* True if the first words tell all. */
static int fits(const host_status *status)
{
    for (int i = APP_STATUS_PRIVATE_BYTES / 4; i < HOST_STATUS_PRIVATE_BYTES / 4; i++)
        if (word(status, i) != 0)
            return 0;
    return word(status, APP_STATUS_PRIVATE_BYTES / 4 - 1) >> 31 == 0;
}

/* There and back again, by way of a copy that the program makes. `unknown`: the host uses its last word besides; `before`:
 * what was in the room, and is still there in words that are kept and that the host does not write. */
static void round_trip(MPI_Count size, int flag, uint32_t unknown, uint32_t before)
{
    struct { app_status status; unsigned char behind[16]; } kept, copied;
    host_status from, back;
    memset(&kept, 0xa5, sizeof kept);
    memset(&from, 0xff, sizeof from);
    memset(&back, 0xff, sizeof back);
    /* In arrays, what was in the room is not taken for a mark, though the host writes no more than it needs. */
    status_prepare_all(&from);
    CHECK(fits(&from));
    status_prepare(&from);
    for (int i = 0; i < APP_STATUS_PRIVATE_BYTES / 4; i++)
        set_word(&from, i, before);
    fill(&from, size, flag);
    if (unknown)
        set_word(&from, HOST_STATUS_PRIVATE_BYTES / 4 - 1, unknown);
    from.MPI_SOURCE = 3;
    from.MPI_TAG = 4;

    int is_short = fits(&from);
    calls = 0;
    status_returned(&kept.status, &from);
    memset(&copied, 0x5a, sizeof copied);
    copied.status = kept.status;
    status_to_host(&back, &copied.status);
    CHECK(back.MPI_SOURCE == 3 && back.MPI_TAG == 4);
    CHECK(size_of(&back) == size || (unknown && layout->upper == 4));
    CHECK(flag_of(&back) == flag);
    CHECK(calls == (is_short ? 0 : 4));
    CHECK(!is_short || memcmp(back.HOST_STATUS_PRIVATE, from.HOST_STATUS_PRIVATE, HOST_STATUS_PRIVATE_BYTES) == 0);
    for (size_t i = 0; i < sizeof kept.behind; i++)
        CHECK(kept.behind[i] == 0xa5);
}

int main(void)
{
    static const MPI_Count sizes[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffff,
                                       0x3fffffffffffffff };
    static const uint32_t befores[] = { 0xffffffff, 0x80000000, 0xc0000000, 0x7fffffff, 0x5a5a5a5a };
    int never_asked = 0, asked = 0;
    for (layout = layouts; layout < layouts + sizeof layouts / sizeof *layouts; layout++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int flag = 0; flag < 2; flag++) {
                round_trip(sizes[i], flag, 0, 0);
                *(calls ? &asked : &never_asked) += 1;
                round_trip(sizes[i], flag, 0x12345678, 0);
                for (size_t k = 0; k < sizeof befores / sizeof *befores; k++)
                    round_trip(sizes[i], flag, 0, befores[k]);
            }
    puts(asked > 8 && never_asked > 8 ? "right" : "every status was converted alike");
    return 0;
}
