/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers by which the command knows an MPI that is linked into a program: its symbols, its code, and a pair's names. The pair is the
 * program itself, which exports what it has. */
#include "fuzz.h"
#include "look.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int is_ready;
    const char *path = fuzz_file(0, data, size), *folder = fuzz_folder();
    struct look look;
    if (!is_ready) {
        fuzz_link("pair.conf", path);
        fuzz_link("libmpich.so.12", path);
        fuzz_link("libmpichfort.so.12", path);
        is_ready = 1;
    }
    look_inside(&look, path, NULL);
    look_inside(&look, path, folder);
    return 0;
}
