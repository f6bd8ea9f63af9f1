# SPDX-License-Identifier: BSD-3-Clause
# What tests of generated calls share: where things are, what a process that is alone needs, and how its program is built.
# A test NAME has gen/NAME.py and tests/NAME/NAME.c; its run.sh sources this with `here` set to its folder.
name=${here##*/}
top=$(cd "$here/../.." && pwd)
: "${BUILD:=$top/build}" "${PYTHON:=python3}" "${CC:=gcc}"
BUILD=$(realpath -m "$BUILD")
results=$BUILD/tests/$name
. "$top/tests/components.bash"
export OMPI_MCA_btl=self
choose_windows

# build_calls FAMILY VALUES LIBRARIES: $results/FAMILY.program, of files of values, with further libraries; lists of words. It is
# linked to the library of the family's first pair, whose soname is the native one's, too. What would be the same stays.
# shellcheck disable=SC2086
build_calls() {
    local family=$1 program=$results/$1.program library source
    local sources=("$results/$family.c" "$here/$name.c" "$top/tests/sweep/objects.c")
    library=$BUILD/lib/mpi-adapter/$(pair_modes | grep -m 1 "^$family-to-")/$(family_fact "$family" soname)
    mkdir -p "$results"
    "$PYTHON" "$top/gen/$name.py" --tables "$top/abi-tables" --family "$family" --values $2 --output "$results/$family.new.c" &&
        make -s -C "$top" BUILD="$BUILD" "$BUILD/include/$family/mpi.h" >&2 || return
    if cmp -s "$results/$family.new.c" "$results/$family.c"; then
        rm "$results/$family.new.c"
    else
        mv "$results/$family.new.c" "$results/$family.c"
    fi
    for source in "${sources[@]}" "$here"/*.h "$top"/tests/sweep/*.h "$top"/tests/*.h "$BUILD/include/$family/mpi.h" "$library"; do
        [ "$program" -nt "$source" ] || program=
    done
    [ -z "$program" ] || return 0
    "$CC" -std=gnu11 -O0 -w -fPIC -I "$BUILD/include/$family" -I "$here" "${sources[@]}" -o "$results/$family.new" "$library" \
        -Wl,-z,lazy $3 -ldl && mv "$results/$family.new" "$results/$family.program"
}
