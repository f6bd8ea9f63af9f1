# SPDX-License-Identifier: BSD-3-Clause
# Shared by the tests of generated calls: folders, the environment of a process that is alone, and how its program is built. A
# run.sh sources this with `here` set to its folder, and `name` to the name of its program's source; *_calls.py there makes the
# calls.
top=$(cd "$here/../../.." && pwd)
: "${BUILD:=$top/build}" "${PYTHON:=python3}" "${CC:=gcc}"
BUILD=$(realpath -ms "$BUILD")
programs=$BUILD/tests/calls/${here##*/}
results=${RESULTS:-$programs}
. "$top/tests/components.bash"
export OMPI_MCA_btl=self
choose_windows
choose_messages

# is_newest FILE OTHER...
is_newest() {
    local other
    for other in "${@:2}"; do
        [ "$1" -nt "$other" ] || return 1
    done
}

# build_calls FAMILY VALUES LIBRARIES: $programs/FAMILY.program, of files of values, with further libraries; lists of words. It is
# linked to the library of the family's first pair, whose soname is the native one's, too. What would be the same stays;
# a new library compiles nothing.
# shellcheck disable=SC2086
build_calls() {
    local family=$1 program=$programs/$1.program text=$programs/$1.c header=$BUILD/include/$1/mpi.h library source object objects=()
    library=$BUILD/lib/mpi-adapter/$(pair_modes | grep -m 1 "^$family-to-")/$(family_fact "$family" soname)
    mkdir -p "$programs"
    "$PYTHON" "$here"/*_calls.py --tables "$top/abi-tables" --family "$family" --values $2 --output "$text.new" || return
    if cmp -s "$text.new" "$text"; then rm "$text.new"; else mv "$text.new" "$text"; fi
    [ -e "$header" ] || make -s -C "$top" BUILD="$BUILD" "$header" >&2 || return
    for source in "$text" "$here/$name.c" "$top/tests/calls/objects.c"; do
        object=${source##*/}
        object=$programs/$family.${object%.c}.o objects+=("$object")
        is_newest "$object" "$source" "$here"/*.h "$top"/tests/calls/*.h "$top"/tests/*.h "$header" || {
            "$CC" -std=gnu11 -O0 -w -fPIC -I "${header%/*}" -I "$here" -I "$top/tests/calls" -c "$source" -o "$object.new" &&
                mv "$object.new" "$object" || return
        }
    done
    is_newest "$program" "${objects[@]}" "$library" ||
        { "$CC" "${objects[@]}" -o "$program.new" "$library" -Wl,-z,lazy $3 -ldl && mv "$program.new" "$program"; }
}
