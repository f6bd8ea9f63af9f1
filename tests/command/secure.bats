# SPDX-License-Identifier: BSD-3-Clause
# A program that runs with privilege takes nothing from its user's environment.

load real_mpis

setup() {
    clean_environment
    [ "$(id -u)" -eq 0 ] || skip 'only root can make a program of root'
    # Makes a folder that another user may read, on a file system that honours the set-user-ID bit.
    folder=$(mktemp -d)
    chmod 755 "$folder"
    cp "$home/openmpi-to-mpich"/libmpi.so.40 "$home/openmpi-to-mpich"/libmpi_mpifh.so.40 "$folder/"
    cat > "$folder/version.c" <<'TEXT'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;
    const char *of_host;
    MPI_Get_library_version(text, &n);
    of_host = strstr(text, ", adapted by MPI-Adapter ");
    of_host = of_host ? strstr(of_host, " to ") : 0;
    printf("%.5s\n", of_host ? of_host + strlen(" to ") : text);
    return 0;
}
TEXT
    mpicc.openmpi -o "$folder/version" "$folder/version.c" -Wl,--no-as-needed -lmpi_mpifh -Wl,--disable-new-dtags,-rpath,"$folder"
}

teardown() { rm -rf "${folder:-$BATS_TEST_TMPDIR/none}"; }

as_user() { run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "$@" "$folder/version"; }

# Each of these stops the program, or makes a file, where it counts.
settings() {
    mkdir -m 777 "$folder/files"
    settings=(MPI_ADAPTER_HOST_LIBRARY=/no/library MPI_ADAPTER_HOST_TOOLS=/no/tool MPI_ADAPTER_FORTRAN=none
        MPI_ADAPTER_TRACE="$folder/files/trace" MPI_ADAPTER_STATS="$folder/files/counts" MPI_ADAPTER_VERBOSE=1)
}

counts() {
    as_user env "$1"
    [ "$status" -ne 0 ] || [ -n "$stderr" ] || [ -n "$(ls "$folder/files")" ] || { echo "$1 does not count"; return 1; }
    rm -f "$folder/files"/*
}

@test "settings of the user do not count in a set-user-ID program" {
    local setting settings
    settings
    for setting in "${settings[@]}"; do
        counts "$setting"
    done
    chmod u+s "$folder/version"
    as_user env "${settings[@]}"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ "$output" = MPICH ]
    [ -z "$stderr" ]
    [ -z "$(ls "$folder/files")" ]
}

@test "all that are read are read by the function that asks for privilege" {
    run grep -rnE '(^|[^_])getenv\("MPI_ADAPTER' "$top/adapter-c" "$top/adapter-f77" "$top/gotswap" "$top/command" --include='*.[ch]'
    [ "$status" -eq 1 ]
}
