# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter check, and the answers in JSON of check, list and doctor.

load false_mpis

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
    [ "$(value 'sorted(answer["programs"][1])')" = "['abi', 'also_on', 'host', 'launcher', 'library', 'may_differ', 'missing', 'pair', 'problem', 'program', 'runs', 'to_do']" ]
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
