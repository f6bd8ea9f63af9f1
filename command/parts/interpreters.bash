# SPDX-License-Identifier: BSD-3-Clause
# The MPI that an interpreter or a script will load: found in the files that it would read, by the table of interpreters.
# Nothing of them runs.

interpreter_names=()
declare -A interpreter_facts=()
late_words=()               # what the program is started with
late_abis=()                # the ABIs that it may load, each once
declare -A late_files=()    # ABI -> a file that needs it
declare -A late_bundles=()  # ABI -> what packages bring of it: a line with a library's name, a tab and its file
only_bundles=no             # whether packages are looked at for these alone
late_libraries=()           # names and patterns of MPI libraries
late_is_cut_short=no        # whether more may be imported than was looked at
late_interpreter=''         # the interpreter that was looked at last
late_guesses=()             # an interpreter, its file and its script, for each whose text tells nothing
late_is_usual=no            # whether nothing tells but that a package is there which loads MPI in most programs
late_folders=()             # where packages are, the first one counts
declare -A late_packages=() # commands that were looked at

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

# add_late_abi ABI FILE: one that FILE needs.
add_late_abi() {
    has_word "$1" "${late_abis[*]}" || late_abis+=("$1")
    late_files[$1]=${late_files[$1]-$2}
}

# note_late_abi FILE: if an MPI library is among what FILE needs.
note_late_abi() {
    local name subject=$1
    trace "$1" "${LD_LIBRARY_PATH-}" '' || return 0
    note_late_bundles
    for name in "${trace_names[@]}"; do
        if is_contested "$name"; then other_names+=("$name"); else abi_of_soname "$name" || continue; fi
        add_late_abi "$REPLY" "$1"
        return
    done
}

# note_late_bundles: those among what was traced.
note_late_bundles() {
    local i REPLY
    for i in "${!trace_names[@]}"; do
        unbundled "${trace_names[i]}" && [[ -n ${trace_paths[i]} ]] && abi_of_soname "$REPLY" && ! is_runtime "${trace_names[i]}" "$REPLY" || continue
        late_bundles[$REPLY]+=${trace_names[i]}$'\t'${trace_paths[i]}$'\n'
    done
}

# take_bundles: those of the program's ABI are replaced.
take_bundles() {
    local name file
    while IFS=$'\t' read -r name file; do
        [[ -n $name ]] || continue
        has_word "$name" "${other_names[*]}" || other_names+=("$name")
        note_bundle "$name" "$file"
    done <<< "${late_bundles[$abi]-}"
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

# look_at_imports [KEY VALUE]...: at what packages load that a `script` or a `text` imports, or that `name` tells: where the interpreter
# finds each first, and at those that these import, until some that are equally far from the program need an MPI. The program `imports`
# (command/program) does it.
look_at_imports() {
    local answers request=() key name i
    # The syntax stands ahead of what is read by it.
    for key in modules sources usual imports; do
        request+=("$key" "${interpreter_facts[$interpreter.$key]-}")
    done
    request+=("$@")
    for name in "${late_folders[@]}"; do
        request+=(folder "$name")
    done
    for name in "${late_libraries[@]}"; do
        request+=(library "$name")
    done
    ask "$imports_program" "${LD_LIBRARY_PATH-}" < <(printf '%s\0' "${request[@]}") ||
        die_of_problem "${problem:-$imports_program failed${then}install mpi-adapter again}"
    for ((i = 0; i < ${#answers[@]}; i += 2)); do
        case ${answers[i]} in
        module) note_late_abi "${answers[i + 1]}" ;;
        named) ! abi_of_soname "${answers[i + 1]}" || add_late_abi "$REPLY" "${script:-$interpreter}" ;;
        cut) late_is_cut_short=yes ;;
        esac
    done
}

# Sets late_libraries to the names and patterns that MPI libraries have.
name_late_libraries() {
    local key words
    [[ ${#late_libraries[@]} -eq 0 ]] || return 0
    known_sonames
    read -r -a late_libraries <<< "$REPLY"
    for key in alias contested renamed; do
        all_families "$key"
        read -r -a words <<< "$REPLY"
        late_libraries+=("${words[@]%%=*}")
    done
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

# named_by_option WORD...: adds the values of options for packages to asked.
named_by_option() {
    local option=''
    for REPLY; do
        ! has_word "$option" "${interpreter_facts[$interpreter.module]-}" || asked+=(name "${REPLY%%.*}")
        option=$REPLY
    done
}

# has_bundles: whether a package brings something that is called like an MPI library: to look at all packages takes long.
has_bundles() {
    local folder
    for folder in "${late_folders[@]}"; do
        ! compgen -G "${folder//[*?[\\]/?}/*.libs/lib*mpi*-????????.so*" > /dev/null || return 0
    done
    return 1
}

# interpreter_loads FILE WORD...: what this interpreter will load with these words.
interpreter_loads() {
    local asked=() script word
    late_interpreter=$interpreter
    script_among "${@:2}" || true
    script=$REPLY
    find_late_folders "$1" "$script"
    [[ $only_bundles == no ]] || has_bundles || return 0
    name_late_libraries
    if [[ -n $script ]]; then
        asked=(script "$script")
    else
        for word in "${@:2}"; do
            asked+=(text "$word")
        done
    fi
    named_by_option "${@:2}"
    look_at_imports "${asked[@]}"
    [[ ${#late_abis[@]} -gt 0 ]] || late_guesses+=("$interpreter" "$1" "$script")
}

# guess_late_abi: where nothing else tells, the packages count that load MPI in most programs of the interpreters.
guess_late_abi() {
    local asked=() interpreter i name
    for ((i = 0; i < ${#late_guesses[@]} && ${#late_abis[@]} == 0; i += 3)); do
        interpreter=${late_guesses[i]}
        find_late_folders "${late_guesses[i + 1]}" "${late_guesses[i + 2]}"
        asked=()
        for name in ${interpreter_facts[$interpreter.usual]-}; do
            asked+=(name "$name")
        done
        look_at_imports "${asked[@]}"
        [[ ${#late_abis[@]} -eq 0 ]] || late_is_usual=yes
    done
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
        [[ $line != '#'* ]] || continue
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
    late_bundles=()
    late_packages=()
    late_is_cut_short=no late_is_usual=no late_guesses=()
    [[ -r $home/interpreters ]] || return 0
    if interpreter_of_name "$program"; then
        interpreter_loads "$program" "${late_words[@]}"
    elif interpreter_of_name "$subject"; then
        interpreter_loads "$subject" "$program" "${late_words[@]}"
    else
        others_load
    fi
    guess_late_abi
}

# ---------------------------------------------------------------- packages with a module for each ABI

chosen_module=''            # NAME=VALUE, by which ranks are told which module of a package's they take

# are_alternatives: whether the files of late_abis are modules of one package, which chooses one of them at run time: NAME.ABI.SUFFIX.
are_alternatives() {
    local name file first=''
    for name in "${late_abis[@]}"; do
        file=${late_files[$name]}
        [[ ${file##*/} == *".$name."* ]] || return
        file=${file%".$name."*}.${file##*".$name."}
        [[ -z $first || $file == "$first" ]] || return
        first=$file
    done
}

# abi_of_loaded: sets REPLY to the ABI of the library that such a package finds first by itself, and file to that.
abi_of_loaded() {
    local name
    for name in ${interpreter_facts[$late_interpreter.finds]-}; do
        trace "$elf_facts" "${LD_LIBRARY_PATH-}" "$name" && traced_file "$name" || continue
        file=$REPLY
        read_facts "$file" && abi_of_soname "${facts[soname]-}" && has_word "$REPLY" "${late_abis[*]}" && return
    done
    return 1
}

# note_missing_names FILE: the names by which FILE needs its MPI, which is of the ABI that was chosen, and the loader finds no library.
note_missing_names() {
    local i
    trace "$1" "${LD_LIBRARY_PATH-}" '' || return 0
    for i in "${!trace_names[@]}"; do
        [[ -z ${trace_paths[i]} ]] && abi_of_soname "${trace_names[i]}" && [[ $REPLY == "$abi" ]] || continue
        has_word "${trace_names[i]}" "${other_names[*]}" || other_names+=("${trace_names[i]}")
    done
}

# choose_module: sets abi to the one of late_abis that the package will take: that of its own variable; else that of the MPI which the
# user, or the line's launcher, means; else that of the library which it finds. Ranks are told, unless the variable says it. Fails where
# these are no alternatives of one package.
choose_module() {
    local variable file host reason word
    variable=${interpreter_facts[$late_interpreter.chooses]-}
    [[ -n $variable ]] && are_alternatives || return
    chosen_host
    host=${REPLY%%@*}
    REPLY=${!variable-}
    REPLY=${REPLY//[ _-]/}
    if [[ -n $REPLY ]]; then
        REPLY=${REPLY,,}
        for word in ${interpreter_facts[$late_interpreter.spells]-}; do
            [[ $REPLY != "${word%%=*}" ]] || REPLY=${word#*=}
        done
        reason="as $variable says"
    elif has_word "$host" "${late_abis[*]}"; then
        REPLY=$host reason='as that MPI is chosen'
    elif [[ -n $launcher_kind ]] && family_of_launcher "$launcher_kind" && has_word "$REPLY" "${late_abis[*]}"; then
        reason="as $launcher starts those"
    elif abi_of_loaded; then
        reason="as it finds $file"
    else
        return 1
    fi
    has_word "$REPLY" "${late_abis[*]}" || return
    abi=$REPLY
    chosen_module=$variable=$abi
    [[ -z ${!variable-} ]] || chosen_module=''
    note_missing_names "${late_files[$abi]}"
    note "${late_files[$abi]%/*} has a module for each of ${late_abis[*]}; taking that of $abi, $reason"
}

# settle_late_abi: sets abi to the one that the program will load; ends if there may be several. Fails if none is found.
settle_late_abi() {
    local name texts=()
    find_late_abis
    case ${#late_abis[@]} in
    0)
        [[ $late_is_cut_short == no ]] || note "$program may import more than is looked at, and nothing of that needs an MPI"
        return 1
        ;;
    1)
        abi=${late_abis[0]}
        take_bundles
        abi_is_usual=$late_is_usual
        if [[ $late_is_usual == yes ]]; then
            say "nothing tells which MPI $program loads, so it is taken for that of $abi, as ${late_files[$abi]} needs${then}if it is another, say so with --from ABI"
        else
            note "$program names no MPI library; ${late_files[$abi]} needs that of $abi"
        fi
        return
        ;;
    esac
    ! choose_module || return 0
    for name in "${late_abis[@]}"; do
        texts+=("$name, as ${late_files[$name]} needs")
    done
    joined ', or ' "${texts[@]}"
    die "$program may load the MPI of $REPLY" 'say with --from ABI which one it will be'
}

# loads_one_abi: sets abi to the only one that the program names what it will load of, or fails.
loads_one_abi() {
    find_late_abis
    [[ ${#late_abis[@]} -eq 1 && $late_is_usual == no ]] && settle_late_abi
}

# find_late_bundles: what the program, whose ABI the user says, will load of that MPI from packages that bring it.
find_late_bundles() {
    only_bundles=yes
    find_late_abis
    only_bundles=no
    take_bundles
}
