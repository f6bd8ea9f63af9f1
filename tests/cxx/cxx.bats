#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that use the C++ bindings of Open MPI and of MPICH, natively, through the adapter, and through one adapter that is the
# host of another.

bats_require_minimum_version 1.5.0

setup() {
    here=$(cd "$(dirname "$BATS_TEST_FILENAME")" && pwd)
    top=$(cd "$here/../.." && pwd)
    : "${MODES=openmpi openmpi-to-mpich openmpi-to-mpiabi-to-mpich mpich mpich-to-openmpi mpich-to-mpiabi-to-openmpi}" "${PROGRAMS=}" "${OPENMPI_CXX=mpicxx.openmpi}"
    BUILD=$(cd "$top" && realpath -ms "${BUILD:-build}")
    pair=$BUILD/lib/mpi-adapter/openmpi-to-mpich
    cd "$BATS_TEST_TMPDIR" || exit
}

# Open MPI 5 has no C++ bindings.
need_bindings() {
    . "$top/tests/families.bash"
    case $(release_here openmpi) in [1-4].*) ;; *) skip "this Open MPI has no C++ bindings" ;; esac
}

in_mode() {
    case $1 in openmpi*) need_bindings ;; esac
    case " $MODES " in *" $1 "*) ;; *) skip "not in MODES" ;; esac
    # shellcheck disable=SC2086  # PROGRAMS is a list of words
    BUILD=$BUILD "$here/run.sh" "$1" $PROGRAMS
}

# The C++ bindings' library, as a program finds it.
bindings() {
    echo '#include <mpi.h>
int main() { MPI::Init(); MPI::Finalize(); }' > program.cc
    $OPENMPI_CXX -w program.cc -o program
    LD_LIBRARY_PATH=$pair ldd program | awk '$1 == "libmpi_cxx.so.40" { print $3 }'
}

# Programs check what they see: their native runs tell of the MPIs alone.
# bats test_tags=long
@test "programs with the C++ bindings pass natively on Open MPI" {
    in_mode openmpi
}

@test "programs with the C++ bindings pass on MPICH through the adapter" {
    in_mode openmpi-to-mpich
}

# bats test_tags=long
@test "programs with the C++ bindings pass through one adapter that is the host of another" {
    in_mode openmpi-to-mpiabi-to-mpich
}

# bats test_tags=long
@test "programs with the C++ bindings pass natively on MPICH" {
    in_mode mpich
}

@test "programs with MPICH's C++ bindings pass on Open MPI through the adapter" {
    in_mode mpich-to-openmpi
}

# bats test_tags=long
@test "programs with MPICH's C++ bindings pass through one adapter that is the host of another" {
    in_mode mpich-to-mpiabi-to-openmpi
}

# The names that tell the library for C of functions in C++ differ by release: each has a twin.
@test "nothing that MPICH's bindings import stays undefined, by the names of old releases as well" {
    . "$top/tests/families.bash"
    pair=$BUILD/lib/mpi-adapter/mpich-to-openmpi
    library=$(mpicxx.mpich -print-file-name=libmpichcxx.so)
    [ -f "$library" ]
    LD_LIBRARY_PATH=$pair ldd "$library" > libraries
    grep -F "libmpich.so.12 => $pair/libmpich.so.12 " libraries
    LD_LIBRARY_PATH=$pair ldd -r "$library" > all 2>&1
    run ! grep -E 'undefined symbol|symbol .* not defined' all
    nm -D --undefined-only "$library" | awk '{ print $NF }' | sort > imported
    awk '$1 == "mpich" { print $2 }' "$top/abi-tables/private-exports" | sort > listed
    [ "$(comm -12 imported listed | grep -c '^MPII_')" -ge 1 ]
    # Programs look for the one that has no twin (tests/pairs/looked-for.tsv).
    diff <(sed -n 's/^MPII_//p' listed) <(sed -n 's/^MPIR_//p' listed | sed '/^Err_create_code$/d')
}

@test "nothing that the bindings import stays undefined" {
    need_bindings
    library=$(bindings)
    [ -f "$library" ]
    LD_LIBRARY_PATH=$pair ldd "$library" > libraries
    grep -qF "libmpi.so.40 => $pair/libmpi.so.40 " libraries
    # With this machine's library of basics, if it has one, and with ours.
    for name in '' ":$pair/stand-ins/libopen-pal.so.40"; do
        LD_LIBRARY_PATH=$pair$name ldd -r "$library" > all 2>&1
        run ! grep -E 'undefined symbol|symbol .* not defined' all
    done
}

@test "private symbols are exported only if the bindings import them" {
    need_bindings
    library=$(bindings)
    nm -D --undefined-only "$library" | awk '{ print $NF }' | sort > imported
    awk '$1 == "openmpi" && $3 == "libmpi_cxx.so.40" { print $2 }' "$top/abi-tables/private-exports" | sort > listed
    [ "$(wc -l < listed)" -gt 5 ]
    nm -D --defined-only "$pair/stand-ins/libopen-pal.so.40/libopen-pal.so.40" | awk '{ print $3 }' | sort > companion
    [ "$(wc -l < companion)" -eq 4 ]
    sort -u listed companion | comm -23 - imported > unneeded
    diff /dev/null unneeded
}

# stand_ins MODE: the folder of the pair and those of its stand-ins, which are ahead of what is installed.
stand_ins() { printf '%s\n' "$BUILD/lib/mpi-adapter/$1" "$BUILD/lib/mpi-adapter/$1"/stand-ins/* | paste -sd:; }

# stood_in MODE PROGRAM: on two ranks.
stood_in() { TEST_TIMEOUT=60 start_ranks "${1##*-}" 2 LD_LIBRARY_PATH="$(stand_ins "$1")" -- "./$2"; }

# alone MODE PROGRAM: without a launcher. MPICH's may lose what a rank says that ends at once.
alone() { LD_LIBRARY_PATH=$(stand_ins "$1") timeout 60 "./$2"; }

write_programs() {
    echo '#include <mpi.h>
#include <cstdio>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d\n", sum);
    MPI_Finalize();
}' > plain.cc
    echo '#include <mpi.h>
#include <cstdio>
int main()
{
    MPI::Init();
    if (MPI::COMM_WORLD.Get_rank() == 0) printf("of %d\n", MPI::COMM_WORLD.Get_size());
    MPI::Finalize();
}' > classes.cc
}

# Debian has MPICH's bindings by another name than MPICH and Intel give them.
@test "programs that are linked with MPICH's bindings run where these are called otherwise, and keep their own" {
    . "$top/tests/components.bash"
    write_programs
    mpicxx.mpich -w plain.cc -Wl,--no-as-needed -o plain
    mpicxx.mpich -w classes.cc -o classes
    run --separate-stderr "$BUILD/bin/mpi-adapter" run -v --to openmpi -n 2 ./plain
    [ "$output" = 'sum 1' ]
    [[ $stderr == *"bindings for C++ "*/libmpichcxx.so.12* && $stderr != *stand-in* ]]
    patchelf --replace-needed libmpichcxx.so.12 libmpicxx.so.12 plain
    patchelf --replace-needed libmpichcxx.so.12 libmpicxx.so.12 classes
    run --separate-stderr "$BUILD/bin/mpi-adapter" run -v --to openmpi -n 2 ./plain
    [ "$output" = 'sum 1' ]
    [[ $stderr == *"bindings for C++ "*/libmpichcxx.so.12* ]]
    [[ $stderr == *"libmpicxx.so.12 is not found; the stand-in "*" serves"* ]]
    [ "$("$BUILD/bin/mpi-adapter" run --to openmpi -n 2 ./classes)" = 'of 2' ]
}

@test "programs that are linked with the bindings, and use C alone, run without them" {
    . "$top/tests/components.bash"
    write_programs
    mpicxx.mpich -w plain.cc -Wl,--no-as-needed -o plain
    mpicxx.mpich -w classes.cc -o classes
    [ "$(stood_in mpich-to-openmpi plain)" = 'sum 1' ]
    run ! alone mpich-to-openmpi classes
    [[ $output == *'undefined symbol: _ZN3MPI'* ]]
    need_bindings
    for flags in "-O0 -fPIE -pie" "-O2 -fno-pie -no-pie" "-O2 -Wl,-z,now"; do
        # shellcheck disable=SC2086  # words
        $OPENMPI_CXX -w $flags plain.cc -Wl,--no-as-needed -o plain
        [ "$(stood_in openmpi-to-mpich plain)" = 'sum 1' ]
    done
    $OPENMPI_CXX -w classes.cc -o classes
    run ! alone openmpi-to-mpich classes
    [[ $output == *'undefined symbol: _ZN3MPI'* ]]
    # The symbols that the header's classes refer to tell who calls it.
    sed 's/MPI::Init();/MPI_Init(0, 0); { MPI::Datatype type; type.Free(); }/; /COMM_WORLD/d' classes.cc > free.cc
    $OPENMPI_CXX -w free.cc -Wl,--no-as-needed -o free
    run ! alone openmpi-to-mpich free
    [[ $output == *"mpi-adapter: the program calls MPI::Datatype::Free, "* ]]
}

# MUSIC, Debian's coupler of simulators, is written with the C++ bindings. It asks the environment for
# its rank in the way of Open MPI's launcher.
run_music() {
    local producer
    producer=$(echo /usr/lib/*/music-*/waveproducer)
    [ -x "$producer" ] || skip "the package music-bin is not installed"
    printf '%s\n' '[producer]' "  binary=$producer" '  args=120' '  np=2' '[consumer]' \
        "  binary=${producer%producer}consumer" "  args=$1" '  np=2' '  producer.wavedata -> wavedata[120]' > "$1.music"
    sed -i '1i stoptime=1.0' "$1.music"
    shift
    timeout 60 "$@"
}

@test "MUSIC of Debian writes the same through the adapter" {
    . "$top/tests/components.bash"
    run_music native mpiexec.openmpi -n 4 music native.music
    run_music adapted mpiexec.mpich -genv LD_LIBRARY_PATH "$pair" -n 4 music adapted.music
    for number in 0 1; do
        [ -s "native$number.out" ]
        cmp "native$number.out" "adapted$number.out"
    done
}

# By this function Kokkos gives each rank of a node a device of its own.
@test "Kokkos of Debian finds each rank's place on its node" {
    . "$top/tests/components.bash"
    local library
    library=$(echo /usr/lib/*/libtrilinos_kokkoscore.so.13.2)
    [ -e "$library" ] || skip "the package libtrilinos-kokkos-13.2 is not installed"
    $OPENMPI_CXX -w -x c++ - -x none "$library" -o places << 'END'
#include <cstdio>
#include <mpi.h>
namespace Kokkos { namespace Impl { int mpi_local_rank_on_node(); } }
int main(int argc, char **argv) {
    int rank, before = Kokkos::Impl::mpi_local_rank_on_node();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::printf("rank %d: %d before MPI_Init, then %d\n", rank, before, Kokkos::Impl::mpi_local_rank_on_node());
    return MPI_Finalize();
}
END
    mpiexec.openmpi -n 3 ./places | sort > native
    cat native
    [ "$(cat native)" = "$(printf 'rank %d: %d before MPI_Init, then %d\n' 0 0 0 1 1 1 2 2 2)" ]
    "$BUILD/bin/mpi-adapter" run -n 3 --to mpich ./places | sort > by-run
    LD_LIBRARY_PATH=$pair mpiexec.mpich -n 3 ./places | sort > by-path
    cat by-run by-path
    cmp native by-run
    cmp native by-path
}
