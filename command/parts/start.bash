# SPDX-License-Identifier: BSD-3-Clause
# One function starts the programs that this command finds: launchers, compilers, container tools, probes. Its own tools (elf-facts,
# explain, the system's by PATH) are called directly. tests/command/trust.bats lists what each subcommand executed.

# may_start: whether this subcommand may start what it finds. Others examine files, and nothing of these runs, so that
# anybody may be asked about a tree or a program of a stranger's.
may_start() {
    [[ -z $only_looks ]] || return
    case $command in
    run | exec | shell | shim | container | build) ;;
    doctor) [[ ${#trees[@]} -eq 0 ]] ;;
    *) return 1 ;;
    esac
}

# start_program COMMAND...: starts it, and returns its exit status.
start_program() {
    may_start || die "mpi-adapter $command starts no program, and was about to start $1" 'report this fault'
    "$@"
}

# said_by COMMAND...: what it writes to stdout within 20 seconds: no more than tells a launcher or a compiler.
said_by() { start_program timeout 20 "$@" < /dev/null | head -c 65536 | tr -d '\0'; }

declare -A launcher_said=()

# launcher_says FILE: sets REPLY to its answer to --version. This command, which a script of that name may start, answers that it was asked.
launcher_says() {
    [[ -n ${launcher_said[$1]+set} ]] || launcher_said[$1]=$(MPI_ADAPTER_ASKED=1 said_by "$1" --version 2>&1)
    REPLY=${launcher_said[$1]}
}

# answer_asked: ends where another of our commands asks what would be started: it must not start itself.
answer_asked() {
    [[ -n ${MPI_ADAPTER_ASKED-} ]] || return 0
    case $command in
    run | exec | shell | shim | container) put 'mpi-adapter was asked\n'; exit 0 ;;
    esac
}

# leads_back FILE: whether what is called as a launcher starts this command: a launcher of `shell` in another place, or a script.
leads_back() {
    script_text "$1"
    [[ -n $REPLY ]] || return
    if ! may_start; then
        [[ $REPLY == *mpi-adapter* ]]
        return
    fi
    # Launchers of batch systems do not all tell their version.
    [[ $REPLY == *mpi-adapter* ]] || { ! batch_of_name "$1" && ! kind_of_file "$1"; } || return
    launcher_says "$1"
    [[ $REPLY == *'mpi-adapter was asked'* ]]
}

# find_launcher NAME: as find_in_path, past what leads back here.
find_launcher() {
    local file files=()
    if [[ $1 == */* ]]; then
        find_in_path "$1"
        return
    fi
    mapfile -t files < <(type -aP -- "$1")
    for file in "${files[@]}"; do
        ! leads_back "$file" || continue
        REPLY=$file
        [[ $REPLY == */* ]] || REPLY=./$REPLY
        return
    done
    REPLY=''
    return 1
}

# ask COMMAND...: sets answers to what a program of the command's own answers: keys and values in turn, each with a null byte behind it. What
# it has for the user is said; a problem is left in problem. Fails with the program.
ask() {
    local all key status=1
    # The status comes behind the answer, as `wait` may not know a process substitution any more. Bash says nothing of a program that a
    # signal ended.
    mapfile -t -d '' all < <({ ("$@") 2>&4 4>&-; printf 'status\0%s\0' "$?"; } 4>&2 2> /dev/null)
    answers=() problem=''
    set -- "${all[@]}"
    while [[ $# -gt 1 ]]; do
        key=$1
        case $key in
        said) say "$2" ;;
        note) note "$2" ;;
        usage) usage_error "$2" ;;
        problem) problem=$2 ;;
        status) status=$2 ;;
        *) answers+=("$key" "$2") ;;
        esac
        shift 2
    done
    return "$status"
}

# script_text FILE: sets REPLY to the first part of a script; to nothing for any other file.
script_text() {
    REPLY=''
    ! starts_as_script "$1" || REPLY=$(head -c 65536 -- "$1" 2> /dev/null | tr -d '\0')
}

# kind_of_file FILE: sets REPLY to the kind of a launcher, by the libraries that it needs or what is written in it. Fails if nothing
# tells, or several kinds are named.
kind_of_file() {
    local name text texts library found=''
    script_text "$1"
    text=$REPLY
    for name in "${implementation_names[@]}"; do
        IFS=, read -r -a texts <<< "${implementation_facts[$name.says]-}"
        [[ -n ${texts[*]} ]] || continue
        if [[ -n $text ]]; then
            has_any_text "$text" "${texts[@]}" || continue
        else
            is_launcher_of "$1" "$name" "${texts[@]}" || continue
        fi
        [[ -z $found || $found == "${implementation_facts[$name.launcher]}" ]] || return
        found=${implementation_facts[$name.launcher]}
    done
    REPLY=$found
    [[ -n $found ]]
}

# has_any_text TEXT PART...
has_any_text() {
    local part
    for part in "${@:2}"; do
        [[ $1 != *"$part"* ]] || return 0
    done
    return 1
}

# is_launcher_of FILE IMPLEMENTATION TEXT...: whether an ELF file needs a library that only this implementation has, or holds what its
# launchers say.
is_launcher_of() {
    local file=$1 mark text
    for mark in ${implementation_facts[$2.marks]-}; do
        [[ $mark == *.so* ]] || continue
        ! has_mark "$file" "$mark" || return 0
    done
    for text in "${@:3}"; do
        ! "$elf_facts" --contains "$text" "$file" 2> /dev/null || return 0
    done
    return 1
}
