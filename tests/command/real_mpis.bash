# SPDX-License-Identifier: BSD-3-Clause
# MPIs in prefixes of their own, made of those that are installed.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
build=${BUILD:-$top/build}
adapter=$build/bin/mpi-adapter
home=$build/lib/mpi-adapter

clean_environment() {
    unset MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_PRELOAD LD_PRELOAD LD_LIBRARY_PATH \
        MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_HOST_PRELOAD MPI_ADAPTER_HOST MPI_ADAPTER_HOST_PREFIXES MPI_ADAPTER_LAUNCHER_ARGUMENTS MPI_ADAPTER_IGNORE_OPTIONS
    export MPI_ADAPTER_CONFIG=/dev/null
    . "$top/tests/components.bash"
}

# make_site FOLDER [MPICC_NAME]: the installed MPICH under the names that vendors use.
make_site() {
    local site=$1 include library word
    mkdir -p "$site/bin" "$site/lib" "$site/include"
    for word in $(mpicc.mpich -show); do
        [[ $word == -I*mpich* ]] && include=${word#-I}
    done
    cp "$include"/*.h "$site/include/"
    library=$(ldconfig -p | awk '$1 == "libmpich.so.12" { print $NF; exit }')
    cp "$library" "$site/lib/libmpi.so.12"
    ln -s libmpi.so.12 "$site/lib/libmpi.so"
    cp "$(readlink -f "$(command -v mpiexec.hydra)")" "$site/bin/mpiexec.hydra"
    cp "$(readlink -f "$(command -v hydra_pmi_proxy)")" "$site/bin/hydra_pmi_proxy"
    cat > "$site/bin/${2:-mpicc}" <<TEXT
#!/bin/sh
set -- gcc "\$@" "-I$site/include" "-L$site/lib" -lmpi
[ "\$2" = -show ] && { shift 2; echo gcc "\$@"; exit; }
exec "\$@"
TEXT
    chmod +x "$site/bin/${2:-mpicc}"
}

# An installation of the command and its pairs that may be changed.
copy_installation() {
    own=$BATS_TEST_TMPDIR/own
    mkdir -p "$own/lib"
    cp -r "$build/bin" "$own/"
    cp -r "$home" "$own/lib/"
    adapter=$own/bin/mpi-adapter
    home=$own/lib/mpi-adapter
}

# fails_with STATUS TEXT...: one line on stderr that says what and what to do.
fails_with() {
    local text
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq "$1" ] || return 1
    shift
    [ "$(wc -l <<< "$stderr")" -eq 1 ] || return 1
    [[ $stderr == 'mpi-adapter: '*'; '* ]] || return 1
    for text; do
        [[ $stderr == *"$text"* ]] || return 1
    done
}
