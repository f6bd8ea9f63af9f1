# SPDX-License-Identifier: BSD-3-Clause
# elf-facts: what it says of ELF files, whole and damaged; and explain, of what is damaged.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    fixtures=$BATS_FILE_TMPDIR
    facts=$build/tools/elf-facts
}

has_line() { grep -qxF -- "$1" <<< "$output"; }

# Neither a signal nor valgrind's or the shell's own statuses.
ended_well() { [ "$1" -le 5 ] || { echo "status $1 for $2"; return 1; }; }

@test "the facts of a program agree with readelf's" {
    run "$facts" "$fixtures/bin/app"
    [ "$status" -eq 0 ]
    has_line "class 64"
    has_line "type dyn"
    has_line "linkage dynamic"
    has_line "needed libmpi.so.40"
    has_line "interpreter $(readelf -lW "$fixtures/bin/app" | sed -n 's/.*interpreter: \(.*\)]/\1/p')"
    diff <(sed -n 's/^needed //p' <<< "$output") \
        <(readelf -dW "$fixtures/bin/app" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
}

@test "rpath, runpath and soname are told apart" {
    run "$facts" "$fixtures/bin/rpath-app"
    has_line "rpath $fixtures/real"
    [[ $output != *runpath* ]]
    run "$facts" "$fixtures/bin/runpath-app"
    has_line "runpath $fixtures/real"
    run "$facts" "$fixtures/real/libmpi.so.40"
    has_line "soname libmpi.so.40"
    has_line "linkage library"
}

@test "static programs, position-independent or not, are static" {
    local option
    for option in -static -static-pie; do
        compile "$BATS_TEST_TMPDIR/static" "$option" <<< 'int main(void) { return 0; }'
        run "$facts" "$BATS_TEST_TMPDIR/static"
        has_line 'linkage static'
    done
}

@test "an object file is no program" {
    compile "$BATS_TEST_TMPDIR/o.o" -c <<< 'int x;'
    run "$facts" "$BATS_TEST_TMPDIR/o.o"
    has_line 'type rel'
    has_line 'linkage none'
}

@test "defined and imported symbols are told apart" {
    "$facts" --defines PMPI_Init "$fixtures/real/libmpi.so.40"
    run "$facts" --imports PMPI_Init "$fixtures/real/libmpi.so.40"
    [ "$status" -eq 1 ]
    "$facts" --imports MPI_Whose "$fixtures/bin/app"
    run "$facts" --defines MPI_Whose "$fixtures/bin/app"
    [ "$status" -eq 1 ]
    run "$facts" --defines PMPI_Ini "$fixtures/real/libmpi.so.40"
    [ "$status" -eq 1 ]
}

@test "the text that a symbol is, and what is none" {
    cd "$BATS_TEST_TMPDIR"
    make_library ./liba.so liba.so 'const char release[] = "5.0.7"; const char *pointer = release; const char end[2] = "no"; int wanted(void);
        int call(void) { return wanted(); }'
    [ "$("$facts" --text release liba.so)" = 5.0.7 ]
    for name in pointer end wanted absent; do
        run "$facts" --text "$name" liba.so
        [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "$name: $status $output"; return 1; }
    done
    printf 'none' > text
    run "$facts" --text release text
    [ "$status" -eq 4 ]
}

@test "symbols that a closure needs and nothing defines, but for weak ones and those with other names" {
    cd "$BATS_TEST_TMPDIR"
    make_library ./libnew.so libmpi.so 'int MPI_Old(void) { return 0; } int MPI_New(void) { return 0; }'
    make_library ./libuser.so libuser.so 'int MPI_New(void), MPI_Old(void); int use(void) { return MPI_New() + MPI_Old(); }' ./libnew.so
    compile ./program ./libuser.so ./libnew.so <<< 'int use(void), MPI_New(void);
        __attribute__((weak)) int MPI_Weak(void);
        int main(void) { return use() + MPI_New() + (MPI_Weak ? MPI_Weak() : 0); }'
    mkdir old
    make_library old/libmpi.so libmpi.so 'int MPI_Old(void) { return 0; }'
    mkdir new
    cp libnew.so new/libmpi.so
    [ -z "$("$facts" --unbound "$PWD/new:$PWD" '' 'MPI_ PMPI_' ./program)" ]
    [ "$("$facts" --unbound "$PWD/old:$PWD" '' 'PMPI_ MPI_' ./program | sort)" = \
        "$(printf '%s\tMPI_New\n' ./program "$PWD/libuser.so" | sort)" ]
    [ -z "$("$facts" --unbound "$PWD/old:$PWD" '' 'PMPI_' ./program)" ]
}

@test "a name cannot add a fact of its own" {
    compile "$BATS_TEST_TMPDIR/lib.so" -shared -fPIC \
        -Wl,-soname,$'x\nneeded libmpi.so.40' <<< 'int x;'
    run "$facts" "$BATS_TEST_TMPDIR/lib.so"
    has_line 'soname x?needed libmpi.so.40'
}

# foreign TARGET LINKER EMULATION: a library for another machine.
foreign() {
    printf 'ONE { global: *; };\n' > map
    echo 'extern int wanted(void); int given(void) { return wanted(); }' |
        clang "--target=$1" -ffreestanding -fPIC -x c -c -o foreign.o - &&
        "$2" -m "$3" -shared -soname "libforeign-$1.so" -rpath /y --version-script map -o foreign.so foreign.o
}

@test "32 bits, and bytes in the other order" {
    local words target linker emulation class order machine
    cd "$BATS_TEST_TMPDIR"
    [ "$(uname -m)" = x86_64 ] || skip 'its linkers are those of x86-64'
    for words in 'i386-linux-gnu ld elf_i386 32 little i386' \
        'aarch64_be-linux-gnu aarch64-linux-gnu-ld aarch64linuxb 64 big aarch64'; do
        read -r target linker emulation class order machine <<< "$words"
        foreign "$target" "$linker" "$emulation"
        run "$facts" foreign.so
        [ "$output" = "class $class"$'\n'"order $order"$'\n'"machine $machine"$'\ntype dyn\nlinkage library\n'"soname libforeign-$target.so"$'\nrunpath /y' ] ||
            { echo "$output"; return 1; }
        [ "$("$facts" --versions foreign.so)" = 'defined ONE' ]
        "$facts" --defines given foreign.so
        "$facts" --imports wanted foreign.so
        run "$facts" --imports given foreign.so
        [ "$status" -eq 1 ]
    done
}

@test "all symbols are listed with their types" {
    run "$facts" --imports "$fixtures/bin/app"
    [[ $'\n'$output$'\n' == *$'\nfunction MPI_Whose\n'* ]]
    run "$facts" --defines "$fixtures/real/libmpi.so.40"
    [[ $'\n'$output$'\n' == *$'\nfunction PMPI_Init\n'* ]]
    [[ $'\n'$output$'\n' == *$'\nobject ompi_mpi_comm_world\n'* ]]
    [[ $output != *'function puts'* ]]
}

@test "what is no ELF file, or cannot be read, has its own status" {
    echo text > "$BATS_TEST_TMPDIR/text"
    : > "$BATS_TEST_TMPDIR/empty"
    run "$facts" "$BATS_TEST_TMPDIR/text"
    [ "$status" -eq 4 ]
    run "$facts" "$BATS_TEST_TMPDIR/empty"
    [ "$status" -eq 4 ]
    run "$facts" "$BATS_TEST_TMPDIR/none"
    [ "$status" -eq 3 ]
    run "$facts" "$BATS_TEST_TMPDIR"
    [ "$status" -eq 3 ]
    mkfifo "$BATS_TEST_TMPDIR/fifo"
    run timeout 60 "$facts" "$BATS_TEST_TMPDIR/fifo"
    [ "$status" -eq 3 ]
    run "$facts"
    [ "$status" -eq 2 ]
    run "$facts" --defines x y z
    [ "$status" -eq 2 ]
}

@test "what is no regular file is not even opened, by whatever links: a device may do something" {
    cd "$BATS_TEST_TMPDIR"
    command -v strace > /dev/null && strace -o log true || skip "no strace"
    mkfifo fifo
    ln -s fifo libmpi.so.40
    run strace -qq -e trace=open,openat -o log "$facts" libmpi.so.40
    [ "$status" -eq 3 ]
    cat log
    [ "$(grep -c '"libmpi.so.40"' log)" -eq 1 ]
    grep '"libmpi.so.40", O_RDONLY|O_CLOEXEC|O_PATH\|"libmpi.so.40", O_RDONLY|O_PATH' log
    if grep '/proc/self/fd' log; then false; fi
}

@test "a program cut short anywhere in its headers is damaged" {
    local size
    for size in 4 17 63 64 65 100 200 400; do
        head -c "$size" "$fixtures/bin/app" > "$BATS_TEST_TMPDIR/cut"
        run "$facts" "$BATS_TEST_TMPDIR/cut"
        [ "$status" -eq 5 ] || { echo "status $status at $size"; return 1; }
    done
}

@test "no cut makes it crash" {
    local total size status
    total=$(stat -c %s "$fixtures/real/libmpi.so.40")
    for ((size = 0; size < total; size += 509)); do
        head -c "$size" "$fixtures/real/libmpi.so.40" > "$BATS_TEST_TMPDIR/cut"
        status=0
        "$facts" "$BATS_TEST_TMPDIR/cut" > /dev/null 2>&1 || status=$?
        ended_well "$status" "size $size"
        status=0
        "$facts" --defines x "$BATS_TEST_TMPDIR/cut" > /dev/null 2>&1 || status=$?
        ended_well "$status" "size $size"
    done
}

@test "no damaged byte in the headers makes it crash or read out of bounds" {
    command -v valgrind > /dev/null || skip 'valgrind is not installed'
    local offset status dynamic
    dynamic=$(readelf -lW "$fixtures/bin/app" | awk '$1 == "DYNAMIC" { print $2 }')
    for offset in 16 18 32 39 40 47 54 56 57 60 62 72 $((dynamic)) $((dynamic + 8)) \
        $((dynamic + 9)) $((dynamic + 15)) $((dynamic + 24)); do
        cp "$fixtures/bin/app" "$BATS_TEST_TMPDIR/bad"
        printf '\377' | dd of="$BATS_TEST_TMPDIR/bad" bs=1 seek="$offset" conv=notrunc status=none
        status=0
        valgrind -q --error-exitcode=99 "$facts" "$BATS_TEST_TMPDIR/bad" > /dev/null 2>&1 || status=$?
        ended_well "$status" "offset $offset"
    done
}

# claiming FILE SIZE [SYMBOLS]: a program of a few KiB that claims names of SIZE bytes; or one with symbols whose names share their text.
claiming() {
    /usr/bin/python3 - "$@" << 'TEXT'
import os, struct, sys
path, size = sys.argv[1], int(sys.argv[2])
symbols = int(sys.argv[3]) if len(sys.argv) > 3 else 0
names, table = 0x10000, 0x10000 + size + 4096
segments = [(1, 5, 0, names + size + 1), (2, 6, 0x1000, 0x100), (3, 4, 0x2000, 28)]
with open(path, "wb") as file:
    file.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0x4000 if symbols else 0, 0, 64, 56,
                                                      len(segments), 64, 3 if symbols else 0, 0))
    for kind, flags, offset, length in segments:
        file.write(struct.pack("<IIQQQQQQ", kind, flags, offset, offset, offset, length, length, 8))
    file.seek(0x1000)
    file.write(struct.pack("<8q", 1, 1, 5, names, 10, size, 0, 0))
    file.seek(0x2000)
    file.write(b"/lib64/ld-linux-x86-64.so.2\0")
    file.seek(names)
    file.write(b"\0libmpi.so.40\0")
    if symbols:
        file.write(b"A" * (size - 15) + b"\0")
        file.seek(0x4040)
        file.write(struct.pack("<IIQQQQIIQQ", 0, 11, 0, 0, table, 24 * symbols, 2, 0, 8, 24))
        file.write(struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, names, size, 0, 0, 1, 0))
        file.seek(table)
        file.write(struct.pack("<IBBHQQ", 20, 0x12, 0, 0, 0, 0) * symbols)
    file.truncate(max(file.tell(), names + size + 1))
os.chmod(path, 0o755)
TEXT
}

@test "a file that claims more than a file brings costs no memory and no time, and is named" {
    cd "$BATS_TEST_TMPDIR"
    claiming big $((3 << 30))
    claiming shared 60000 100000
    claiming long $((2 << 20)) 100000
    run bash -c 'ulimit -v 1000000; "$0" big' "$facts"
    [ "$status" -eq 5 ]
    [[ $output == *'it has more headers, names and symbols than 256 MiB' ]]
    local name
    for name in shared long; do
        run timeout 300 "$facts" --imports PMPI_Init "$name"
        [ "$status" -eq 5 ]
        [[ $output == *'names of dynamic symbols are too long in all' ]]
    done
    make_installation
    run "$adapter" check ./big
    [[ $output == *'./big is a damaged ELF file'* ]]
    run "$adapter" explain ./shared
    [[ $output == *'not all calls of ./shared are known, as names of dynamic symbols are too long in all; build it again'* ]]
}

# exceeding FILE ENTRIES [TEXT] [RUNPATH]: a library whose dynamic section has so many DT_NEEDED, each with a name of its own; or all with
# one of TEXT bytes; with so many folders in its DT_RUNPATH.
exceeding() {
    /usr/bin/python3 - "$@" << 'END'
import struct, sys
path, entries, text, folders = sys.argv[1], *map(int, (sys.argv[2:] + ["0", "0"])[:3])
names = b"\0" + (b"A" * text + b"\0" if text else b"".join(b"%07d\0" % i for i in range(entries)))
runpath = len(names)
names += b"/x:" * folders + b"\0"
needed = [(1, 1 if text else 1 + 8 * i) for i in range(entries)]
at = 0x1000
size = 16 * (entries + 4)
dynamic = [(5, at + size), (10, len(names)), (29 if folders else 0x6ffffef5, runpath), *needed, (0, 0)]
total = size + len(names)
with open(path, "wb") as file:
    file.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, 2, 64, 0, 0))
    for kind, length in (1, total), (2, size):
        file.write(struct.pack("<IIQQQQQQ", kind, 5, at, at, at, length, length, 8))
    file.seek(at)
    file.write(b"".join(struct.pack("<qQ", *entry) for entry in dynamic) + names)
END
}

# says_limit TEXT OPTION... FILE
says_limit() {
    local text=$1
    shift
    run timeout 100 bash -c 'ulimit -v 1000000; exec "$0" "$@" > /dev/null' "$facts" "$@"
    echo "$*: $status, $output"
    [ "$status" -eq 5 ]
    [ "$output" = "elf-facts: ${*: -1}: $text" ]
}

@test "past each limit a line says which" {
    cd "$BATS_TEST_TMPDIR"
    exceeding fits 4000
    "$facts" fits | grep -c '^needed 000' | grep -x 4000
    exceeding entries 17000
    says_limit 'its dynamic section has more than 16384 entries' entries
    exceeding text 400 30000
    says_limit 'names in its dynamic section are longer than 1 MiB in all' text
    says_limit 'names in its dynamic section are longer than 1 MiB in all' --closure '' '' text
    exceeding libraries 5000
    says_limit 'it needs more than 4096 libraries' --closure '' '' libraries
    exceeding places 4000 0 20000
    says_limit 'its libraries are looked for in too many places' --closure '' '' places
}

@test "without headers of sections the dynamic section tells the symbols" {
    cd "$BATS_TEST_TMPDIR"
    $cc -shared -fPIC -o whole.so -x c - <<< 'int MPI_One(void) { return 1; } extern int two(void); int MPI_Three(void) { return two(); }'
    /usr/bin/python3 - << 'END'
data = bytearray(open("whole.so", "rb").read())
data[0x28:0x30] = bytes(8)
data[0x3c:0x40] = bytes(4)
open("bare.so", "wb").write(data)
END
    for option in --defines --imports; do
        "$facts" "$option" bare.so | grep -E ' (MPI_|two)' | sort > bare
        "$facts" "$option" whole.so | grep -E ' (MPI_|two)' | sort > whole
        [ -s whole ]
        cmp whole bare
    done
}
