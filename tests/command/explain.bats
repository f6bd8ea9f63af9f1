# SPDX-License-Identifier: BSD-3-Clause
# "mpi-adapter explain": what a program was built against, and what becomes of its calls.

load real_mpis

setup_file() {
    load real_mpis
    cd "$BATS_FILE_TMPDIR"
    # MPICH's newest ABI, of which Open MPI 4.1 lacks much.
    cat > calls.c <<'TEXT'
#include <mpi.h>
int main(int argc, char **argv)
{
    int n = argc;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Finalized(&n);
    PMPI_Comm_rank(MPI_COMM_WORLD, &n);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Send_c(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Psend_init(&n, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPIX_Comm_agree(MPI_COMM_WORLD, &n);
    MPIX_Query_cuda_support();
    return MPI_Finalize();
}
TEXT
    gcc -I"$build/include/mpich" -o calls calls.c "$home/mpich-to-openmpi/libmpich.so.12"
    gcc -shared -fPIC -I"$build/include/mpich" -o libcalls.so -x c - -x none "$home/mpich-to-openmpi/libmpich.so.12" <<'TEXT'
#include <mpi.h>
int calls(void) { return MPI_Barrier(MPI_COMM_WORLD); }
TEXT
    echo 'int calls(void); int main(void) { return calls(); }' |
        gcc -x c - -x none -o through ./libcalls.so -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,"$home/mpich-to-openmpi"
    mpicc.openmpi -o simple -x c - <<'TEXT'
#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }
TEXT
}

setup() {
    clean_environment
    cd "$BATS_FILE_TMPDIR"
}

explain() { run --separate-stderr "$adapter" explain "$@"; }

# on_4_1 ARGUMENT...: explains with an Open MPI 4.1 as the host, whichever is here: as far as its library's names go.
on_4_1() {
    if [ ! -e older/libmpi.so.40 ]; then
        mkdir -p older
        sed -n 's/^libmpi.so.40 function [a-z]* \([A-Za-z_0-9]*\)$/void \1(void) {}/p' "$top/abi-tables/openmpi-4.1.4/exports" > older.c
        echo 'int ompi_mpi_comm_world;' >> older.c
        gcc -shared -fPIC -w -Wl,-soname,libmpi.so.40 -o older/libmpi.so.40 older.c
    fi
    LD_LIBRARY_PATH=$PWD/older explain "$@"
}

@test "settings of the program's own MPI that no host heeds are named" {
    export MPIR_CVAR_ONE=1 I_MPI_PIN=0 OMPI_MCA_btl=self
    explain calls
    [[ $output == *'settings without effect: MPIR_CVAR_ONE'$'\n'* ]]
    explain --json calls
    python3 -c 'import json, sys; assert json.load(sys.stdin)["settings_without_effect"] == ["MPIR_CVAR_ONE"]' <<< "$output"
    unset MPIR_CVAR_ONE
    explain calls
    [[ $output != *'without effect'* ]]
}

# becomes SYMBOL OUTCOME: on the first host.
becomes() { grep -qE "^  $1 +$2( |\$)" <<< "$output" || { echo "$1 is not $2: $output"; return 1; }; }

@test "each procedure: direct, converted, built from others or missing" {
    on_4_1 calls
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    becomes MPI_Finalized direct
    becomes PMPI_Comm_rank converted
    becomes MPI_Barrier_init built
    becomes MPI_Send_c built
    becomes MPI_Psend_init built
    becomes MPIX_Comm_agree missing
    [[ $output == *', 1 missing'* || $output == *', 2 missing'* ]]
}

@test "the ABI, the release, the languages and the interfaces" {
    explain calls
    [[ $output == *$'\nbuilt against   mpich\n'* ]]
    [[ $output =~ release\ +4\.[0-9.]+' or later, by MPI' ]]
    [[ $output == *$'\nlanguages       C'* && $output != *Fortran* ]]
    [[ $output == *'interfaces      C, extensions, large counts, profiling'* ]]
    [[ $output == *"libmpich.so.12 "*/libmpich.so.12* ]]
    explain simple
    oldest=$(printf '%s\n' "$top"/abi-tables/openmpi-* | sort -V | sed -n '1s/.*-//p')
    [[ $output == *"release         any since $oldest, the oldest one that is known"* ]]
}

@test "Fortran programs are told by their manglings" {
    printf 'program p\nuse mpi_f08\ncall MPI_Init()\ncall MPI_Finalize()\nend\n' > p.f90
    mpifort.openmpi -o f08 p.f90
    explain f08
    [[ $output == *'languages       Fortran'* ]]
    [[ $output == *'interfaces      mpi_f08'* ]]
    [[ $output == *'mpi_init_f08_ '* ]]
    printf "      include 'mpif.h'\n      call MPI_INIT(i)\n      end\n" > p.f
    mpifort.mpich -o fixed p.f
    explain fixed
    [[ $output == *'interfaces      mpif.h or use mpi'* ]]
    [[ $output == *'mpi_init_ '* ]]
}

@test "what the pair's library has is not missing, what it has not is" {
    cp -r "$build" "$BATS_TEST_TMPDIR/own"
    echo 'void MPI_Init(void) {} void PMPI_Init(void) {} int ompi_mpi_comm_world;' |
        gcc -shared -x c - -o "$BATS_TEST_TMPDIR/own/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40"
    run "$BATS_TEST_TMPDIR/own/bin/mpi-adapter" explain simple
    becomes MPI_Init converted
    becomes MPI_Finalize missing
}

@test "what the adapter answers by itself is not missing on a host without it" {
    cat > handles.c <<'TEXT'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Fint values[10];
    MPI_Init(&argc, &argv);
    MPI_Status_c2f(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD ? &status : MPI_STATUS_IGNORE, values);
    MPI_Aint_add(MPI_Type_c2f(MPI_INT), 1);
    return MPI_Finalize();
}
TEXT
    mpicc.openmpi -Wno-maybe-uninitialized -o handles handles.c
    explain handles
    becomes MPI_Comm_c2f converted
    becomes MPI_Comm_f2c converted
    becomes MPI_Type_c2f converted
    [[ $output == *', 0 missing'* ]]
}

@test "the C++ bindings of the program's MPI are its own" {
    case $(release_here openmpi) in [1-4].*) ;; *) skip "this Open MPI has no C++ bindings" ;; esac
    cat > bindings.cc <<'TEXT'
#define OMPI_WANT_MPI_CXX 1
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::COMM_WORLD.Barrier();
    MPI::Finalize();
}
TEXT
    mpicxx.openmpi -o bindings bindings.cc
    explain bindings
    [[ $output == *'languages       C C++'* ]]
    [[ $output == *', 0 missing'* ]]
    [[ $output != *'missing objects'* ]]
    # The bindings are missing if their library is not found.
    cp bindings lost
    elf=$(command -v patchelf) || sed -i 's/libmpi_cxx\.so\.40/libmpi_cxy.so.40/g' lost
    [ -z "$elf" ] || patchelf --replace-needed libmpi_cxx.so.40 libmpi_cxy.so.40 lost
    explain ./lost
    [[ $output != *', 0 missing'* ]]
}

@test "calls of a library that the program brings count" {
    explain through
    [ "$status" -eq 0 ]
    becomes MPI_Barrier converted
    [[ $output == *'DT_RUNPATH $ORIGIN'* ]]
}

@test "a shared library is explained, too" {
    explain libcalls.so
    [ "$status" -eq 0 ]
    becomes MPI_Barrier converted
}

@test "RPATHs that beat the adapter, or lead nowhere" {
    mkdir -p elsewhere
    ln -sf "$(ldconfig -p | awk '$1 == "libmpi.so.40" { print $NF; exit }')" elsewhere/
    mpicc.openmpi -o pinned -x c - -x none -Wl,--disable-new-dtags,-rpath,"$PWD/elsewhere:/no/such/folder" <<'TEXT'
#include <mpi.h>
int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }
TEXT
    explain ./pinned
    [[ $output == *'(beats LD_LIBRARY_PATH; not there: /no/such/folder)'* ]]
    [[ $output == *'so mpi-adapter run preloads: libmpi.so.40'* ]]
    explain simple
    [[ $output != *preloads* ]]
}

@test "JSON says the same" {
    on_4_1 --json calls
    [ "$status" -eq 0 ]
    /usr/bin/python3 - "$output" <<'TEXT'
import json, sys
facts = json.loads(sys.argv[1])
assert facts["abi"] == "mpich" and facts["languages"][0] == "C", facts
host = next(host for host in facts["hosts"] if host["pair"] == "mpich-to-openmpi")
assert host["procedures"]["MPIX_Comm_agree"] == "missing" and host["procedures"]["MPI_Barrier_init"] == "built"
TEXT
    cp calls $'a "b\\'
    explain --json $'a "b\\'
    /usr/bin/python3 -c 'import json, sys; assert json.loads(sys.argv[1])["program"].endswith("a \"b\\")' "$output"
}

@test "JSON is JSON whatever the names in a file hold" {
    local name
    for name in 'libmpi"\.so.40' $'libmpi\001\xff.so.40'; do
        echo 'int odd;' | gcc -shared -x c - -o libodd.so -Wl,-soname,"$name"
        echo '#include <mpi.h>
            int main(int argc, char **argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }' |
            mpicc.openmpi -o odd -x c - -x none -Wl,--no-as-needed ./libodd.so
        explain --json ./odd
        [ "$status" -eq 0 ]
        /usr/bin/python3 -c 'import json, sys
facts = json.loads(sys.stdin.buffer.read().decode("utf-8"))
assert sys.argv[1] in facts["libraries"], facts["libraries"]' "${name//$'\xff'/?}" <<< "$output"
    done
}

@test "a name of UTF-8 stays as it is, and one with a byte that is none has a mark for it" {
    local name shown
    while read -r name shown; do
        name=$(printf "$name")
        cp simple "$name"
        explain --json "./$name"
        /usr/bin/python3 -c 'import json, sys
program = json.loads(sys.stdin.buffer.read().decode("utf-8"))["program"]
assert program == "./" + sys.argv[1], ascii(program)' "$shown" <<< "$output"
    done <<'TEXT'
\303\251t\303\251 été
\342\202\254\360\220\215\210 €𐍈
\303 ?
\300\257 ??
\355\240\200 ???
\364\220\200\200 ????
\342\202x ??x
TEXT
}

@test "the text has one line for each fact, whatever the names hold" {
    cp simple $'two\nlines'
    explain $'./two\nlines'
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = 'program         ./two?lines' ]
}

@test "what a host has to have preloaded is said, or why it cannot be" {
    local library
    library=$(ldconfig -p | awk '$1 == "libelf.so.1" { print $NF; exit }')
    printf 'host_preload.openmpi = %s\nhost_preload.mpich = /no/such.so\n' "$library" > "$BATS_TEST_TMPDIR/conf"
    export MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf
    explain calls
    [ "$status" -eq 0 ]
    grep -A 2 '^  mpich-to-openmpi: ' <<< "$output" | grep -xF "    loaded with this MPI, by host_preload: $library"
    explain simple
    [[ $output == *"openmpi-to-mpich: /no/such.so, which host_preload.mpich ($BATS_TEST_TMPDIR/conf:2) has preloaded, is not found"* ]]
    explain --json calls
    [[ $output == *"\"host_preload\": [\"$library\"]"* ]]
}

@test "a host that is not there is said, and does not hide the others" {
    mkdir -p "$BATS_TEST_TMPDIR/pairs"
    cp -r "$home/mpich-to-openmpi" "$BATS_TEST_TMPDIR/pairs/mpich-to-openmpi@gone"
    printf 'name = gone\nhost_library = /gone/libmpi.so.40\n' >> "$BATS_TEST_TMPDIR/pairs/mpich-to-openmpi@gone/pair.conf"
    MPI_ADAPTER_PATH=$BATS_TEST_TMPDIR/pairs on_4_1 calls
    [ "$status" -eq 0 ]
    [[ $output == *'mpich-to-openmpi@gone: the MPI library of openmpi (/gone/libmpi.so.40) is not found'* ]]
    becomes MPIX_Comm_agree missing
    MPI_ADAPTER_PATH=$BATS_TEST_TMPDIR/pairs explain --json calls
    /usr/bin/python3 -c 'import json, sys; assert "problem" in json.loads(sys.argv[1])["hosts"][0]' "$output"
}

@test "what cannot be explained" {
    explain
    fails_with 2 'no program or library is given'
    explain calls simple
    fails_with 2 'more than one program'
    explain no-such-program
    fails_with 1 'no such program'
    explain /bin/true
    fails_with 1 'uses no MPI'
    explain --from lam calls
    fails_with 1 "unknown ABI 'lam'"
    echo text > text
    explain ./text
    fails_with 1 'neither an ELF program nor a script'
    head -c 100 calls > cut
    explain ./cut
    fails_with 1 'damaged ELF file'
}
