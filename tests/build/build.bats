#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# make rebuilds what a change touches, and nothing else; it removes what it installed. These tests use a copy of the sources, and
# a compiler that only logs its arguments.

bats_require_minimum_version 1.5.0

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
real_build=${BUILD:-$top/build}
unset MAKEFLAGS MAKELEVEL MFLAGS CFLAGS CPPFLAGS LDFLAGS BUILD VERSION PREFIX DESTDIR PAIRS

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    mkdir tree
    (cd "$top" && cp -r Makefile LICENSE README.md abi-tables adapter-c adapter-f77 compile detour docs gen gotswap packaging command scripts \
        templates "$BATS_FILE_TMPDIR/tree")
    mkdir tree/tests
    # Two families, each on either side, are enough.
    sed -i '/mpiabi/d' tree/abi-tables/pairs
    cat > compiler <<'END'
#!/bin/sh
[ "$*" != -dumpmachine ] || { echo x86_64-linux-gnu; exit; }
[ "$*" != -print-prog-name=strip ] || { echo true; exit; }
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || { : > "$2"; echo "${2%.new.*}" >> "$COMPILED"; }
    shift
done
END
    printf '#!/bin/sh\n: > "$2"\n' > archiver
    chmod +x compiler archiver
    build all > log 2>&1 || { cat log; return 1; }
    grep '\.o$' compiled > objects
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

# build ARGUMENT...: what was made is in the file `compiled`, sorted.
build() {
    : > "$BATS_FILE_TMPDIR/compiled"
    COMPILED=$BATS_FILE_TMPDIR/compiled make -C "$BATS_FILE_TMPDIR/tree" --no-print-directory \
        CC="${CC:-$BATS_FILE_TMPDIR/compiler}" AR="$BATS_FILE_TMPDIR/archiver" "$@" || return
    LC_ALL=C sort -o "$BATS_FILE_TMPDIR/compiled" "$BATS_FILE_TMPDIR/compiled"
}

# touched FILE: newer than all that was made.
touched() {
    : > last
    until [ "tree/$1" -nt last ]; do
        touch "tree/$1"
    done
}

@test "what is missing is named before anything is made, with the command that installs it" {
    mkdir lacking
    printf '#!/bin/sh\nexit 1\n' > lacking/dpkg-query
    chmod +x lacking/dpkg-query
    COMPILED=/dev/null PATH=$PWD/lacking:$PATH run make -C tree --no-print-directory BUILD="$PWD/other" CC=no-such-compiler PYTHON=/no/python3
    echo "$output"
    [ "$status" -ne 0 ]
    [ "${#lines[@]}" -le 4 ]
    [ "${lines[0]}" = 'scripts/can-build: there is no no-such-compiler, no /no/python3 with pycparser and pyelftools' ]
    [[ ${lines[1]} == *'apt-get update && '*'apt-get install --no-install-recommends '*gcc*libelf-dev*python3-pycparser*python3-pyelftools* ]]
    [ ! -e other ]
    printf '#!/bin/sh\n! grep -q libelf\n' > lacking/compiler
    chmod +x lacking/compiler
    CC=$PWD/lacking/compiler PATH=$PWD/lacking:$PATH run tree/scripts/can-build
    [ "${lines[0]}" = 'scripts/can-build: there is no libelf.h' ]
    # These need none of it.
    make -C tree help CC=no-such-compiler PYTHON=/no/python3 > /dev/null
}

@test "without a change, nothing is made again" {
    build all
    [ ! -s compiled ]
    # Nor does it matter how the folder is spelt, by which it is noted what an object depends on.
    build all BUILD="$PWD/tree/build"
    [ ! -s compiled ]
    ln -sfn tree link
    build all BUILD="$PWD/link/build/"
    [ ! -s compiled ]
    # Nor whether objects come from a cache.
    printf '#!/bin/sh\nexec "$@"\n' > ccache
    chmod +x ccache
    CC="ccache $PWD/compiler" PATH=$PWD:$PATH build all
    [ ! -s compiled ]
}

@test "each file is compiled once for what it depends on" {
    [ -z "$(uniq -d "$BATS_FILE_TMPDIR/objects")" ]
    # A pair has the file of its application, which others share.
    [ tree/build/app/openmpi/lib/libmpi_mpifh.so.40 -ef tree/build/lib/mpi-adapter/openmpi-to-mpich/libmpi_mpifh.so.40 ]
}

@test "a source of one class finds no header of another" {
    touched adapter-c/callbacks/closure.c
    touched adapter-c/convert/life.c
    touched adapter-c/convert/added_code.c
    touched adapter-f77/section.c
    build all V=1 > log
    sed -n 's,^.*-MP -I\(build/.*\)/generated -Iadapter-c .* -o build/.*/objects/\(.*\)\.o .*$,\2 \1,p' log | sed 's,/generated -I, ,g' | LC_ALL=C sort > found
    diff - found <<'TEXT'
callbacks/closure build/common
convert/added_code build/app/mpich build/common
convert/added_code build/app/openmpi build/common
convert/life build/host/mpich build/common
convert/life build/host/openmpi build/common
f77/section build/app/mpich build/common
f77/section build/app/openmpi build/common
TEXT
}

@test "a library that is in use is replaced as a whole, and a failed linker leaves it as it was" {
    local library=tree/build/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40 before
    cat > watching <<'END'
#!/bin/sh
[ "$*" != -dumpmachine ] || { echo x86_64-linux-gnu; exit; }
case $* in *-soname,libmpi.so.40*) ls -i "$LIBRARY" >> "$SEEN"; [ -z "$FAILS" ] || exit 1 ;; esac
exec "${0%/*}/compiler" "$@"
END
    chmod +x watching
    before=$(ls -i "$library")
    rm -f seen
    export LIBRARY=$PWD/$library SEEN=$PWD/seen
    touched adapter-c/adapter-c.mk
    FAILS=yes CC=$PWD/watching run build openmpi-to-mpich
    [ "$status" -ne 0 ]
    [ "$(ls -i "$library")" = "$before" ]
    CC=$PWD/watching build openmpi-to-mpich > log
    [ "$(ls -i "$library")" != "$before" ]
    # It was there while either linker ran.
    [ "$(sort -u seen)" = "${before%% *} $LIBRARY" ]
    ls tree/build/lib/mpi-adapter/openmpi-to-mpich > names
    [ -z "$(grep new names)" ]
    build openmpi-to-mpich > log
}

@test "other flags: what was made with them is made again, and nothing else" {
    build all CFLAGS=-O1
    cp compiled all
    for object in gotswap/gotswap.o pair/openmpi-to-mpich/objects/wrappers.o app/openmpi/objects/f77/fortran.o \
        pair/mpich-to-openmpi/objects/calls/request.o lib/mpi-adapter/trees lib/mpi-adapter/guard.so \
        lib/mpi-adapter/probe/mpich app/openmpi/lib/libmpi_usempif08.so.40; do
        grep -qx "build/$object" compiled
    done
    build gotswap CFLAGS=-O1 CPPFLAGS=-DX
    grep -qx build/gotswap/image.o compiled
    CC="$PWD/compiler -m64" build gotswap CFLAGS=-O1 CPPFLAGS=-DX
    grep -qx build/gotswap/image.o compiled
    build all CFLAGS=-O1
    grep '\.o$' compiled > objects_again
    run ! grep -v '^build/gotswap/' objects_again
    build all CFLAGS=-O1 LDFLAGS=-Wl,-O1
    [ -s compiled ]
    run ! grep '\.o$' compiled
    build all
    cmp compiled all
    build all VERSION=9.9
    # The version concerns only the files that tell programs of the adapter.
    diff <(sed '/^#/d; s|.*|build/pair/&/objects/calls/version.o|' tree/abi-tables/pairs | LC_ALL=C sort) \
        <(grep '\.o$' compiled | LC_ALL=C sort)
    grep -qx 'version = 9.9' tree/build/lib/mpi-adapter/openmpi-to-mpich/pair.conf
    build all
}

@test "a run of the generator that changes nothing recompiles nothing" {
    build headers all
    touched gen/emit.py
    build headers all > log
    grep -qx '  GEN pair/openmpi-to-mpich' log
    grep -qx '  GEN openmpi/mpi.h' log
    [ ! -s compiled ]
    # And it is not run again.
    build headers all > log
    run ! grep GEN log
}

@test "what the generator changes is compiled, and nothing else" {
    build all
    sed -i 's|^    return (app_code)rc;|    /* It was made. */\n&|' tree/templates/wrapper.c
    touched templates/wrapper.c
    build all
    grep -qF 'It was made.' tree/build/pair/openmpi-to-mpich/generated/wrappers.c
    diff <(sed '/^#/d; s|.*|build/pair/&/objects/wrappers.o|' tree/abi-tables/pairs | LC_ALL=C sort) <(grep '\.o$' compiled)
    grep -qx build/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40 compiled
}

@test "lines are short; with V=1 they are whole, and with -s there are none" {
    touched gotswap/image.c
    build gotswap > log
    grep -qE '^\[1/[0-9]+ +[0-9]+ s\]  CC  gotswap/image.c$' log
    run ! grep -vE '^\[[0-9]+/[0-9]+ +[0-9]+ s\]  [A-Z]+ +[^ ]+$' log
    touched gotswap/image.c
    build gotswap V=1 > log
    grep -q -- '/compiler .*-c -o build/gotswap/image.o gotswap/image.c$' log
    run ! grep '  CC' log
    touched gotswap/image.c
    [ -z "$(build -s gotswap)" ]
    grep -qx build/gotswap/image.o compiled
}

# counts LOG: it has each number once, up to that of all, and these are $1 at least.
counts() {
    local all
    all=$(sed -n 's|^\[[0-9]*/\([0-9]*\) .*|\1|p' "$2" | LC_ALL=C sort -u)
    [ "$(wc -l <<< "$all")" -eq 1 ]
    [ "$all" -ge "$1" ]
    diff <(seq "$all") <(sed -n 's|^\[\([0-9]*\)/.*|\1|p' "$2" | sort -n)
}

@test "each line says how many of how many have begun" {
    # Pairs that are generated first, too.
    build openmpi-to-mpich command PAIRS=openmpi-to-mpich BUILD="$PWD/counted" -j3 > log
    grep -qx '  GEN pair/openmpi-to-mpich' log
    counts 60 log
    touched adapter-c/process/loader.c
    build all > log
    counts 5 log
    run ! grep -q wrappers.c log
}

@test "as many jobs as processors, unless somebody has said how many" {
    printf 'include scripts/rules.mk\nclean flags:\n\t@echo " $(MAKEFLAGS) "\nsub:\n\t@$(MAKE) -f jobs.mk flags\n' > tree/jobs.mk
    # flags ARGUMENT...
    flags() { make -C tree --no-print-directory -f jobs.mk "$@" 2>&1; }
    [[ $(flags flags) == *" -j$(nproc) "* ]]
    for jobs in 1 3 7; do
        [[ $(flags -j$jobs flags) == *" -j$jobs "* ]]
        [[ $(flags -j$jobs sub) == *" -j$jobs "* ]]
        [[ $(MAKEFLAGS=-j$jobs flags flags) == *" -j$jobs "* ]]
        [[ $(MAKEFLAGS=rj$jobs flags flags) == *" -j$jobs "* ]]
    done
    [[ $(flags sub) == *" -j$(nproc) "* && $(flags sub) != *warning* ]]
    # Goals that depend on their order run in this order.
    [[ $(flags clean flags) != *" -j"* ]]
}

@test "a compiler that does not know a flag of gcc's builds without it" {
    printf '#!/bin/sh\ncase "$*" in *-maccumulate-outgoing-args*) echo "unknown argument" >&2; exit 1 ;; esac\nexec "%s" "$@"\n' "$PWD/compiler" > another
    chmod +x another
    CC=$PWD/another build mpiabi-to-mpich PAIRS=mpiabi-to-mpich BUILD="$PWD/by-another" > log
    grep -q '/libmpi_abi\.so\.0$' compiled
}

@test "who makes one pair where all are made makes nothing again, nor who then makes all" {
    build all
    build all PAIRS=mpich-to-openmpi
    diff /dev/null compiled
    build all
    diff /dev/null compiled
}

installed_files() { (cd root && find . ! -type d ! -name manifest | sed 's/^\.//' | LC_ALL=C sort); }

@test "the manifest lists what was installed, of all times" {
    rm -rf root
    build install DESTDIR="$PWD/root" PREFIX=/opt/it PAIRS=openmpi-to-mpich
    diff <(grep -v '/$' root/opt/it/share/mpi-adapter/manifest) <(installed_files)
    build install DESTDIR="$PWD/root" PREFIX=/opt/it PAIRS=mpich-to-openmpi MODULEFILES=/etc/modulefiles
    diff <(grep -v '/$' root/opt/it/share/mpi-adapter/manifest) <(installed_files)
    for file in /opt/it/lib/mpi-adapter/openmpi-to-mpich/libmpi.so /etc/modulefiles/mpi-adapter/mpich-to-openmpi \
        /opt/it/share/mpi-adapter/src/abi-tables/pairs; do
        grep -qx "$file" root/opt/it/share/mpi-adapter/manifest
    done
    # A file that somebody else removed is no longer ours.
    rm root/opt/it/include/gotswap.h
    build install-documents install-manifest DESTDIR="$PWD/root" PREFIX=/opt/it PAIRS=mpich-to-openmpi
    diff <(grep -v '/$' root/opt/it/share/mpi-adapter/manifest) <(installed_files)
}

@test "uninstall builds nothing and removes what the manifest lists, and no more" {
    rm -rf root
    build install DESTDIR="$PWD/root" PREFIX="/opt/our things" PAIRS=openmpi-to-mpich
    mkdir -p "root/opt/our things/lib/mpi-adapter/openmpi-to-mpich@site" root/elsewhere
    touch "root/opt/our things/lib/mpi-adapter/openmpi-to-mpich@site/pair.conf" "root/opt/our things/bin/own" root/elsewhere/own
    mv tree/build kept
    make -C tree -s uninstall DESTDIR="$PWD/root" PREFIX="/opt/our things" CC=false PYTHON=false
    [ ! -e tree/build ]
    mv kept tree/build
    diff <(installed_files) - <<'END'
/elsewhere/own
/opt/our things/bin/own
/opt/our things/lib/mpi-adapter/openmpi-to-mpich@site/pair.conf
END
    [ "$(cd root && find . -type d -path '*/mpi-adapter*' | LC_ALL=C sort)" = './opt/our things/lib/mpi-adapter
./opt/our things/lib/mpi-adapter/openmpi-to-mpich@site' ]
    run --separate-stderr make -C tree -s uninstall DESTDIR="$PWD/root" PREFIX="/opt/our things"
    [ "$status" -ne 0 ]
    [[ $stderr == "mpi-adapter: there is no $PWD/root/opt/our things/share/mpi-adapter/manifest; give the PREFIX "* ]]
}

@test "parts that packages are made of write no manifest" {
    rm -rf root
    build install-gotswap install-pairs install-command install-detour install-source install-probes install-modulefiles \
        DESTDIR="$PWD/root" PREFIX=/usr
    [ -z "$(find root -name 'manifest*')" ]
}

# tree_of FOLDER: all that is in it.
tree_of() { (cd "$1" && find . -printf '%p %y %m %l\n' | LC_ALL=C sort); }

@test "uninstall leaves the tree that was there before, with the folders that others made" {
    rm -rf root
    mkdir -p root/usr/local/{include,bin,share/man/man1,lib/mpi-adapter/another-pair}
    touch root/usr/local/bin/own root/usr/local/lib/mpi-adapter/another-pair/pair.conf
    tree_of root > before
    build install DESTDIR="$PWD/root" PREFIX=/usr/local PAIRS=openmpi-to-mpich
    # Another installation over it makes no folder of these somebody else's.
    build install DESTDIR="$PWD/root" PREFIX=/usr/local PAIRS=mpich-to-openmpi
    make -C tree -s uninstall DESTDIR="$PWD/root" PREFIX=/usr/local
    diff before <(tree_of root)
    build install DESTDIR="$PWD/root" PREFIX="/srv/a site/it" PAIRS=openmpi-to-mpich
    make -C tree -s uninstall DESTDIR="$PWD/root" PREFIX="/srv/a site/it"
    diff before <(tree_of root)
    # No list of what was installed is left in the build folder.
    [ -z "$(compgen -G 'tree/build/installing*')" ]
}

@test "a checkout and a build folder with spaces in their names: everything is made, and nothing again" {
    mkdir -p 'a b'
    rm -rf 'a b/tree'
    (cd tree && tar -c --exclude=./build .) | tar -x -C "$(mkdir -p 'a b/tree' && cd 'a b/tree' && pwd)"
    spaced() {
        : > compiled
        COMPILED=$PWD/compiled make -C 'a b/tree' --no-print-directory CC="$PWD/compiler" AR="$PWD/archiver" PAIRS=openmpi-to-mpich "$@" || return
    }
    spaced all
    [ "$(readlink 'a b/tree/build/share/mpi-adapter/src')" = "$(realpath 'a b/tree')" ]
    grep -qx build/lib/mpi-adapter/openmpi-to-mpich/libmpi.so.40 compiled
    spaced all BUILD="$PWD/a b/tree/build"
    [ ! -s compiled ]
    spaced install DESTDIR="$PWD/c d/root" PREFIX="/opt/e f"
    [ -x "c d/root/opt/e f/bin/mpi-adapter" ]
    spaced gotswap BUILD="$PWD/c d/build"
    [ -e "c d/build/gotswap/gotswap.o" ]
    spaced clean BUILD="$PWD/c d/build"
    [ ! -e "c d/build" ]
    [ -z "$(compgen -G 'a b/tree/.build-*')" ]
}

@test "a path with a character that make or a shell cannot take is refused in one line" {
    local character
    for character in "'" '"' '$' : '#' % '\' '|' '&' ';' '`' $'\n'; do
        mkdir -p "refused/a${character}b/scripts" "refused/a${character}b/abi-tables"
        cp tree/Makefile "refused/a${character}b"
        cp tree/scripts/rules.mk tree/scripts/build-folder "refused/a${character}b/scripts"
        cp tree/abi-tables/pairs "refused/a${character}b/abi-tables"
        run make -C "refused/a${character}b" --no-print-directory all
        [ "$status" -ne 0 ]
        [[ ${lines[0]} == *'mpi-adapter: the path of this folder has '*' in it; move it to one without.  Stop.' ]] ||
            { printf '%s: %s\n' "$character" "$output"; return 1; }
        [ "${#lines[@]}" -eq 1 ]
    done
    run make -C tree --no-print-directory install PREFIX="/opt/it's"
    [[ $output == *"mpi-adapter: the path of PREFIX has ' in it; give one without.  Stop." ]]
}

@test "the sources that are installed are all that make wants of them, and what it runs by name can be run" {
    rm -rf root
    build install-source DESTDIR="$PWD/root" PREFIX=/opt/it
    local source=root/opt/it/share/mpi-adapter/src file
    while IFS= read -r file; do
        [ "$([ -x "$source/$file" ] && echo yes)" = "$([ -x "tree/$file" ] && echo yes)" ] || { echo "$file"; return 1; }
    done < <(cd "$source" && find . -type f ! -name '*.py')
    # Each script that make runs for pairs is there; what compiles needs no more than these.
    COMPILED=/dev/null make -C "$source" --no-print-directory CC="$PWD/compiler" AR="$PWD/archiver" BUILD="$PWD/of-installed" \
        PAIRS=mpiabi-to-mpich pairs > log 2>&1 || { cat log; return 1; }
    CC=no-such-compiler run "$source/scripts/can-build"
    [[ ${lines[0]} == 'scripts/can-build: there is no no-such-compiler'* ]]
    [[ ${lines[1]} != *'not found'* ]]
}

@test "pairs of an installation in the folder of the site's pairs are found once" {
    rm -rf root
    build install DESTDIR="$PWD/root" PREFIX=/site SITE="$PWD/root/site" PAIRS=mpiabi-to-mpich
    # The compiler here only writes down what it is asked for.
    cp "$real_build/bin/mpi-adapter" root/site/bin/
    cp -r root/site/lib/mpi-adapter/mpiabi-to-mpich root/site/lib/mpi-adapter/mpiabi-to-mpich@site
    [ "$(root/site/bin/mpi-adapter list | grep -c '^mpiabi-to-mpich$')" -eq 1 ]
    build all
}
