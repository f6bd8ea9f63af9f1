#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI in modules that a program opens: two in one process, in every way that the adapter gets into it, and what else the
# process does. The program has no MPI itself. Natively the same is expected.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

setup_file() {
    load ../pair
    local name
    "$CC" -O1 -g -Wall -o "$BATS_FILE_TMPDIR/ways" "$here/loading_ways.c" -ldl
    for name in $(printf '%s\n' ${PAIRS:-$(hosted_pairs)} | sed 's/-to-.*//' | sort -u); do
        mkdir "$BATS_FILE_TMPDIR/$name"
        compile_for "$name" "$BATS_FILE_TMPDIR/$name/module_a.so" -shared -fPIC -DBONUS=20 "$here/loading_module.c"
        compile_for "$name" "$BATS_FILE_TMPDIR/$name/module_b.so" -shared -fPIC -DBONUS=30 "$here/loading_module.c"
    done
    export ways=$BATS_FILE_TMPDIR/ways programs=$BATS_FILE_TMPDIR
    cat > "$BATS_FILE_TMPDIR/ways.py" <<'TEXT'
import ctypes, os, sys

scope = ctypes.RTLD_GLOBAL if sys.argv[1] == "global" else ctypes.RTLD_LOCAL
rank, size, found = ctypes.c_int(-1), ctypes.c_int(-1), (ctypes.c_int * 5)()
first = ctypes.CDLL(sys.argv[2], mode=scope)
first.module_start(ctypes.byref(rank), ctypes.byref(size))
line = "rank %d of %d" % (rank.value, size.value)
for module in first, ctypes.CDLL(sys.argv[3], mode=scope):
    module.module_work(found)
    line += ", " + " ".join(map(str, found))
os.write(1, (line + "\n").encode())
first.module_end()
TEXT
}

# in_way WAY COMMAND...: on two ranks. The folder of the modules is in LD_LIBRARY_PATH, too.
in_way() {
    local way=$1 path=$programs/$application
    shift
    case $way in
        path) with_path "$folder:$path" "$@" ;;
        run) LD_LIBRARY_PATH=$path timeout 120 "$command" run --from "$application" --to "$host" -n 2 "$@" ;;
        preload) LD_LIBRARY_PATH=$path timeout 120 "$command" run --preload --from "$application" --to "$host" -n 2 "$@" ;;
        exec) LD_LIBRARY_PATH=$path timeout 120 "$command" exec --from "$application" -- "$launcher" -n 2 "$@" ;;
        native) host=$application with_path "$path" "$@" ;;
    esac
}

with_path() {
    TEST_TIMEOUT=120 start_ranks "$host" 2 LD_LIBRARY_PATH="$1" -- "${@:2}"
}

results="1020 23 1 2 1, 1030 33 1 2 1"

# finds STATUS ADDITION WAY COMMAND...: each rank prints the results, and what is added.
finds() {
    local wanted=$1 addition=$2
    shift 2
    run --separate-stderr in_way "$@"
    echo "$*: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq "$wanted" ]
    [ "$(sort <<< "$output" | paste -sd '|')" = "$(printf 'rank 0 of 2, %s%s\nrank 1 of 2, %s%s\n' "$results" "$addition" "$results" "$addition" |
        paste -sd '|')" ]
}

modules_opened() {
    local way a=$programs/$application/module_a.so b=$programs/$application/module_b.so
    for way in path run exec preload; do
        finds 0 '' $way "$ways" none local "$a" "$b"
        finds 0 '' $way "$ways" none global module_a.so module_b.so
    done
    ! is_native "$application" || finds 0 '' native "$ways" none global module_a.so module_b.so
}

@test "two modules, by their names and paths, for everybody and for nobody" {
    for_each_pair modules_opened
}

python_opens() {
    local way
    for way in path run exec preload; do
        finds 0 '' $way /usr/bin/python3 "$programs/ways.py" local module_a.so "$programs/$application/module_b.so"
    done
}

@test "Python opens two modules" {
    for_each_pair python_opens
}

# With the adapter in the process, or about to be, the program's own MPI is not loaded by whatever path leads to it.
opened_by_path() {
    local way native
    native=$("$CC" -print-file-name="$soname")
    ln -s "$native" "${soname%%.so*}.so"
    cat > open.py <<'TEXT'
import ctypes, os, sys

for path in sys.argv[2:]:
    ctypes.CDLL(path)
maps = open("/proc/self/maps").read()
print("native" if os.path.realpath(sys.argv[1]) + "\n" in maps else "adapter")
TEXT
    [ "$(/usr/bin/python3 open.py "$native" "$native")" = native ]
    for way in run exec preload; do
        for path in "$native" "$PWD/${soname%%.so*}.so"; do
            [ "$(in_way $way /usr/bin/python3 open.py "$native" "$path" | tr -d '\n')" = adapteradapter ]
        done
    done
    [ "$(adapted /usr/bin/python3 open.py "$native" "$soname" "$native")" = adapter ]
    [ "$(adapted /usr/bin/python3 open.py "$native" "$soname" "${soname%%.so*}.so")" = adapter ]
}

@test "a program that opens its MPI by a path gets the adapter" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair opened_by_path
}

does_more() {
    finds 0 '' run "$ways" execute local module_a.so module_b.so
    finds 0 '' path "$ways" execute global module_a.so module_b.so
    finds 0 ', child 7' run "$ways" fork local module_a.so module_b.so
    finds 0 ', child 7' run "$ways" start local module_a.so module_b.so
    finds 5 '' run "$ways" exit local module_a.so module_b.so
    finds 6 '' run "$ways" _exit local module_a.so module_b.so
    finds 4 '' run "$ways" close local module_a.so module_b.so
    run --separate-stderr in_way run "$ways" atexit local module_a.so module_b.so
    echo "atexit: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ "$(grep -cx 'begun 1, ended 1' <<< "$output")" -eq 2 ]
}

@test "a process that forks, starts another, executes itself, or ends in some way" {
    for_each_pair does_more
}

# Natively the library is gone after dlclose(), and what is loaded then knows nothing of the first life.
opened_again() {
    "$CC" -O1 -g -Wall -o again "$here/loading_again.c" -ldl
    adapted ./again "$programs/$application/module_a.so" > told
    printf '%s\n' 'first: begun 1, ended 0' 'again: begun 1, ended 1' | diff - told
    ! is_native "$application" || {
        timeout 60 ./again "$programs/$application/module_a.so" > natively
        printf '%s\n' 'first: begun 1, ended 0' 'again: begun 0, ended 0' | diff - natively
    }
}

@test "MPI that was closed with all that used it is found finalized when it is opened again" {
    for_each_pair opened_again
}
