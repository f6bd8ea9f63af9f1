# SPDX-License-Identifier: BSD-3-Clause
# Completion in bash and zsh.

load real_mpis

setup() {
    clean_environment
    cd "$BATS_TEST_TMPDIR"
    touch program input.dat
    chmod +x program
}

# complete_bash WORD...: what the last word may become.
complete_bash() {
    run bash -c '
        . "$0"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _mpi_adapter
        printf "%s\n" "${COMPREPLY[@]}"' "$top/command/completion/mpi-adapter.bash" "$adapter" "$@"
}

offers() {
    local word
    for word; do
        grep -qxF -- "$word" <<< "$output" || { echo "no $word in: $output"; return 1; }
    done
}

@test "bash: commands, options, files" {
    complete_bash ''
    offers run exec container env list explain doctor build splice --version
    complete_bash e
    [ "$output" = $'exec\nenv\nexplain' ]
    complete_bash run --l
    [ "$output" = $'--launcher\n--launcher-arg' ]
    complete_bash run -n 2 ./p
    [ "$output" = ./program ]
    complete_bash run ./program in
    [ "$output" = input.dat ]
    complete_bash run ./program --l
    [ -z "$output" ]
}

@test "bash: launchers, programs and files behind --, too" {
    local words
    for words in 'exec -- mpiexec.m' 'exec mpiexec.m' 'run -- mpiexec.m' 'run -n 2 -- mpiexec.m' 'exec -- timeout 10 mpiexec.m'; do
        # shellcheck disable=SC2086  # words are wanted
        complete_bash $words
        offers mpiexec.mpich
    done
    for words in 'exec -- mpiexec.mpich -n 2 ./p' 'exec mpiexec.mpich ./p' 'run -- ./p' 'exec -- ./p' 'env -- ./p' 'explain -- ./p' \
        'container ./image -- ./p'; do
        # shellcheck disable=SC2086  # words are wanted
        complete_bash $words
        [ "$output" = ./program ]
    done
    # No option of this command's stands there any more.
    complete_bash exec -- --l
    [ -z "$output" ]
}

@test "bash: every option that a help names is offered" {
    local name option
    for name in run container env list explain doctor build splice; do
        complete_bash "$name" --
        for option in $("$adapter" "$name" --help | grep -oE -- '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
            offers "$option"
        done
    done
}

@test "bash: values of options, with the names of pairs for one MPI" {
    complete_bash run --from o
    [ "$output" = openmpi ]
    mkdir -p pairs
    cp -r "$home/openmpi-to-mpich" pairs/openmpi-to-mpich@4.2.1
    echo 'name = 4.2.1' >> pairs/openmpi-to-mpich@4.2.1/pair.conf
    MPI_ADAPTER_PATH=$PWD/pairs complete_bash run --to mpich
    offers mpich mpich@4.2.1
    complete_bash run --launcher mpiexec.m
    offers mpiexec.mpich
    complete_bash build --host mpicc.o
    offers mpicc.openmpi
}

# complete_zsh TYPED WORD: what is typed and a tab become a line that has the word.
complete_zsh() {
    # -D: with -d, compinit would rename its dump over whatever it is given, as root even a device.
    # Keys that are typed ahead wait for the editor; zpty -r waits for the pattern.
    run timeout 300 zsh -f -c '
        zmodload zsh/zpty
        zpty shell "PATH=$2:\$PATH zsh -f -i"
        zpty -w shell "fpath=(\"$1\" \$fpath); autoload -Uz compinit; compinit -u -D"
        zpty -w -n shell "mpi-adapter $3"$'\''\t'\''
        zpty -r shell text "*$4*" && print -r -- "$text"
    ' zsh "$top/command/completion" "$build/bin" "$1" "$2"
    echo "$1: status $status: $output"
    [ "$status" -eq 0 ]
    [[ $output == *"$2"* ]]
}

@test "zsh: options, subcommands, ABIs, launchers and programs, behind -- and in launch lines, too" {
    local words
    command -v zsh > /dev/null || skip 'zsh is not installed'
    zsh -n "$top/command/completion/_mpi-adapter"
    complete_zsh 'explain --js' --json
    complete_zsh spli splice
    complete_zsh 'help spli' splice
    complete_zsh 'run --from mpia' mpiabi
    for words in 'exec mpiexec.mp' 'exec -- mpiexec.mp' 'run --launcher mpiexec.mp' 'exec -- mpifort.openmpi -n 2 mpiexec.mp' 'run -- mpiexec.mp'; do
        complete_zsh "$words" mpiexec.mpich
    done
}

@test "bash: ABIs are those that the command knows" {
    for option in --from --to; do
        complete_bash run "$option" ''
        offers mpiabi mpich openmpi
    done
    mkdir -p pairs
    cp -r "$home/openmpi-to-mpich" pairs/openmpi-to-mpich@4.2.1
    echo 'name = 4.2.1' >> pairs/openmpi-to-mpich@4.2.1/pair.conf
    MPI_ADAPTER_PATH=$PWD/pairs complete_bash run --from ''
    [[ $output != *@* ]]
}
