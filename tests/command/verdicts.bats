#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The verdict of mpi-adapter check is what a run does: a row for each kind of program that it has an answer for, with real MPIs.

load real_mpis

setup_file() {
    load real_mpis
    clean_environment
    export CC=${CC:-cc}
    cd "$BATS_FILE_TMPDIR"
    cat > size.c <<'TEXT'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_library_version(text, &length);
    if (rank == 0)
        printf("size %d on %s\n", size, text);
    MPI_Finalize();
    return 0;
}
TEXT
    cat > size.f90 <<'TEXT'
program sizes
    use mpi
    integer :: ierr, ranks, rank, length
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    call MPI_Init(ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Get_library_version(text, length, ierr)
    if (rank == 0) print '(a, i0, a, a)', 'size ', ranks, ' on ', text(1:length)
    call MPI_Finalize(ierr)
end program
TEXT
    cat > size.py <<'TEXT'
#!/usr/bin/python3
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 0:
    print("size", MPI.COMM_WORLD.size, "on", MPI.Get_library_version())
TEXT
    printf '%s\n' '#!/usr/bin/Rscript' 'library(Rmpi)' 'if (mpi.comm.rank(0) == 0) cat("size ", mpi.comm.size(0), "\n", sep = "")' \
        'mpi.quit()' > size.R
    printf '%s\n' '#!/bin/sh' 'exec nice ./openmpi "$@"' > wrapper
    printf '%s\n' '#!/bin/sh' 'name=./openmpi' '$name' > computed
    printf '#!/no/interpreter\n' > nobodys
    echo 'some text' > text
    chmod +x size.py size.R wrapper computed nobodys text
    make_programs
}

make_programs() {
    local family
    for family in openmpi mpich; do
        mpicc.$family -o $family size.c
        mpifort.$family -o fortran.$family size.f90
        mpicc.$family -shared -fPIC -o libpart.$family.so -x c - <<< '#include <mpi.h>
int ranks(void) { int size; MPI_Comm_size(MPI_COMM_WORLD, &size); return size; }'
        mpicc.$family -shared -fPIC -o late.$family.so size.c
    done
    "$build/bin/mpicc_abi" -o mpiabi size.c
    mpicc.openmpi -o mixed.openmpi size.c -Wl,--no-as-needed -L. -l:libpart.mpich.so -Wl,-rpath,"$PWD"
    mpicc.mpich -o mixed.mpich size.c -Wl,--no-as-needed -L. -l:libpart.openmpi.so -Wl,-rpath,"$PWD"
    mpicc.openmpi -o rpath size.c -Wl,--disable-new-dtags,-rpath,"$(mpicc.openmpi --showme:libdirs | cut -d ' ' -f 1)"
    echo 'int nothing;' | $CC -shared -fPIC -x c -o libgone.so -
    mpicc.openmpi -o lacking size.c -Wl,--no-as-needed ./libgone.so
    rm libgone.so
    echo 'int main(void) { return 0; }' | $CC -static -x c -o static -
    $CC -o late -x c - -ldl <<TEXT
#include <dlfcn.h>
int main(int argc, char **argv)
{
    void *library = dlopen("$PWD/late.openmpi.so", RTLD_NOW | RTLD_GLOBAL);
    return library ? ((int (*)(int, char **))dlsym(library, "main"))(argc, argv) : 1;
}
TEXT
    install -m 4755 openmpi set-user
    install -m 2755 openmpi set-group
    install -m 644 openmpi unstartable
    install openmpi foreign
    printf '\267' | dd of=foreign bs=1 seek=18 conv=notrunc status=none
    install <(head -c 3000 openmpi) damaged
    mkdir folder own
    cp openmpi folder/
    mpicc.mpich -o own/program size.c -Wl,-rpath,'$ORIGIN'
    cp "$(ldconfig -p | awk '$1 == "libmpich.so.12" { print $NF; exit }')" own/
    mpicc.mpich -static-mpi -o linked size.c > /dev/null 2>&1 || rm -f linked
    ! /usr/bin/python3 -c 'import mpi4py' 2> /dev/null || /usr/bin/python3 -m venv --without-pip --system-site-packages venv
}

setup() {
    clean_environment
    cd "$BATS_FILE_TMPDIR"
}

# field NAME: of the verdict, its first line.
field() { sed -n "s/^  $1: *//p" checked | sed -n 1p; }

# runs_on MPI PAIR WORD...: two ranks find each other on this MPI, as check calls it, by that pair, or "" for none. R's ranks do not say on
# which.
runs_on() {
    local text found
    "$adapter" run -v -n 2 "${@:3}" > ran 2> messages < /dev/null || { echo "run ${*:3}: status $?"; cat ran messages; return 1; }
    grep '^size 2' ran > sizes || { echo "run ${*:3}: not 2 ranks"; cat ran; return 1; }
    found=$(sed -n 's/^mpi-adapter: pair \([^ ]*\) in .*/\1/p' messages)
    [ "$found" = "$2" ] || { echo "run ${*:3}: by '$found'"; return 1; }
    text=$(tr '\n' ' ' < ran)
    text=${text##*adapted by MPI-Adapter}
    [[ $(cat sizes) != *' on '* || $text == *"${1%% *}"*"${1##* }"* ]] || { echo "run ${*:3}: $text"; return 1; }
}

# agrees VERDICT WORD...: check answers yes; no, where the MPI of the program is known; or unknown. A run does what it answered, on each MPI
# that it named.
agrees() {
    local expected=$1 code=0 where pair other built
    shift
    echo "check $*"
    "$adapter" check "$@" > checked 2> messages || code=$?
    cat checked messages
    where=$(field 'runs here') built=$(field 'built for')
    if [ "$expected" = yes ]; then
        [ "$code" -eq 0 ] || return 1
        pair=$(sed -n 's/.* by \([a-z]*-to-[a-z]*\)$/\1/p' <<< "$where")
        where=${where#yes, on } where=${where%% by *}
        runs_on "${where%%, *}" "$pair" "$@" || return 1
        sed -n 's/^  or: *on \(.*\) with --to \(.*\)/\2 \1/p' checked > others
        while read -r other where; do
            pair=$([ "$other" = "$built" ] || echo "$built-to-$other")
            runs_on "$where" "$pair" --to "$other" "$@" || return 1
        done < others
        return
    fi
    [ "$expected $code" = "$([ -n "$built" ] && echo 'no 1' || echo 'unknown 2')" ] || return 1
    code=0
    "$adapter" run -n 2 "$@" > ran 2> messages < /dev/null || code=$?
    [ "$code" -ne 0 ] || { echo "run $*: status 0"; cat ran; return 1; }
    cat messages
    # The dynamic linker itself names what it refuses.
    [ "$code" -eq 127 ] || [ "$(cat messages)" = "mpi-adapter: ${where#no, }; $(field 'to do')" ] || return 1
    run ! grep size ran
}

@test "programs that run: in C and Fortran, of either MPI and of the standard ABI, with a path to their MPI, or with their own copy" {
    local program
    for program in openmpi mpich mpiabi fortran.openmpi fortran.mpich rpath own/program; do
        agrees yes "./$program"
    done
}

@test "programs with an MPI linked in" {
    [ -e linked ] || skip 'MPICH has no archive here'
    agrees yes ./linked
    [ -z "$(field library)" ]
    [[ $(field launcher) == */mpiexec* ]]
}

@test "programs with a library of the other MPI's" {
    agrees yes ./mixed.openmpi
    agrees yes ./mixed.mpich
}

@test "wrappers and scripts" {
    agrees yes ./wrapper
    agrees unknown ./computed
    agrees unknown ./nobodys
    agrees unknown ./text
}

@test "Python's scripts, started by themselves, by the interpreter and by that of an environment" {
    [ -e venv ] || skip 'mpi4py is not here'
    agrees yes ./size.py
    agrees yes /usr/bin/python3 size.py
    agrees yes venv/bin/python3 size.py
    "$adapter" check venv > checked
    [[ $(field 'runs here') == 'yes, on '* ]]
}

@test "R's scripts" {
    Rscript -e 'library(Rmpi)' > /dev/null 2>&1 || skip 'Rmpi is not here'
    agrees yes ./size.R
}

@test "programs that do not run, and whose MPI is known" {
    local program
    for program in set-user set-group lacking foreign unstartable libpart.mpich.so; do
        agrees no "./$program"
    done
    grep -q libgone.so <("$adapter" check ./lacking)
}

@test "programs whose MPI nothing tells" {
    local program
    for program in ./late ./static ./damaged /bin/ls ./none; do
        agrees unknown "$program"
    done
}

@test "a folder is its programs" {
    "$adapter" check folder > checked
    [[ $(sed -n 1p checked) == folder/openmpi ]]
    agrees yes folder/openmpi
}

@test "a program with capabilities, which the dynamic linker starts as one with privilege" {
    [ "$(id -u)" -eq 0 ] || skip 'only root can give a file capabilities'
    # Another user may read it there.
    folder=$(mktemp -d)
    chmod 755 "$folder"
    cp openmpi "$folder/program"
    # cap_net_raw, effective and permitted, in the form of revision 2.
    python3 -c 'import os, struct, sys
os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x02000001, 1 << 13, 0, 0, 0))' "$folder/program" ||
        { rm -r "$folder"; skip 'files have no capabilities here'; }
    for verb in 'check --to mpich' 'run --to mpich -n 2'; do
        # shellcheck disable=SC2086  # words
        run setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$folder" "$adapter" $verb "$folder/program"
        echo "status $status, $output"
        [ "$status" -eq 1 ]
        [[ $output == *'has capabilities, so the dynamic loader ignores the adapter'* ]]
        [[ $output != *size* ]]
    done
    # For root, who has them all, it starts like any other.
    agrees yes --to mpich "$folder/program"
    rm -r "$folder"
}

@test "a launcher that does not start as root is told of" {
    [ "$(id -u)" -eq 0 ] || skip 'not root'
    unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    "$adapter" check ./openmpi > checked
    [[ $(field 'may differ') == *'mpiexec.openmpi does not run as root; run as another user, or set OMPI_ALLOW_RUN_AS_ROOT=1'* ]]
    "$adapter" check --to mpich ./openmpi > checked
    [ -z "$(field 'may differ')" ]
    MPI_ADAPTER_LAUNCHER_ARGUMENTS=--allow-run-as-root "$adapter" check ./openmpi > checked
    [ -z "$(field 'may differ')" ]
}
