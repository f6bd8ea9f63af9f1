# SPDX-License-Identifier: BSD-3-Clause
#
# The command knows programs that have their MPI linked in, and starts them so that detour.so leads them to a pair.

load inside

setup_file() {
    prepare command
    export adapter=$build/bin/mpi-adapter home=$build/lib/mpi-adapter MPI_ADAPTER_CONFIG=/dev/null
    $cc -DFORTRAN -o "$work/fortran" "$BATS_TEST_DIRNAME/false.c"
    strip -o "$work/stripped" "$work/false"
    if has_archives; then
        "$build/tests/inside/tools/mpicc" -o "$work/hello" "$BATS_TEST_DIRNAME/hello.c"
        strip -o "$work/hello.stripped" "$work/hello"
    fi
}

setup() {
    type -P mpiexec.openmpi > /dev/null && type -P mpiexec.mpich > /dev/null || skip 'MPICH or Open MPI is not here'
    cd "$work"
}

greets() {
    [ "$status" -eq 0 ]
    [ "$output" = "$hello" ]
}

@test "check tells which MPI is linked in, and what becomes of its calls" {
    asked check ./fortran
    [ "$status" -eq 0 ]
    [[ $output == *'runs here:    yes, on MPICH 9.8.7, which is linked in, without a pair'* ]]
    [[ $output == *'or:           on Open MPI '*' with --to openmpi'* ]]
    [[ $output == *'linked in:    MPICH 9.8.7 (C, mpif.h or use mpi, mpi_f08)'* ]]
    asked check --to openmpi ./false
    [[ $output == *'runs here:    yes, on Open MPI '*' by mpich-to-openmpi'* ]]
    [[ $output == *'linked in:    MPICH 9.8.7 (C); its calls are led to the pair'* ]]
    asked check --json --to openmpi ./fortran
    "${PYTHON:-/usr/bin/python3}" -c '
import json, sys
program, = json.loads(sys.argv[1])["programs"]
assert program["linked_in"] == "MPICH 9.8.7" and program["pair"] == "mpich-to-openmpi" and program["runs"], program
assert program["linked_interfaces"] == ["C", "mpif.h or use mpi", "mpi_f08"], program' "$output"
    mkdir -p folder
    cp false folder
    asked check folder
    [[ $output == *'folder/false'*'linked in:    MPICH 9.8.7'* ]]
}

@test "explain tells what comes of it on each host" {
    asked explain ./fortran
    [ "$status" -eq 0 ]
    [[ $output == *'linked in       MPICH 9.8.7'*'interfaces      C, mpif.h or use mpi, mpi_f08'* ]]
    [[ $output == *'  mpich-to-openmpi: /'*'; its calls are led to the pair'* ]]
    asked explain --json ./stripped
    "${PYTHON:-/usr/bin/python3}" -c '
import json, sys
program = json.loads(sys.argv[1])
assert program["linked_in"] == "MPICH" and program["interfaces"] == [], program
host, = [host for host in program["hosts"] if host["pair"] == "mpich-to-openmpi"]
assert "not the names of its procedures" in host["problem"], host' "$output"
}

@test "check finds by the files alone what detour.so refuses" {
    local option text
    while read -r option text; do
        $cc "-D$option" -o "refused.$option" "$BATS_TEST_DIRNAME/false.c"
        asked check --to openmpi "./refused.$option"
        [ "$status" -eq 1 ]
        [[ $output == *"$text"* ]]
        run --separate-stderr env LD_LIBRARY_PATH="$home/mpich-to-openmpi" LD_PRELOAD="$home/detour.so" "./refused.$option"
        refuses "$text"
    done << 'END'
SHORT has a PMPI_Barrier linked in that is too short for a jump
CLONE has PMPI_Barrier.constprop.0 linked in, a copy that the compiler made
FOLDED folded into one function
UNKNOWN has an MPI linked in that is none of those that can be replaced
OTHER_ABI has a release or build of MPICH linked in whose ABI has no pair
END
    asked run --to openmpi ./refused.FOLDED
    refuses 'folded into one function'
}

@test "ranks get the pair and detour.so, and what the host has to have preloaded behind" {
    asked env --to openmpi ./false
    [ "$output" = "export LD_LIBRARY_PATH='$home/mpich-to-openmpi'
export LD_PRELOAD='$home/detour.so'
export MPI_ADAPTER_PRELOAD='$home/detour.so'" ]
    LD_PRELOAD=/own.so asked env --to openmpi ./false
    [[ $output == *"LD_PRELOAD='/own.so:$home/detour.so'"* ]]
    asked env --preload --to openmpi ./false
    [[ $output == *"LD_PRELOAD='$home/detour.so'"* ]]
}

@test "run, exec and shell start such a program on the other MPI" {
    need_archives
    asked run -n 2 --to openmpi ./hello
    greets
    asked exec -- mpiexec.openmpi -n 2 ./hello
    greets
    asked exec --to openmpi -- mpiexec.mpich -n 2 ./hello
    greets
    asked exec -- mpiexec.openmpi -n 2 env NOTHING=1 ./hello
    greets
    printf '#!/bin/sh\nmpiexec -n 2 ./hello\n' > job
    chmod +x job
    asked shell --to openmpi ./job
    greets
}

@test "a script that starts such a program runs on the other MPI" {
    need_archives
    printf '#!/bin/sh\n./hello\n' > script
    chmod +x script
    asked run -n 2 --to openmpi ./script
    greets
    asked exec -- mpiexec.openmpi -n 2 ./script
    greets
    # Also where its ABI is said, or another command of the script tells it.
    asked run -n 2 --from mpich --to openmpi ./script
    greets
    MPI_ADAPTER_FROM=mpich asked run -n 2 --to openmpi ./script
    greets
    mpicc.mpich -o dynamic "$top/tests/demo/ring.c"
    printf '#!/bin/sh\nif [ -n "$NOT_SET" ]; then ./dynamic; fi\n./hello\n' > script
    asked run -n 2 --to openmpi ./script
    greets
}

@test "a script that puts the name of such a program together runs on the other MPI, whose guard finds it" {
    need_archives
    printf '#!/bin/sh\nname=he\n"./${name}llo$1"\n' > computes
    chmod +x computes
    asked run -n 2 --from mpich --to openmpi ./computes
    greets
    asked run -n 2 --from mpich --to openmpi ./computes .stripped
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [[ $stderr == *'mpi-adapter: '*'/hello.stripped has MPICH linked in, but not the names of its procedures'* ]]
    printf '#!/bin/sh\nname=he\nLD_PRELOAD= "./${name}llo"\n' > computes
    asked run -n 2 --from mpich --to openmpi ./computes
    greets
}

@test "such a program is one of several in a line" {
    need_archives
    mpicc.mpich -o ring "$top/tests/demo/ring.c"
    "$build/tests/inside/tools/mpicc" -o ring.inside "$top/tests/demo/ring.c"
    for words in './ring.inside : -n 1 ./ring' './ring : -n 1 ./ring.inside'; do
        for host in mpich openmpi; do
            # shellcheck disable=SC2086  # words are wanted
            asked run --to "$host" -n 1 $words
            [ "$status" -eq 0 ]
            [[ $output == 'ring on 2 ranks, '*': verified' ]]
        done
    done
}

@test "children that such a program starts run on the same MPI" {
    need_archives
    "$build/tests/inside/tools/mpicc" -o spawn "$BATS_TEST_DIRNAME/spawn.c"
    asked run -n 1 --to openmpi ./spawn
    [ "$status" -eq 0 ]
    [ "$output" = '2 children' ]
}

@test "its own launcher starts it with what is linked in, stripped or not" {
    need_archives
    local program
    for program in ./hello ./hello.stripped; do
        asked run -n 2 "$program"
        greets
        asked run -n 2 --to mpich "$program"
        greets
        asked exec -- mpiexec.mpich -n 2 "$program"
        greets
    done
    asked run -v -n 2 ./hello
    [[ $stderr == *'no pair is needed, as ./hello has its MPI linked in'* ]]
    asked run --to mpich --launcher mpiexec.openmpi ./hello
    refuses 'is not one of mpich'
}

@test "a program that cannot be led elsewhere is never started alone" {
    local line text='stripped has MPICH linked in, but not the names of its procedures'
    printf '#!/bin/sh\n./stripped\n' > starts-stripped
    chmod +x starts-stripped
    asked run --to openmpi ./stripped
    refuses "$text"
    for line in ./stripped 'env NOTHING=1 ./stripped' ./starts-stripped; do
        # shellcheck disable=SC2086  # words
        asked exec -- mpiexec.openmpi -n 2 $line
        refuses "$text"
    done
    cp false root
    chmod u+s root
    asked exec -- mpiexec.openmpi -n 2 ./root
    refuses 'is set-user-ID'
    $cc -static -o static "$BATS_TEST_DIRNAME/false.c"
    for line in ./static 'env NOTHING=1 ./static'; do
        # shellcheck disable=SC2086  # words
        asked exec -- mpiexec.openmpi -n 2 $line
        refuses 'static is statically linked, so its MPI cannot be replaced'
    done
    asked run -n 1 ./static
    [ "$output" = inside ]
}

@test "an installation without detour.so, or where LD_PRELOAD cannot hold it, says so" {
    mkdir -p 'a copy' copy
    cp -rL "$build/bin" copy
    mkdir -p copy/lib/mpi-adapter
    find "$home" -maxdepth 1 -type f ! -name detour.so -exec cp {} copy/lib/mpi-adapter ';'
    cp -r "$home/mpich-to-openmpi" copy/lib/mpi-adapter
    run --separate-stderr copy/bin/mpi-adapter run --to openmpi ./false
    refuses "copy/lib/mpi-adapter/detour.so is missing; install mpi-adapter again"
    cp -r copy/. 'a copy'
    cp "$home/detour.so" 'a copy/lib/mpi-adapter'
    run --separate-stderr 'a copy/bin/mpi-adapter' run --to openmpi ./false
    refuses 'a copy/lib/mpi-adapter/detour.so, as its name has a space'
}

@test "splice says which programs of a tree have their MPI linked in" {
    mkdir -p tree/bin
    cp false tree/bin
    asked splice --dry-run --to openmpi tree
    refuses "tree/bin/false has its MPI linked in, so no link can replace that; start it with 'mpi-adapter run'"
    mkdir -p tree/lib
    cp -L "$(ldconfig -p | sed -n 's/.*libmpich\.so\.12 .*=> //p' | sed -n 1p)" tree/lib/libmpich.so.12
    asked splice --dry-run --to openmpi tree
    [ "$status" -eq 0 ]
    [[ $stderr == *"tree/bin/false has its MPI linked in, and keeps that; start it with 'mpi-adapter run'"* ]]
}
