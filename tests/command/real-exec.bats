# SPDX-License-Identifier: BSD-3-Clause
# Launch lines of users, and several programs at once, with real launchers.

load real_mpis

setup_file() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    mpicc.openmpi -o "$BATS_FILE_TMPDIR/o" "$top/tests/demo/ring.c"
    mpicc.mpich -o "$BATS_FILE_TMPDIR/m" "$top/tests/demo/ring.c"
    mpicc.openmpi -o "$BATS_FILE_TMPDIR/rpath" "$top/tests/demo/ring.c" -Wl,--disable-new-dtags,-rpath,"$(mpicc.openmpi --showme:libdirs | cut -d ' ' -f 1)"
}

setup() {
    clean_environment
    cd "$BATS_FILE_TMPDIR"
}

# says TEXT WORD...: the command's output is one line with that, and no other.
says() {
    local text=$1
    shift
    run --separate-stderr "$adapter" "$@"
    echo "status $status, stdout $output, stderr $stderr"
    [ "$status" -eq 0 ] && [[ $output == $text*': verified' && $output != *$'\n'* ]]
}

@test "a line runs adapted, whichever MPI its programs are of" {
    says 'ring on 2 ranks, MPICH' exec -- mpiexec.mpich -n 2 ./o
    says 'ring on 2 ranks, MPICH' exec -- mpiexec.mpich -n 2 ./m
    says 'ring on 2 ranks, Open MPI' exec -- mpiexec.openmpi -n 2 ./m
    says 'ring on 2 ranks, Open MPI' exec -- mpiexec.openmpi -n 2 ./o
}

@test "programs of both MPIs are one MPI_COMM_WORLD of MPICH" {
    says 'ring on 3 ranks, MPICH' exec -- mpiexec.mpich -n 2 ./o : -n 1 ./m
    says 'ring on 3 ranks, MPICH' exec -- mpiexec.mpich -n 2 ./m : -n 1 ./o
    says 'ring on 3 ranks, MPICH' run --to mpich -n 2 ./o : -n 1 ./m
}

@test "programs of both MPIs are one MPI_COMM_WORLD of Open MPI" {
    mpiexec.openmpi -n 1 true : -n 1 true > /dev/null 2>&1 || skip "this Open MPI's launcher crashes where several programs are given"
    says 'ring on 3 ranks, Open MPI' exec -- mpiexec.openmpi -n 2 ./o : -n 1 ./m
    says 'ring on 3 ranks, Open MPI' run --to openmpi -n 2 ./m : -n 1 ./o
    says 'ring on 4 ranks, Open MPI' run --to openmpi -n 2 ./m : -n 2 ./m
    # Without --to, the first one's own MPI runs all.
    says 'ring on 3 ranks, Open MPI' run -n 2 ./o : -n 1 ./m
}

# printed_line_says TEXT WORD...: what --print prints, typed in a shell, prints one line with that text.
printed_line_says() {
    local text=$1 line
    shift
    line=$("$adapter" "$@")
    echo "printed $line"
    [ -n "$line" ]
    run --separate-stderr bash -c "$line"
    echo "status $status, stdout $output, stderr $stderr"
    [ "$status" -eq 0 ]
    [[ $output == $text*': verified' ]]
    [[ $output != *$'\n'* ]]
}

@test "what --print prints does the same when it is typed" {
    printed_line_says 'ring on 2 ranks, MPICH' run --print --to mpich -n 2 ./o
    printed_line_says 'ring on 2 ranks, Open MPI' run --print --to openmpi -n 2 ./m
    printed_line_says 'ring on 2 ranks, MPICH' run --print -n 2 ./m
    printed_line_says 'ring on 2 ranks, Open MPI' run --print -n 2 ./o
    printed_line_says 'ring on 2 ranks, MPICH' exec --print -- mpiexec.mpich -n 2 ./o
    printed_line_says 'ring on 2 ranks, Open MPI' exec --print -- mpiexec.openmpi -n 2 ./m
}

# Programs whose first rank starts what its argument says.
make_starters() {
    cat > starter.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        status = system(argv[1]);
    MPI_Finalize();
    return status != 0;
}
END
    mpicc.openmpi -o starter.openmpi starter.c
    mpicc.mpich -o starter.mpich starter.c
}

@test "a rank starts a job of its own by run, on its host and on the other" {
    local family outer inner
    make_starters
    for outer in openmpi mpich; do
        family=$([ "$outer" = mpich ] && echo openmpi || echo mpich)
        for inner in openmpi mpich; do
            says "ring on 2 ranks, $([ "$inner" = mpich ] && echo MPICH || echo Open)" \
                run --to "$outer" -n 2 "./starter.$family" "$adapter run --to $inner -n 2 ./$([ "$inner" = mpich ] && echo o || echo m)"
        done
    done
}

@test "folders and a library that a start gave to a rank are no wish of who starts a job in it" {
    local site=$BATS_TEST_TMPDIR/site family
    make_starters
    mkdir -p "$site/lib" "$site/bin"
    cp "$(ldconfig -p | awk '$1 == "libmpich.so.12" { print $NF; exit }')" "$site/lib/"
    cp "$(readlink -f "$(command -v mpiexec.hydra)")" "$site/bin/mpiexec"
    cp "$(readlink -f "$(command -v hydra_pmi_proxy)")" "$site/bin/hydra_pmi_proxy"
    # A program of Open MPI's gets the library by a variable, and one of MPICH's by LD_PRELOAD.
    for family in openmpi mpich; do
        MPI_ADAPTER_HOST_PREFIXES=$site run "$adapter" run --print --to mpich -n 2 ./starter.$family
        [[ $output == *"$site/lib/libmpich.so.12"* ]]
        for inner in 'Open=run --to openmpi -n 2 ./m' 'Open=run -n 2 ./o' 'MPICH=run -n 2 ./m' 'MPICH=run --to mpich -n 2 ./o'; do
            MPI_ADAPTER_HOST_PREFIXES=$site says "ring on 2 ranks, ${inner%%=*}" run --to mpich -n 2 ./starter.$family \
                "env -u MPI_ADAPTER_HOST_PREFIXES $adapter ${inner#*=}"
        done
        # The first rank keeps what the user set, and the command names that.
        MPI_ADAPTER_HOST_LIBRARY=$site/lib/libmpich.so.12 run --separate-stderr "$adapter" run --to mpich -n 2 ./starter.$family \
            "$adapter run --to openmpi -n 2 ./m"
        echo "$stderr"
        [[ $stderr == *"$site/lib/libmpich.so.12 is not an MPI library of the ABI openmpi; correct MPI_ADAPTER_HOST_LIBRARY, which names it"* ]]
    done
}

@test "a program of an MPI without slots spawns on Open MPI where its ranks fill the cores" {
    cat > spawns.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size = 0;
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        MPI_Comm_remote_size(children, &size);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            printf("ring on %d children: verified\n", size);
        parent = children;
    }
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return 0;
}
END
    mpicc.mpich -o spawns.mpich spawns.c
    unset OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy PRTE_MCA_mapby
    says 'ring on 2 children' run --to openmpi -n "$(nproc)" ./spawns.mpich
}

@test "wrappers, options of the launcher's and variables of the user's stay" {
    says 'ring on 2 ranks, MPICH' exec -- timeout 100 mpiexec.mpich -genv A b -n 2 nice ./o
    says 'ring on 2 ranks, Open MPI' exec -- mpiexec.openmpi -x LD_LIBRARY_PATH=/nowhere --mca btl self,vader -n 2 nice ./m
    LD_LIBRARY_PATH=/nowhere says 'ring on 2 ranks, Open MPI' exec -- mpiexec.openmpi -x LD_LIBRARY_PATH -n 2 ./m
    run "$adapter" exec -- mpiexec.mpich -l -n 2 ./o
    [[ $output == '[0] ring on 2 ranks, MPICH'* ]]
}

@test "what a translated line says of the linker's variables does not win over the pair" {
    printf 'mpirun -n 2 -x LD_LIBRARY_PATH=/nowhere ./o\n' > script
    says 'ring on 2 ranks, MPICH' exec --to mpich -- mpiexec.openmpi -x LD_LIBRARY_PATH=/nowhere -n 2 ./o
    LD_LIBRARY_PATH=/nowhere says 'ring on 2 ranks, MPICH' exec --to mpich -- mpiexec.openmpi -x LD_LIBRARY_PATH -n 2 ./o
    says 'ring on 2 ranks, MPICH' exec --to mpich -- mpiexec.openmpi -x LD_PRELOAD=libm.so.6 -n 2 ./rpath
    says 'ring on 2 ranks, Open MPI' exec --to openmpi -- mpiexec.mpich -genv LD_LIBRARY_PATH /nowhere -n 2 ./m
    says 'ring on 2 ranks, MPICH' shell --to mpich -- sh ./script
}

# Whose mpiexec comes first is up to the machine.
@test "a line with another launcher's options starts ranks of the MPI that mpiexec is of" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    printf '#!/bin/sh\nexec %s "$@"\n' "$(type -P mpiexec.openmpi)" > "$BATS_TEST_TMPDIR/bin/mpiexec"
    ln -s "$(type -P mpiexec.openmpi)" "$BATS_TEST_TMPDIR/bin/mpirun"
    chmod +x "$BATS_TEST_TMPDIR/bin/mpiexec"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH
    says 'ring on 1 ranks, Open MPI' exec -- mpiexec -genv FOO 1 ./m
    run -0 --separate-stderr "$adapter" exec -v -- mpiexec -genv FOO 1 ./m
    [[ $stderr == *"the options of 'mpiexec -genv FOO 1 ./m' are for hydra, and "*"/bin/mpiexec gets its own instead"* ]]
    says 'ring on 2 ranks, Open MPI' exec -- mpiexec -env FOO 1 -n 2 ./m
    says 'ring on 2 ranks, Open MPI' exec -- timeout 100 mpiexec -n 2 -ppn 2 ./o
    says 'ring on 2 ranks, Open MPI' exec -- mpirun -n 2 -ppn 2 ./m
    says 'ring on 2 ranks, MPICH' exec --to mpich -- mpiexec -n 2 -ppn 2 ./m
    run -0 "$adapter" exec -- mpiexec -genv FOO bar -n 1 printenv FOO
    [ "$output" = bar ]
    # Its own name, and an option that nobody has: as it is.
    run "$adapter" exec -- mpiexec.openmpi -n 2 -ppn 2 ./m
    [ "$status" -ne 0 ]
    [[ $output == *-ppn* ]]
    run "$adapter" exec -- mpiexec -n 2 -frob ./m
    [ "$status" -ne 0 ]
    [[ $output == *-frob* ]]
}

@test "a program of the first MPI and one of the other, in a translated line" {
    says 'ring on 2 ranks, MPICH' exec --to mpich -- mpiexec.openmpi -n 1 ./o : -n 1 ./m
    says 'ring on 2 ranks, MPICH' exec --to mpich --as openmpi -- mpiexec.mpich -n 1 ./m : -n 1 ./o
}

@test "programs in a file of Hydra's, and in a working folder" {
    # Without the colon MPICH 4.2 sees no more than the first line.
    printf -- '-n 1 ./o :\n-n 1 ./o\n' > file
    says 'ring on 2 ranks, MPICH' exec --program ./o -- mpiexec.mpich -configfile file
    says 'ring on 2 ranks, MPICH' exec --program ./o -- mpiexec.mpich -genv LD_LIBRARY_PATH /nowhere -configfile file
    cd /
    says 'ring on 2 ranks, MPICH' exec -- mpiexec.mpich -wdir "$BATS_FILE_TMPDIR" -n 2 ./o
    says 'ring on 2 ranks, Open MPI' exec -- mpiexec.openmpi --wd "$BATS_FILE_TMPDIR" -n 2 ./m
}

@test "the launcher, the daemons and a wrapper ahead have nothing of the adapter" {
    local name
    cat > "$BATS_TEST_TMPDIR/look" <<'END'
#!/bin/sh
# Notes the environment of its parent, the launcher's or its daemon's.
tr '\0' '\n' < "/proc/$PPID/environ" > "$1"
shift
exec "$@"
END
    chmod +x "$BATS_TEST_TMPDIR/look"
    for name in 'mpich ./o' 'openmpi ./m'; do
        run "$adapter" exec -- "mpiexec.${name% *}" -n 1 "$BATS_TEST_TMPDIR/look" "$BATS_TEST_TMPDIR/seen" "${name#* }"
        [ "$status" -eq 0 ]
        grep -q ^PATH= "$BATS_TEST_TMPDIR/seen"
        run ! grep -F "$home" "$BATS_TEST_TMPDIR/seen"
    done
}

@test "options after --launcher reach the launcher" {
    run "$adapter" run --launcher mpiexec.mpich -l -n 2 ./o
    [[ $output == '[0] ring on 2 ranks, MPICH'* ]]
    run "$adapter" run --launcher mpiexec.openmpi --mca btl self,vader --tag-output -n 2 ./m
    [[ $output == *'<stdout>:'*'ring on 2 ranks, Open MPI'* ]]
}
