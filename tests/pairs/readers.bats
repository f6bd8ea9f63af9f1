#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Software that tells ABIs apart by MPI_Get_library_version takes a library of the program's ABI, or an unknown one, and never another's.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# leads_to FAMILY < LINES: each reader takes the program's ABI, or knows none.
leads_to() {
    [ "$(grep -vcE "^($1|unknown) " lines)" -eq 0 ] || { grep -vE "^($1|unknown) " lines; return 1; }
}

@test "the table of readers tells the ABI of each MPI by its own text" {
    "$CC" -DNATIVE -Wall -Wextra -o native "$here/readers.c"
    ./native any "$here/readers.tsv" "$here/library-texts.tsv" > lines
    grep ' MPI.jl$' lines | cut -d ' ' -f 1 > read
    grep -v '^#' "$here/library-texts.tsv" | cut -f 1 > written
    diff read written
    [ "$(wc -l < read)" -gt 10 ]
}

readers() {
    "$CC" -I"$build/include/$application" -Wall -Wextra -o readers "$here/readers.c" -L"$folder" -l:"$soname" -Wl,-rpath-link,"$folder"
    adapted ./readers "$application" "$here/readers.tsv" > lines
    leads_to "$application"
    [ "$(wc -l < lines)" -ge 3 ]
    # Programs of an implementation's own ABI are found, whatever runs.
    [ "$application" = mpiabi ] || [ "$(grep -c "^$application .* MPI.jl" lines)" -eq 2 ]
    host_program speaks.so -shared -fPIC -x c - << 'TEXT'
#include <stdlib.h>
#include <string.h>
int MPI_Get_library_version(char *text, int *length)
{
    const char *said = getenv("LIBRARY_TEXT");
    *length = strlen(strcpy(text, said ? said : ""));
    return 0;
}
TEXT
    MPI_ADAPTER_HOST_TOOLS=$PWD/speaks.so adapted ./readers "$application" "$here/readers.tsv" "$here/library-texts.tsv" > lines
    leads_to "$application"
    [ "$(grep -c ' MPI.jl$' lines)" -eq "$(grep -vc '^#' "$here/library-texts.tsv")" ]
    [ "$application" = mpiabi ] || [ "$(grep -c "^unknown .* MPI.jl" lines)" -eq 0 ]
}

@test "what a program hears leads no reader to another ABI, on this machine's MPIs and with the texts of others" {
    for_each_pair readers
}
