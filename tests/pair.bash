# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of pairs: folders, and functions that build programs for the application's MPI and for the host's, and run
# them on the host's. Files of any pair load it, and name the pair by use_pair.
# shellcheck disable=SC2034  # used where this is loaded

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
here=$top/tests/${BATS_TEST_DIRNAME##*/}
build=$(cd "${BUILD:-$top/build}" && pwd)
command=$build/bin/mpi-adapter
CC=${CC:-gcc}
BUILD=$build
. "$top/tests/components.bash"
. "$top/tests/messages.bash"

unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE MPI_ADAPTER_PRELOAD MPI_ADAPTER_LAUNCHER MPI_ADAPTER_PATH
unset LD_PRELOAD LD_LIBRARY_PATH

# pair_facts KEY: the values that the pair's description has for it, a line each.
pair_facts() {
    local key values
    while read -r key _ values; do
        # shellcheck disable=SC2086  # values are words
        [ "$key" != "$1" ] || printf '%s\n' $values
    done < "$build/pair/$pair/generated/pair.conf"
}

# use_pair APPLICATION-to-HOST: what follows is about this pair.
use_pair() {
    pair=$1
    application=${pair%-to-*} host=${pair#*-to-}
    folder=$build/lib/mpi-adapter/$pair
    use_includes "$pair"
    soname=$(pair_facts preload)
    adapter=$folder/$soname
    fortran=$(pair_facts fortran | sed -n 1p)
    read -r launcher < <(pair_facts launchers)
}

# Every pair of MODES whose host is an MPI of this machine's; native_pairs: of these, those whose application's MPI is, too.
hosted_pairs() {
    local name
    for name in $(pair_modes); do
        ! is_wanted "$name" || ! is_native "$(host_of "$name")" || echo "$name"
    done
}
native_pairs() {
    local name
    for name in $(hosted_pairs); do
        ! is_native "$(family_of "$name")" || echo "$name"
    done
}

# for_each_pair FUNCTION ARGUMENT...: calls it for every pair whose host is here, or for those of PAIRS, in a folder of
# its own. Output is of a test that fails.
for_each_pair() {
    local name folders=$PWD pairs=${PAIRS:-$(hosted_pairs)}
    [ -n "$pairs" ] || skip "no pair of MODES has its host on this machine"
    for name in $pairs; do
        echo "$name:"
        use_pair "$name"
        mkdir "$folders/$name"
        cd "$folders/$name" || return
        "$@"
        cd "$folders" || return
    done
}

# compile_for FAMILY OUTPUT ARGUMENT...: an MPI program, compiled and linked as for this family.
compile_for() {
    local family=$1 output=$2
    shift 2
    OMPI_CC=$CC MPICH_CC=$CC "$(tool "$family" CC mpicc)" -O0 -g1 -Wall -I"$top/tests" -o "$output" "$@"
}

# app_program OUTPUT ARGUMENT...: a program for the application's MPI.
app_program() {
    compile_for "$application" "$@"
}

# host_program OUTPUT ARGUMENT...: the same for the host's, as an oracle.
host_program() {
    compile_for "$host" "$@"
}

# host_has PROCEDURE: nothing of ours is in its place then.
host_has() {
    compile_for "$host" has -x c - <<< "int $1(void); int main(void) { return $1(); }" 2> /dev/null
}

# adapted COMMAND...: one process, with the adapter in the place of the application's MPI.
adapted() {
    LD_LIBRARY_PATH=$folder timeout 120 "$@"
}

# on_ranks N COMMAND...: a program for the application's MPI on the host's.
on_ranks() {
    local ranks=$1
    shift
    case $(pair_facts launcher_kind) in
        openmpi) timeout 120 "$launcher" -x LD_LIBRARY_PATH="$folder" -n "$ranks" "$@" ;;
        *) timeout 120 "$launcher" -genv LD_LIBRARY_PATH "$folder" -n "$ranks" "$@" ;;
    esac
}

# natively N COMMAND...: a program for the host's MPI on the host's.
natively() {
    local ranks=$1
    shift
    timeout 120 "$launcher" -n "$ranks" "$@"
}

# adapter_objects: what the library is linked from, as make has noted it.
adapter_objects() {
    tr ' ' '\n' < "$build/flags/$pair" | sed -En "s,^.*/((common|(app|host|pair)/[^/]*)/objects/.*\.o)\$,$build/\1,p"
}

# compile_adapter FLAGS...: as the adapter's own files are compiled.
compile_adapter() {
    "$CC" -std=gnu11 -D_GNU_SOURCE -O1 -g -fPIC -fvisibility=hidden -pthread -c "$@" "${includes[@]}" -I"$top/gotswap" -I"$top/tests"
}

# compile_adapter_source OUTPUT SOURCE ARGUMENT...: a file on its own.
compile_adapter_source() {
    mkdir -p "$(dirname "$1")"
    compile_adapter -o "$@"
}

# compile_variant FOLDER FILE [NAME=OTHER]... [FLAG]...: in FOLDER, the object of a file of adapter-c. In this file each function NAME is
# replaced by OTHER. With FILE=PATH that file stands in its place. NAME.each.c is compiled as make has written it out.
compile_variant() {
    local folder=$1 file=${2%%=*} source=$top/adapter-c/$2 object name flags=()
    [[ $file != *.each.c ]] || source=$build/each/$file
    [[ $2 != *=* ]] || source=${2#*=}
    object=$(adapter_objects | grep "/objects/${file%.c}\.o\$") || { echo "no object of the pair is made from $file"; return 1; }
    object=$folder/${object#"$build"/}
    mkdir -p "${object%/*}"
    printf '#include <stdlib.h>\n#include "gotswap.h"\n' > "${object%.o}.h"
    for name in "${@:3}"; do
        [[ $name != -* ]] || { flags+=("$name"); continue; }
        printf 'extern __typeof__(%s) %s;\n#define %s %s\n' "${name%=*}" "${name#*=}" "${name%=*}" "${name#*=}" >> "${object%.o}.h"
    done
    compile_adapter "${flags[@]}" -include "${object%.o}.h" -I"$top/adapter-f77" -o "$object" "$source"
}

# objects_without FOLDER...: the pair's, but for those that were compiled in these folders.
objects_without() {
    adapter_objects | grep -vxFf <(for folder; do (cd "$folder" && find . -path '*/objects/*.o') | sed "s,^\.,$build,"; done)
}

# link_variant OUTPUT FOLDER OBJECT...: the adapter's library, with the objects that were compiled in FOLDER, and more.
link_variant() {
    local output=$1 folder=$2 objects
    mkdir -p "$(dirname "$output")" "$folder"
    mapfile -t objects < <(objects_without "$folder"; find "$folder" -path '*/objects/*.o')
    "$CC" -shared -pthread -Wl,-soname,"$soname" -Wl,--version-script,"$build/app/$application/generated/exports.map" \
        -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,-z,defs -Wl,--exclude-libs,ALL -o "$output" \
        "${objects[@]}" "${@:3}" "$build/gotswap/libgotswap.a" -lelf -ldl
}

# need_commands NAME...: skips the test without them.
need_commands() {
    local name
    for name; do
        command -v "$name" > /dev/null || skip "$name is not installed"
    done
}
