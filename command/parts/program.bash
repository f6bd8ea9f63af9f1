# SPDX-License-Identifier: BSD-3-Clause
# The program that is given, and the ABI it was compiled against.

program=''          # as the launcher gets it
subject=''          # the ELF file that runs: the program or its interpreter
subject_is_script=no
started_by_other=no # whether the launcher starts another program, which starts this one
abi=''              # the ABI that the program was found to be compiled against
abi_is_usual=no     # whether nothing tells it but that a package is there which loads MPI in most programs
abi_is_late=no      # whether what the program will load tells it, or the user, and not what the program needs itself
abi_is_guess=no     # whether nothing tells it but that all installed pairs serve the same

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
        ! is_launcher_name "$REPLY" ||
            die "$subject is a script for the launcher $REPLY, which starts ranks itself" "start it with 'mpi-adapter shell $subject'"
        subject=$REPLY
        subject_is_script=yes
    done
    die "$program: more than $depth scripts interpret each other" \
        'give the program that they start'
}

# Whether a file whose facts were read is for the machine that this command is for, whose facts are read then.
is_own_machine() {
    local class=${facts[class]} machine=${facts[machine]}
    read_facts "$elf_facts"
    [[ $class == "${facts[class]}" && $machine == "${facts[machine]}" ]]
}

# require_own_machine WHAT: of a program, or a library, whose facts were read.
require_own_machine() {
    local class=${facts[class]} machine=${facts[machine]}
    is_own_machine ||
        die "$subject is a $class-bit $machine $1, the adapter is for ${facts[class]}-bit ${facts[machine]}" \
            "give a $1 of this architecture"
}

require_runnable_elf() {
    local linkage=${facts[linkage]} interpreter=${facts[interpreter]-}
    require_own_machine program
    case $linkage in
    dynamic) ;;
    static)
        die "$subject is statically linked, so its MPI cannot be replaced" \
            'link it dynamically'
        ;;
    *) die "$subject is not a program but another kind of ELF file" 'give a program' ;;
    esac
    [[ -z $interpreter ]] || note_refusal "${interpreter##*/}"
    [[ -u $subject || -g $subject ]] &&
        die "$subject is set-user-ID or set-group-ID, so the dynamic loader ignores the adapter" \
            'run a copy without that bit'
    [[ -x $interpreter ]] ||
        die "$subject: its dynamic loader '$interpreter' is missing" \
            'install it or build the program for this system'
}

# symbols_of FILE: prints those that it refers to, and those that it defines: of a copy of data, a program has the name.
symbols_of() { "$elf_facts" --imports "$1" 2> /dev/null; "$elf_facts" --defines "$1" 2> /dev/null; }

# refers_by FILE START...: whether FILE refers to a name that begins so.
refers_by() {
    local file=$1 name names
    shift
    names=$'\n'$(symbols_of "$file")
    for name; do
        [[ $names != *$'\n'[a-z]*" $name"* ]] || return 0
    done
    return 1
}

# refers_to FILE FAMILY: whether FILE refers to data of the family's own.
refers_to() {
    local items
    read -r -a items <<< "${family_facts[$2.objects]-}"
    refers_by "$1" "${items[@]}"
}

# refers_to_own FILE FAMILY: the same for whatever this family has and others do not: by the table's `symbols`, too.
refers_to_own() {
    local words word parts items
    read -r -a items <<< "${family_facts[$2.objects]-}"
    read -r -a words <<< "${family_facts[$2.symbols]-}"
    for word in "${words[@]}"; do
        IFS=, read -r -a parts <<< "${word#*=}"
        items+=("${parts[@]%\*}")
    done
    refers_by "$1" "${items[@]}"
}

# needs_stem_of FAMILY: whether the program needs a library that only this family's implementations have, in
# whatever version.
needs_stem_of() {
    local name others='' own=''
    for name in "${family_names[@]}"; do
        [[ $name == "$1" ]] || others+=" ${family_facts[$name.needs]-}"
    done
    for name in ${family_facts[$1.needs]-}; do
        [[ " $others" == *" ${name%%.so*}.so"* ]] || own+=" ${name%%.so*}"
    done
    for name in "${trace_names[@]}"; do
        unbundled "$name" || true
        ! has_word "${REPLY%%.so*}" "$own" || return 0
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

# beside KEY FAMILY NAME: whether the program needs a library that the table has under KEY for those that need NAME.
beside() {
    local word words name
    read -r -a words <<< "${family_facts[$2.$1]-}"
    for word in "${words[@]}"; do
        [[ ${word%%=*} == "$3" ]] || continue
        for name in "${trace_names[@]}"; do
            [[ $name != "${word#*=}"* ]] || return 0
        done
    done
    return 1
}

# is_alias_of_today FAMILY NAME RELEASES: whether a name that an earlier release had, too, is a maker's of this ABI here: what
# the program needs besides tells, or the user. RELEASES is what people call the earlier ones.
is_alias_of_today() {
    alias_of "$2" "$1" && ! beside earlier_beside "$1" "$2" || return
    beside beside "$1" "$2" || [[ ${given[--from]-} == "$1" ]] ||
        die "$subject needs $2, and nothing tells whether it is $3's or that of an MPI made of a later ${family_facts[$1.called]-$1}" \
            "if it is the latter, say so with --from $1"
}

# is_contested NAME: whether it is a library of the program's family by a name that another family's library has, too; sets REPLY to
# the program's.
is_contested() {
    local family word words name
    unbundled "$1" || true
    name=$REPLY
    for family in "${family_names[@]}"; do
        read -r -a words <<< "${family_facts[$family.contested]-}"
        for word in "${words[@]}"; do
            [[ ${word%%=*} == "$name" ]] || continue
            [[ ${given[--from]-} == "$family" ]] || was_built_for "$family" "$1" || continue
            REPLY=$family
            return
        done
    done
    return 1
}

# reject_earlier_release NAME: an earlier release may have called its library what another family's is called: what
# the program refers to tells them apart.
reject_earlier_release() {
    local family releases name
    unbundled "$1" || true
    name=$REPLY
    for family in "${family_names[@]}"; do
        [[ " ${family_facts[$family.contested]-}" != *" $name="* ]] && earlier_release "$family" "$name" || continue
        releases=$REPLY
        ! is_alias_of_today "$family" "$1" "$releases" || continue
        was_built_for "$family" "$1" || alias_of "$1" "$family" || continue
        die "$subject was built with $releases, whose ABI no pair supports" \
            "use a program built with ${family_facts[$family.called]-$family}${family_facts[$family.since]+ ${family_facts[$family.since]} or later}"
    done
}

# Why no pair can serve the program, "WHAT; WHAT TO DO"; empty for most programs.
refusal=''

# note_refusal NAME: of a library or a dynamic loader that the program needs. If an MPI's own launcher can start it, refusal
# says why nothing else can, and abi is that MPI's.
note_refusal() {
    local family REPLY
    refused_library "$1" || return 0
    REPLY="$subject needs $1, ${REPLY/; /$then}"
    [[ $family != - ]] || die_of_problem "$REPLY"
    refusal=$REPLY
    abi=$family
}

# For a program that needs a pair, or another MPI.
reject_refused() { [[ -z $refusal ]] || die_of_problem "$refusal"; }

# MPI may be in the program itself, in which no library of another MPI can take its place.
reject_mpi_inside() {
    local name
    for name in "${implementation_names[@]}"; do
        [[ -n ${implementation_facts[$name.inside]-} ]] || continue
        "$elf_facts" --contains "${implementation_facts[$name.inside]}" "$subject" 2> /dev/null || continue
        die "$subject has ${implementation_facts[$name.version]} linked in statically, so its MPI cannot be replaced" \
            'link it with the shared library of its MPI'
    done
}

# ---------------------------------------------------------------- names that are nobody's

# Names by which the program needs its MPI and which a pair has no library of: a vendor's of which the tables have a pattern, or
# anybody's.
other_names=()

# calls_mpi FILE: whether it imports procedures of MPI, in C or Fortran.
calls_mpi() {
    refers_by "$1" MPI_ PMPI_ mpi_init mpi_comm_rank_ mpi_comm_rank_f08
}

# unnamed_library FILE: sets REPLY to the name by which FILE, which calls MPI, needs its library, and file to that library
# if it is found, where the name is nobody's: a vendor's, or a renamed copy's.
unnamed_library() {
    local i
    calls_mpi "$1" || return
    for i in "${!trace_names[@]}"; do
        REPLY=${trace_names[i]} file=${trace_paths[i]}
        if [[ -n $file ]]; then
            ! has_names "$file" PMPI_Init || return 0
        elif [[ $REPLY == lib*mpi*.so* ]]; then
            return
        fi
    done
    return 1
}

# Sets found to the families of which something that the program, or a library of its own that needs NAME, refers to is alone.
fingerprints() {
    local family path
    found=()
    for family in "${family_names[@]}"; do
        for path in "$subject" "${trace_paths[@]}"; do
            [[ -n $path ]] && needs_library "$path" "$1" || continue
            refers_to_own "$path" "$family" || continue
            found+=("$family")
            break
        done
    done
}

# Sets found to the families whose program it may be: in C, those whose handles are data have left their mark; and some have no
# Fortran.
candidates() {
    local family
    found=()
    for family in "${family_names[@]}"; do
        [[ -n ${family_facts[$family.implementations]-} ]] || continue
        [[ " ${family_facts[$family.symbols]-}" != *' c='* ]] || ! refers_by "$subject" MPI_ PMPI_ || continue
        [[ -n ${family_facts[$family.fortran_library]-} ]] || ! refers_by "$subject" mpi_ || continue
        found+=("$family")
    done
}

# choose_unknown NAME: sets abi to the family of the user's choice among those that found has.
choose_unknown() {
    local choices
    if [[ -n ${given[--from]-} ]]; then
        abi=${given[--from]}
        has_word "$abi" "${found[*]}" && return
        [[ $from_is_assumed == yes ]] ||
            die "$program was compiled against ${found[*]-another MPI}, not $abi" "give --from ${found[0]-ABI} or leave it out"
    fi
    joined ' or ' "${found[@]/#/--from }"
    choices=$REPLY
    joined ' or ' "${found[@]}"
    die "$subject needs $1, an MPI library of an unknown ABI, and may be a program of $REPLY" "say which with $choices"
}

# is_called_alike NAME OTHER: whether two libraries may be of one MPI: libxmpi.so.1 and libxmpi_mpifh.so.1.
is_called_alike() {
    local name=${1%%[._-]*} other=${2%%[._-]*}
    [[ $1 == lib*mpi*.so* && ( $name == "$other"* || $other == "$name"* ) ]]
}

# is_for_linking FILE NAME: whether a file is here by a name without a version for the linker's sake: another MPI's than the
# program's it may be.
is_for_linking() {
    local REPLY
    [[ $2 == *.so ]] || return
    soname_of "$1"
    [[ -n $REPLY && $REPLY != "$2" ]]
}

# The program needs its MPI by a name that is nobody's: what it refers to tells whose program it is, and the library itself, if
# that is there. A known name of an unknown version is another ABI's; without a version, it is anybody's.
settle_unknown_name() {
    local name file='' found
    unnamed_library "$subject" || return 0
    name=$REPLY
    [[ $name == *.so ]] || ! has_stem "$name" || [[ -n ${given[--from]-} ]] || return 0
    fingerprints "$name"
    REPLY=''
    [[ -z $file ]] || is_for_linking "$file" "$name" || family_of_library "$file"
    [[ -z $REPLY ]] || has_word "$REPLY" "${found[*]}" || found+=("$REPLY")
    if [[ ${#found[@]} -eq 1 ]] && has_word "${given[--from]-${found[0]}}" "${found[0]}"; then
        abi=${found[0]}
        say "$subject needs $name, not a known name of an MPI library${then}taking it for a program of ${family_facts[$abi.called]-$abi}, as what it refers to tells"
    else
        [[ ${#found[@]} -gt 0 ]] || candidates
        choose_unknown "$name"
    fi
    other_names+=("$name")
    for name in "${trace_names[@]}"; do
        ! is_called_alike "$name" "${other_names[0]}" || abi_of_soname "$name" || has_word "$name" "${other_names[*]}" ||
            other_names+=("$name")
    done
}

# has_other_names NAME: whether implementations of the family call this library of its otherwise.
has_other_names() {
    local words word
    local libraries=${family_facts[$abi.libraries]-}
    [[ $libraries != *' '* ]] || ! has_word "$1" "$libraries" || return 0
    read -r -a words <<< "${family_facts[$abi.fortran_library]-}"
    for word in "${words[@]}"; do
        [[ $word != *,* || ,$word, != *,"$1",* ]] || return 0
    done
    return 1
}

# Adds to other_names what names the program has for libraries of its family's that no pair has, or that an MPI of its own
# family may not have.
note_other_names() {
    local i name REPLY
    for i in "${!trace_names[@]}"; do
        name=${trace_names[i]}
        alias_of "$name" "$abi" || { [[ -z ${trace_paths[i]} ]] && has_other_names "$name"; } || continue
        ! unbundled "$name" || ! is_runtime "$name" "$abi" || continue
        has_word "$name" "${other_names[*]}" || other_names+=("$name")
        note_bundle "$name" "${trace_paths[i]}"
    done
}

# Files of MPI libraries for C that the program, or a package that it loads, brings by a wheel's names.
declare -A bundles=()

# note_bundle NAME FILE
note_bundle() {
    local REPLY
    ! unbundled "$1" || [[ -z $2 ]] || ! has_names "$2" PMPI_Init || bundles[$(readlink -e -- "$2")]=yes
}

# tell_bundles: what the program brings and what runs it. The libraries that take the place are preloaded, as no path leads to them.
tell_bundles() {
    local file
    for file in "${!bundles[@]}"; do
        mpi_of_file "$file" "$abi"
        say "$program brings an MPI of its own, $REPLY in $file${then}that one is not used, as $host_library takes its place"
    done
}

# reject_beside_earlier NAME: earlier releases may have called a library for Fortran as a maker calls one of today: the library for C
# tells.
reject_beside_earlier() {
    local name
    ! has_word "$1" "${family_facts[$abi.needs]-}" && alias_of "$1" "$abi" || return 0
    for name in "${trace_names[@]}"; do
        reject_earlier_release "$name"
    done
}

# is_for_c NAME FAMILY: whether it is the family's library for C.
is_for_c() {
    local REPLY
    unbundled "$1" || true
    has_word "$REPLY" "${family_facts[$2.libraries]-} ${family_facts[$2.soname]-}"
}

# needs_itself NAME: sets REPLY to the file, of the program and its libraries but MPI's own, that needs that one.
needs_itself() {
    local index
    if needs_library "$subject" "$1"; then
        REPLY=$subject
        return
    fi
    for index in "${!trace_names[@]}"; do
        [[ -n ${trace_paths[index]} ]] && ! abi_of_soname "${trace_names[index]}" && needs_library "${trace_paths[index]}" "$1" || continue
        REPLY=${trace_paths[index]}
        return
    done
    return 1
}

# settle_two_families: of a program and libraries that need two families' libraries for C, each calls what comes first, whatever it was
# compiled for. The user may say whose the program is.
settle_two_families() {
    local name family file
    for name in "${trace_names[@]}"; do
        for family in "${family_names[@]}"; do
            [[ $family != "$abi" ]] && is_for_c "$name" "$family" && needs_itself "$name" || continue
            file=$REPLY
            ! alias_of "$name" "$abi" || continue
            [[ ${given[--from]-} != "$abi" ]] || return 0
            [[ ${given[--from]-} != "$family" || $file != "$subject" ]] || { abi=$family; return; }
            [[ $file == "$subject" ]] ||
                die "$file, which $subject needs, needs $name of ${family_facts[$family.called]-$family}, and the program is ${family_facts[$abi.called]-$abi}'s" \
                    "compile both with one MPI, or say by --from $abi that the library calls no MPI"
            die "$subject needs $name of ${family_facts[$family.called]-$family}, and libraries of ${family_facts[$abi.called]-$abi}, too" \
                "link it with one MPI, or say with --from which one it was compiled against"
        done
    done
}

# is_runtime NAME FAMILY: whether it is one of those that programs name besides the library that they call.
is_runtime() {
    local REPLY
    unbundled "$1" || true
    has_word "$REPLY" "${family_facts[$2.runtime]-}"
}

# Sets abi from the libraries that the program needs, itself or through
# others.  The nearest one counts: the loader lists them breadth first.
detect_abi() {
    local name other=''
    trace "$subject" "${LD_LIBRARY_PATH-}" '' ||
        die "$subject is a damaged ELF file" 'copy or build it again'
    for name in "${trace_names[@]}"; do
        note_refusal "$name"
    done
    for name in "${trace_names[@]}"; do
        reject_earlier_release "$name"
        if is_contested "$name" || { abi_of_soname "$name" && ! is_runtime "$name" "$REPLY"; }; then
            abi=$REPLY
            reject_beside_earlier "$name"
            settle_two_families
            note_other_names
            reject_unknown_release
            return
        fi
        ! has_stem "$name" || other=${other:-$name}
    done
    [[ -z $abi ]] || return 0
    settle_unknown_name
    for name in "${trace_names[@]}"; do
        [[ -z $abi ]] && abi_of_soname "$name" && abi=$REPLY
    done
    [[ -z $abi ]] || return 0
    if [[ -n $other ]]; then
        called_families
        die "$subject needs $other, an MPI library of no known ABI" \
            "use a program built with a current $REPLY"
    fi
    reject_mpi_inside
}

# A file with the marks of another implementation than the library's name tells of.  A copy relocation makes the
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

from_is_assumed=no      # yes: --from is the family whose launcher the line was written for, for programs that do not tell theirs

# The program's ABI by --from, by its needs or, for what loads MPI only at run
# time (python3 and mpi4py), by the files that it will load, or because every
# installed pair serves the same one.
settle_abi() {
    local from=$1
    detect_abi
    if [[ -n $from && -n $abi && $from != "$abi" && $from_is_assumed == no ]]; then
        die "$program was compiled against $abi, not $from" "give --from $abi or leave it out"
    fi
    [[ -z $abi ]] || return 0
    abi_is_late=yes
    [[ $from_is_assumed == no ]] || ! loads_one_abi || return 0
    abi=$from
    if [[ -n $abi ]]; then
        find_late_bundles
        return
    fi
    ! settle_late_abi || return 0
    if [[ $subject_is_script == no ]] && ! "$elf_facts" --imports dlopen "$subject" 2> /dev/null; then
        die "$subject uses no MPI" 'give an MPI program, or --from ABI if it starts one'
    fi
    only_application ||
        die "$program names no MPI library itself" \
            'say with --from ABI which one it was built for'
    abi=$REPLY
    abi_is_guess=yes
    note "$program names no MPI library; taking it for $abi, the only ABI that a pair supports"
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

# find_departing PATH: whether the loader, with this LD_LIBRARY_PATH, leads the program to a library that has the name of its ABI's and
# other numbers. Sets name, file and, to how it departs, REPLY.
find_departing() {
    local i
    trace "$subject" "$1" '' || return
    for i in "${!trace_names[@]}"; do
        name=${trace_names[i]} file=${trace_paths[i]}
        [[ -n $file ]] && has_word "$name" "${family_facts[$abi.libraries]-}" && departs "$file" "$abi" || continue
        REPLY=${REPLY%%"$then"*}
        return
    done
    return 1
}

# is_found_by_all NAME FILE: whether the loader finds FILE for any program, without a RUNPATH.
is_found_by_all() { trace "$elf_facts" '' "$1" && traced_file "$1" && [[ $REPLY == "$2" ]]; }

# settle_departing: such a program has either ABI's numbers: nothing but --from tells whose mpi.h it was compiled with.
settle_departing() {
    local name file how wrapper=${family_facts[$abi.wrappers]-} REPLY
    [[ -z ${given[--from]-} ]] || return 0
    wrapper=${wrapper%% *}
    if find_departing ''; then
        how=$REPLY
        if ! is_found_by_all "$name" "$file"; then
            refusal="the path in $program leads to its MPI, and $how; compile it again with $wrapper, or give --from $abi if its mpi.h \
was the standard's"
            return
        fi
    else
        find_departing "${LD_LIBRARY_PATH-}" || return 0
        how=$REPLY
    fi
    say "$how, and the loader finds it for $program${then}compile that again with $wrapper if its mpi.h was that MPI's, or else give --from $abi"
}

examine_program() {
    find_program "$1"
    find_subject
    require_runnable_elf
    settle_abi "${given[--from]-}"
    settle_departing
    note "program $program, compiled against $abi"
}
