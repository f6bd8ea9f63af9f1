# SPDX-License-Identifier: BSD-3-Clause
# The program that is given, and the ABI it was compiled against.

program=''          # as the launcher gets it
subject=''          # the ELF file that runs: the program or its interpreter
subject_is_script=no
started_by_other=no # whether the launcher starts another program, which starts this one
abi=''              # the ABI that the program was found to be compiled against

find_program() {
    if ! find_in_path "$1"; then
        [[ $1 == */* || ! -f ./$1 || ! -x ./$1 ]] ||
            die "$1: no such program in PATH" "the one of this folder is ./$1"
        die "$1: no such program" 'check its name and PATH'
    fi
    program=$REPLY
    [[ -d $program ]] && die "$1 is a folder" 'give the program itself'
    [[ -f $program ]] || die "$1 is not a regular file" 'give a program file'
    [[ -x $program ]] ||
        die "$1 is not executable" "make it so with 'chmod +x'"
    subject=$program
}

# The program that a script's first line names, past env's own arguments.
interpreter_of() {
    local line words word
    # A file of nulls has no end of line.
    line=$(head -c 4096 -- "$1" 2> /dev/null | tr '\0' '\n')
    line=${line%%$'\n'*}
    [[ $line == '#!'* ]] ||
        die "$1 is neither an ELF program nor a script" \
            "give a program, or start the script with a '#!' line"
    read -r -a words <<< "${line#??}"
    REPLY=${words[0]-}
    if [[ ${REPLY##*/} == env ]]; then
        REPLY=''
        for word in "${words[@]:1}"; do
            [[ $word == -* || $word == *=* ]] && continue
            REPLY=$word
            break
        done
    fi
    if [[ -z $REPLY ]] || ! find_in_path "$REPLY" || [[ ! -x $REPLY ]]; then
        die "$1: its interpreter '${REPLY:-${line#??}}' is missing" \
            'install it or correct the first line of the script'
    fi
}

# Follows scripts until an ELF file; reads its facts.
find_subject() {
    local depth
    for depth in 1 2 3 4; do
        [[ -r $subject ]] ||
            die "$subject cannot be read" 'ask for permission to read it'
        read_facts "$subject"
        case $? in
        0) return ;;
        4) ;;
        *) die "$subject is a damaged ELF file" 'copy or build it again' ;;
        esac
        interpreter_of "$subject"
        subject=$REPLY
        subject_is_script=yes
    done
    die "$program: more than $depth scripts interpret each other" \
        'give the program that they start'
}

require_runnable_elf() {
    local class=${facts[class]} machine=${facts[machine]} linkage=${facts[linkage]}
    local interpreter=${facts[interpreter]-}
    read_facts "$elf_facts"
    if [[ $class != "${facts[class]}" || $machine != "${facts[machine]}" ]]; then
        die "$subject is a $class-bit $machine program, the adapter is for ${facts[class]}-bit ${facts[machine]}" \
            'give a program of this architecture'
    fi
    case $linkage in
    dynamic) ;;
    static)
        die "$subject is statically linked, so its MPI cannot be replaced" \
            'link it dynamically'
        ;;
    *) die "$subject is not a program but another kind of ELF file" 'give a program' ;;
    esac
    [[ -u $subject || -g $subject ]] &&
        die "$subject is set-user-ID or set-group-ID, so the dynamic loader ignores the adapter" \
            'run a copy without that bit'
    [[ -x $interpreter ]] ||
        die "$subject: its dynamic loader '$interpreter' is missing" \
            'install it or build the program for this system'
}

# refers_to FILE FAMILY: whether FILE refers to data of the family's own; of a copy of it, the program has the name.
refers_to() {
    local name names
    names=$'\n'$("$elf_facts" --imports "$1" 2> /dev/null; "$elf_facts" --defines "$1" 2> /dev/null)
    for name in ${family_facts[$2.objects]-}; do
        [[ $names != *$'\n'[a-z]*" $name"* ]] || return 0
    done
    return 1
}

# needs_stem_of FAMILY: whether the program needs a library that only this family's implementations have, in
# whatever version.
needs_stem_of() {
    local name others='' own=''
    for name in "${family_names[@]}"; do
        [[ $name == "$1" ]] || others+=" ${family_facts[$name.needs]}"
    done
    for name in ${family_facts[$1.needs]}; do
        [[ " $others" == *" ${name%%.so*}.so"* ]] || own+=" ${name%%.so*}"
    done
    for name in "${trace_names[@]}"; do
        ! has_word "${name%%.so*}" "$own" || return 0
    done
    return 1
}

# needs_library FILE NAME
needs_library() {
    note_text "$1"
    [[ ${text_of_file[$1]}$'\n' == *$'\nneeded '"$2"$'\n'* ]]
}

# was_built_for FAMILY NAME: whether the program, or a library of its own that needs NAME, shows that; NAME itself may
# be missing, or another implementation's.
was_built_for() {
    local path
    refers_to "$subject" "$1" || needs_stem_of "$1" && return
    for path in "${trace_paths[@]}"; do
        [[ -n $path ]] && needs_library "$path" "$2" && refers_to "$path" "$1" && return
    done
    return 1
}

# reject_earlier_release NAME: an earlier release may have called its library what another family's is called: what
# the program refers to tells them apart.
reject_earlier_release() {
    local family
    for family in "${family_names[@]}"; do
        earlier_release "$family" "$1" && was_built_for "$family" "$1" || continue
        earlier_release "$family" "$1"
        die "$subject was built with $REPLY, whose ABI no pair serves" \
            "use a program built with ${family_facts[$family.called]-$family}${family_facts[$family.since]+ ${family_facts[$family.since]} or later}"
    done
}

# unnamed_library: sets REPLY to the name by which a program that calls MPI needs its library, and file to that
# library if it is found, where the name is nobody's: a vendor's, or a renamed copy's.
unnamed_library() {
    local i
    "$elf_facts" --imports MPI_Init "$subject" 2> /dev/null || "$elf_facts" --imports mpi_init_ "$subject" 2> /dev/null || return
    for i in "${!trace_names[@]}"; do
        REPLY=${trace_names[i]} file=${trace_paths[i]}
        if [[ -n $file ]]; then
            ! has_names "$file" PMPI_Init || return 0
        elif [[ $REPLY == libmpi*.so* ]]; then
            return
        fi
    done
    return 1
}

# No pair has a library of such a name, and the loader would not find the pair's by it.
reject_unknown_name() {
    local name file family
    unnamed_library || return 0
    name=$REPLY REPLY=''
    [[ -z $file ]] || family_of_library "$file"
    family=${given[--from]-$REPLY}
    [[ -n $family ]] ||
        die "$subject needs $name, an MPI library of no known ABI" 'say with --from which ABI it has'
    die "$subject needs its MPI by the name $name, which no pair has" \
        "rename that in a copy of the program: patchelf --replace-needed $name ${family_facts[$family.soname]} COPY"
}

# Sets abi from the libraries that the program needs, itself or through
# others.  The nearest one counts: the loader lists them breadth first.
detect_abi() {
    local name other=''
    trace "$subject" "${LD_LIBRARY_PATH-}" '' ||
        die "$subject is a damaged ELF file" 'copy or build it again'
    for name in "${trace_names[@]}"; do
        reject_earlier_release "$name"
        if abi_of_soname "$name"; then
            abi=$REPLY
            reject_unknown_release
            return
        fi
        ! has_stem "$name" || other=${other:-$name}
    done
    if [[ -n $other ]]; then
        called_families
        die "$subject needs $other, an MPI library of no known ABI" \
            "use a program built with a current $REPLY"
    fi
    reject_unknown_name
}

# What has the marks of another implementation than the library's name tells of.  A copy relocation makes the
# program define the symbol that is a mark, instead of importing it.
reject_unknown_release() {
    local name own=${family_facts[$abi.implementations]-}
    [[ -n $own ]] || return 0
    for name in "${implementation_names[@]}"; do
        if has_word "$name" "$own" || ! has_marks_of "$subject" "$name"; then
            continue
        fi
        name=${implementation_facts[$name.version]}
        die "$subject was built with a release of $name whose ABI is not known" \
            "use a program built with a current $name"
    done
}

# The program's ABI by --from, by its needs or, for what loads MPI only at run
# time (python3 and mpi4py), by the files that it will load, or because every
# installed pair serves the same one.
settle_abi() {
    local from=$1
    detect_abi
    if [[ -n $from && -n $abi && $from != "$abi" ]]; then
        die "$program was compiled against $abi, not $from" "give --from $abi or leave it out"
    fi
    abi=${abi:-$from}
    [[ -n $abi ]] && return
    ! settle_late_abi || return 0
    if [[ $subject_is_script == no ]] && ! "$elf_facts" --imports dlopen "$subject" 2> /dev/null; then
        die "$subject uses no MPI" 'give an MPI program, or --from ABI if it starts one'
    fi
    only_application ||
        die "$program names no MPI library itself" \
            'say with --from ABI which one it was built for'
    abi=$REPLY
    note "$program names no MPI library; taking it for $abi, the only ABI that is served"
}

# examine_started WORD...: the program that these words start: the first one that needs MPI, which the others start.
examine_started() {
    local first
    line=("$@")
    find_program_in 0 $#
    late_words=("${@:2}")
    if [[ -z $program_at || $program_at == 0 ]]; then
        examine_program "$1"
        return
    fi
    find_program "$1"
    first=$program
    started_by_other=yes
    examine_program "${line[program_at]}"
    program=$first
}

examine_program() {
    find_program "$1"
    find_subject
    require_runnable_elf
    settle_abi "${given[--from]-}"
    note "program $program, compiled against $abi"
}
