# SPDX-License-Identifier: BSD-3-Clause
# Files that are no such file as the command expects: each is said in a line of the command's, and none is waited for.

load false_mpis

setup_file() {
    make_fixtures
}

setup() {
    make_installation
    make_own_launchers
    : > "$pair/procedures.conf"
    cd "$BATS_TEST_TMPDIR"
    cp "$fixtures/bin/app" app
    mkfifo fifo
    chmod +x fifo
    truncate -s 1T sparse
    head -c 100000 /dev/zero > nulls
    printf '\177ELF' > magic
    head -c 64 app > headers
    head -c 3000 app > half
    { printf '#!'; head -c 5000 /dev/zero; } > hashbang
    printf '#!\n' > empty-hashbang
    printf '#! \t /usr/bin/env\n' > env
    printf '#!/usr/bin/env -S A=1\n' > env-only
    printf '#!%s/loop\n' "$PWD" > loop
    printf '#!%s/fifo\n' "$PWD" > piped
    : > empty
    mkdir folder
    ln -s link link
    ln -s /dev/zero zero
    chmod +x sparse nulls magic headers half hashbang empty-hashbang env env-only loop piped empty
    odd=(fifo sparse nulls magic headers half hashbang empty-hashbang env env-only loop piped empty folder link zero /dev/null)
}

# complains WORD...: in lines of its own, in time, with an exit status of the manual's.
complains() {
    run --separate-stderr timeout 300 "$adapter" "$@"
    echo "$*: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 1 ] || return 1
    [ -n "$stderr" ] || return 1
    ! grep -v '^mpi-adapter: .*; ' <<< "$stderr"
}

@test "programs" {
    local file words
    for file in "${odd[@]}"; do
        [[ $file == /* ]] || file=./$file
        for words in run env explain 'explain --json' 'run --from openmpi' 'exec mpiexec.fakempich'; do
            # shellcheck disable=SC2086  # words are wanted
            complains $words "$file"
        done
    done
}

@test "settings" {
    local file
    for file in fifo sparse zero folder; do
        MPI_ADAPTER_CONFIG=$PWD/$file complains list
        MPI_ADAPTER_CONFIG=$PWD/$file complains run ./app
        [[ $stderr == *"$PWD/$file is "* ]]
    done
    # Bytes of null are nothing to a shell; no line is of this form.
    MPI_ADAPTER_CONFIG=$PWD/half complains run ./app
    MPI_ADAPTER_CONFIG=/dev/null:$PWD/empty:$PWD/nothing:$PWD/link "$adapter" run ./app
}

@test "what describes a pair" {
    local file
    for file in fifo sparse folder half nulls zero; do
        rm -rf "$pair/pair.conf"
        cp -a "$file" "$pair/pair.conf"
        complains run ./app
        complains doctor || [ "$status" -eq 1 ]
        LD_LIBRARY_PATH=$pair:$LD_LIBRARY_PATH complains run ./app
    done
}

@test "an MPI's library" {
    local file library=$BATS_TEST_TMPDIR/host/libfakempich.so.12
    mkdir host
    for file in fifo sparse nulls magic headers empty folder zero; do
        rm -rf "$library"
        cp -a "$file" "$library"
        LD_LIBRARY_PATH=$PWD/host MPI_ADAPTER_HOST=mpich complains run ./app
        MPI_ADAPTER_HOST_LIBRARY=$library complains run ./app
        LD_LIBRARY_PATH=$PWD/host timeout 300 "$adapter" list > output 2>&1
        grep -q 'libfakempich.so.12' output
    done
}

@test "a library whose end is missing" {
    local size file
    mkdir host
    cp "$fixtures/host/libfakempich.so.12" host.so
    # The compiler wrote the bytes that follow the segments.
    size=$(($(readelf -lW host.so | sed -n 's/^ *LOAD *\(0x[0-9a-f]*\) *0x[0-9a-f]* *0x[0-9a-f]* *\(0x[0-9a-f]*\) .*/\1 + \2/p' | tail -n 1)))
    for file in 70 700 1000 3000 5000 8000 12000 $((size - 1)); do
        head -c "$file" "$fixtures/host/libfakempich.so.12" > host/libfakempich.so.12
        LD_LIBRARY_PATH=$PWD/host MPI_ADAPTER_HOST=mpich complains run ./app
        [ "$file" -lt $((size - 1)) ] || [[ $stderr == *"libfakempich.so.12 is damaged"* ]]
        head -c "$file" "$fixtures/adapter/libmpi.so.40" > "$pair/libmpi.so.40"
        timeout 300 "$adapter" explain ./app > output 2>&1 || [ $? -eq 1 ]
        cp "$fixtures/adapter/libmpi.so.40" "$pair/"
    done
}

@test "launchers, and what they write" {
    local file
    for file in "${odd[@]}"; do
        # These start themselves for ever, and are ended after 20 seconds.
        [[ $file != env* ]] || continue
        [[ $file == /* ]] || file=$PWD/$file
        complains run --launcher "$file" ./app
    done
    # None says that it is one.
    for file in 'yes' 'head -c 100000 /dev/zero' 'cat /dev/zero | head -c 1000000' 'printf "\\e[2J\\0\\377"' 'kill -SEGV $$' 'exit 77'; do
        printf '#!/bin/bash\n%s\n' "$file" > "$bin/mpiexec.fakempich"
        chmod +x "$bin/mpiexec.fakempich"
        complains run --launcher mpiexec.fakempich ./app
    done
}

@test "an MPI's header and compiler" {
    local file
    mkdir -p site/include site/lib site/bin
    cp "$fixtures/host/libfakempich.so.12" site/lib/
    for file in fifo sparse nulls half folder zero; do
        rm -rf site/include/mpi.h
        cp -a "$file" site/include/mpi.h
        complains build --host "$PWD/site" --prefix "$PWD/to"
    done
    for file in yes 'cat /dev/zero'; do
        printf '#!/bin/bash\nexec %s\n' "$file" > site/bin/mpicc
        chmod +x site/bin/mpicc
        complains build --host "$PWD/site" --prefix "$PWD/to"
    done
}

@test "sources that claim any size, or never end" {
    # Files of packages are a stranger's.
    mkdir packages packages/mpi4py
    ln -s ../../sparse packages/mpi4py/__init__.py
    ln -s ../sparse packages/numpy.py
    printf '#!/usr/bin/env python3\nimport mpi4py, numpy\n' > script.py
    chmod +x script.py
    PYTHONPATH=$PWD/packages run timeout 300 "$adapter" check ./script.py
    [ "$status" -ne 124 ]
}
