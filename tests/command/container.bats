# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter container: what is refused before it looks into an image, and elf-facts' versions of symbols.

load false_mpis

# The tests use none of the machine's own container tools.
setup_file() {
    make_fixtures
    make_machine
}

setup() {
    make_installation
    make_own_launchers
    cd "$BATS_TEST_TMPDIR"
    mkdir folder
    touch program.sif
    PATH=$bin:$fixtures/bin:$BATS_FILE_TMPDIR/machine
}

# make_tool NAME VERSION_TEXT
make_tool() {
    printf '#!/bin/bash\n[ "$1" != --version ] || { echo "%s"; exit; }\necho "%s: $*" | cut -c 1-60 >&2\nexit 125\n' "$2" "$1" > "$bin/$1"
    chmod +x "$bin/$1"
}

refused() {
    run --separate-stderr "$adapter" container "${@:3}"
    fails_with "$1" "$2"
}

@test "without an image or a program, usage says so" {
    refused 2 'no image is given'
    refused 2 'no program is given' program.sif
    refused 2 'no program is given' program.sif --
    refused 2 "unknown option '--ranks'" --ranks 2 program.sif -- /app
    refused 2 '--tool has an empty value' --tool '' program.sif -- /app
}

@test "an image that is not there" {
    refused 1 './nothing: no such image' ./nothing -- /app
    refused 1 'nothing.sif: no such image' nothing.sif -- /app
}

@test "no tool, and one that is none, or takes no such image" {
    refused 1 'neither podman nor docker; install one' name -- /app
    refused 1 'neither apptainer nor singularity' program.sif -- /app
    refused 1 'neither apptainer, singularity nor podman' ./folder -- /app
    refused 1 'the tool none is missing' --tool none name -- /app
    make_tool podman 'podman version 4.3.1'
    make_tool docker 'Docker version 20.10.24'
    make_tool apptainer 'a program of this name'
    refused 1 'starts no file such as program.sif' --tool podman program.sif -- /app
    refused 1 'starts no folder such as ./folder' --tool docker ./folder -- /app
    refused 1 "don't know how to drive" program.sif -- /app
}

@test "the tool is the first that takes the image, and says itself why it does not start" {
    local words
    make_tool singularity 'singularity-ce version 4.1.0'
    make_tool podman 'podman version 4.3.1'
    make_tool docker 'podman version 4.3.1'
    for words in 'singularity program.sif' 'singularity ./folder' 'podman name' 'singularity docker://name' \
        'podman localhost/name'; do
        run --separate-stderr "$adapter" container "${words#* }" -- /app
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $stderr == "${words%% *}: "*"mpi-adapter: $bin/${words%% *} cannot start anything in ${words#* }; see what it says"* ]]
    done
    # A folder or a file of that name has to be given with a slash.
    run --separate-stderr "$adapter" container folder -- /app
    [ "$status" -eq 1 ]
    [[ ${stderr_lines[-1]} == "mpi-adapter: $bin/podman cannot start an image called folder; for the file or folder of this name, give ./folder" ]]
    # By what it says of itself, whatever it is called.
    run --separate-stderr "$adapter" container --tool docker ./folder -- /app
    [[ $stderr == 'docker: run --rm '* ]]
}

@test "elf-facts tells the versions of symbols, and those that nobody has" {
    local facts=$build/tools/elf-facts own=$BATS_TEST_TMPDIR
    make_library "$own/new/libv.so.1" libv.so.1 'int v(void) { return 0; } int w(void) { return 0; }' \
        -Wl,--version-script=<(echo 'V_1 { v; }; V_2 { w; } V_1;')
    make_library "$own/old/libv.so.1" libv.so.1 'int v(void) { return 0; }' -Wl,--version-script=<(echo 'V_1 { v; };')
    make_library "$own/plain/libv.so.1" libv.so.1 'int v(void) { return 0; }'
    compile "$own/user" "$own/new/libv.so.1" <<< 'int v(void), w(void); int main(void) { return v() + w(); }'
    run "$facts" --versions "$own/new/libv.so.1"
    [[ $output == *'defined V_1'*'defined V_2'* ]]
    run "$facts" --versions "$own/user"
    [[ $output == *'needed libv.so.1 V_2'* ]]
    [ -z "$("$facts" --unmet "$own/new" '' "$own/user")" ]
    [ "$("$facts" --unmet "$own/old" '' "$own/user")" = "$own/user"$'\t'"$own/old/libv.so.1"$'\t'V_2 ]
    # The loader takes a library that has no versions at all, or is not there, for another matter.
    [ -z "$("$facts" --unmet "$own/plain" '' "$own/user")" ]
    [ -z "$("$facts" --unmet '' '' "$own/user")" ]
}

# answering END WORD...: a tool that writes the words for an answer, with a null between and END behind, and ends well.
answering() {
    printf '%s\0' "${@:2}" | head -c -1 > "$bin/answer"
    printf "$1" >> "$bin/answer"
    printf '#!/bin/bash\n[ "$1" != --version ] || { echo podman; exit; }\ncat %q\n' "$bin/answer" > "$bin/podman"
    chmod +x "$bin/podman"
}

# The words that an image might write instead of an answer's.
evil_words() {
    evil=("look_tools[\$(touch $canary)]+" "look_tools[\$(touch $canary)]" "\$(touch $canary)" "x=\$(touch $canary)" "--entrypoint=touch $canary" "0]=\$(touch $canary)"
        $'a\nb' $'\e[2J' '' '*' 0 1)
}

@test "what an image writes is no command of this machine's, whatever it is" {
    local canary=$BATS_TEST_TMPDIR/canary word i end
    evil_words
    for word in "${evil[@]}"; do
        for i in 0 1 2 3 5 7 9; do
            words=(inside yes program /app abi openmpi variables A leave)
            words=("${words[@]:0:i}" "$word")
            for end in '\0' ''; do
                answering "$end" "${words[@]}"
                run --separate-stderr timeout 600 "$adapter" container --print name -- /app
                [ ! -e "$canary" ]
                fails_with 1
            done
        done
    done
}

@test "an answer without end is not waited for" {
    printf '#!/bin/bash\n[ "$1" != --version ] || { echo podman; exit; }\nexec yes inside\n' > "$bin/podman"
    chmod +x "$bin/podman"
    run --separate-stderr timeout 600 "$adapter" container --print name -- /app
    [ "$status" -eq 1 ]
    [ -z "$output" ]
}
