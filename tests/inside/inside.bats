# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that have their MPI linked in run on another one, by detour.so.

load inside

setup_file() {
    prepare own
    export library=$build/lib/mpi-adapter/detour.so pair=$build/lib/mpi-adapter/mpich-to-openmpi
    $cc -shared -fPIC -Wno-nonnull -o "$work/denied.so" "$BATS_TEST_DIRNAME/denied.c"
}

setup() { cd "$work"; }

# inside PROGRAM [WORD]: as a process of its own.
inside() { run --separate-stderr env LD_LIBRARY_PATH="$pair" LD_PRELOAD="$library" "$@"; }

# start PROGRAM: on two ranks.
start() {
    run --separate-stderr env BUILD="$build" timeout 120 "$BATS_TEST_DIRNAME/mpiexec" -n 2 -x LD_LIBRARY_PATH="$pair" "$@"
    echo "$output $stderr"
}

# made NAME OPTION...: a variant of the false program.
made() { $cc "${@:2}" -o "$1" "$BATS_TEST_DIRNAME/false.c"; }

@test "programs in C with MPICH inside pass on Open MPI" {
    need_archives
    run "$BATS_TEST_DIRNAME/run.sh" c p2p neighbours attributes ops
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<< "$output")" -ge 6 ]
}

# The archive has no more of Open MPI than its names: each function ends the process, and objects are empty.
@test "programs in C with Open MPI inside pass on MPICH, and nothing of that runs" {
    type -P mpicc.openmpi > /dev/null && type -P mpiexec.mpich > /dev/null || skip 'MPICH or Open MPI is not here'
    OPENMPI_STATIC=mock run "$BATS_TEST_DIRNAME/run.sh" c p2p neighbours attributes ops
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<< "$output")" -ge 6 ]
    program=$build/tests/inside.openmpi.mock/tests/c/openmpi/ops
    run -0 ldd "$program"
    [[ $output != *libmpi* ]]
    run -132 "$program" # SIGILL
    run -0 "$build/bin/mpi-adapter" check --to mpich "$program"
    [[ $output == *'linked in:    Open MPI 4.1.4 (C, C++, mpif.h or use mpi, mpi_f08); its calls are led to the pair'* ||
        $output == *'linked in:    Open MPI 4.1.4 (C, mpif.h or use mpi, mpi_f08); its calls are led to the pair'* ]]
}

@test "nothing of the MPI inside runs: traps in all of its functions" {
    need_archives
    "$build/tests/inside/tools/mpicc" -o hello "$BATS_TEST_DIRNAME/hello.c"
    cp hello trapped
    count=$("${PYTHON:-/usr/bin/python3}" -B "$BATS_TEST_DIRNAME/trap.py" trapped "$archive")
    [ "$count" -gt 5000 ]
    run -133 ./trapped # SIGTRAP
    start ./trapped
    [ "$status" -eq 0 ]
    [ "$output" = "$hello" ]
}

@test "a program that is at a fixed address, and shows its MPI to libraries, runs" {
    need_archives
    "$build/tests/inside/tools/mpicc" -no-pie -fno-pie -rdynamic -Wl,-z,now -ffunction-sections -Wl,--gc-sections -o fixed "$BATS_TEST_DIRNAME/hello.c"
    start ./fixed
    [ "$status" -eq 0 ]
    [ "$output" = "$hello" ]
}

@test "the code of detours keeps all arguments, and does not reach too far" {
    $cc -std=gnu11 -I"$top/detour" -o code "$BATS_TEST_DIRNAME/code.c" "$top/detour/code.c"
    [ "$(./code)" = right ]
}

@test "programs in Fortran with MPICH inside pass on Open MPI" {
    need_archives
    type -P mpifort.mpich > /dev/null || skip 'there is no Fortran compiler of MPICH'
    run "$BATS_TEST_DIRNAME/run.sh" fortran info.77 external.90 sessions.2008
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^ok ' <<< "$output")" -eq 3 ]
}

@test "code is written through the kernel, or by its protection, never both writable and executable" {
    local denied
    for denied in none mem protect; do
        run --separate-stderr env LD_LIBRARY_PATH="$pair" LD_PRELOAD="$work/denied.so $library" DENIED=$denied ./false nothing
        refuses './false calls PMPI_Nothing of the MPI that is linked into it'
    done
    run --separate-stderr env LD_LIBRARY_PATH="$pair" LD_PRELOAD="$work/denied.so $library" DENIED='mem protect' ./false
    refuses 'may not change its code (Permission denied); allow that'
}

@test "a program whose MPI inside cannot be replaced is refused in one line, and none of it runs" {
    run --separate-stderr ./false
    [ "$output" = inside ]
    strip -o stripped false
    inside ./stripped
    refuses 'stripped has MPICH linked in, but not the names of its procedures'
    made short -DSHORT
    inside ./short
    refuses 'has a PMPI_Barrier linked in that is too short for a jump'
    made clone -DCLONE
    inside ./clone
    refuses 'has PMPI_Barrier.constprop.0 linked in, a copy that the compiler made of a procedure of MPI; link it without -flto'
    made folded -DFOLDED
    inside ./folded
    refuses 'folded into one function; link it without --icf'
    made lonely -DLONELY -no-pie -fno-pie
    inside ./lonely
    refuses 'linked in that is too short, and no room for a longer jump near it'
    made unknown -DUNKNOWN
    inside ./unknown
    refuses 'has an MPI linked in that is none of those that can be replaced'
    made old -DRELEASE='"3.0.4"'
    inside ./old
    refuses 'has MPICH 3.0.4 linked in, whose ABI has no pair; link it with 3.1 or later'
    made other -DOTHER_ABI
    inside ./other
    refuses 'has a release or build of MPICH linked in whose ABI has no pair, as it has no MPIR_CVAR_'
}

@test "a program whose symbols are damaged, and a pair that is, are refused in one line" {
    "${PYTHON:-/usr/bin/python3}" - <<'END'
import struct
data = bytearray(open("false", "rb").read())
at, = struct.unpack_from("<Q", data, 40)
for section in range(at, len(data), 64):
    if struct.unpack_from("<I", data, section + 4) == (2,):     # SHT_SYMTAB
        struct.pack_into("<Q", data, section + 32, len(data))   # sh_size
open("damaged", "wb").write(data)
END
    chmod +x damaged
    inside ./damaged
    refuses 'damaged cannot be read, as symbol table is cut short; link it again'
    mkdir -p unreadable unloadable
    touch {unreadable,unloadable}/pair.conf
    echo none > unreadable/libmpich.so.12
    run --separate-stderr env LD_LIBRARY_PATH="$PWD/unreadable" LD_PRELOAD="$library" ./false
    refuses 'unreadable/libmpich.so.12 (not an ELF file); install the pair again'
    echo 'int nowhere(void); int MPI_Init(void) { return nowhere(); }' | $cc -shared -fPIC -x c -o unloadable/libmpich.so.12 -
    run --separate-stderr env LD_LIBRARY_PATH="$PWD/unloadable" LD_PRELOAD="$library" ./false
    refuses 'cannot load the pair for'
}

@test "a program with MPI inside needs a pair for it, which is loaded after what the program has" {
    run --separate-stderr env -u LD_LIBRARY_PATH LD_PRELOAD="$library" ./false
    refuses "no folder in LD_LIBRARY_PATH is a pair with libmpich.so.12; put one there, from beside $library"
    run --separate-stderr env LD_LIBRARY_PATH="$build/lib/mpi-adapter/openmpi-to-mpich" LD_PRELOAD="$library" ./false
    refuses 'no folder in LD_LIBRARY_PATH is a pair with libmpich.so.12'
    run --separate-stderr env LD_LIBRARY_PATH="$pair" LD_PRELOAD="$library libmpich.so.12" ./false
    refuses 'libmpich.so.12 is loaded ahead of what'
}

@test "the names of a stripped program are read from a file of the same build" {
    $cc -Wl,--build-id -o debugged "$BATS_TEST_DIRNAME/false.c"
    objcopy --only-keep-debug debugged debugged.debug
    strip debugged
    inside ./debugged nothing
    refuses 'debugged calls PMPI_Nothing of the MPI that is linked into it'
    run -0 "$build/bin/mpi-adapter" check --to openmpi ./debugged
    [[ $output == *'linked in:    MPICH 9.8.7 (C); its calls are led to the pair'* ]]
    local id=0x0123456789abcdef0123456789abcdef01234567
    # Of another build with the same mark, such as a linker gives that is told to.
    $cc -O2 -Wl,--build-id=$id -o other "$BATS_TEST_DIRNAME/false.c"
    objcopy --only-keep-debug other debugged.debug
    $cc -DFORTRAN -Wl,--build-id=$id -o debugged "$BATS_TEST_DIRNAME/false.c"
    strip debugged
    inside ./debugged nothing
    refuses 'debugged has MPICH linked in, but not the names of its procedures'
    run -1 "$build/bin/mpi-adapter" check --to openmpi ./debugged
    # Of another build.
    $cc -O2 -Wl,--build-id=0x1234 -o debugged "$BATS_TEST_DIRNAME/false.c"
    strip debugged
    inside ./debugged
    refuses 'debugged has MPICH linked in, but not the names of its procedures'
}

@test "what nothing replaces ends the process when it is called, and names itself" {
    inside ./false start
    refuses 'calls MPID_Init of the MPI that is linked into it, which nothing here replaces; link it with the shared library of its MPI'
}

@test "a wrapper by the name of a procedure stays the program's" {
    made own -DOWN
    inside ./own
    [ "$status" -eq 0 ]
    [ "$output" = own ]
}

@test "programs without MPI inside run as they are, stripped or not" {
    printf 'int main(void) { return 3; }\n' > without.c
    $cc -o without without.c
    strip -o without.stripped without
    for program in ./without ./without.stripped; do
        inside "$program"
        [ "$status" -eq 3 ]
        [ -z "$output$stderr" ]
    done
    # It reads the file, and neither maps nor loads anything for good.
    run -0 --separate-stderr env LD_PRELOAD="$library" cat /proc/self/maps
    [ "$(grep -c 'detour\.so' <<< "$output")" -gt 0 ]
    ! grep -E 'libmpi|memfd' <<< "$output"
}
