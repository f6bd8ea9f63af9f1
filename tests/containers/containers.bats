#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The commands of docs/containers.md, with chroot in the place of apptainer, podman and docker: a program of
# Open MPI in an image that has Open MPI alone runs on the host's MPICH, and one of MPICH on its Open MPI.

bats_require_minimum_version 1.5.0
load ../chroot

setup_file() {
    export top build prefix here=$BATS_TEST_DIRNAME
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    prefix=$BATS_FILE_TMPDIR/opt/mpi-adapter
    make -C "$top" --no-print-directory BUILD="$build" PREFIX="$prefix" install > "$BATS_FILE_TMPDIR/log" 2>&1 ||
        { cat "$BATS_FILE_TMPDIR/log"; return 1; }
    # An image is a folder here.
    export image=$BATS_FILE_TMPDIR/program.sif adapter=$prefix/bin/mpi-adapter
    mpicc.openmpi -O2 -o "$BATS_FILE_TMPDIR/program" "$top/tests/demo/ring.c"
    load ../chroot
    make_tree "$image" $(ldd "$BATS_FILE_TMPDIR/program" | grep -o '/[^ ]*')
    rm -f "$image"/usr/lib/*/libelf* "$image"/usr/lib/*/libmpich*
    mkdir "$image/app"
    cp "$BATS_FILE_TMPDIR/program" "$image/app/program"
    mpicc.openmpi -O2 -o "$image/app/show" "$BATS_TEST_DIRNAME/show.c"
    mpicc.openmpi -O2 -o "$image/app/rpath" "$top/tests/demo/ring.c" -Wl,--disable-new-dtags \
        -Wl,-rpath,"$(dirname "$(ldd "$BATS_FILE_TMPDIR/program" | awk '$1 == "libmpi.so.40" { print $3 }')")"
    mpicc.mpich -O2 -o "$image/app/of MPICH" "$top/tests/demo/ring.c"
    "$build/bin/mpicc_abi" -O2 -o "$image/app/anywhere" "$top/tests/demo/ring.c"
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    unset LD_LIBRARY_PATH LD_PRELOAD
    export MPI_ADAPTER_CONFIG=/dev/null
    . "$top/tests/components.bash"
}

# run_on_host COMMAND...: with the false ones in PATH, and while the image has /proc and /dev.
run_on_host() {
    require_mounts
    status=0
    output=$(PATH=$here:$prefix/bin:$PATH with_mounts "$image" timeout 900 "$@" 2>&1) || status=$?
    echo "$output"
}

# contained 'TOOL [OPTION]...' WORD...: with the tool, in the image by the name that the tool has for it.
contained() {
    local tool name=./program.sif
    read -r -a tool <<< "$1"
    shift
    [ "${tool[0]}" = apptainer ] || name=program
    run_on_host mpi-adapter container --tool "${tool[@]}" -n 2 "$name" -- "$@"
}

@test "the page's commands run an Open MPI program on the host's MPICH" {
    (cd "$top" && "${PYTHON:-/usr/bin/python3}" tests/docs/blocks.py script docs/containers.md tests/containers) > commands.bash
    grep -q "mpi-adapter container" commands.bash
    run_on_host bash commands.bash
    [ "$status" -eq 0 ]
    [ "$(grep -c 'ring on 2 ranks, MPICH Version.*: verified' <<< "$output")" -eq 3 ]
}

@test "the image has no shell, neither MPICH nor libelf, and without the adapter its own Open MPI" {
    [ -z "$(find "$image" -name 'libmpich*' -size +0 -o -name 'libelf*' -size +0 -o -name '*sh' -type f -path '*bin/*')" ]
    run_on_host apptainer exec "$image" /app/program
    # Without plugins Open MPI 4 cannot start, but it is Open MPI that says so; those of 5 are in the library.
    [ "$status" -ne 0 ] || [[ $output == 'ring on 1 ranks, Open MPI v'*': verified' ]]
    [[ $output == *'opal_init'* || $output == *'ompi_mpi_init'* || $output == *'Open MPI'* ]]
}

@test "ranks of Podman without root are told how UCX shares memory, unless the user says" {
    local rootless='unshare --user --map-user=1000 --mount --keep-caps'
    $rootless true 2> /dev/null || skip 'users make no namespaces here, or unshare is too old'
    # shellcheck disable=SC2086  # words
    run_on_host $rootless mpi-adapter container --print --tool podman -n 2 program -- /app/program
    [ "$status" -eq 0 ]
    [[ $output == *--userns=keep-id* ]]
    [[ $output == *UCX_POSIX_USE_PROC_LINK=n* ]]
    # shellcheck disable=SC2086
    UCX_POSIX_USE_PROC_LINK=y run_on_host $rootless mpi-adapter container --print --tool podman -n 2 program -- /app/program
    [ "$status" -eq 0 ]
    [[ $output != *UCX_POSIX_USE_PROC_LINK=n* ]]
    run_on_host mpi-adapter container --print --tool podman -n 2 program -- /app/program
    [ "$status" -eq 0 ]
    [[ $output != *UCX_POSIX_USE_PROC_LINK* ]]
}

@test "variables reach the ranks, and LD_PRELOAD and LD_LIBRARY_PATH are the image's with the adapter's" {
    local tool
    for tool in apptainer podman docker; do
        MPI_ADAPTER_COLOR=blue contained "$tool" /app/show MPI_ADAPTER_COLOR MPI_ADAPTER_HOST_LIBRARY LD_LIBRARY_PATH
        [ "$status" -eq 0 ]
        [[ $output == *'LD_LIBRARY_PATH=/opt/mpi-adapter/lib/mpi-adapter/openmpi-to-mpich:/opt/mpi-adapter/host'* ]]
        [[ $output == *'MPI_ADAPTER_COLOR=blue'* ]]
        [[ $output == *'MPI_ADAPTER_HOST_LIBRARY=/opt/mpi-adapter/host/libmpich.so.12'* ]]
    done
}

@test "each rank is told its place as by its own MPI's launcher, and a wrapper ahead of the program, too" {
    local tool
    gcc -o "$image/app/wrapper" "$here/wrapper.c"
    for tool in apptainer podman docker; do
        contained "$tool --from openmpi" /app/wrapper /app/show OMPI_COMM_WORLD_LOCAL_RANK OMPI_COMM_WORLD_LOCAL_SIZE
        [ "$status" -eq 0 ]
        [ "$(grep ^wrapper <<< "$output" | sort)" = "$(printf 'wrapper %d\n' 0 1)" ]
        [ "$(grep LOCAL_RANK= <<< "$output" | sort)" = "$(printf 'OMPI_COMM_WORLD_LOCAL_RANK=%d\n' 0 1)" ]
        [ "$(grep -c 'OMPI_COMM_WORLD_LOCAL_SIZE=2' <<< "$output")" -eq 2 ]
    done
}

@test "a program of the standard ABI runs by its pair" {
    # Without a word on it a newer Open MPI may be chosen, which has a library of this ABI.
    run_on_host mpi-adapter container --tool podman -n 2 --to mpich program -- /app/anywhere
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified'* ]]
}

@test "a program of MPICH runs on the host's Open MPI, with its plugins and its launcher's folder" {
    run_on_host mpi-adapter container --tool podman -n 2 --to openmpi --launcher mpiexec.openmpi --oversubscribe program -- \
        '/app/of MPICH'
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, Open MPI'*': verified'* ]]
}

@test "a program that has MPICH linked in runs on the host's Open MPI, and is not started with MPICH's launcher alone" {
    local archive tool
    archive=$(mpicc.mpich -static-mpi -show | grep -oE '/[^ ]*/libmpich\.a') && [ -f "$archive" ] || skip 'MPICH has no archive here'
    ln -s "$top/tests/inside/compiler" mpicc
    ./mpicc -O2 -o "$image/app/linked" "$top/tests/demo/ring.c"
    for library in $(ldd "$image/app/linked" | grep -o '/[^ ]*'); do
        [ -e "$image$library" ] || install -D "$library" "$image$library"
    done
    for tool in apptainer podman; do
        contained "$tool --to openmpi --launcher mpiexec.openmpi --oversubscribe" /app/linked
        [ "$status" -eq 0 ]
        [[ $output == *'ring on 2 ranks, Open MPI'*': verified'* ]]
    done
    contained 'podman --to mpich' /app/linked
    [ "$status" -eq 1 ]
    [[ $output == 'mpi-adapter: /app/linked has its MPI linked in, so it needs none of this machine'* ]]
}

@test "an RPATH of the image's does not lead past the pair" {
    contained apptainer /app/rpath
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, MPICH Version'*': verified'* ]]
}

@test "programs run that need their MPI by names that no pair has: an earlier release's, a maker's, nobody's" {
    local library row name there tool
    library=$(cd "$image" && find . -name libmpi.so.40 | sed -n '1s/^[.]//p')
    # With a library by that name in the image, and without one.
    for row in libmpi.so.12:-:apptainer "libmpi.so.12:$library:podman" "libmpi.so.0:-:podman --from openmpi" libanybodysmpi.so.7:-:docker; do
        IFS=: read -r name there tool <<< "$row"
        cp "$image/app/program" "$image/app/renamed"
        patchelf --replace-needed libmpi.so.40 "$name" "$image/app/renamed"
        [ "$there" = - ] || { cp "$image$there" "$image${there%/*}/$name"; patchelf --set-soname "$name" "$image${there%/*}/$name"; }
        contained "$tool" /app/renamed
        [ "$status" -eq 0 ]
        [[ $output == *'ring on 2 ranks, MPICH Version'*': verified'* ]]
        rm -f "$image${library%/*}/$name"
    done
    cp "$image/app/of MPICH" "$image/app/renamed"
    patchelf --replace-needed libmpich.so.12 libmpich_gnu_93.so.3 "$image/app/renamed"
    run_on_host mpi-adapter container --tool podman -n 2 --to openmpi --launcher mpiexec.openmpi --oversubscribe program -- /app/renamed
    [ "$status" -eq 0 ]
    [[ $output == *'ring on 2 ranks, Open MPI'*': verified'* ]]
}

@test "on an MPI of its own ABI such a program is refused, as an image gets the pair's libraries by such names alone" {
    cp "$image/app/program" "$image/app/renamed"
    patchelf --replace-needed libmpi.so.40 libmpi.so.12 "$image/app/renamed"
    contained 'podman --to openmpi' /app/renamed
    [ "$status" -eq 1 ]
    [[ $output == 'mpi-adapter: /app/renamed needs its MPI by the name libmpi.so.12, by which images are given libraries of a pair alone; choose another MPI with --to, or rename it in a copy of the program: patchelf --replace-needed libmpi.so.12 libmpi.so.40 COPY' ]]
}

@test "a script of the image's is followed to what its first line names" {
    printf '#!/app/program\n' > "$image/app/script"
    chmod +x "$image/app/script"
    run_on_host mpi-adapter container --print --tool podman program -- /app/script
    [ "$status" -eq 0 ]
    [[ $output == *--entrypoint*/app/script* ]]
}

@test "the exit code is the program's" {
    contained podman /app/show exit 7
    [ "$status" -eq 7 ]
}

@test "what is printed is for a shell, whatever words it has" {
    run_on_host mpi-adapter container --print --tool podman program -- /app/show words 'a  b' "it's" '$HOME'
    [ "$status" -eq 0 ]
    [[ $output == *'mpiexec'*' -pmi-port -genv PMI_SIZE 1 -n 1 '*'podman run --rm'* ]]
    run_on_host sh -c "$output"
    [ "$status" -eq 0 ]
    [[ $output == *"<a  b>"*"<it's>"*'<$HOME>'* ]]
}

@test "Podman under a batch system is refused, as ranks would not meet" {
    local own=$BATS_TEST_TMPDIR/own
    mkdir "$own"
    printf '#!/bin/sh\nexec mpiexec.mpich "$@"\n' > "$own/srun"
    chmod +x "$own/srun"
    run_on_host mpi-adapter container --tool podman --launcher "$own/srun" program -- /app/program
    [ "$status" -eq 1 ]
    [[ $output == *"podman closes the open files by which $own/srun connects its ranks; use Apptainer"* ]]
}

@test "an MPI with a prefix of its own is mounted as a whole, under its own path, whatever that has" {
    local site="$BATS_TEST_TMPDIR/my site" library
    library=$(ldconfig -p | sed -n 's/.*libmpich\.so\.12 .* => //p' | sort -u | sed -n 1p)
    mkdir -p "$site/lib" "$site/bin"
    cp -L "$library" "$site/lib/libmpi.so.12"
    cp -L "$(type -P mpiexec.hydra)" "$(type -P hydra_pmi_proxy)" "$site/bin/"
    export MPI_ADAPTER_HOST_PREFIXES=$site
    contained apptainer /app/show MPI_ADAPTER_HOST_LIBRARY
    [ "$status" -eq 0 ]
    [[ $output == *"MPI_ADAPTER_HOST_LIBRARY=$site/lib/libmpi.so.12"* ]]
}

@test "what the host's MPI has to have preloaded is mounted with what that needs, and preloaded" {
    local own=$BATS_TEST_TMPDIR/own tool
    mkdir "$own"
    echo 'int needed = 42;' | ${CC:-cc} -shared -fPIC -Wl,-soname,libneeded.so.1 -x c - -o "$own/libneeded.so.1"
    ${CC:-cc} -shared -fPIC -Wl,-soname,libtransport.so.1 -x c - -x none -o "$own/libtransport.so.1" "$own/libneeded.so.1" \
        -Wl,--disable-new-dtags,-rpath,"$own" <<'END'
#include <stdio.h>
extern int needed;
__attribute__((constructor)) static void here(void) { fprintf(stderr, "transport %d\n", needed); }
END
    export MPI_ADAPTER_HOST_PRELOAD=$own/libtransport.so.1
    for tool in apptainer podman; do
        contained "$tool" /app/show LD_PRELOAD
        [ "$status" -eq 0 ]
        [ "$(grep -c '^transport 42$' <<< "$output")" -eq 2 ]
        [ "$(grep -c '^LD_PRELOAD=(unset)$' <<< "$output")" -eq 2 ]
    done
    run_on_host mpi-adapter container --print --tool podman program -- /app/program
    [[ $output == *"LD_PRELOAD=/opt/mpi-adapter/host/libtransport.so.1"* ]]
    [[ $output == *"$own/libneeded.so.1:/opt/mpi-adapter/host/libneeded.so.1"* ]]
    MPI_ADAPTER_HOST_PRELOAD=/no/such.so run_on_host mpi-adapter container --print --tool podman program -- /app/program
    [ "$status" -eq 1 ]
    [ "$output" = 'mpi-adapter: /no/such.so, which host_preload (MPI_ADAPTER_HOST_PRELOAD) has preloaded, is not found; correct the setting, or install it' ]
}

@test "a program with a library that was compiled for another MPI is refused, and both are named" {
    mpicc.mpich -shared -fPIC -DPART=library_part -I"$top/tests" -o "$image/app/libpart.so" "$top/tests/several/part.c"
    mpicc.openmpi -DLINKED -DPART=program_part -I"$top/tests" -o "$image/app/mixed" "$top/tests/several/program.c" "$top/tests/several/part.c" \
        -L"$image/app" -lpart -Wl,-rpath,/app -Wl,--allow-shlib-undefined
    contained podman /app/mixed 0 0
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"/app/mixed was compiled for openmpi and /app/libpart.so for mpich, and an image is given one pair; "* ]]
}

@test "a program without the GNU C library is refused" {
    echo 'int MPI_Init(int *, char ***); void _start(void) { MPI_Init(0, 0); }' |
        "$build/bin/mpicc_abi" -nostdlib -nostartfiles -o "$image/app/bare" -x c -
    contained podman /app/bare
    [ "$status" -eq 1 ]
    [[ $output == 'mpi-adapter: /app/bare does not use the GNU C library'*'; use an image that has it' ]]
}

# changed NAME AT OCTAL: a copy of the program with bytes of its own at an offset.
changed() {
    cp "$image/app/program" "$image/app/$1"
    printf '%b' "$3" | dd of="$image/app/$1" bs=1 seek="$2" conv=notrunc status=none
}

@test "a program of another architecture is refused, and one that is not there" {
    changed foreign 18 '\0267'
    contained podman /app/foreign
    [ "$status" -eq 1 ]
    [[ $output == 'mpi-adapter: /app/foreign is a 64-bit aarch64 program, the adapter is for'*'; give a program of this architecture' ]]
    contained podman /app/nothing
    [ "$status" -eq 1 ]
    [[ $output == 'mpi-adapter: /app/nothing: no such program in the image; '* ]]
}

@test "an image whose C library is older than the host's MPI needs is refused, ahead of the run" {
    local libc
    libc=$(find "$image/usr" -name libc.so.6)
    [ -f "$libc" ]
    cp "$libc" "$libc.kept"
    # No symbol of it has these versions any more.
    sed -i 's/GLIBC_2\.\(3[4-9]\|4[0-9]\)/GLIBC_2.2X/g' "$libc"
    contained apptainer /app/program
    mv "$libc.kept" "$libc"
    [ "$status" -eq 1 ]
    [ "$(wc -l <<< "$output")" -eq 1 ]
    [[ $output == *' needs GLIBC_2.'[34][0-9]' of libc.so.6, and ./program.sif has GLIBC_2.33 at most; use a newer image, or '* ]]
}

@test "a library of this machine's that is older than the program needs is left out, as the image has its own" {
    local real own=$BATS_TEST_TMPDIR/own
    real=$(ldd "$(type -P mpiexec.mpich)" | awk '$1 == "libudev.so.1" { print $3 }')
    [ -n "$real" ] || skip "MPICH does not need the library that this test changes"
    mkdir "$own"
    echo 'int udev_new(void) { return 0; }' | ${CC:-cc} -shared -fPIC -Wl,-soname,libudev.so.1 \
        -Wl,--version-script=<(echo 'LIBUDEV_183 { udev_new; };') -x c - -o "$own/libudev.so.1"
    printf '#!/bin/sh\nunset LD_LIBRARY_PATH\nexec mpiexec.mpich "$@"\n' > "$own/mpiexec"
    chmod +x "$own/mpiexec"
    copy_into "$image" "$real"
    mpicc.openmpi -o "$image/app/udev" -x c - -x none "$real" <<'END'
#include <mpi.h>
void udev_hwdb_new(void);
int main(int argc, char **argv) { if (argc > 5) udev_hwdb_new(); return MPI_Init(&argc, &argv); }
END
    export LD_LIBRARY_PATH=$own
    run_on_host mpi-adapter container --print --launcher "$own/mpiexec" ./program.sif -- /app/program
    [ "$status" -eq 0 ]
    [[ $output == *"$own/libudev.so.1:"* ]]
    run_on_host mpi-adapter container --print --launcher "$own/mpiexec" ./program.sif -- /app/udev
    [ "$status" -eq 0 ]
    [[ $output == *libmpich.so.12* && $output != *libudev.so.1* ]]
}

# make_evil_image: an image whose files and variables name commands and libraries that leave /mark there.
make_evil_image() {
    local evil=${BATS_FILE_TMPDIR:?}/evil.sif
    cp -a "$image" "$evil"
    mkdir -p "$evil/lib/$(uname -m)-linux-gnu" "$evil/etc"
    cat > "$BATS_TEST_TMPDIR/evil.c" <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void mark(void) { close(open("/mark", O_CREAT | O_WRONLY, 0666)); }
unsigned la_version(unsigned v) { mark(); return v; }
END
    ${CC:-cc} -shared -fPIC -o "$evil/evil.so" "$BATS_TEST_TMPDIR/evil.c"
    cp "$evil/evil.so" "$evil/lib/$(uname -m)-linux-gnu/libnss_evil.so.2"
    echo /evil.so > "$evil/etc/ld.so.preload"
    echo 'passwd: evil' > "$evil/etc/nsswitch.conf"
    echo ': > /mark' > "$evil/evil.bash"
    printf '%s\n' LD_PRELOAD=/evil.so LD_AUDIT=/evil.so BASH_ENV=/evil.bash ENV=/evil.bash SHELLOPTS=xtrace 'PS4=$(: > /mark)' \
        'BASH_FUNC_printf%%=() { : > /mark; }' 'BASH_FUNC_local%%=() { : > /mark; }' 'home=x[$(: > /mark)]' 'count=x[$(: > /mark)]' \
        LD_LIBRARY_PATH=/ 'i=x[$(: > /mark)]' GCONV_PATH=/ LOCPATH=/ > "${BATS_FILE_TMPDIR:?}/evil.env"
}

@test "nothing of an image runs while it is looked into, whatever its files and variables say" {
    make_evil_image
    run_on_host docker run --rm evil /app/program
    [ -e evil.sif/mark ]
    rm evil.sif/mark
    run_on_host mpi-adapter container --print --tool podman evil -- /app/program
    [ "$status" -eq 0 ]
    [ ! -e evil.sif/mark ]
    # The image's own programs find the libraries that it preloads for them.
    [[ $output == *LD_PRELOAD=/evil.so* && $output != *ld.so.preload* ]]
    [ "$(cat evil.sif/etc/ld.so.preload)" = /evil.so ]
}

@test "the page tells the glibc that is asked for" {
    needed=$(objdump -T "$build/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    [ "$(. /etc/os-release && echo "$ID$VERSION_ID")" = debian12 ] || skip "the page speaks of Debian 12"
    grep -F "the adapter needs glibc ${needed#GLIBC_}, " "$top/docs/containers.md"
}

@test "the packages that the recipes install exist" {
    packages=$(sed -n 's/.*apt-get install -y --no-install-recommends \([a-z0-9 .-]*\).*/\1/p' "$top/docs/containers.md" |
        sed 's/ *$//' | sort -u)
    [ "$(wc -l <<< "$packages")" -eq 1 ]
    for package in $packages; do
        dpkg-query -W "$package" > /dev/null
    done
}
