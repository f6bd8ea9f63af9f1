#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Fortran that arrives in a process by dlopen(). Each plugin has copies of the common blocks of Fortran's constants; natively only
# the first one's are recognized. Through the adapter all are, however the pair was started.

load ../pair
: "${TEST_TIMEOUT:=120}"
export TEST_TIMEOUT

# Plugins of each interface, one more of mpif.h, and two whose code refers to its copies without slots.
setup_file() {
    local family interface
    cd "$BATS_FILE_TMPDIR" || return
    "$CC" -O1 -g -Wall -o open "$here/open.c" -ldl -pthread
    for family in $(native_modes); do
        type -P "$(tool "$family" FC mpifort)" > /dev/null || continue
        for interface in 77 90 2008; do
            compile_plugin "$family" "$interface" "plugin_$interface"
        done
        compile_plugin "$family" 77 again
        compile_plugin "$family" 77 symbolic -Wl,-Bsymbolic
        compile_plugin "$family" 90 symbolic_too -Wl,-Bsymbolic
        compile_callbacks "$family" calls_3 3
        compile_callbacks "$family" calls_5 5
    done
}

# compile_plugin FAMILY INTERFACE NAME ARGUMENT...: FAMILY/NAME.so with the function NAME.
compile_plugin() {
    local family=$1 interface=$2 name=$3
    shift 3
    mkdir -p "$family"
    "$(tool "$family" FC mpifort)" -w -cpp -O1 -g -fPIC -shared -DENTRY="$name" -DINTERFACE="$interface" -J "$family" \
        -o "$family/$name.so" "$here/constants.F90" "$@"
}

# compile_callbacks FAMILY NAME WEIGHT
compile_callbacks() {
    "$(tool "$1" FC mpifort)" -w -cpp -O1 -g -fPIC -shared -DENTRY="$2" -DNAMES="$2_procedures" -DWEIGHT="$3" -J "$1" \
        -o "$1/$2.so" "$here/callbacks.F90"
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
    plugins=(plugin_77 plugin_90 plugin_2008 again symbolic symbolic_too)
    what=none
}

# Each pair of two families with Fortran whose MPIs are both here.
fortran_pairs() {
    local name
    for name in $(native_pairs); do
        [ ! -e "$(family_of "$name")/again.so" ] || echo "$name"
    done
}

# arguments FAMILY: the plugins and their functions.
arguments() {
    local name
    for name in "${plugins[@]}"; do
        echo "./$1/$name.so:$name"
    done
}

# on_all_ranks COMMAND...: on each of two ranks each plugin did all right, and nothing is on stderr.
on_all_ranks() {
    local name wanted=
    for name in "${plugins[@]}"; do
        wanted+="./$application/$name.so misses 0"$'\n'"./$application/$name.so misses 0"$'\n'
    done
    run --separate-stderr "$@"
    echo "$pair: $*: status $status, output $output, stderr $stderr"
    [ "$status" -eq 0 ] && [ -z "$stderr" ] && [ "$(sort <<< "$output")" = "$(sort <<< "${wanted%$'\n'}")" ]
}

each_scope() {
    local scope
    for scope in local global; do
        # shellcheck disable=SC2046  # words
        on_all_ranks "$@" ./open "$scope" "$what" $(arguments "$application") || return 1
    done
}

each_pair() {
    local name
    [ -n "$(fortran_pairs)" ] || skip "no two MPIs with Fortran are on this machine"
    for name in $(fortran_pairs); do
        use_pair "$name"
        "$@" || return 1
    done
}

in_time() { timeout -k 5 "$TEST_TIMEOUT" "$@"; }
by_run() { each_scope in_time "$command" run --from "$application" --to "$host" "$@" -n 2; }
by_exec() { each_scope in_time "$command" exec --from "$application" --to "$host" -- "$launcher" -n 2; }
by_path() { each_scope start_ranks "$host" 2 "LD_LIBRARY_PATH=$folder" --; }

@test "mpi-adapter run: each constant of each Fortran plugin is recognized" {
    each_pair by_run
}

@test "mpi-adapter run --preload: the same" {
    each_pair by_run --preload
}

@test "mpi-adapter exec: the same" {
    each_pair by_exec
}

@test "LD_LIBRARY_PATH alone: the same" {
    each_pair by_path
}

deeply_by_path() {
    # shellcheck disable=SC2046  # words
    on_all_ranks start_ranks "$host" 2 "LD_LIBRARY_PATH=$folder" -- ./open deep none $(arguments "$application")
}

@test "plugins opened with RTLD_DEEPBIND: the same" {
    each_pair deeply_by_path
}

# Pairs whose application's ABI has the library for Fortran that is made here, and whose MPI is here.
made_pairs() {
    local name
    for name in $(hosted_pairs); do
        [ -z "$(family_fact "$(family_of "$name")" fortran_made)" ] || [ ! -e "$(family_of "$name")/again.so" ] || echo "$name"
    done
}

@test "the library for Fortran of the standard ABI: each constant of each plugin is recognized" {
    local name way
    [ -n "$(made_pairs)" ] || skip "no host of the standard ABI's pairs is on this machine"
    for name in $(made_pairs); do
        use_pair "$name"
        plugins=(plugin_77 plugin_90 plugin_2008 again symbolic symbolic_too)
        for way in by_run by_exec by_path; do
            what=none
            "$way"
        done
        deeply_by_path
        plugins=(plugin_2008 symbolic again plugin_90 plugin_77)
        deeply_by_path
        for what in threads again; do
            by_path
        done
    done
    # One without slots keeps its constants, if it is the first.
    plugins=(symbolic)
    # shellcheck disable=SC2046  # words
    on_all_ranks start_ranks "$host" 2 "LD_LIBRARY_PATH=$folder" -- ./open local none $(arguments "$application")
}

@test "plugins that threads open, or that are closed and opened again" {
    what=threads
    each_pair by_path
    each_pair by_run
    what=again
    each_pair by_path
    each_pair by_run
}

@test "procedures of two Fortran plugins are called: operations, attributes, error handlers, requests" {
    plugins=(calls_3 calls_5)
    each_pair by_run
    each_pair by_path
    what=again
    each_pair by_path
}

@test "one adapter on another: the same" {
    local chain tried=0
    for chain in $(chain_modes); do
        application=$(family_of "$chain") host=$(host_of "$chain") pair=$chain
        is_native "$host" && [ -e "$application/again.so" ] || continue
        # shellcheck disable=SC2046  # words
        on_all_ranks start_ranks "$host" 2 "$(paths_of "$chain")" -- ./open local none $(arguments "$application")
        tried=1
    done
    [ "$tried" -eq 1 ] || skip "no chain of pairs ends in an MPI of this machine"
}

spawns_without_arguments() {
    rm -f trace.*
    # shellcheck disable=SC2046  # words
    MPI_ADAPTER_TRACE=$PWD/trace.%r in_time "$command" run --from "$application" --to "$host" -n 2 \
        ./open local spawn $(arguments "$application") > out 2> err
    cat out err
    [ "$(grep -ch 'MPI_Comm_spawn(command="nothing", argv=MPI_ARGV_NULL, maxprocs=-1' trace.0)" -eq ${#plugins[@]} ]
    [ "$(grep -ch 'MPI_Comm_spawn_multiple(count=1, array_of_commands=0x' trace.0)" -eq ${#plugins[@]} ]
}

@test "a plugin starts processes without arguments" {
    each_pair spawns_without_arguments
}

without_copies() {
    "$CC" -shared -fPIC -o no_copy.so -x c - <<< 'long sendfile(int to, int from, long *offset, unsigned long count) { return -1; }'
    run --separate-stderr start_ranks "$host" 1 "LD_LIBRARY_PATH=$folder" "LD_PRELOAD=$PWD/no_copy.so" -- \
        ./open local idle "./$application/symbolic.so:symbolic" "./$application/symbolic_too.so:symbolic_too"
    echo "$output $stderr"
    [ "$status" -eq 0 ] && one_line "$stderr" && [[ $stderr == *"./$application/symbolic_too.so"*"; mount /proc, or link it without -Bsymbolic" ]]
}

@test "a plugin that cannot be given a copy of the Fortran library is named" {
    each_pair without_copies
}

logicals_of_late_plugin() {
    # The run-time library of another compiler, as far as its name.
    "$CC" -shared -fPIC -Wl,-soname,libifcore.so.5 -o libifcore.so.5 -x c - < /dev/null
    "$CC" -shared -fPIC -o "$application/truth.so" "$here/truth.c" -Wl,--no-as-needed ./libifcore.so.5 "$folder/$fortran" \
        -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined
    run --separate-stderr in_time "$command" run --from "$application" --to "$host" -n 1 \
        ./open local none "./$application/truth.so:truth"
    echo "$pair: $output $stderr"
    [ "$output" = "./$application/truth.so misses -1" ] && [ -z "$stderr" ]
}

without_host() {
    cat > try.py <<'TEXT'
import ctypes, sys
plugin = ctypes.CDLL(sys.argv[1])
sys.stdout.write("opened\n")
sys.stdout.flush()
plugin.symbolic(0)
TEXT
    run --separate-stderr env LD_LIBRARY_PATH="$folder" MPI_ADAPTER_HOST_LIBRARY=/nonexistent timeout "$TEST_TIMEOUT" \
        /usr/bin/python3 try.py "./$application/symbolic.so"
    echo "$pair: $status, $output, $stderr"
    [ "$status" -eq 1 ] && [ "$output" = opened ] && one_line "$stderr"
}

@test "a Fortran plugin is opened without a host, and told why at its first call" {
    each_pair without_host
}

@test "a late plugin's compiler, whose .TRUE. is -1, is told by its run-time library" {
    each_pair logicals_of_late_plugin
}

in_python() {
    cat > plugins.py <<'TEXT'
import ctypes, sys
plugins = [getattr(ctypes.CDLL(path), name) for path, name in (word.split(":") for word in sys.argv[1:])]
plugins[0](0)
missed = [plugin(1) for plugin in plugins]
plugins[0](2)
sys.stdout.write("".join("%s misses %d\n" % (word.split(":")[0], number) for word, number in zip(sys.argv[1:], missed)))
TEXT
    # shellcheck disable=SC2046  # words
    on_all_ranks in_time "$command" run --from "$application" --to "$host" -n 2 /usr/bin/python3 plugins.py $(arguments "$application")
}

@test "Python opens Fortran plugins by ctypes" {
    each_pair in_python
}

# Constants of the library itself, which no plugin has brought.
in_library() {
    local symbol=$1 offset=$2 sum=$3 integer=$4 world=$5
    cat > direct.py <<'TEXT'
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], mode=getattr(ctypes, sys.argv[2]))
place = ctypes.addressof(ctypes.c_char.in_dll(library, sys.argv[3])) + int(sys.argv[4])
sum_, integer, world, two, error, rank = (ctypes.byref(ctypes.c_int(int(word))) for word in sys.argv[5:] + ["2", "0", "0"])
library.mpi_init_(error)
library.mpi_comm_rank_(world, rank, error)
values = (ctypes.c_int * 2)(1, 10)
library.mpi_allreduce_(ctypes.c_void_p(place), values, two, integer, sum_, world, error)
sys.stdout.write("%s\n" % list(values))
sys.stdout.flush()
library.mpi_finalize_(error)
TEXT
    for scope in RTLD_LOCAL RTLD_GLOBAL; do
        run --separate-stderr in_time "$command" run --from "$application" --to "$host" -n 2 \
            /usr/bin/python3 direct.py "$fortran" $scope "$symbol" "$offset" "$sum" "$integer" "$world"
        echo "$pair $scope: $output $stderr"
        [ "$status" -eq 0 ] && [ -z "$stderr" ] && [ "$output" = $'[2, 20]\n[2, 20]' ] || return 1
    done
}

@test "Python calls the Fortran library itself by ctypes" {
    local name values
    declare -A values=([openmpi]='mpi_fortran_in_place_ 0 3 7 0' [mpich]='mpipriv1_ 4 1476395011 1275069467 1140850688')
    [ -n "$(fortran_pairs)" ] || skip "no two MPIs with Fortran are on this machine"
    for name in $(fortran_pairs); do
        use_pair "$name"
        # shellcheck disable=SC2086  # words
        in_library ${values[$application]}
    done
}

# enter_f2py: to the folder of two modules that f2py makes for programs of the application's family, once.
enter_f2py() {
    local name
    mkdir -p "f2py-$application" && cd "f2py-$application" || return
    [ ! -e made ] || return 0
    for name in first second; do
        cat > "$name.f90" <<'TEXT'
subroutine begin(comm, rank)
  implicit none
  include 'mpif.h'
  integer, intent(out) :: comm, rank
  integer :: ierr
  call MPI_Init(ierr)
  comm = MPI_COMM_WORLD
  call MPI_Comm_rank(comm, rank, ierr)
end subroutine
subroutine finish()
  implicit none
  include 'mpif.h'
  integer :: ierr
  call MPI_Finalize(ierr)
end subroutine
subroutine total(comm, x)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: comm
  integer, intent(inout) :: x(2)
  integer :: ierr
  call MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_SUM, comm, ierr)
end subroutine
subroutine other(comm, x)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: comm
  integer, intent(out) :: x
  integer :: ierr, me
  call MPI_Comm_rank(comm, me, ierr)
  call MPI_Sendrecv(me, 1, MPI_INTEGER, 1 - me, 3, x, 1, MPI_INTEGER, 1 - me, 3, comm, MPI_STATUS_IGNORE, ierr)
  x = x + me
end subroutine
subroutine copy(comm, new)
  implicit none
  include 'mpif.h'
  integer, intent(in) :: comm
  integer, intent(out) :: new
  integer :: ierr
  call MPI_Comm_dup(comm, new, ierr)
end subroutine
TEXT
        # shellcheck disable=SC2046  # words: what the compiler's wrapper adds
        /usr/bin/f2py3 -c --quiet --fcompiler=gnu95 -m "$name" "$name.f90" \
            $("$(tool "$application" FC mpifort)" -show | grep -oE -- '(^| )-[ILl][^ ]+') > log 2>&1 || { cat log; return 1; }
    done
    : > made
}

# Sums of both ranks, by two modules in one process.
with_f2py() {
    enter_f2py || return
    cat > both.py <<'TEXT'
import sys, numpy, first, second
comm, rank = first.begin()
sums = []
for module in (first, second):
    x = numpy.array([rank + 1, 10 * (rank + 1)], dtype=numpy.intc)
    module.total(comm, x)
    sums += list(map(int, x))
first.finish()
sys.stdout.write("%s\n" % sums)
TEXT
    run --separate-stderr in_time "$command" run --from "$application" --to "$host" -n 2 /usr/bin/python3 both.py
    echo "$output $stderr"
    cd ..
    [ "$status" -eq 0 ] && [ -z "$stderr" ] && [ "$output" = $'[3, 30, 3, 30]\n[3, 30, 3, 30]' ]
}

@test "two modules that f2py made, in one process" {
    [ -x /usr/bin/f2py3 ] || skip "there is no f2py"
    compgen -G '/usr/include/python3*/Python.h' > /dev/null || skip "Python's headers are not installed"
    # From Python 3.12 on it compiles by Meson.
    /usr/bin/python3 -c 'import distutils' 2> /dev/null || need_commands meson
    each_pair with_f2py
}

# with_mpi4py FAMILY: what mpi4py, which is built for it, and two modules of f2py make of one communicator.
with_mpi4py() {
    local order way
    enter_f2py || return
    printf '%s\n' 'from mpi4py import MPI' 'import first, second' > mpi4py_first.py
    printf '%s\n' 'import first, second' 'from mpi4py import MPI' > f2py_first.py
    cat > rest.py <<'TEXT'
import sys, numpy
world = MPI.COMM_WORLD
found = []
for module in (first, second):
    comm = MPI.Comm.f2py(module.copy(world.py2f()))
    x = numpy.array([world.rank + 1, 10 * (world.rank + 1)], dtype=numpy.intc)
    module.total(comm.py2f(), x)
    found += [*map(int, x), int(module.other(world.py2f())), comm.allreduce(world.rank + 1)]
    comm.Free()
sys.stdout.write("%s\n" % found)
TEXT
    for order in mpi4py_first f2py_first; do
        cat rest.py >> "$order.py"
        for way in by_run by_exec by_path; do
            case $way in
            by_run) set -- in_time "$command" run --to "$host" -n 2 ;;
            by_exec) set -- in_time "$command" exec --from "$application" -- "$launcher" -n 2 ;;
            by_path) set -- start_ranks "$host" 2 "LD_LIBRARY_PATH=$folder" -- ;;
            esac
            run --separate-stderr "$@" /usr/bin/python3 "$order.py"
            echo "$order $way: $output $stderr"
            [ "$status" -eq 0 ] && [ -z "$stderr" ] || return 1
            [ "$output" = $'[3, 30, 1, 3, 3, 30, 1, 3]\n[3, 30, 1, 3, 3, 30, 1, 3]' ] || return 1
        done
    done
}

@test "mpi4py and two modules that f2py made share a communicator, whichever comes first" {
    local name library tried=''
    [ -x /usr/bin/f2py3 ] || skip "there is no f2py"
    compgen -G '/usr/include/python3*/Python.h' > /dev/null || skip "Python's headers are not installed"
    /usr/bin/python3 -c 'import distutils' 2> /dev/null || need_commands meson
    library=$(/usr/bin/python3 -c 'import mpi4py.MPI; print(mpi4py.MPI.__file__)') || skip "there is no mpi4py"
    for name in $(fortran_pairs); do
        use_pair "$name"
        readelf -d "$library" | grep -F "[$soname]" > /dev/null || continue
        with_mpi4py
        tried=yes
    done
    [ -n "$tried" ] || skip "mpi4py is built for no MPI whose pair has its host here"
}

in_R() {
    cat > plugins.R <<'TEXT'
words <- strsplit(commandArgs(trailingOnly = TRUE), ":")
for (word in words) dyn.load(word[1])
call <- function(word, x) .Fortran(word[2], x = as.integer(x), PACKAGE = sub("\\.so$", "", basename(word[1])))$x
invisible(call(words[[1]], c(0, 0)))
for (word in words) cat(paste0(word[1], " sums ", paste(call(word, c(1, 1)), collapse = " "), "\n"))
invisible(call(words[[1]], c(2, 0)))
TEXT
    local name
    for name in first second; do
        printf '%s\n' "subroutine ${name}_r(x)" '  implicit none' "  include 'mpif.h'" '  integer :: x(2), ierr' \
            '  if (x(1) == 0) call MPI_Init(ierr)' \
            '  if (x(1) == 1) call MPI_Allreduce(MPI_IN_PLACE, x, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)' \
            '  if (x(1) == 2 .and. x(2) == 0) call MPI_Finalize(ierr)' 'end subroutine' > "$name.f90"
        "$(tool "$application" FC mpifort)" -fPIC -shared -o "$application/$name.so" "$name.f90"
    done
    run --separate-stderr in_time "$command" run --from "$application" --to "$host" "$@" -n 2 Rscript plugins.R \
        "./$application/first.so:first_r" "./$application/second.so:second_r"
    echo "$output $stderr"
    [ "$status" -eq 0 ] && [ "$(sort -u <<< "$output")" = "./$application/first.so sums 2 2"$'\n'"./$application/second.so sums 2 2" ]
}

@test "R loads Fortran plugins by dyn.load" {
    need_commands Rscript
    each_pair in_R
}
