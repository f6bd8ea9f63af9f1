#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Parts of a process that were compiled for different MPIs: a program of one, and a library of the other. Each calls its own MPI, on
# one host, of which one of them is native; and they tell each other of objects by integers. part.c says what is tried.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
    choose_messages
}

# compile_parts PROGRAM LIBRARY: a program of the first family that is linked with a library of the second one, and one that opens it;
# copies of those that another test has compiled.
compile_parts() {
    local made=$BATS_FILE_TMPDIR/$1.$2
    [ -d "$made" ] || (
        rm -rf "$made.new"
        mkdir "$made.new" && cd "$made.new" &&
            compile_for "$2" library.so -shared -fPIC -DPART=library_part "$here/part.c" &&
            compile_for "$1" linked -DLINKED -DPART=program_part "$here/program.c" "$here/part.c" ./library.so -Wl,--allow-shlib-undefined &&
            compile_for "$1" opens -DPART=program_part "$here/program.c" "$here/part.c" -ldl &&
            mv "$made.new" "$made"
    ) || return
    cp "$made"/* .
}

# in_both FUNCTION: with the program compiled for the application's MPI, and the library for the host's; and the other way round.
in_both() {
    local program folders=$PWD
    for program in "$application" "$host"; do
        echo "a program of $program:"
        mkdir "$folders/$program"
        cd "$folders/$program" || return
        compile_parts "$program" "$([ "$program" = "$host" ] && echo "$application" || echo "$host")"
        "$@"
        cd "$folders" || return
    done
}

# is_right COMMAND...: prints what is wrong.
is_right() {
    local output
    output=$("$@" 2>&1) || { echo "$*: status $?"$'\n'"$output"; return 1; }
    [ "$output" = right ] || { echo "$*: $output"; return 1; }
}

begun_and_ended() {
    local begins ends
    for begins in 0 1; do
        for ends in 0 1; do
            is_right adapted ./linked "$begins" "$ends" || return
        done
    done
}

opened() {
    local when scope
    for when in early late; do
        for scope in local global; do
            is_right adapted ./opens 0 1 ./library.so "$when" "$scope" || return
        done
    done
    # A pair that comes late joins the running MPI: it finds out its rank and how many there are.
    MPI_ADAPTER_VERBOSE=1 adapted ./opens 0 1 ./library.so late local > said 2>&1
    grep -q ': rank 0 of 1$' said || { cat said; return 1; }
}

@test "a program and a library that it is linked with, whichever begins MPI, and whichever ends it" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both begun_and_ended
}

@test "a program opens a library before MPI begins and after, in a scope of its own or for all" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both opened
}

standard() {
    is_right adapted ./linked 0 1 && is_right adapted ./opens 0 0 ./library.so late local
}

@test "the same with a part that is compiled for the standard ABI" {
    PAIRS=${PAIRS:-$(comm -23 <(hosted_pairs | sort) <(native_pairs | sort))} for_each_pair in_both standard
}

# A variable for ranks of any program, which files tell nothing of.
environment_of_parts() {
    local line expected=$folder
    line=$("$command" env --from "$1" --to "$host" | grep '^export LD_LIBRARY_PATH=')
    [ $# -eq 1 ] || expected=$build/lib/mpi-adapter/$2:$build/lib/mpi-adapter/$3
    [ "$line" = "export LD_LIBRARY_PATH='$expected'" ] || { echo "$line"; return 1; }
    is_right env LD_LIBRARY_PATH="$expected" timeout 120 ./opens 1 0 ./library.so early local
}

told_of_late_parts() {
    environment_of_parts "$application,$host" || return
    both_say_right run -n 2 --from "$application,$host" --to "$host" ./opens 0 1 ./library.so late local
}

@test "the command is told of a library that is opened late" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both told_of_late_parts
}

# refuses_status COMMAND...: the program is told that a status may be anybody's.
refuses_status() {
    run --separate-stderr "$@" either
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "status $status: $output $stderr"; return 1; }
    [[ $stderr == *'mpi-adapter: MPI_Status_f2c was given a status that may be of another MPI than its own; '* ]] || { echo "$stderr"; return 1; }
}

# compile_status PROGRAM LIBRARY ARGUMENT...
compile_status() {
    compile_for "$2" library.so -shared -fPIC -DPART=library_part "$here/status.c"
    compile_for "$1" status -DMAIN -DPART=program_part "$here/status.c" ./library.so "${@:3}" -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
}

statuses() {
    compile_status "$1" "$2"
    is_right adapted ./status || return
    refuses_status adapted ./status || return
    "$(tool "$1" FC mpifort)" -w -shared -fPIC -o libsums.so "$here/sums.f90"
    compile_status "$1" "$2" -Wl,--no-as-needed ./libsums.so
    is_right adapted ./status fortran
}

# Two of three parts give and take statuses, so that they cross two pairs.
statuses_of_three() {
    [ -d "$build/lib/mpi-adapter/mpiabi-to-$host" ] || return 0
    compile_for mpiabi libthird.so -shared -fPIC -DPART=third_part "$here/part.c"
    compile_status "$1" "$2" -Wl,--no-as-needed ./libthird.so
    is_right timeout 120 "$command" run -n 1 --to "$host" ./status || return
    refuses_status timeout 120 "$command" run -n 1 --to "$host" ./status
}

statuses_of_both() {
    mkdir "$application" "$host" three
    (cd "$application" && statuses "$application" "$host") || return
    (cd "$host" && statuses "$host" "$application") || return
    cd three && statuses_of_three "$application" "$host"
}

@test "statuses cross as integers, unless it cannot be told whose they are" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair statuses_of_both
}

on_two_ranks() {
    # A launcher may put the ends of two lines behind both.
    [ "$(on_ranks 2 ./linked 0 0 2> messages | tr -d '\n')" = rightright ] || { cat messages; return 1; }
}

@test "two ranks" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both on_two_ranks
}

threads() {
    local when
    compile_for "$1" threads -DPART=program_part "$here/threads.c" "$here/part.c" -ldl -pthread
    compile_for "$2" library.so -shared -fPIC -DPART=library_part "$here/part.c"
    cp library.so copy.so
    for when in early late; do
        is_right adapted ./threads ./library.so "$when" ./copy.so || return
    done
}

each_in_a_thread() {
    mkdir "$application" "$host"
    (cd "$application" && threads "$application" "$host") || return
    (cd "$host" && threads "$host" "$application")
}

@test "each part in a thread of its own, while the process forks and children load parts" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair each_in_a_thread
}

in_sessions() {
    local when
    "$CC" -DLIBRARY -shared -fPIC -I"$build/include/$application" -o library.so "$here/sessions.c" "$adapter"
    host_program program "$here/sessions.c" -ldl
    for when in before after; do
        # A rank that is known only when the library is there, too.
        [ "$(MPI_ADAPTER_TRACE=$when.%r on_ranks 2 ./program ./library.so "$when" 2> messages | tr -d '\n')" = rightright ] ||
            { cat messages; return 1; }
        grep -q 'MPI_Session_init(.*MPI_SUCCESS' "$when.0" && grep -q 'MPI_Session_finalize(.*MPI_SUCCESS' "$when.1" || { ls; return 1; }
    done
}

@test "a library that uses sessions, opened before the program begins its own MPI and after" {
    PAIRS=${PAIRS:-$(hosted_pairs)} for_each_pair in_sessions
}

# both_say_right WORD...: the command's output is `right` from each of two ranks.
both_say_right() {
    local output
    output=$(timeout 120 "$command" "$@" 2> messages) || { echo "$*: status $?"; cat messages; return 1; }
    [ "$(tr -d '\n' <<< "$output")" = rightright ] || { echo "$*: $output"; cat messages; return 1; }
}

by_command() {
    local other=$application native=./library.so
    both_say_right run -n 2 --to "$host" ./linked 0 1 || return
    both_say_right exec -- "$launcher" -n 2 ./linked 1 0 || return
    both_say_right shell --to "$host" "$launcher" -n 2 ./linked 1 1 || return
    [ "${PWD##*/}" = "$host" ] || other=$host
    run "$command" check --to "$host" ./linked
    echo "$output"
    [ "$status" -eq 0 ]
    [[ $output == *'runs here:    yes, on '*" by $pair"$'\n'* ]]
    [[ $output == *$'with parts:   ./library.so, built for '"$other"$'\n'* ]]
    run "$command" check --json --to "$host" ./linked
    [[ $output == *'"parts": [{"abi": '*'"files": ["./linked"]}, {"abi": "'"$other"'", "files": ["./library.so"]}]'* ]]
    [ "${PWD##*/}" != "$host" ] || native=./linked
    run env MPI_ADAPTER_HOST="$host" "$command" explain ./linked
    echo "$output"
    [[ $output == *"native part     $native"$'\n'*"  $pair: "* ]]
    run "$command" run --print=json -n 2 --to "$host" ./linked 0 1
    [[ $output == *'"pair": "'"$pair"'"'* ]]
}

@test "the command runs a program with a library of the other MPI on either, and says what is whose" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_both by_command
}

# A name that the host's library has, and the pair has not.
name_of_host() {
    local library
    library=$(MPI_ADAPTER_VERBOSE=1 adapted ./plain 2>&1 | sed -n "s/^mpi-adapter: process [0-9]*: a program for .* on $host: \(.*\) (MPI .*/\1/p")
    comm -23 <(nm -D --defined-only "$library" | awk '$2 == "T" && $3 ~ /^MPI/ { print $3 }' | sort) \
        <(nm -D --defined-only "$adapter" | awk '{ print $3 }' | sort) | sed -n 1p
}

a_name_of_the_hosts() {
    local name
    printf '#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) + MPI_Finalize(); }\n' > plain.c
    app_program plain plain.c
    name=$(name_of_host)
    [ -n "$name" ] || return 0
    printf '#include <mpi.h>\nint %s(void);\nint ask(void);\nint ask(void) { return %s() + MPI_Finalize(); }\n' "$name" "$name" > asks.c
    compile_for "$application" asks.so -shared -fPIC asks.c
    printf '#include <mpi.h>\nint ask(void);\nint main(void) { MPI_Init(0, 0); return ask(); }\n' > program.c
    compile_for "$host" program program.c ./asks.so -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    run --separate-stderr adapted ./program
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"asks.so was compiled for $application and would call $name of "*", for which the pair has nothing; compile it for $host" ]]
}

@test "a library that calls what the host's MPI has, and its own has not, is refused" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair a_name_of_the_hosts
}

# A part for the application's MPI, and one for the standard ABI, on a host that is neither: by two pairs, one on the other.
two_pairs() {
    local program other=mpiabi-to-$host folders
    [ -d "$build/lib/mpi-adapter/$other" ] || return 0
    folders=$build/lib/mpi-adapter/$application-to-mpiabi:$build/lib/mpi-adapter/$other
    mkdir app abi
    (cd app && compile_parts "$application" mpiabi) || return
    (cd abi && compile_parts mpiabi "$application") || return
    for program in app abi; do
        cd "$program" || return
        is_right env LD_LIBRARY_PATH="$folders" timeout 120 ./linked 0 1 || return
        is_right env LD_LIBRARY_PATH="$folders" timeout 120 ./linked 1 0 || return
        both_say_right run -n 2 --to "$host" ./linked 1 1 || return
        both_say_right run -n 1 --to "$host" ./linked 0 1 : -n 1 ./linked 0 1 || return
        # A family that is only assumed says nothing of parts.
        MPI_ADAPTER_FROM=$application both_say_right run -n 2 --to "$host" ./linked 0 0 || return
        run "$command" check --to "$host" ./linked
        echo "$output"
        [[ $output == *'runs here:    yes, on '*'-to-'*' and '*"-to-$host"$'\n'* ]]
        cd ..
    done
    cd app || return
    is_right env LD_LIBRARY_PATH="$folders" timeout 120 ./opens 0 1 ./library.so late local || return
    is_right env LD_LIBRARY_PATH="$folders" timeout 120 ./opens 1 0 ./library.so early global || return
    if [ "$application" = mpich ]; then
        environment_of_parts "$application,mpiabi" mpiabi-to-mpich "$pair" || return
    else
        environment_of_parts "$application,mpiabi" "$application-to-mpiabi" "$other" || return
    fi
    # The other pair of the application's leaves the standard ABI's part to a pair that knows nothing of it.
    run --separate-stderr env LD_LIBRARY_PATH="$folder:$build/lib/mpi-adapter/$other" timeout 120 ./linked 0 0
    [ "$status" -eq 1 ]
    one_line "$stderr"
    [[ $stderr == *"parts of this process were compiled for "*" and for "*", and its MPI is $host; start it by 'mpi-adapter run', or compile one of them for $host" ]]
}

@test "parts of two MPIs on a third one" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair two_pairs
}

# three_libraries ORDER...: three is linked with its libraries in this order, which decides whose MPI the dynamic linker finds first.
three_libraries() {
    "$CC" -o three "$here/three.c" -Wl,--no-as-needed "${@/#/./lib}" -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
}

# The host's library is opened by an executable of no MPI, or of the pair in the middle. When the others have numbers of handles, it would
# change these.
opens_the_third() {
    local late middle=mpiabi part=third other=first options=(-Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined)
    [ "$application" != mpich ] || middle=mpich part=first other=third
    "$CC" -o late "$here/late.c" -Wl,--no-as-needed ./libfirst.so ./libthird.so -ldl "${options[@]}"
    compile_for "$middle" late_middle -DPART=${part}_part "$here/late.c" "$here/part.c" -Wl,--no-as-needed ./lib$other.so -ldl "${options[@]}"
    for late in ./late ./late_middle; do
        is_right timeout 120 "$command" run --from "$application,mpiabi,$host" --to "$host" "$late" ./libsecond.so before || return
        run --separate-stderr timeout 120 "$command" run --from "$application,mpiabi,$host" --to "$host" "$late" ./libsecond.so after
        echo "status $status: $output $stderr"
        [ "$status" -ne 0 ] || return
        [[ $stderr == *"a library of $middle's host was loaded after MPI_Init, and parts for two other MPIs have numbered handles without it; "* ]] ||
            return
    done
}

three_parts() {
    local order
    [ -d "$build/lib/mpi-adapter/mpiabi-to-$host" ] || return 0
    compile_for "$application" libfirst.so -shared -fPIC -DPART=first_part "$here/part.c"
    compile_for "$host" libsecond.so -shared -fPIC -DPART=second_part "$here/part.c"
    compile_for mpiabi libthird.so -shared -fPIC -DPART=third_part "$here/part.c"
    for order in 'first second third' 'second first third' 'third second first'; do
        # shellcheck disable=SC2046,SC2086  # words
        three_libraries $(printf '%s.so ' $order)
        both_say_right run -n 2 --to "$host" ./three 0 1 || return
        both_say_right run -n 2 --to "$host" ./three 1 2 || return
        both_say_right run -n 2 --to "$host" ./three 2 0 || return
    done
    opens_the_third || return
    run "$command" run -v -n 1 --to "$host" ./three 0 0
    [[ $output == *'mpi-adapter: and pair '*"-to-$host in "* ]]
    run "$command" check --to "$host" ./three
    echo "$output"
    [[ $output == *"runs here:    yes, on "*" and "*"-to-$host"$'\n'*'with parts:'*'with parts:'* ]]
}

@test "parts of three MPIs, whichever is found first, begins and ends" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair three_parts
}

# A stack whose parts could not tell each other of objects is refused.
disagreeing_numbers() {
    local abi=$build/lib/mpi-adapter/mpiabi-to-$application
    [ -d "$abi" ] || return 0
    compile_parts mpiabi "$application"
    run --separate-stderr env LD_LIBRARY_PATH="$abi:$folder" timeout 120 ./linked 0 0
    if [ "$application" = openmpi ]; then
        [ "$status" -eq 1 ]
        one_line "$stderr"
        [[ $stderr == *"whose pair does not tell others of its handles; put the pair $application-to-mpiabi ahead in LD_LIBRARY_PATH"* ]]
    else
        [ "$output" = right ]
    fi
    if [ "$application" = mpich ]; then
        compile_for "$host" libsecond.so -shared -fPIC -DPART=second_part "$here/part.c"
        compile_for "$application" libfirst.so -shared -fPIC -DPART=first_part "$here/part.c"
        compile_for mpiabi libthird.so -shared -fPIC -DPART=third_part "$here/part.c"
        three_libraries first.so second.so third.so
        run --separate-stderr env LD_LIBRARY_PATH="$build/lib/mpi-adapter/mpich-to-mpiabi:$build/lib/mpi-adapter/mpiabi-to-$host" timeout 120 ./three 0 0
        [ "$status" -eq 1 ]
        [[ $stderr == *'parts of this process were compiled for three MPIs, of which mpich has handles that are integers, and is not the host; '* ]]
    fi
}

@test "pairs on pairs whose parts could not tell each other of objects are refused" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair disagreeing_numbers
}

in_fortran() {
    local family
    for family in "$application" "$host"; do
        "$(tool "$family" FC mpifort)" -w -shared -fPIC -o "libsums_$family.so" "$here/sums.f90" || return
    done
    compile_for "$host" a "$here/sums.c" "./libsums_$application.so" -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    compile_for "$application" b "$here/sums.c" "./libsums_$host.so" -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    is_right adapted ./a && is_right adapted ./b || return
    is_right timeout 120 "$command" run --to "$host" ./a && is_right timeout 120 "$command" run --to "$host" ./b
}

@test "a library in Fortran" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_fortran
}

# compile_data FAMILY PART OUTPUT ARGUMENT...: a part in C and Fortran that uses its MPI's data.
compile_data() {
    local family=$1 part=$2 output=$3
    shift 3
    "$(tool "$family" FC mpifort)" -w -cpp -DPART_FORTRAN="${part}_fortran" -DPART_CHECK="${part}_check" -c -o "$part.fortran.o" "$here/data.f90" "$@" &&
        compile_for "$family" "$part.o" -w -DPART_FORTRAN="${part}_fortran" -DPART_CHECK="${part}_check_" -c "$here/data.c" "$@" &&
        "$(tool "$family" FC mpifort)" -o "$output" "$part.fortran.o" "$part.o" "$@" -Wl,--allow-shlib-undefined
}

data_of_both() {
    local program other
    for program in "$application" "$host"; do
        other=$([ "$program" = "$host" ] && echo "$application" || echo "$host")
        compile_data "$other" library ./library.so -fPIC -shared || return
        compile_data "$program" program ./program -fno-pie -no-pie -DMAIN -Wl,library.so || return
        is_right env LD_LIBRARY_PATH="$folder:$PWD" timeout 120 ./program || return
    done
}

@test "data and functions of both MPIs by their addresses, in an executable that is not position-independent, and Fortran in both parts" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair data_of_both
}

# library_of STEM FAMILY: the file of a library that Debian has for each family.
library_of() {
    find /usr/lib -name "$1-$2.so.*" -print -quit 2> /dev/null
}

solved() {
    local library other program
    for program in "$application" "$host"; do
        other=$([ "$program" = "$host" ] && echo "$application" || echo "$host")
        library=$(library_of libscalapack "$other")
        [ -n "$library" ] || continue
        compile_for "$program" solve "$here/solve.c" "$library" -lm -Wl,--allow-shlib-undefined
        [ "$(on_ranks 2 ./solve 2> messages | sort -u)" = right ] || { echo "$program:"; cat messages; return 1; }
    done
}

@test "Debian's ScaLAPACK of one MPI solves for a program of the other" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair solved
}

# The family of Debian's mpi4py.
family_of_mpi4py() {
    local family needed
    needed=$(/usr/bin/python3 -c 'import mpi4py, glob; print(glob.glob(mpi4py.__path__[0] + "/MPI.*.so")[0])' 2> /dev/null) &&
        needed=$(readelf -dW "$needed" | sed -n 's/.*(NEEDED).*\[\(libmpi.*\)\]/\1/p') || return
    for family in $(native_modes); do
        ! grep -qxF -- "$(family_fact "$family" soname)" <<< "$needed" || echo "$family"
    done
}

in_python() {
    local family when
    family=$(family_of_mpi4py)
    compile_for "$([ "$family" = "$host" ] && echo "$application" || echo "$host")" library.so -shared -fPIC -DPART=library_part "$here/part.c"
    for when in early late; do
        is_right adapted /usr/bin/python3 "$here/python.py" ./library.so "$when" || return
        is_right timeout 120 "$command" run --from "$application,$host" --to "$host" /usr/bin/python3 "$here/python.py" ./library.so "$when" || return
    done
}

@test "Debian's mpi4py, and a library of the other MPI that Python opens before it or after" {
    [ -n "$(family_of_mpi4py)" ] || skip 'no mpi4py of Debian'
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair in_python
}
