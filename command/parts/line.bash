# SPDX-License-Identifier: BSD-3-Clause
# The programs of one launch line, which run on one MPI, and where they stand in a line that the user wrote.

line=()                 # the words
line_host=''            # the ABI that the programs before this one run on
line_library=''
line_native='' line_adapted=''    # programs of the line that run without a pair, and by one
command_at=''           # where the first command stands that the launcher starts: the program, or what starts that
program_at=''
file_at=''              # where an option stands that names a file of programs
line_folder=''          # the working folder that the line gives to the program

# Forgets one program of the line, ahead of the next.
forget_program() {
    program='' subject='' abi='' problem=''
    abi_is_guess=no abi_is_usual=no abi_is_late=no chosen_module=''
    subject_is_script=no
    started_by_other=no
    other_names=() bundles=()
    chosen=''
    native=no
    host_library=''
    rank_names=()
    rank_environment=()
}

# is_own_abi KIND: whether the program is of the ABI of the MPI that runs the line: that of the programs before it, or
# the one that a launcher of this kind belongs to. Only a batch system's leaves the choice to a setting.
is_own_abi() {
    local name host
    host=${line_host:-${given[--to]-}}
    ! is_batch "$1" || host=${host:-${setting[host]-}}
    if [[ -n $host ]]; then
        [[ $abi == "${host%%@*}" ]] && ! may_be_native "$abi"
        return
    fi
    name=${family_facts[$abi.implementations]-}
    [[ -n $name ]] && ! may_be_native "$abi" && [[ ${implementation_facts[$name.launcher]} == "$1" ]]
}

# lacks_own_mpi LAUNCHER: whether the loader finds no library for C of the program's MPI, and the launcher's installation has none
# that it would put ahead.
lacks_own_mpi() {
    local i folder
    folder=$(readlink -e -- "$1")
    trace "$subject" "${LD_LIBRARY_PATH-}" ''
    for i in "${!trace_names[@]}"; do
        has_word "${trace_names[i]}" "${family_facts[$abi.libraries]-}" || continue
        [[ -z ${trace_paths[i]} ]] && ! library_in_prefix "${folder%/*/*}" "$abi" "${trace_names[i]}"
        return
    done
    return 1
}

# needs_pair LAUNCHER: whether a program of the launcher's own MPI needs a pair all the same: that MPI has no library of the
# program's ABI here, but one of another ABI.
needs_pair() { [[ -z $line_host ]] && lacks_own_mpi "$1" && choose_pair "$abi" "${given[--to]-}" yes "$1" ''; }

# note_kind NATIVE: whether the program runs without a pair. Partitioned communication that is built of messages waits in MPI_Init for
# ranks that have no part in it.
note_kind() {
    if [[ $1 == yes ]]; then line_native=$program; else line_adapted=$program; fi
    [[ -n $line_native && -n $line_adapted && ${MPI_ADAPTER_PARTITIONED:-0} != 0 ]] || return 0
    say "$line_native runs without a pair and has no part in what MPI_ADAPTER_PARTITIONED asks for: $line_adapted waits for it in MPI_Init for ever on an MPI without partitioned communication${then}set it to 0"
    line_native=''
}

# choose_for_line LAUNCHER: as choose_host, for one program of several or of the user's own line: one that the MPI runs
# as it is needs nothing, unless it is an earlier release's and needs what today's MPI has no more.
choose_for_line() {
    if is_own_abi "$launcher_kind" && ! needs_pair "$1"; then
        line_host=$abi
        if [[ -z $chosen_module ]] && ! lacks_variables "$abi"; then
            note "$program needs no pair, as it was compiled against $abi"
            note_kind yes
            return
        fi
    fi
    [[ -z $line_host || -n ${given[--to]-} ]] || given[--to]=$line_host
    choose_host yes "$1"
    line_host=${conf[$chosen.host]}
    [[ -z $line_library || $line_library -ef $host_library ]] ||
        die "$program would run on $host_library, and the programs before it on $line_library" 'give --to ABI'
    line_library=$host_library
}

# ---------------------------------------------------------------- where programs stand

# is_command WORD: sets REPLY to the file that a launcher would start.
is_command() {
    if [[ -n $line_folder && $1 == */* && $1 != /* ]]; then
        REPLY=$line_folder/$1
    else
        find_in_path "$1" || { [[ $1 != */* ]] && REPLY=${line_folder:-.}/$1; }
    fi
    [[ -f $REPLY && -x $REPLY ]]
}

# stands_bare WORD: whether it names a command of the working folder that PATH does not have.
stands_bare() { [[ $1 != */* ]] && ! find_in_path "$1"; }

# option_of KEY INDEX: whether this word is one of the options that the table has under KEY; sets REPLY to its value.
option_of() {
    single_dash "${line[$2]}"
    has_word "$REPLY" "${line_facts[$launcher_kind.$1]-}" || return
    REPLY=${line[$2 + 1]-}
    [[ ${line[$2]} != *=* ]] || REPLY=${line[$2]#*=}
}

# uses_mpi FILE: whether it is a program that needs an MPI library.
uses_mpi() {
    read_facts "$1" && [[ ${facts[linkage]} == dynamic ]] && trace "$1" "${LD_LIBRARY_PATH-}" '' && knows_mpi "$1"
}

# knows_mpi FILE: whether an MPI library is among what was traced for it.
knows_mpi() {
    local name sonames family file REPLY
    known_sonames
    sonames=$REPLY
    for name in "${trace_names[@]}"; do
        { has_word "$name" "$sonames" || has_stem "$name" || abi_of_soname "$name" || refused_library "$name"; } && return
    done
    unnamed_library "$1"
}

# find_program_in FROM TO: sets command_at and program_at; these are empty where nothing of the kind is. Sets
# file_at and line_folder.
find_program_in() {
    local i
    command_at='' program_at='' file_at='' line_folder=''
    for ((i = $1; i < $2; i++)); do
        if [[ -z $command_at && ${line[i]} == -* ]]; then
            ! option_of files "$i" || file_at=$i
            ! option_of folder "$i" || line_folder=$REPLY
            value_words "$launcher_kind" "${line[i]}"
            i=$((i + REPLY))
        elif [[ -z $file_at ]] && is_command "${line[i]}"; then
            if uses_mpi "$REPLY"; then
                command_at=${command_at:-$i} program_at=$i
                return
            fi
            stands_bare "${line[i]}" || command_at=${command_at:-$i}
        fi
    done
}
