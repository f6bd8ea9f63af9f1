/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `mpi-adapter explain`: an input that is an ELF file is the program, its library, the pair's and the host's; any
 * other is the pair's list of procedures. */
#include "fuzz.h"

#define main explain_main
#include "../../command/explain/explain.c"

static const char list[] = "MPI_Init convert MPI_Init - 1.0\nMPI_Send direct MPI_Send built 1.0\nMPI_X unsupported - - -\n";

static void ask(const char *form, const char *folder, const char *program)
{
    const char *words[] = { "explain", form, "--file", program, "--abi", "openmpi", "--sonames", "libmpi.so.40 libfuzz1.so",
                            "--symbols", "", "--left", "libfuzz1.so=2", "--library-path", folder, "--preload", "libfuzz2.so",
                            "--pair", folder, "--host", "mpich", "--library", program, "--library-path", folder, NULL };
    optind = 0;
    explain_main(sizeof words / sizeof *words - 1, (char **)words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int is_ready;
    int is_program = size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
    const char *folder = fuzz_folder();
    const char *program = is_program ? fuzz_file(0, data, size) : FUZZ_PROGRAM;
    const char *procedures = is_program ? fuzz_file(1, (const uint8_t *)list, sizeof list - 1) : fuzz_file(1, data, size);
    if (!is_ready) {
        fuzz_link("procedures.conf", procedures);
        fuzz_link("libfuzz1.so", is_program ? program : fuzz_file(0, data, 0));
        is_ready = freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
    }
    ask("--program=fuzz", folder, program);
    return 0;
}
