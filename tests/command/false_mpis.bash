# SPDX-License-Identifier: BSD-3-Clause
# Fake MPI libraries, pairs, launchers and programs, so that the command can
# be tested without any MPI.

bats_require_minimum_version 1.5.0

build=${BUILD:-$BATS_TEST_DIRNAME/../../build}
cc=${CC:-cc}

# compile FILE [CC_OPTION]...: C text from standard input.
compile() {
    local file=$1
    shift
    mkdir -p "${file%/*}"
    $cc -o "$file" -x c - -x none "$@"
}

# make_library FILE SONAME C_TEXT [CC_OPTION]...
make_library() {
    local file=$1 soname=$2 text=$3
    shift 3
    compile "$file" -shared -fPIC -Wl,-soname,"$soname" "$@" <<< "$text"
}

# make_program FILE [CC_OPTION]...: a program of the fake Open MPI, which
# shows whatever a test asks for in its first argument.
make_program() {
    local file=$1
    shift
    mkdir -p "${file%/*}"
    $cc -o "$file" "$fixtures/program.c" "$@" \
        -Wl,--no-as-needed "$fixtures/real/libmpi.so.40" -Wl,-rpath-link,"$fixtures/real"
}

write_program_source() {
    cat > "$fixtures/program.c" <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
const char *MPI_Whose(void);
static void on_term(int s) { (void)s; if (write(1, "got TERM\n", 9) == 9) _exit(9); }
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "whose";
    if (!strcmp(what, "whose")) puts(MPI_Whose());
    if (!strcmp(what, "exit")) return atoi(argv[2]);
    if (!strcmp(what, "stderr")) fputs("to stderr\n", stderr);
    if (!strcmp(what, "args")) for (int i = 2; i < argc; i++) printf("<%s>\n", argv[i]);
    if (!strcmp(what, "cat")) for (int c; (c = getchar()) != EOF;) putchar(c);
    if (!strcmp(what, "env")) {
        for (int i = 2; i < argc; i++)
            printf("%s=%s\n", argv[i], getenv(argv[i]) ? getenv(argv[i]) : "(unset)");
    }
    if (!strcmp(what, "wait")) {
        signal(SIGTERM, on_term);
        alarm(100);
        puts("ready");
        fflush(stdout);
        for (;;) pause();
    }
    return 0;
}
END
}

# write_pair FOLDER APPLICATION HOST: its pair.conf.
write_pair() {
    mkdir -p "$1"
    cat > "$1/pair.conf" <<END
# A pair for tests.
application = $2
host = $3
application_sonames = libmpi.so.40 libfakefort.so.40
host_libraries = libfake$3.so.12 libother$3.so.12
launchers = mpiexec.fake$3 mpiexec.other$3
launcher_kind = $([[ $3 == *openmpi ]] && echo openmpi || echo hydra)
preload = libmpi.so.40
version = 1.2.3
END
}

# change_pair SED_SCRIPT: edits the installed pair.
change_pair() { sed -i "$1" "$pair/pair.conf"; }

# A launcher that notes what it was given and what it inherited, and then
# becomes the first rank.
write_launcher() {
    mkdir -p "${1%/*}"
    cat > "$1" <<'END'
#!/bin/bash
kind=KIND
if [ "$1" = --version ]; then echo "VERSION"; exit 0; fi
{
    echo "LD_LIBRARY_PATH=${LD_LIBRARY_PATH-(unset)}"
    echo "LD_PRELOAD=${LD_PRELOAD-(unset)}"
    echo "MPI_ADAPTER_PRELOAD=${MPI_ADAPTER_PRELOAD-(unset)}"
    printf 'argument %s\n' "$@"
} > "$LAUNCHER_LOG"
settings=()
while [ $# -gt 0 ]; do
    case $kind$1 in
    hydra-genv | hydra-env) settings+=("$2=$3"); shift 3 ;;
    openmpi-x) settings+=("$2"); shift 2 ;;
    *-n | hydra-bind-to | hydra-map-by | hydra-iface) shift 2 ;;
    *--own) shift ;;
    *) break ;;
    esac
done
exec /usr/bin/env "${settings[@]}" "$@"
END
    sed -i "s/KIND/$2/; s/VERSION/$3/" "$1"
    chmod +x "$1"
}

# Whose these are is told by what they export, as their names are nobody's.
fake_host='int PMPI_Init(void) { return 0; } int PMPI_T_init_thread(void) { return 0; } int MPIR_Dup_fn(void) { return 0; }'
fake_openmpi='int PMPI_Init(void) { return 0; } int PMPI_File_iread_all(void) { return 0; } int ompi_mpi_comm_world;'

make_fixtures() {
    fixtures=$BATS_FILE_TMPDIR
    make_library "$fixtures/real/libmpi.so.40" libmpi.so.40 \
        "$fake_openmpi const char *MPI_Whose(void) { return \"real\"; }"
    make_library "$fixtures/adapter/libmpi.so.40" libmpi.so.40 \
        "$fake_openmpi const char *MPI_Whose(void) { return \"adapter\"; }"
    make_library "$fixtures/host/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    make_library "$fixtures/host/libfakeopenmpi.so.12" libfakeopenmpi.so.12 "$fake_openmpi"
    write_program_source
    make_program "$fixtures/bin/app"
    make_program "$fixtures/bin/rpath-app" -Wl,--disable-new-dtags,-rpath,"$fixtures/real"
    make_program "$fixtures/bin/runpath-app" -Wl,--enable-new-dtags,-rpath,"$fixtures/real"
    write_launcher "$fixtures/bin/mpiexec.fakempich" hydra 'HYDRA build details:'
    write_launcher "$fixtures/bin/mpiexec.fakeopenmpi" openmpi 'mpiexec (Open MPI) 5.0.7'
}

# Each test gets an installation of its own with one pair.
make_installation() {
    fixtures=$BATS_FILE_TMPDIR
    prefix=$BATS_TEST_TMPDIR/${1:-prefix}
    pair=$prefix/lib/mpi-adapter/openmpi-to-mpich
    starter=$prefix/lib/mpi-adapter/start-rank
    mkdir -p "$prefix/bin" "$prefix/lib/mpi-adapter"
    cp "$build/bin/mpi-adapter" "$prefix/bin/"
    cp -r "$build/lib/mpi-adapter"/{departures,explain,families,guard.so,implementations,installation,interpreters,launchers,ld.so.preload,look,newer.so,pairs,refused,shims,start-rank,trees} \
        "$prefix/lib/mpi-adapter/"
    add_pair "$pair" openmpi mpich
    adapter=$prefix/bin/mpi-adapter
    unset MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_PRELOAD LD_PRELOAD \
        MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_HOST_PRELOAD MPI_ADAPTER_HOST MPI_ADAPTER_HOST_PREFIXES \
        MPI_ADAPTER_LAUNCHER_ARGUMENTS MPI_ADAPTER_IGNORE_OPTIONS MPI_ADAPTER_JOB_LOG
    # The settings of the machine that tests are no business of theirs.
    export MPI_ADAPTER_CONFIG=/dev/null
    export LD_LIBRARY_PATH=$fixtures/host
    export PATH=$fixtures/bin:/usr/bin:/bin
    export LAUNCHER_LOG=$BATS_TEST_TMPDIR/launcher.log
    # How many cores a machine has is no business of theirs either.
    export OMPI_MCA_rmaps_base_oversubscribe=1
    # Root may run the tests, and what a launcher says to root has a test of its own.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

# make_own_launchers: a folder for the test's own launchers, named bin, ahead of all others; after make_installation.
make_own_launchers() {
    bin=$BATS_TEST_TMPDIR/bin
    mkdir "$bin"
    PATH=$bin:$PATH
}

# add_pair FOLDER APPLICATION HOST
add_pair() {
    write_pair "$@"
    cp "$fixtures/adapter/libmpi.so.40" "$1/"
}

# fails_with STATUS TEXT...: one line on stderr that says what and what to do,
# nothing on stdout.
fails_with() {
    local text
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ] || return 1
    shift
    [ -z "$output" ] || return 1
    [ "$(wc -l <<< "$stderr")" -eq 1 ] || return 1
    [[ $stderr == 'mpi-adapter: '*'; '* ]] || return 1
    for text; do
        [[ $stderr == *"$text"* ]] || return 1
    done
}

launcher_got() { grep -qxF -- "$1" "$LAUNCHER_LOG"; }

# make_machine: $BATS_FILE_TMPDIR/machine has this machine's commands but those that start containers.
make_machine() {
    mkdir "$BATS_FILE_TMPDIR/machine"
    ln -s /usr/bin/* "$BATS_FILE_TMPDIR/machine/"
    rm -f "$BATS_FILE_TMPDIR/machine"/{apptainer,singularity,podman,docker}
}
