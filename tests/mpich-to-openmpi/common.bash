# SPDX-License-Identifier: BSD-3-Clause
# What the Bats files of the pair mpich-to-openmpi share: where things are, and how programs built
# for MPICH are run on Open MPI.
# shellcheck disable=SC2034  # used where this is loaded

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
here=$top/tests/mpich-to-openmpi
build=$(cd "${BUILD:-$top/build}" && pwd)
pair=mpich-to-openmpi
folder=$build/lib/mpi-adapter/$pair
adapter=$folder/libmpich.so.12
objects=$build/$pair/objects
command=$build/bin/mpi-adapter
CC=${CC:-gcc}

unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE MPI_ADAPTER_PRELOAD MPI_ADAPTER_LAUNCHER MPI_ADAPTER_PATH
unset LD_PRELOAD LD_LIBRARY_PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_btl_vader_single_copy_mechanism=none

# mpich_program OUTPUT ARGUMENT...: an MPI program, compiled and linked as for MPICH.
mpich_program() {
    local output=$1
    shift
    MPICH_CC=$CC mpicc.mpich -O1 -g -Wall -o "$output" "$@"
}

# openmpi_program OUTPUT ARGUMENT...: the same for Open MPI, as an oracle.
openmpi_program() {
    local output=$1
    shift
    OMPI_CC=$CC mpicc.openmpi -O1 -g -Wall -o "$output" "$@"
}

# adapted COMMAND...: one process, with the adapter in MPICH's place.
adapted() {
    LD_LIBRARY_PATH=$folder timeout 120 "$@"
}

# on_ranks N COMMAND...: a program of MPICH's on Open MPI.
on_ranks() {
    local ranks=$1
    shift
    timeout 120 mpiexec.openmpi -x LD_LIBRARY_PATH="$folder" -n "$ranks" "$@"
}

# natively N COMMAND...: a program of Open MPI's on Open MPI.
natively() {
    local ranks=$1
    shift
    timeout 120 mpiexec.openmpi -n "$ranks" "$@"
}

# adapter_objects: what the library is linked from; a build folder may hold objects of older sources too.
adapter_objects() {
    local object name
    find "$objects" -name '*.o' | while read -r object; do
        name=${object#"$objects"/}
        name=${name%.o}
        case $name in
        f77/base/*) [ ! -e "$top/adapter-f77/${name#f77/}.c" ] || echo "$object" ;;
        f77/* | fortran | fortran_data | fortran_module) ;; # in the Fortran libraries
        *) [ ! -e "$top/adapter-c/$name.c" ] && [ ! -e "$build/$pair/pair/$name.c" ] || echo "$object" ;;
        esac
    done
}

# link_variant OUTPUT OBJECT...: the adapter's library, with these objects in the place of those of
# the same name.
link_variant() {
    local output=$1 object list=() replaced=" "
    shift
    for object in "$@"; do
        replaced+="${object##*/} "
    done
    while read -r object; do
        [[ $object != */f77/* && $replaced == *" ${object##*/} "* ]] || list+=("$object")
    done < <(adapter_objects)
    mkdir -p "$(dirname "$output")"
    "$CC" -shared -pthread -Wl,-soname,libmpich.so.12 -Wl,--version-script,"$build/$pair/pair/exports.map" \
        -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -o "$output" "${list[@]}" "$@" \
        "$build/gotswap/libgotswap.a" -lelf -ldl
}

# compile_adapter_source OUTPUT SOURCE ARGUMENT...: as one of the adapter's own files.
compile_adapter_source() {
    local output=$1
    shift
    mkdir -p "$(dirname "$output")"
    "$CC" -std=gnu11 -O1 -g -fPIC -fvisibility=hidden -pthread -c -o "$output" "$@" \
        -I"$build/$pair/pair" -I"$top/adapter-c" -I"$top/gotswap"
}

# one_line TEXT: it is exactly one line, in the form of the adapter's messages.
one_line() {
    [[ $1 != *$'\n'* ]] && grep -qE '^mpi-adapter: [^;]+(; [^;]+)+$' <<< "$1" || {
        echo "not one message of the adapter:"
        echo "$1"
        return 1
    }
}

# need_commands NAME...: skips the test without them.
need_commands() {
    local name
    for name; do
        command -v "$name" > /dev/null || skip "$name is not installed"
    done
}
