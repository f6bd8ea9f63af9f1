# SPDX-License-Identifier: BSD-3-Clause
# The MPI that an interpreter or a script will load: found in the files that it would read, by the table of interpreters.
# Nothing of them runs.

interpreter_names=()
declare -A interpreter_facts=()
late_words=()               # what the program is started with
late_abis=()                # the ABIs that it may load, each once
declare -A late_files=()    # ABI -> a file that needs it
late_looks=300              # at how many more files it is looked
late_folders=()             # where packages are, the first one counts
declare -A late_packages=() # those that were looked at

# interpreter_of_name FILE...: sets interpreter to the first that has the name of one, or fails.
interpreter_of_name() {
    local file word words
    [[ ${#interpreter_names[@]} -gt 0 ]] || read_table "$home/interpreters" interpreter_facts interpreter_names
    for file; do
        for interpreter in "${interpreter_names[@]}"; do
            read -r -a words <<< "${interpreter_facts[$interpreter.commands]}"
            for word in "${words[@]}"; do
                # shellcheck disable=SC2053  # a pattern
                [[ ${file##*/} != $word ]] || return 0
            done
        done
    done
    return 1
}

# note_late_abi FILE: if an MPI library is among what FILE needs.
note_late_abi() {
    local name subject=$1
    [[ $late_looks -gt 0 ]] || return 0
    late_looks=$((late_looks - 1))
    trace "$1" "${LD_LIBRARY_PATH-}" '' || return 0
    for name in "${trace_names[@]}"; do
        if is_contested "$name"; then other_names+=("$name"); else abi_of_soname "$name" || continue; fi
        has_word "$REPLY" "${late_abis[*]}" || late_abis+=("$REPLY")
        late_files[$REPLY]=${late_files[$REPLY]-$1}
        return
    done
}

# ---------------------------------------------------------------- packages

# add_folders BASE PATTERNS NAME: those that are there.
add_folders() {
    local pattern folder patterns
    read -r -a patterns <<< "${2//@/$3}"
    for pattern in "${patterns[@]}"; do
        while read -r folder; do
            [[ ! -d $folder ]] || late_folders+=("$folder")
        done < <(compgen -G "${1%/}/$pattern")
    done
}

# is_environment PREFIX: whether the interpreter has an environment of packages there, and adds these; sets apart to whether it has
# no others.
is_environment() {
    local lines=() line file advice problem
    read -r file advice <<< "${interpreter_facts[$interpreter.apart]-}"
    [[ -n $file && -e $1/$file ]] || return
    add_folders "$1" "${interpreter_facts[$interpreter.folders]}" "$2"
    apart=yes
    read_lines "$1/$file" '' || return 0
    for line in "${lines[@]}"; do
        [[ ${line,,} != "$advice" ]] || apart=no
    done
}

# find_late_folders FILE SCRIPT: sets late_folders to those of the interpreter FILE, in the order in which it looks.
find_late_folders() {
    local name items folder real prefix apart=no
    real=$(readlink -e -- "$1")
    prefix=$(cd -- "${1%/*}/.." && pwd -P)
    late_folders=()
    folder=.
    [[ $2 != */* ]] || folder=${2%/*}/
    [[ -z ${interpreter_facts[$interpreter.beside]-} ]] || late_folders+=("$folder")
    for name in ${interpreter_facts[$interpreter.variables]-}; do
        split_colons "${!name-}"
        for folder in "${items[@]}"; do
            [[ ! -d $folder ]] || late_folders+=("$folder")
        done
    done
    is_environment "$prefix" "${real##*/}" || true
    [[ $apart == no ]] || return 0
    [[ -z ${HOME-} ]] || add_folders "$HOME" "${interpreter_facts[$interpreter.home]-}" "${real##*/}"
    add_folders "$prefix" "${interpreter_facts[$interpreter.folders]}" "${real##*/}"
    add_folders "${real%/*/*}/" "${interpreter_facts[$interpreter.folders]}" "${real##*/}"
}

# files_of_package FOLDER NAME KEY: sets files to what the table has under KEY.
files_of_package() {
    local pattern patterns file
    files=()
    read -r -a patterns <<< "${interpreter_facts[$interpreter.$3]-}"
    for pattern in "${patterns[@]}"; do
        while read -r file; do
            [[ ! -f $file ]] || files+=("$file")
        done < <(compgen -G "$1/${pattern//NAME/"$2"}")
    done
}

# names_in WORD...: sets names to what may be packages in what grep says with these words.
names_in() {
    names=()
    type -P grep > /dev/null || return 0
    mapfile -t names < <(grep -ahoE -e "${interpreter_facts[$interpreter.imports]}" "$@" 2> /dev/null | head -c 1000000 |
        tr -cs 'A-Za-z0-9_\n' '\n' | sort -u)
}

# look_at_package NAME: at its modules, and the packages that it imports, where the interpreter finds it first.
look_at_package() {
    local folder files file names modules
    [[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]*$ && -z ${late_packages[$1]-} ]] || return 0
    late_packages[$1]=yes
    for folder in "${late_folders[@]}"; do
        files_of_package "$folder" "$1" modules
        for file in "${files[@]}"; do
            note_late_abi "$file"
        done
        modules=${#files[@]}
        files_of_package "$folder" "$1" sources
        if [[ ${#files[@]} -gt 0 ]]; then
            names_in -- "${files[@]}" < /dev/null
            look_at_imports "${names[@]}"
        fi
        [[ $modules -eq 0 && ${#files[@]} -eq 0 ]] || return 0
    done
}

look_at_packages() {
    local name
    for name; do
        [[ $late_looks -gt 0 ]] || return 0
        look_at_package "$name"
    done
}

# look_at_imports NAME...: at packages that one file imports. One that mostly loads MPI settles it.
look_at_imports() {
    local name first=()
    for name in ${interpreter_facts[$interpreter.usual]-}; do
        ! has_word "$name" "$*" || first+=("$name")
    done
    look_at_packages "${first[@]}"
    [[ ${#first[@]} -gt 0 && ${#late_abis[@]} -gt 0 ]] || look_at_packages "$@"
}

# script_among WORD...: sets REPLY to the first that is a file; --file=NAME is one, too.
script_among() {
    for REPLY; do
        [[ $REPLY != -*=* ]] || REPLY=${REPLY#*=}
        [[ ! -f $REPLY || ! -r $REPLY ]] || return 0
    done
    REPLY=''
    return 1
}

# named_by_option WORD...: adds the values of options for packages to names.
named_by_option() {
    local option=''
    for REPLY; do
        ! has_word "$option" "${interpreter_facts[$interpreter.module]-}" || names+=("${REPLY%%.*}")
        option=$REPLY
    done
}

# interpreter_loads FILE WORD...: what this interpreter will load with these words.
interpreter_loads() {
    local script names usual
    script_among "${@:2}" || true
    script=$REPLY
    find_late_folders "$1" "$script"
    if [[ -n $script ]]; then
        names_in -- "$script" < /dev/null
    else
        names_in <<< "$(printf '%s\n' "${@:2}")"
    fi
    named_by_option "${@:2}"
    look_at_imports "${names[@]}"
    read -r -a usual <<< "${interpreter_facts[$interpreter.usual]-}"
    [[ ${#late_abis[@]} -gt 0 ]] || look_at_packages "${usual[@]}"
}

# ---------------------------------------------------------------- scripts of shells

# look_at_command WORD...: at the first command among the words of one line.
look_at_command() {
    local interpreter
    while [[ $# -gt 0 ]]; do
        if find_in_path "$1" && [[ -f $REPLY && -x $REPLY && -z ${late_packages[$REPLY]-} ]]; then
            if interpreter_of_name "$REPLY"; then
                interpreter_loads "$REPLY" "${@:2}"
                return
            fi
            late_packages[$REPLY]=yes
            note_late_abi "$REPLY"
        fi
        shift
    done
}

# shell_script_loads FILE: what the commands of its lines will load.
shell_script_loads() {
    local lines line words problem
    read_lines "$1" '' || return 0
    for line in "${lines[@]:0:2000}"; do
        [[ $line != '#'* && $late_looks -gt 0 ]] || continue
        read -r -a words <<< "${line//[\"\';&|()]/ }"
        [[ ${#words[@]} -eq 0 ]] || look_at_command "${words[@]}"
    done
}

# starts_as_script FILE: whether a kernel would take it for a script.
starts_as_script() {
    local start=''
    [[ ! -f $1 || ! -r $1 ]] || read -r -N 2 start < "$1"
    [[ $start == '#!' ]]
} 2> /dev/null

# others_load: what the program, which is a script or starts commands, will load with its words.
others_load() {
    local interpreter
    [[ $subject_is_script == no ]] || shell_script_loads "$program"
    [[ ${#late_words[@]} -gt 0 ]] || return 0
    look_at_command "${late_words[@]}"
    ! script_among "${late_words[@]}" || ! starts_as_script "$REPLY" || shell_script_loads "$REPLY"
}

# find_late_abis: sets late_abis to the ABIs of the MPIs that the program may load, as far as files tell.
find_late_abis() {
    local interpreter
    late_abis=()
    late_files=()
    late_packages=()
    [[ -r $home/interpreters ]] || return 0
    if interpreter_of_name "$program"; then
        interpreter_loads "$program" "${late_words[@]}"
    elif interpreter_of_name "$subject"; then
        interpreter_loads "$subject" "$program" "${late_words[@]}"
    else
        others_load
    fi
}

# settle_late_abi: sets abi to the one that the program will load; ends if there may be several. Fails if none is found.
settle_late_abi() {
    local name texts=()
    find_late_abis
    case ${#late_abis[@]} in
    0) return 1 ;;
    1)
        abi=${late_abis[0]}
        note "$program names no MPI library; ${late_files[$abi]} needs that of $abi"
        return
        ;;
    esac
    for name in "${late_abis[@]}"; do
        texts+=("$name, as ${late_files[$name]} needs")
    done
    joined ', or ' "${texts[@]}"
    die "$program may load the MPI of $REPLY" 'say with --from ABI which one it will be'
}
