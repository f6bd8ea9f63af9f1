# SPDX-License-Identifier: BSD-3-Clause
# A recording of starts sees whatever comes of a start, and the start does not see the recording.

bats_require_minimum_version 1.5.0

setup() {
    starts=$BATS_TEST_DIRNAME/starts
    cd "$BATS_TEST_TMPDIR"
}

# make_command FOLDER: looks for its line, says what it does, and becomes the line, with a variable of its own.
make_command() {
    mkdir -p "$1/bin" "$1/lib/mpi-adapter"
    cat > "$1/bin/mpi-adapter" <<'END_OF_COMMAND'
#!/usr/bin/env bash
echo 'looked at nothing' | cat >&2
case $1 in
list) echo listed; exit 3 ;;
killed) kill -TERM $$ ;;
esac
[ -z "${SIDE-}" ] || set -- "$@" "$SIDE"
export MADE=here
exec env OTHER=there /bin/echo line "$@"
END_OF_COMMAND
    chmod +x "$1/bin/mpi-adapter"
}

# make_recorder FOLDER SETTINGS: a folder as starts.py makes one, with the command in its build folder.
make_recorder() {
    mkdir -p "$1/records" "$1/build"
    cp "$starts/start" "$1/"
    echo "$2" > "$1/settings.json"
    make_command "$1/build"
    adapter=$PWD/$1/build/bin/mpi-adapter
}

finish_recorder() {
    sed -i "1s,^#!,#!$PWD/$1/start ," "$adapter"
}

# record FOLDER [SED_SCRIPT]: records a run and a list in FOLDER/recording, of a command that the script has changed.
record() {
    make_recorder "$1" '{"compares": false, "old": "", "new": "", "old_with": [], "new_with": []}'
    sed -i "${2-}" "$adapter"
    finish_recorder "$1"
    "$adapter" run a 'b c' > /dev/null
    # Its own status is among what is recorded.
    "$adapter" list > /dev/null || [ "$?" -ge 3 ]
    "$starts/starts.py" gather "$1" "$1/recording"
}

# differs WHAT SED_SCRIPT: a recording of the changed command differs from the first one in that.
differs() {
    rm -rf changed
    record changed "$2"
    run "$starts/starts.py" differences first/recording changed/recording
    echo "$1: $output"
    [ "$status" -eq 1 ]
    [[ $output == *"    $1: "* ]]
    [[ $output == *'1 starts differ in 1 facts'* ]]
}

@test "two recordings of the same starts are equal" {
    record first
    record second
    run "$starts/starts.py" differences first/recording second/recording
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(cat first/recording/*.starts | wc -l)" -eq 2 ]
    grep -F '"words": ["/bin/echo", "line", "run", "a", "b c"], "folder": "TEST", "environment": {"MADE": "here", "OTHER": "there"}' first/recording/*.starts
}

@test "another line, variable, exit status and message are seen" {
    record first
    differs words 's,echo line,echo another,'
    differs 'variable MADE' 's,MADE=here,MADE=elsewhere,'
    differs 'variable OTHER' 's,OTHER=there,OTHER=elsewhere,'
    differs status 's,exit 3,exit 4,'
    differs stdout 's,echo listed,echo nothing,'
    differs stderr 's,^echo .looked,[ "$1" = list ] || &,'
}

@test "a start that is missing is seen" {
    record first
    record second
    sed -i 1d second/recording/*.starts
    run "$starts/starts.py" differences first/recording second/recording
    [ "$status" -eq 1 ]
    [[ $output == *'start: there'*'none'* ]]
}

@test "two commands are compared at each start, and the line of the first one is not started" {
    make_recorder sides '{"compares": true, "old": "", "new": "", "old_with": ["SIDE=> once"], "new_with": []}'
    sed -i 's,^exec .*,exec bash -c "echo started >> lines" "$@",' "$adapter"
    finish_recorder sides
    "$adapter" run a
    "$adapter" list > /dev/null || [ $? -eq 3 ]
    [ "$(cat lines)" = started ]
    "$starts/starts.py" gather sides recording
    run "$starts/starts.py" sides recording
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"words: bash -c 'echo started >> lines' run a '> once'"* ]]
    [[ $output == *'1 starts differ in 1 facts'* ]]
}

@test "the command of another build has the files of an installation, but those that a test has changed" {
    [ "$(id -u)" -eq 0 ] && unshare -m true || skip 'only root can mount another command'
    make_command old
    sed -i 's,^export .*,read -r table < "${0%/*}/../lib/mpi-adapter/table"; read -r pair < "${0%/*}/../lib/mpi-adapter/pair/conf"; set -- "$@" "$table" "$pair",' old/bin/mpi-adapter
    make_recorder sides "{\"compares\": true, \"old\": \"$PWD/old\", \"new\": \"$PWD/plain\", \"old_with\": [], \"new_with\": []}"
    cp old/bin/mpi-adapter "$adapter"
    mkdir "${adapter%/bin/*}/lib/mpi-adapter/pair"
    echo mine > "${adapter%/bin/*}/lib/mpi-adapter/pair/conf"
    echo new > "${adapter%/bin/*}/lib/mpi-adapter/table"
    echo old > old/lib/mpi-adapter/table
    finish_recorder sides
    cp -r "${adapter%/bin/*}" plain
    "$adapter" run
    echo changed > "${adapter%/bin/*}/lib/mpi-adapter/table"
    "$adapter" run
    "$starts/starts.py" gather sides recording
    run "$starts/starts.py" sides recording
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *'words: /bin/echo line run old mine'*'→ /bin/echo line run new mine'* ]]
    [[ $output == *'1 starts differ in 1 facts'* ]]
}

@test "a recorded start has the arguments, environment, outputs and end that it has otherwise" {
    record first
    run --separate-stderr "$adapter" run '' '*' $'a\nb'
    [ "$output" = $'line run  * a\nb' ]
    [ "$stderr" = 'looked at nothing' ]
    run -143 "$adapter" killed
    run --separate-stderr -3 env -i "$adapter" list
    [ "$output" = listed ]
    sed -i 's,^echo .*,tr "\\0" "\\n" < /proc/$$/environ; exit,' "$adapter"
    [ "$(env -i A=1 B= "$adapter" | grep -v '^_=')" = $'A=1\nB=' ]
    sed -i 's,^tr .*,cat; echo "$PPID $$" >\&2; exit,' "$adapter"
    [ "$(echo typed | "$adapter" 2> /dev/null)" = typed ]
    sed -i 's,^cat; .*,[ ! -e /proc/$$/fd/1 ] \&\& [ ! -e /proc/$$/fd/2 ]; exit,' "$adapter"
    run -0 bash -c '"$0" >&- 2>&-' "$adapter"
    mkdir gone
    run -0 bash -c 'cd gone && rmdir ../gone && "$0" >&- 2>&-' "$adapter"
    sed -i 's,^\[.*,sleep 0.3 \& exit,' "$adapter"
    run -0 "$adapter"
}
