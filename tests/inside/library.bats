# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that have their MPI linked into a library of their own run on another one. The library shows the MPI inside, or hides it.

load inside
load ../messages

setup_file() {
    prepare library
    export home=$build/lib/mpi-adapter MPI_ADAPTER_CONFIG=/dev/null
    has_both || return 0
    cd "$work" || return 1
    make_archives
    local family
    for family in mpich openmpi; do
        make_library $family shown
        make_library $family hidden -Wl,--version-script=hiding
        make_library $family symbolic -Wl,-Bsymbolic
        make_library $family begins -DBEGINS
        strip -o libstripped.$family.so libshown.$family.so
        strip -o libgone.$family.so libhidden.$family.so
        for library in shown hidden symbolic begins stripped gone; do
            make_program $family $library $library
        done
        make_program $family calls shown -DCALLS
        make_program $family fixed shown -DCALLS -no-pie -fno-pie
        # The compiler adds the shared library of MPI behind.
        make_program $family both shown -DCALLS -Wl,--no-as-needed $("mpicc.$family" -show | grep -oE '(^| )-[lL][^ ]+')
        make_program $family two hidden -Wl,--no-as-needed $("mpicc.$family" -show | grep -oE '(^| )-[lL][^ ]+')
    done
}

setup() {
    has_both || skip 'MPICH or Open MPI is not here'
    cd "$work"
}

# inside PROGRAM: as a process of its own, with the pair for its family.
inside() {
    local pair=mpich-to-openmpi
    [[ $1 != *.openmpi ]] || pair=openmpi-to-mpich
    run --separate-stderr env LD_LIBRARY_PATH="$home/$pair" LD_PRELOAD="$home/detour.so" ${2:+"$2"} "$1"
    echo "$status: $output $stderr"
}

@test "a program runs whose library has MPI inside, shown to others or hidden, stripped or not" {
    local name
    for name in shown hidden symbolic stripped calls fixed both; do
        asked run -n 2 --to openmpi "./$name.mpich"
        [ "$status" -eq 0 ]
        [ "$output" = 'rank 0 of 2, sum 3, 2 neighbours, MPICH' ]
        asked run -n 2 --to mpich "./$name.openmpi"
        [ "$status" -eq 0 ]
        [ "$output" = 'rank 0 of 2, sum 3, 2 neighbours, Open ' ]
    done
    run -132 ./hidden.mpich # SIGILL: the archive has names alone
}

@test "check, explain and exec know such a program" {
    local family to
    for family in mpich openmpi; do
        to=openmpi
        [ $family = mpich ] || to=mpich
        asked check --to $to ./hidden.$family
        [[ $output == *"yes, on "*" by $family-to-$to"*"linked in:    "*", into $PWD/libhidden.$family.so; its calls are led to the pair"* ]]
        asked explain ./hidden.$family
        [[ $output == *", into $PWD/libhidden.$family.so"*"$family-to-$to: /"*'; its calls are led to the pair'* ]]
        asked exec -- mpiexec.$to -n 2 ./shown.$family
        [ "$status" -eq 0 ]
        [[ $output == 'rank 0 of 2, sum 3, 2 neighbours, '* ]]
        printf '#!/bin/sh\n./both.%s\n' $family > script
        chmod +x script
        asked run -n 2 --to $to ./script
        [[ $output == 'rank 0 of 2, sum 3, 2 neighbours, '* ]]
    done
    # A text that is not loaded is no MPI.
    printf 'int solve(void) { return 0; }\nint finish(void) { return 0; }\n' | $cc -shared -fPIC -x c -o libplain.mpich.so -
    sed -n 's/^mpich inside //p' "$top/abi-tables/implementations" >> libplain.mpich.so
    make_program mpich plain plain
    asked check ./plain.mpich
    [[ $output == *'./plain.mpich uses no MPI'* ]]
    asked check --json --to openmpi ./hidden.mpich
    "${PYTHON:-/usr/bin/python3}" -c '
import json, sys
program, = json.loads(sys.argv[1])["programs"]
assert program["linked_in"] == "MPICH 4.0.2" and program["linked_into"].endswith("/libhidden.mpich.so"), program' "$output"
    mkdir -p tree/bin
    cp hidden.mpich tree/bin
    asked splice --dry-run --to openmpi tree
    refuses 'has its MPI linked in'
}

@test "a launcher of another major release than the MPI inside is told of" {
    RELEASE=3.1.6 "$BATS_TEST_DIRNAME/mock" old.a openmpi "$home"/openmpi-to-mpich/libmpi.so.40
    $cc -w -o old $(family=openmpi includes) -DSOLVER -Dsolve=main "$BATS_TEST_DIRNAME/solver.c" old.a
    local text="has Open MPI 3.1.6 linked in, and "*"/mpiexec.openmpi is of Open MPI "[4-9]*", which may start each rank alone; start it with a launcher of Open MPI 3, or give another MPI with --to"
    asked check ./old
    [[ $output == *'may differ:   '*$text* ]]
    asked run --print -n 2 ./old
    [[ $stderr == "mpi-adapter: "*$text ]]
    asked exec --print -- mpiexec.openmpi -n 2 ./old
    [[ $stderr == "mpi-adapter: "*$text ]]
    asked run --print -n 2 --to mpich ./old
    [ -z "$stderr" ]
    asked run --print -n 2 ./shown.openmpi
    # Of Debian 12.
    [[ $stderr == *'Open MPI 4.'* ]] || [ -z "$stderr" ]
}

@test "a library whose MPI cannot be replaced is refused by its name, and never runs alone" {
    local family to called
    for family in mpich openmpi; do
        to=openmpi called=MPICH
        [ $family = mpich ] || to=mpich called='Open MPI'
        inside ./gone.$family
        refuses "$PWD/libgone.$family.so has $called linked in, but not the names of its procedures"
        asked run --to $to ./gone.$family
        refuses "$PWD/libgone.$family.so has $called linked in, but not the names of its procedures"
        asked exec -- mpiexec.$to -n 2 ./gone.$family
        refuses "$PWD/libgone.$family.so has $called linked in, but not the names of its procedures"
        inside ./two.$family
        refuses ' is loaded ahead of what '"$PWD/libhidden.$family.so has linked in"
        asked run --to $to ./two.$family
        refuses "./two.$family needs an MPI library, and $PWD/libhidden.$family.so has another MPI linked in; link both"
    done
    $cc -o false.two "$BATS_TEST_DIRNAME/false.c" -Wl,--no-as-needed -L. -l:libhidden.mpich.so -Wl,-rpath,"$PWD"
    inside ./false.two
    refuses "/false.two and $PWD/libhidden.mpich.so both have an MPI linked in"
}

@test "a library that starts its MPI in a constructor is refused, unless it is preloaded" {
    local family
    for family in mpich openmpi; do
        # Its MPI has begun, as the data that tell so say.
        echo "extern char MPIR_Process[] __attribute__((weak)), ompi_mpi_state[] __attribute__((weak));
            int MPI_Init(void *a, void *b) { *(MPIR_Process ? MPIR_Process : ompi_mpi_state) = 1; return 0; }" > begun.c
        $cc -w -shared -fPIC -DSOLVER -DBEGINS $(includes) -o libbegun.$family.so "$BATS_TEST_DIRNAME/solver.c" begun.c $family.a
        make_program $family begun begun
        inside ./begun.$family
        refuses ' linked in, and starts it when it is loaded, ahead of what could replace it; preload it ahead of '
        [[ $stderr == "mpi-adapter: $PWD/libbegun.$family.so has "* ]]
    done
    asked env --to openmpi ./begins.mpich
    run --separate-stderr timeout 100 mpiexec.openmpi -n 2 -x LD_LIBRARY_PATH="$home/mpich-to-openmpi" \
        -x LD_PRELOAD="$PWD/libbegins.mpich.so:$home/detour.so" ./begins.mpich
    [ "$output" = 'rank 0 of 2, sum 3, 2 neighbours, MPICH' ]
}

@test "a plugin with MPI inside that is loaded late runs if it is preloaded, and says so if each rank was alone" {
    local family to
    $cc -o late "$BATS_TEST_DIRNAME/late.c" -ldl
    # It keeps its names to itself: a host of the pair may be loaded for everyone.
    $cc -shared -fPIC -Dmain=solve -Wl,--version-script=hiding -o plugin.so "$BATS_TEST_DIRNAME/false.c"
    asked run -n 2 --from mpich --to openmpi ./late ./plugin.so
    [ "$status" -ne 0 ]
    [[ $stderr == *"mpi-adapter: process "*" runs on the MPI that is linked into ./plugin.so, which it loaded late, so each rank is alone; name that library in LD_PRELOAD"* ]]
    asked run -n 1 --from mpich --to openmpi ./late ./plugin.so
    [ "$status" -eq 0 ]
    # Its own launcher started it.
    unless_dropped run --separate-stderr mpiexec.mpich -n 2 env LD_PRELOAD="$home/guard.so" MPI_ADAPTER_PRELOAD="$home/guard.so" ./late ./plugin.so
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    for family in mpich openmpi; do
        to=openmpi
        [ $family = mpich ] || to=mpich
        LD_PRELOAD=$PWD/libhidden.$family.so asked run -n 2 --from $family --to $to ./late ./libhidden.$family.so
        [ "$status" -eq 0 ]
        [[ $output == 'rank 0 of 2, sum 3, 2 neighbours, '* ]]
    done
}
