# SPDX-License-Identifier: BSD-3-Clause
# "mpi-adapter build": pairs for an MPI in a prefix of its own.

load real_mpis

setup_file() {
    load real_mpis
    clean_environment
    export site=$BATS_FILE_TMPDIR/site
    make_site "$site"
}

setup() {
    clean_environment
    target=$BATS_TEST_TMPDIR/target
    pairs=$target/lib/mpi-adapter
    export CFLAGS=-O0       # what is compiled here need not be fast
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
    probe=$home/probe/openmpi
    # The installed releases, and an unknown release of the same.
    mpich=$(release_here mpich) openmpi=$(release_here openmpi)
    unknown=${mpich%.*}.9
}

build_it() { run --separate-stderr timeout 300 "$adapter" build --prefix "$target" "$@"; }

# copy_site NAME: a copy that does not know of the first; sets copy.
copy_site() {
    copy=$BATS_TEST_TMPDIR/$1
    cp -r "$site" "$copy"
    sed -i "s|$site|$copy|g" "$copy/bin/mpicc"
}

# A PATH with the ordinary commands, but for those named.
path_without() {
    local name
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    ln -sf -t "$BATS_TEST_TMPDIR/bin" /usr/bin/*
    for name; do
        rm -f "$BATS_TEST_TMPDIR/bin/$name"
    done
    export PATH=$BATS_TEST_TMPDIR/bin
}

# A pair that is there already, to see that it stays.
old_pair() {
    build_it --host "$site" --prebuilt --no-test --to-abi openmpi
    [ "$status" -eq 0 ]
    echo old > "$pairs/openmpi-to-mpich@$mpich/mark"
}

old_pair_stays() {
    [ -e "$pairs/openmpi-to-mpich@$mpich/mark" ]
    [ -z "$(find "$pairs" -maxdepth 1 -name '.build-*')" ]
    [ "$(MPI_ADAPTER_PATH=$pairs "$adapter" run --to mpich@$mpich "$probe" | cut -c 1-9)" = 'probe: ok' ]
}

# Prints the path of a compiler that preprocesses, and compiles nothing.
compiler_out_of_order() {
    printf '%s\n' '#!/bin/sh' 'case " $* " in *" -E "*) exec gcc "$@";; esac' 'echo "cc: fatal error: out of order" >&2' 'exit 1' > "$BATS_TEST_TMPDIR/gcc"
    chmod +x "$BATS_TEST_TMPDIR/gcc"
    echo "$BATS_TEST_TMPDIR/gcc"
}

@test "an MPI under a vendor's names, of a release that is not known: scanned, compiled, tried, installed and used" {
    copy_site newer
    sed -i 's/^\(#define MPICH_VERSION\).*/\1 "'"$unknown"'"/; /define MPI_SUCCESS/a #define MPIX_NOVELTY 77' \
        "$copy/include/mpi.h"
    MPI_ADAPTER_TICK=1 build_it --host "$copy/bin/mpicc" --log "$BATS_TEST_TMPDIR/log"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    # That it goes on is told while it compiles.
    [[ $output == *'compile    '*$'\n           ... '*' s, '*' commands'$'\n'* ]]
    [[ $output == *"host       MPICH $unknown, $copy/lib/libmpi.so.12, $copy/bin/mpiexec.hydra"* ]]
    # It joins those that are known, and what nobody knows is left out.
    [[ $output == *"differs from the shipped table mpich-$mpich: 1 more constants: MPIX_NOVELTY"* ]]
    [[ $output == *'not known to MPI-Adapter, so left out: MPIX_NOVELTY'* ]]
    [[ $output == *"self-test  openmpi-to-mpich: 2 ranks, MPI 3.1, MPICH Version:"*"$mpich"* ]]
    [[ $output == *"install    $pairs/openmpi-to-mpich@$unknown"* ]]
    grep -qx 'made = compiled' "$pairs/openmpi-to-mpich@$unknown/pair.conf"
    grep -q 'gen/emit.py' "$BATS_TEST_TMPDIR/log"
    [ -z "$(find "$pairs" -name '*log*')" ]
    export MPI_ADAPTER_PATH=$pairs
    run --separate-stderr "$adapter" run -v --to mpich@$unknown -n 2 "$probe" 2
    [[ $output == 'probe: ok, 2 ranks'* ]]
    [[ $stderr == *"host library $copy/lib/libmpi.so.12"* ]]
    [[ $stderr == *"launcher $copy/bin/mpiexec.hydra"* ]]
}

@test "a header of another ABI is refused" {
    old_pair
    copy_site other
    sed -i 's/^\(#define MPI_ANY_TAG\).*/\1 (-9)/' "$copy/include/mpi.h"
    build_it --host "$copy" --name 9
    fails_with 1 "this is not the ABI of mpich: it differs from mpich-$mpich in MPI_ANY_TAG" "see $TMPDIR/mpi-adapter-build.mpich@9."
    [ ! -e "$pairs/openmpi-to-mpich@9" ]
    old_pair_stays
}

@test "vendors are told by their macros" {
    copy_site intel
    mkdir "$copy/lib/release"
    mv "$copy"/lib/libmpi.so* "$copy/lib/release"
    sed -i '1i #define I_MPI_VERSION "2021.11.0"' "$copy/include/mpi.h"
    build_it --host "$copy" --prebuilt
    [[ $output == *"host       Intel 2021.11.0 (MPICH $mpich), $copy/lib/release/libmpi.so.12"* ]]
    [ -e "$pairs/openmpi-to-mpich@intel-2021.11.0" ]
    MPI_ADAPTER_PATH=$pairs run "$adapter" run --to mpich@intel-2021.11.0 "$probe"
    [[ $output == 'probe: ok'* ]]
}

@test "a vendor's compiler that finds its header by a variable alone is told the prefix" {
    copy_site needing
    # Text behind the sections is no part of the library's work.
    printf 'Intel(R) MPI Library 2021.18.1\0' >> "$(realpath "$copy/lib/libmpi.so.12")"
    cp "$copy/bin/mpicc" "$copy/bin/mpicc.own"
    printf '%s\n' '#!/bin/sh' '[ -n "$I_MPI_ROOT" ] || { echo "mpi.h: No such file or directory" >&2; exit 1; }' \
        '[ "$I_MPI_ROOT" = "${0%/bin/*}" ] || exit 2' 'exec "$0.own" "$@"' > "$copy/bin/mpicc"
    # After the scan it is a compiler like any other.
    CC=$(compiler_out_of_order) build_it --host "$copy" --no-test --to-abi openmpi
    echo "$output $stderr"
    [ "$status" -eq 1 ]
    [[ $output == *'scan       agrees with the shipped table '* ]]
    [[ $stderr == *'failed: cc: fatal error: out of order'* ]]
}

@test "all MPIs are found: in trees, by modules, and where they lie otherwise" {
    local tree=$BATS_TEST_TMPDIR/tree module
    mkdir -p "$tree/linux-x/gcc-12"
    copy_site first
    mv "$copy" "$tree/linux-x/gcc-12/mpich-4.0.2-abcdef"
    sed -i "s|$copy|$tree/linux-x/gcc-12/mpich-4.0.2-abcdef|g" "$tree/linux-x/gcc-12/mpich-4.0.2-abcdef/bin/mpicc"
    copy_site moduled
    # A module system's answer about two modules, one of which has no MPI.
    module=$BATS_TEST_TMPDIR/modulecmd
    cat > "$module" <<TEXT
#!/bin/sh
case "\$*" in
'bash -t avail') printf '%s\\n' '/some/modulefiles:' gcc/12 'mpich/4.0.2(default)' mpi-adapter/openmpi-to-mpich >&2 ;;
'bash show mpich/4.0.2') printf 'prepend_path("PATH","%s/bin")\\nprepend_path("MANPATH","%s/share/man")\\n' "$copy" "$copy" >&2 ;;
*) echo "unexpected: \$*" >> "$BATS_TEST_TMPDIR/asked" ;;
esac
TEXT
    chmod +x "$module"
    MODULES_CMD=$module build_it --all --prebuilt "$tree"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ ! -e "$BATS_TEST_TMPDIR/asked" ]
    [[ $output == *'MPI 1 of 4: '* && $output == *'MPI 4 of 4: '* ]]
    [[ $output == *": $(type -P mpicc.openmpi)"$'\n'* && $output == *": $(type -P mpicc.mpich)"$'\n'* ]]
    [[ $output == *": $copy"$'\n'* && $output == *": $tree/linux-x/gcc-12/mpich-4.0.2-abcdef"$'\n'* ]]
    # One release in three places: each has a name, and runs by it.
    export MPI_ADAPTER_PATH=$pairs
    for module in "$mpich" "$mpich-moduled" "$mpich-mpich-4.0.2-abcdef"; do
        run "$adapter" run --to "mpich@$module" "$probe"
        [[ $output == 'probe: ok'* ]]
    done
    # Again: they are replaced, and there are no more.
    MODULES_CMD='' build_it --all --prebuilt --no-test "$tree"
    [ "$status" -eq 0 ]
    [ "$(compgen -G "$pairs/openmpi-to-mpich@*" | wc -l)" -eq 3 ]
    [ -z "$(ls "$TMPDIR")" ]
}

@test "folders that are called like options and actions of find" {
    local name
    mkdir -p "$BATS_TEST_TMPDIR/home/empty"
    cd "$BATS_TEST_TMPDIR/home"
    for name in -delete -fprint '!' '(' ,; do
        mkdir -- "./$name"
    done
    cp -r "$site" ./-delete/mpi
    sed -i "s|$site|$PWD/-delete/mpi|g" ./-delete/mpi/bin/mpicc
    MODULES_CMD='' HOME=$PWD build_it --all --prebuilt --no-test --to-abi none -- empty -delete -fprint '!' '(' ,
    echo "$output $stderr"
    [[ $output == *"/-delete/mpi"* ]]
    [ -d ./-delete/mpi ] && [ -d empty ]
}

@test "a log whose name becomes a link meanwhile" {
    local tools=$BATS_TEST_TMPDIR/tools shared=$BATS_TEST_TMPDIR/shared
    mkdir "$tools" "$shared"
    echo mine > "$BATS_TEST_TMPDIR/victim"
    # The log is open when files are copied.
    printf '#!/bin/sh\nln -sf %s/victim %s/log\nexec /bin/cp "$@"\n' "$BATS_TEST_TMPDIR" "$shared" > "$tools/cp"
    chmod +x "$tools/cp"
    PATH=$tools:$PATH build_it --host "$site" --prebuilt --no-test --to-abi openmpi --log "$shared/log"
    [ -L "$shared/log" ]
    [ "$(cat "$BATS_TEST_TMPDIR/victim")" = mine ]
}

@test "root writes no log where another user may lead it elsewhere" {
    [ "$(id -u)" -eq 0 ] || skip "only root can give a folder away"
    cd "$BATS_TEST_TMPDIR"
    mkdir theirs mine
    echo mine > mine/log
    ln -s "$PWD/mine" theirs/link
    ln -s "$PWD/mine/log" theirs/log
    mkdir theirs/folder
    chown -hR nobody theirs
    chown root theirs/folder
    local log
    for log in theirs/log "$PWD/theirs/link/log" theirs/link/log theirs/folder/new theirs/none/log theirs/link/../mine/log; do
        build_it --host "$site" --prebuilt --no-test --to-abi openmpi --log "$log"
        fails_with 1 "the log $log would be in a folder of another user's" 'choose another --log'
        [ "$(< mine/log)" = mine ]
    done
    [ "$(find mine theirs -type f)" = mine/log ]
    build_it --host "$site" --prebuilt --no-test --to-abi openmpi --log mine/log
    [ "$status" -eq 0 ]
    grep 'build --host' mine/log
}

@test "what is only about one MPI says so, and where all fail that is told" {
    build_it --name mine
    fails_with 2 '--name mine names the pairs of one MPI' 'give that MPI with --host PREFIX|MPICC'
    build_it --all --name mine
    fails_with 2 '--name is for one MPI and --all for every one' 'give one of them'
    build_it
    fails_with 2 'neither --host nor --all is given' 'give one of them'
    build_it --all "$BATS_TEST_TMPDIR/nothing"
    fails_with 1 'is not a folder'
    run --separate-stderr timeout 300 "$adapter" build --all --prebuilt --prefix /proc
    [ "$status" -eq 1 ]
    [[ $stderr == *'2 of 2 MPIs got no pairs'* ]]
}

@test "beside a package, pairs go to the site's folder, are found there, and outlive the package" {
    local all=$BATS_TEST_TMPDIR/local
    copy_installation
    sed -i "s|^site .*|site $all|" "${adapter%/bin/*}/lib/mpi-adapter/installation"
    mkdir "$BATS_TEST_TMPDIR/fake"
    printf '#!/bin/sh\n[ "$1 $2" = "-S %s/families" ]\n' "$home" > "$BATS_TEST_TMPDIR/fake/dpkg-query"
    chmod +x "$BATS_TEST_TMPDIR/fake/dpkg-query"
    find "$own" > "$BATS_TEST_TMPDIR/before"
    PATH=$BATS_TEST_TMPDIR/fake:$PATH run --separate-stderr "$adapter" build --host "$site" --prebuilt
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *"install    $all/lib/mpi-adapter/openmpi-to-mpich@$mpich"* && $output != *pair_path* ]]
    find "$own" | diff "$BATS_TEST_TMPDIR/before" -
    [ "$(ls "$all/lib/mpi-adapter")" = "mpiabi-to-mpich@$mpich"$'\n'"openmpi-to-mpich@$mpich" ]
    # Another installation's pairs there are not ours.
    cp -r "$home/openmpi-to-mpich" "$all/lib/mpi-adapter/"
    run "$adapter" list
    [ "$(grep -c "folder: *$all" <<< "$output")" -eq 2 ]
    # A new version of the package comes.
    rm -r "$own"
    home=$build/lib/mpi-adapter
    copy_installation
    sed -i "s|^site .*|site $all|" "${adapter%/bin/*}/lib/mpi-adapter/installation"
    run "$adapter" run --to "mpich@$mpich" "$probe"
    [[ $output == 'probe: ok'* ]]
}

@test "two MPIs of one release stand side by side" {
    copy_site second
    build_it --host "$site" --prebuilt
    build_it --host "$copy" --prebuilt
    fails_with 1 "openmpi-to-mpich@$mpich exists already, for $site" --name
    build_it --host "$copy" --prebuilt --no-test --name second
    [ "$status" -eq 0 ]
    export MPI_ADAPTER_PATH=$pairs
    run "$adapter" list
    [[ $output == *"made for:     MPICH $mpich in $site"*"made for:     MPICH $mpich in $copy"* ]]
    run --separate-stderr "$adapter" run -v --to mpich@second "$probe"
    [[ $stderr == *"host library $copy/lib/libmpi.so.12"* ]]
    run --separate-stderr env MPI_ADAPTER_HOST=mpich@$mpich "$adapter" run -v "$probe"
    [[ $stderr == *"host library $site/lib/libmpi.so.12"* ]]
    run --separate-stderr "$adapter" run --to mpich@third "$probe"
    fails_with 1 'no installed pair runs programs of openmpi on mpich@third' 'mpi-adapter build --host PREFIX --name third'
}

@test "--remove takes away what build made, by either name, and nothing else" {
    local other=$pairs/openmpi-to-mpich@other
    build_it --host "$site" --prebuilt --no-test
    [ "$status" -eq 0 ]
    cp -r "$pairs/openmpi-to-mpich@$mpich" "$other"
    sed -i 's/^name = .*/name = other/' "$other/pair.conf"
    [ -e "$pairs/mpiabi-to-mpich@$mpich" ]
    export MPI_ADAPTER_PATH=$pairs
    run --separate-stderr "$adapter" build --remove mpich@othre
    fails_with 1 "called 'mpich@othre'" "did you mean 'mpich@other'"
    run --separate-stderr "$adapter" build --remove openmpi-to-mpich
    fails_with 1 "no pair that 'mpi-adapter build' made"
    sed -i "s|^host_library = .*|host_library = $pairs/mpiabi-to-mpich@$mpich/libmpi_abi.so.1|" "$other/pair.conf"
    run --separate-stderr "$adapter" build --remove "mpiabi-to-mpich@$mpich"
    fails_with 1 "$other runs on $pairs/mpiabi-to-mpich@$mpich" 'remove that first'
    [ -e "$pairs/mpiabi-to-mpich@$mpich/pair.conf" ]
    run "$adapter" build --remove openmpi-to-mpich@other
    [ "$output" = "remove     $other" ]
    [ ! -e "$other" ]
    unset MPI_ADAPTER_PATH
    MPI_ADAPTER_HOST=mpich@$mpich run --separate-stderr "$adapter" build --remove "mpich@$mpich" --prefix "$target"
    [ "$status" -eq 0 ]
    [[ $stderr == *"host (MPI_ADAPTER_HOST) still names mpich@$mpich"* ]]
    [ -z "$(ls -A "$pairs")" ]
    run --separate-stderr "$adapter" build --remove "mpich@$mpich" --host "$site"
    fails_with 2 '--host makes pairs and --remove takes them away'
}

@test "Open MPI as the host" {
    build_it --host mpicc.openmpi --prebuilt
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *"self-test  mpich-to-openmpi: 2 ranks, MPI 4.0, Open MPI v$openmpi"* ]]
}

@test "an MPI that has the standard ABI, too: its own ABI, unless the other one is asked for" {
    copy_site both
    mkdir "$copy/lib64"
    echo 'int PMPI_Init;' | gcc -shared -x c - -o "$copy/lib/libmpi_abi.so.1" -Wl,-soname,libmpi_abi.so.1
    build_it --host "$copy" --prebuilt
    echo "$output $stderr"
    [[ $output == *"host       MPICH $mpich, $copy/lib/libmpi.so.12, "* ]]
    # Even where that library is found first.
    mv "$copy"/lib/libmpi.so* "$copy/lib64"
    build_it --host "$copy" --prebuilt --no-test
    [[ $output == *"host       MPICH $mpich, $copy/lib64/libmpi.so.12, "* ]]
    build_it --host "$copy" --host-abi mpiabi --no-test
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *"host       MPICH $mpich, $copy/lib/libmpi_abi.so.1, $copy/bin/mpiexec.hydra"* ]]
    [[ $output == *'those that came with mpi-adapter, as the ABI mpiabi is the same in every MPI'* ]]
    [[ $output == *"install    $pairs/mpich-to-mpiabi@$mpich"*"install    $pairs/openmpi-to-mpiabi@$mpich"* ]]
    [[ $output == *"use        mpi-adapter run --to mpiabi@$mpich PROGRAM" ]]
    MPI_ADAPTER_PATH=$pairs run --separate-stderr "$adapter" env --to mpiabi@$mpich "$probe"
    [[ $output == *"LD_LIBRARY_PATH='$pairs/openmpi-to-mpiabi@$mpich'"*"MPI_ADAPTER_HOST_LIBRARY='$copy/lib/libmpi_abi.so.1'"* ]]
    build_it --host "$copy" --host-abi mpiabi --compile
    fails_with 1 'is the same in every MPI that has it' 'leave out --compile'
    build_it --host "$site" --host-abi mpiabi
    fails_with 1 "no MPI library of the ABI mpiabi is in $site" --host-abi
    build_it --host "$site" --host-abi none
    fails_with 1 "unknown ABI 'none'"
    # Another implementation's is not called by this one's headers.
    echo 'int PMPI_Init, ompi_mpi_comm_world;' | gcc -shared -x c - -o "$copy/lib/libmpi_abi.so.1" -Wl,-soname,libmpi_abi.so.1
    build_it --host "$copy" --host-abi mpiabi --no-test --launcher "$(type -P mpiexec.openmpi)"
    echo "$output $stderr"
    [[ $output == *"host       Open MPI, $copy/lib/libmpi_abi.so.1, "* ]]
}

@test "without Python, and without a compiler, the pairs that came along are taken" {
    path_without python3
    PYTHON=/no/python3 build_it --host "$site"
    [ "$status" -eq 0 ]
    [[ $output == *'those that came with mpi-adapter, as Python 3 with pycparser and pyelftools is missing'* ]]
    grep -qx 'made = prebuilt' "$pairs/openmpi-to-mpich@$mpich/pair.conf"
    path_without gcc cc make
    build_it --host "$site" --no-test --to-abi openmpi
    [ "$status" -eq 0 ]
    [[ $output == *'as make is missing'* ]]
    build_it --host "$site" --compile
    fails_with 1 'make is missing; install it, or use --prebuilt' --prebuilt
}

@test "an installation without headers and compiler is served" {
    copy_site bare
    rm -r "$copy/include" "$copy/bin/mpicc"
    build_it --host "$copy"
    [ "$status" -eq 0 ]
    [[ $output == *'has no mpi.h that tells its release'* ]]
    [ -e "$pairs/openmpi-to-mpich@bare/libmpi.so.40" ]
}

@test "a compiler that fails: the log says why, and the old pair stays" {
    old_pair
    CC=$(compiler_out_of_order) build_it --host "$site"
    fails_with 1 'compiling openmpi-to-mpich mpiabi-to-mpich failed: cc: fatal error: out of order' "see $TMPDIR/mpi-adapter-build.mpich@$mpich."
    grep 'out of order' "$TMPDIR"/mpi-adapter-build.*
    old_pair_stays
}

@test "a self-test that fails: the old pair stays" {
    old_pair
    copy_site broken
    # It starts each rank on its own.
    cat > "$copy/bin/mpiexec.hydra" <<'TEXT'
#!/bin/bash
[ "$1" = --version ] && { echo HYDRA; exit; }
while [ "$1" = -genv ]; do export "$2=$3"; shift 3; done
shift 2
"$@"; "$@"
TEXT
    build_it --host "$copy" --prebuilt --name broken
    fails_with 1 'the self-test of openmpi-to-mpich failed: probe: 1 of the expected 2 ranks are together'
    [ ! -e "$pairs/openmpi-to-mpich@broken" ]
    old_pair_stays
    build_it --host "$copy" --prebuilt --name broken --no-test
    [ "$status" -eq 0 ]
    [[ $output == *'self-test  left out'* ]]
}

@test "an interrupted build leaves nothing behind, and the old pair in place" {
    old_pair
    printf '#!/bin/sh\ncase " $* " in *" -E "*) exec gcc "$@";; esac\ntouch %q\nexec sleep 60\n' \
        "$BATS_TEST_TMPDIR/started" > "$BATS_TEST_TMPDIR/gcc"
    chmod +x "$BATS_TEST_TMPDIR/gcc"
    CC=$BATS_TEST_TMPDIR/gcc "$adapter" build --prefix "$target" --host "$site" --to-abi openmpi \
        > "$BATS_TEST_TMPDIR/out" 2> "$BATS_TEST_TMPDIR/err" 3>&- &
    local pid=$!
    for ((i = 0; i < 600; i++)); do
        [ ! -e "$BATS_TEST_TMPDIR/started" ] || break
        sleep 0.1
    done
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" -eq 130 ]
    [ "$(cat "$BATS_TEST_TMPDIR/err")" = 'mpi-adapter: interrupted, so nothing is installed; start it again' ]
    old_pair_stays
}

@test "a prefix that cannot be written" {
    [ "$(id -u)" -eq 0 ] || skip 'needs another place than root'\''s'
    run --separate-stderr "$adapter" build --host "$site" --prebuilt --prefix /proc/prefix
    fails_with 1 '/proc/prefix cannot be written' --prefix
    run --separate-stderr "$adapter" build --host "$site" --prebuilt --prefix "$target" --log /proc/log
    fails_with 1 'the log /proc/log cannot be written' --log
}

@test "a compiler that is a link has the launcher of what it leads to" {
    mkdir -p "$BATS_TEST_TMPDIR/linked/bin"
    ln -s "$(type -P mpicc.mpich)" "$BATS_TEST_TMPDIR/linked/bin/mpicc"
    run --separate-stderr "$adapter" build --host "$BATS_TEST_TMPDIR/linked/bin/mpicc" --prebuilt --no-test --prefix "$target"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *", $(type -P mpiexec.mpich)"* ]]
}

@test "a log that is full" {
    run --separate-stderr "$adapter" build --host "$site" --prebuilt --no-test --prefix "$target" --log /dev/full
    fails_with 1 'the log /dev/full cannot be written'
    [ -z "$(find "$target" -mindepth 1 -name '.build-*')" ]
}

@test "what is no MPI, is only static, is unknown, or has no launcher" {
    build_it --host "$BATS_TEST_TMPDIR"
    fails_with 1 "no MPI library is in $BATS_TEST_TMPDIR"
    build_it --host /no/such/prefix
    fails_with 1 'neither a folder nor a compiler'
    build_it --host /bin/true
    fails_with 1 '/bin/true is not an MPI compiler'
    mkdir -p "$BATS_TEST_TMPDIR/static/lib"
    ar rcs "$BATS_TEST_TMPDIR/static/lib/libmpich.a"
    build_it --host "$BATS_TEST_TMPDIR/static"
    fails_with 1 'has only static libraries' --enable-shared
    mkdir -p "$BATS_TEST_TMPDIR/old/lib"
    echo 'int PMPI_Init;' | gcc -shared -x c - -o "$BATS_TEST_TMPDIR/old/lib/libmpi.so.20"
    build_it --host "$BATS_TEST_TMPDIR/old"
    fails_with 1 'libmpi.so.20 is an MPI library of an unknown ABI'
    # Open MPI 1 has MPICH's name.
    echo 'int PMPI_Init, ompi_mpi_comm_world;' | gcc -shared -x c - -o "$BATS_TEST_TMPDIR/old/lib/libmpi.so.12"
    build_it --host "$BATS_TEST_TMPDIR/old"
    fails_with 1 'is an MPI library of an unknown ABI'
    copy_site mute
    rm "$copy/bin/mpiexec.hydra"
    build_it --host "$copy"
    fails_with 1 'no launcher of mpich is in' --launcher
}

@test "options that contradict each other or ask for what is not there" {
    build_it
    fails_with 2 'neither --host nor --all is given'
    build_it --host "$site" --prebuilt --compile
    fails_with 2 'contradict each other'
    build_it --host "$site" --to-abi mpich
    fails_with 1 'programs of mpich cannot run on mpich' '--to-abi one of: openmpi'
    build_it --host "$site" --to-abi opnmpi
    fails_with 1 "programs of opnmpi cannot run on mpich; did you mean 'openmpi'?"
    build_it --host "$site" --name a/b
    fails_with 1 "'a/b' cannot be the name of a pair"
    build_it --host "$site" operand
    fails_with 2 "unexpected argument 'operand'"
    build_it --host "$site" --launcher mpiexec.openmpi
    fails_with 1 'is not one of mpich'
}
