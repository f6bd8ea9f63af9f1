# SPDX-License-Identifier: BSD-3-Clause
#
# Plugins, tools and children of programs that have their MPI linked in, of both families.

load inside

setup_file() {
    prepare beside
    cd "$work" || return 1
    ! has_both || make_archives
    export family to
}

setup() {
    has_both || skip 'MPICH or Open MPI is not here'
    cd "$work"
}

# each_family COMMAND...: runs it with `family`, and `to`, the other one.
each_family() {
    family=mpich to=openmpi "$@"
    family=openmpi to=mpich "$@"
}

takes_mpi_from_program() {
    $cc $(includes) -rdynamic -o program.$family "$BATS_TEST_DIRNAME/beside.c" $family.a -ldl
    $cc $(includes) -DPLUGIN -shared -fPIC -o plugin.$family.so "$BATS_TEST_DIRNAME/beside.c"
    asked run -n 2 --to $to ./program.$family ./plugin.$family.so
    [ "$status" -eq 0 ]
    [ "$output" = 'sums 2 2' ]
    # The names that it exports are enough.
    strip program.$family
    asked run -n 2 --to $to ./program.$family ./plugin.$family.so
    [ "$status" -eq 0 ]
    [ "$output" = 'sums 2 2' ]
}

@test "a plugin takes MPI from the program" {
    each_family takes_mpi_from_program
}

# A tool comes ahead of a library, not of a program, which has its own procedures.
counts_calls() {
    local shared=$("mpicc.$family" -show | grep -oE '(^| )-[lL][^ ]+') tool
    make_library $family shown
    make_library $family hidden -Wl,--version-script=hiding
    make_program $family shown shown
    make_program $family hidden hidden
    $cc $(includes) -DTOOL -shared -fPIC -o tool.$family.so "$BATS_TEST_DIRNAME/beside.c"
    $cc $(includes) -DTOOL -shared -fPIC -o needing.$family.so "$BATS_TEST_DIRNAME/beside.c" -Wl,--no-as-needed $shared
    for tool in tool needing; do
        LD_PRELOAD=$PWD/$tool.$family.so asked run -n 2 --to $to ./shown.$family
        [ "$status" -eq 0 ]
        [[ $output == 'rank 0 of 2, sum 3, 2 neighbours, '?????$'\n1 calls' ]]
    done
    # It would bring another MPI.
    LD_PRELOAD=$PWD/needing.$family.so asked run -n 2 --to $to ./hidden.$family
    [ "$status" -ne 0 ]
    [ -z "$output" ]
    [[ $stderr == *' is loaded ahead of what '*"/libhidden.$family.so has linked in, by LD_PRELOAD or a library that needs MPI; start it without"* ]]
}

@test "a tool that is preloaded sees the calls of a library that shows its MPI" {
    each_family counts_calls
}

# MPICH's Hydra may not spawn (tests/c/known-faults.tsv), so this is on Open MPI alone.
spawns() {
    $cc $(includes) -o spawn.$family "$BATS_TEST_DIRNAME/spawn.c" $family.a
    asked run -n 1 --to $to ./spawn.$family
    [ "$status" -eq 0 ]
    [ "$output" = '2 children' ]
    $cc $(includes) -fPIC -shared -Dmain=spawn -o libspawn.$family.so "$BATS_TEST_DIRNAME/spawn.c" $family.a
    printf 'int spawn(int, char **);\nint main(int argc, char **argv) { return spawn(argc, argv); }\n' > spawns.c
    $cc -o spawns.$family spawns.c -L. -l:libspawn.$family.so -Wl,-rpath,"$PWD"
    asked run -n 1 --to $to ./spawns.$family
    [ "$status" -eq 0 ]
    [ "$output" = '2 children' ]
}

@test "children that a program spawns run on the same MPI, with MPI inside the program or its library" {
    family=mpich to=openmpi spawns
}

calls_early_and_forks() {
    $cc $(includes) -o hello.$family "$BATS_TEST_DIRNAME/hello.c" $family.a
    asked run -n 2 --to $to ./hello.$family
    [ "$status" -eq 0 ]
    [[ $output == 'early 0, rank 0 of 2, sums 3 3, wrapped 1, child 7, '* ]]
}

@test "constructors and forked children call MPI" {
    each_family calls_early_and_forks
}
