# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter explain: what a program was built against, and what would become
# of its calls on each host.

help_explain() {
    cat <<'TEXT'
Usage: mpi-adapter explain [OPTION]... [--] PROGRAM

Says which MPI PROGRAM was compiled against, by which interfaces it calls it,
where its libraries are found now and, for each installed pair and its host
MPI, what becomes of every MPI procedure that PROGRAM or its libraries import:
  direct     the arguments pass as they are
  converted  the adapter converts arguments
  built      the host has no such procedure; others do its work
  missing    calls fail, or the program cannot start
PROGRAM may be a shared library, too.  Nothing of it runs.

  --from ABI  ABI that PROGRAM was compiled against, if it cannot be found
  --json      print JSON
  -h, --help  print this text
TEXT
}

declare -A imported=()          # symbol -> function or object
declare -A interface_of=()      # interface -> how many symbols
declare -A language_of=()
declare -A listed_as=()         # "INDEX.PROCEDURE" -> how host stand-in since
declare -A spelled=()           # lower case -> the C name
declare -A outcome=()           # "INDEX.SYMBOL" -> direct, converted, built, missing
declare -A outcome_count=()     # "INDEX.OUTCOME" -> number
declare -A host_problem=()      # INDEX -> why the host cannot be used
declare -A host_file=()         # INDEX -> its library
declare -A pinned=()            # INDEX -> libraries that an RPATH takes from elsewhere
program_sonames=()
program_paths=()
files=()                        # the program, and the libraries that use MPI
search_paths=()                 # "FILE KEY FOLDERS"
release_floor=''
release_oldest=''               # of the known ones
release_reason=''
pairs_at_hand=()                # indices of the pairs for the program's ABI

# ---------------------------------------------------------------- the program

# Like require_runnable_elf, but a library is welcome.
prepare_subject() {
    [[ ${facts[linkage]} == library ]] || require_runnable_elf
}

# A file need not be in PATH, nor may it be started, to be explained.
find_explained() {
    local file=$1
    [[ $file == */* ]] || type -P -- "$file" > /dev/null || [[ ! -f $file ]] || file=./$file
    if [[ -f $file && ! -x $file ]]; then
        program=$file
        subject=$file
    else
        find_program "$file"
    fi
    find_subject
    prepare_subject
    settle_abi "${given[--from]-}"
    program_sonames=("${trace_names[@]}")
    program_paths=("${trace_paths[@]}")
}

# interface_of_symbol SYMBOL: sets REPLY, and base to the C or Fortran name
# without what tells the interface; fails for what is not MPI's.
interface_of_symbol() {
    base=$1
    case $1 in
    MPI_T_* | PMPI_T_*) REPLY=MPI_T ;;
    MPIX_* | PMPIX_*) REPLY=extensions ;;
    MPI_[A-Z][a-z]* | PMPI_[A-Z][a-z]*) REPLY=C ;;
    mpi_*_f08_ | mpi_*_f08ts_ | pmpi_*_f08_ | pmpi_*_f08ts_ | __mpi_f08_*) REPLY=mpi_f08 ;;
    mpi_fortran_* | mpipriv* | mpifcmb*) REPLY='mpif.h or use mpi' ;;
    mpi_*_ | mpix_*_ | pmpi_*_ | pmpix_*_ | MPI_[A-Z]* | __mpi_MOD_* | __mpi_*) REPLY='mpif.h or use mpi' ;;
    _ZN3MPI* | _ZNK3MPI* | _ZTVN3MPI* | _ZTIN3MPI*) REPLY=C++ ;;
    MPIR_F08_* | MPIR_C_F08_*) REPLY=mpi_f08 ;;
    ompi_mpi_cxx_* | ompi_op_set_cxx_*) REPLY=C++ ;;
    ompi_mpi_* | ompi_request_null | ompi_message_*) REPLY=C ;;
    ompi_* | opal_* | orte_* | pmix_* | MPIR_* | MPID_* | mca_*) REPLY=private ;;
    *) return 1 ;;
    esac
    case $1 in
    PMPI*) base=${1#P} ;;
    mpi* | pmpi*)
        base=${1#p}
        base=${base%%_}
        base=${base%_}
        base=${base%_f08ts}
        base=${base%_f08}
        ;;
    esac
}

note_import() {
    local symbol=$2 base
    interface_of_symbol "$symbol" || return
    [[ -z ${imported[$symbol]-} ]] || return
    imported[$symbol]=$1
    interface_of[$REPLY]=$((${interface_of[$REPLY]-0} + 1))
    [[ $symbol != PMPI* && $symbol != pmpi_* ]] || interface_of[profiling]=$((${interface_of[profiling]-0} + 1))
    [[ $symbol != *_c || $REPLY != C ]] || interface_of[large counts]=$((${interface_of[large counts]-0} + 1))
}

# The symbols that a file imports, and handles of which it holds a copy.
note_imports_of() {
    local type symbol file=$1 before=${#imported[@]}
    while read -r type symbol; do
        note_import "$type" "$symbol"
    done < <("$elf_facts" --imports "$file" 2> /dev/null
        [[ $file != "$subject" ]] || "$elf_facts" --defines "$file" 2> /dev/null | grep '^object ompi_')
    [[ ${#imported[@]} -eq $before && $file != "$subject" ]] || files+=("$file")
}

note_search_path() {
    local key text
    while read -r key text; do
        case $key in
        rpath | runpath) search_paths+=("$1"$'\t'"$key"$'\t'"$text") ;;
        esac
    done < <("$elf_facts" "$1" 2> /dev/null)
}

# is_mpi_library NAME: whether it is one of any family.
is_mpi_library() {
    abi_of_soname "$1" || [[ $1 == libmpi*.so* || $1 == libopen-rte* || $1 == libopen-pal* ]]
}

note_languages() {
    local name
    for name in "${program_sonames[@]}"; do
        case $name in
        libgfortran.so* | libifcore.so* | libflang*.so* | libnvf.so*) language_of[Fortran]=yes ;;
        libstdc++.so* | libc++.so*) language_of[C++]=yes ;;
        esac
    done
    [[ -z ${interface_of[mpi_f08]-}${interface_of[mpif.h or use mpi]-} ]] || language_of[Fortran]=yes
    [[ -z ${interface_of[C++]-} ]] || language_of[C++]=yes
    [[ -n ${language_of[Fortran]-} && -z ${interface_of[C]-} ]] || language_of[C]=yes
    return 0
}

examine_imports() {
    local i
    note_imports_of "$subject"
    note_search_path "$subject"
    for i in "${!program_sonames[@]}"; do
        [[ -e ${program_paths[i]} ]] || continue
        is_mpi_library "${program_sonames[i]}" && continue
        note_imports_of "${program_paths[i]}"
        note_search_path "${program_paths[i]}"
    done
    note_languages
}

# ---------------------------------------------------------------- each host

# The pair's list of procedures.
read_procedures() {
    local name how host stand since lower
    while read -r name how host stand since; do
        [[ $name == MPI* ]] || continue
        listed_as[$1.$name]="$how $host $stand $since"
        [[ $name != MPI_Init ]] || release_oldest=$since
        lower=${name,,}
        spelled[$lower]=$name
    done < "${pair_folders[$1]}/procedures.conf"
}

# settle_outcome INDEX SYMBOL: reads the sets provided and exported.
settle_outcome() {
    local base line how host stand
    interface_of_symbol "$2"
    [[ -n ${provided[$2]-} ]] || { REPLY=missing; return; }
    line=${listed_as[$1.$base]-${listed_as[$1.${spelled[${base,,}]-}]-}}
    REPLY=converted
    [[ -n $line ]] || return
    read -r how host stand _ <<< "$line"
    case $how/$stand in
    unsupported/*) REPLY=missing ;;
    */-) REPLY=$how ;;
    *)
        REPLY=$how
        [[ -n ${exported[$host]-} ]] && return
        case $stand in
        built | narrowed) REPLY=built ;;
        *) REPLY=missing ;;
        esac
        ;;
    esac
}

# What is not the pair's and stays as it is, such as the library of the C++
# bindings: files of the program that define what they or others import.
note_provided_by_program() {
    local i
    for i in "${!program_sonames[@]}"; do
        [[ -e ${program_paths[i]} && ! -e ${pair_folders[$1]}/${program_sonames[i]} ]] || continue
        is_mpi_library "${program_sonames[i]}" || has_file "${program_paths[i]}" || continue
        note_provided_by "${program_paths[i]}"
    done
    note_provided_by "$subject"
}

has_file() {
    local file
    for file in "${files[@]}"; do
        [[ $file != "$1" ]] || return 0
    done
    return 1
}

note_provided_by() {
    local symbol
    while read -r _ symbol; do
        provided[$symbol]=yes
    done < <("$elf_facts" --defines "$1" 2> /dev/null)
}

compare_with_host() {
    local symbol file
    local -A provided=() exported=()
    for file in "${pair_folders[$1]}"/*.so*; do
        [[ -L $file ]] || note_provided_by "$file"
    done
    note_provided_by_program "$1"
    while read -r _ symbol; do
        exported[$symbol]=yes
    done < <("$elf_facts" --defines "$host_library" 2> /dev/null)
    for symbol in "${!imported[@]}"; do
        settle_outcome "$1" "$symbol"
        outcome[$1.$symbol]=$REPLY
        [[ ${imported[$symbol]} != function ]] ||
            outcome_count[$1.$REPLY]=$((${outcome_count[$1.$REPLY]-0} + 1))
    done
}

# What an RPATH keeps from the pair.
note_pinned() {
    chosen=$1
    library_path_of "$1"
    trace "$subject" "$REPLY" "${LD_PRELOAD-}"
    shadowed_libraries && pinned[$1]=${REPLY# }
    return 0
}

examine_hosts() {
    local index
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$abi" ]] || continue
        pairs_at_hand+=("$index")
        if [[ ! -r ${pair_folders[$index]}/procedures.conf ]]; then
            host_problem[$index]="${pair_folders[$index]}/procedures.conf is missing; install the pair again"
            continue
        fi
        read_procedures "$index"
        if ! check_pair_files "$index" || ! check_host_library "$index"; then
            host_problem[$index]=$problem
            continue
        fi
        host_file[$index]=$host_library
        compare_with_host "$index"
        note_pinned "$index"
    done
}

# The oldest known release that has all that is imported.
find_release() {
    local symbol base since line
    [[ ${#pairs_at_hand[@]} -gt 0 ]] || return 0
    for symbol in "${!imported[@]}"; do
        interface_of_symbol "$symbol"
        line=${listed_as[${pairs_at_hand[0]}.$base]-${listed_as[${pairs_at_hand[0]}.${spelled[${base,,}]-}]-}}
        since=${line##* }
        [[ -n $since && $since != - ]] || continue
        [[ -n $release_floor && $(printf '%s\n' "$since" "$release_floor" | sort -V | tail -n 1) == "$release_floor" ]] &&
            continue
        release_floor=$since
        release_reason=$symbol
    done
}

# Sets REPLY to what can be told of the release.
release_text() {
    REPLY='not known'
    if [[ -n $release_floor && $release_floor == "$release_oldest" ]]; then
        REPLY="any since $release_floor, the oldest one that is known"
    elif [[ -n $release_floor ]]; then
        REPLY="$release_floor or later, by $release_reason, of those that are known"
    fi
    if [[ $abi == openmpi ]] && { has_word libopen-rte.so.40 "${program_sonames[*]}" ||
        has_word libmpi_cxx.so.40 "${program_sonames[*]}"; } && [[ ${files[*]} == "$subject" ]]; then
        "$elf_facts" "$subject" | grep -q '^needed \(libopen-rte\|libmpi_cxx\)' &&
            REPLY+='; before 5.0, by the libraries that it needs'
    fi
    return 0
}

# ---------------------------------------------------------------- text

sorted_procedures() {
    local symbol
    for symbol in "${!imported[@]}"; do
        [[ ${imported[$symbol]} == function ]] && printf '%s\n' "$symbol"
    done | sort
}

sorted_missing_objects() {
    local symbol
    for symbol in "${!imported[@]}"; do
        [[ ${imported[$symbol]} == object && ${outcome[$1.$symbol]-} == missing ]] && printf '%s\n' "$symbol"
    done | sort
}

print_libraries() {
    local i
    printf 'libraries now\n'
    for i in "${!program_sonames[@]}"; do
        is_mpi_library "${program_sonames[i]}" || continue
        printf '  %-32s %s\n' "${program_sonames[i]}" "${program_paths[i]:-not found}"
    done
}

# The remarks on a search path: sets REPLY.
search_path_remark() {
    local folder items missing=''
    split_colons "$2"
    for folder in "${items[@]}"; do
        [[ $folder == *\$* || -d $folder ]] || missing+=" $folder"
    done
    REPLY=''
    [[ $1 == runpath ]] || REPLY='beats LD_LIBRARY_PATH'
    [[ -z $missing ]] || REPLY+="${REPLY:+; }not there:$missing"
}

print_search_paths() {
    local entry file key folders
    [[ ${#search_paths[@]} -gt 0 ]] || return 0
    printf 'search paths\n'
    for entry in "${search_paths[@]}"; do
        IFS=$'\t' read -r file key folders <<< "$entry"
        search_path_remark "$key" "$folders"
        printf '  %s: DT_%s %s%s\n' "$file" "${key^^}" "$folders" "${REPLY:+ ($REPLY)}"
    done
}

print_hosts() {
    local index how counts
    printf 'hosts\n'
    [[ ${#pairs_at_hand[@]} -gt 0 ]] || printf '  no installed pair runs programs of %s\n' "$abi"
    for index in "${pairs_at_hand[@]}"; do
        pair_name "$index"
        if [[ -n ${host_problem[$index]-} ]]; then
            printf '  %s: %s\n' "$REPLY" "${host_problem[$index]}"
            continue
        fi
        counts=''
        for how in direct converted built missing; do
            counts+=", ${outcome_count[$index.$how]-0} $how"
        done
        printf '  %s: %s\n    %s\n' "$REPLY" "${host_file[$index]}" "${counts#, }"
        [[ -z ${pinned[$index]-} ]] ||
            printf '    taken from elsewhere by a fixed path, so mpi-adapter run preloads: %s\n' "${pinned[$index]}"
        how=$(sorted_missing_objects "$index" | paste -sd ' ')
        [[ -z $how ]] || printf '    missing objects: %s\n' "$how"
    done
}

print_procedures() {
    local index symbol line='' name
    for index in "${pairs_at_hand[@]}"; do
        [[ -z ${host_problem[$index]-} ]] || continue
        pair_name "$index"
        printf -v name ' %-22s' "$REPLY"
        line+=$name
    done
    printf '%-34s%s\n' procedures "${line%"${line##*[![:space:]]}"}"
    while IFS= read -r symbol; do
        line=''
        for index in "${pairs_at_hand[@]}"; do
            [[ -z ${host_problem[$index]-} ]] || continue
            printf -v name ' %-22s' "${outcome[$index.$symbol]}"
            line+=$name
        done
        printf '  %-32s%s\n' "$symbol" "${line%"${line##*[![:space:]]}"}"
    done < <(sorted_procedures)
}

print_text() {
    local names
    printf '%-15s %s\n' program "$program"
    [[ $subject == "$program" ]] || printf '%-15s %s\n' 'runs' "$subject"
    printf '%-15s %s\n' 'built against' "$abi"
    release_text
    printf '%-15s %s\n' release "$REPLY"
    mapfile -t names < <(printf '%s\n' "${!language_of[@]}" | sort)
    printf '%-15s %s\n' languages "${names[*]}"
    mapfile -t names < <(printf '%s\n' "${!interface_of[@]}" | sort)
    printf -v REPLY ', %s' "${names[@]}"
    printf '%-15s %s\n' interfaces "${REPLY#, }"
    print_libraries
    print_search_paths
    print_hosts
    if [[ ${#imported[@]} -gt 0 ]]; then
        print_procedures
    else
        printf '%-15s %s\n' procedures 'none is imported; it may load MPI at run time'
    fi
}

# ---------------------------------------------------------------- JSON

# JSON is UTF-8: a name with other bytes is shown with a mark for each.
json_string() {
    local text=$1
    if [[ $text == *[![:ascii:]]* ]] && ! iconv -f UTF-8 -t UTF-8 <<< "$text" > /dev/null 2>&1; then
        text=$(LC_ALL=C tr '\200-\377' '?' <<< "$text")
    fi
    text=${text//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    text=${text//$'\t'/\\t}
    REPLY=\"${text//[[:cntrl:]]/?}\"
}

# json_array WORD...: of strings.
json_array() {
    local list='' word
    for word; do
        json_string "$word"
        list+=", $REPLY"
    done
    REPLY="[${list#, }]"
}

json_field() {
    local key
    json_string "$1"
    key=$REPLY
    json_string "$2"
    printf '%s%s: %s' "$3" "$key" "$REPLY"
}

print_json_hosts() {
    local index symbol separator='' inner names
    printf '  "hosts": ['
    for index in "${pairs_at_hand[@]}"; do
        printf '%s\n    {' "$separator"
        separator=,
        pair_name "$index"
        json_field pair "$REPLY" ''
        json_field host "${conf[$index.host]}" ', '
        if [[ -n ${host_problem[$index]-} ]]; then
            json_field problem "${host_problem[$index]}" ', '
            printf '}'
            continue
        fi
        json_field library "${host_file[$index]}" ', '
        # shellcheck disable=SC2086
        json_array ${pinned[$index]-}
        printf ', "preloaded": %s' "$REPLY"
        mapfile -t names < <(sorted_missing_objects "$index")
        json_array "${names[@]}"
        printf ', "missing_objects": %s, "procedures": {' "$REPLY"
        inner=''
        while IFS= read -r symbol; do
            json_field "$symbol" "${outcome[$index.$symbol]}" "$inner"
            inner=', '
        done < <(sorted_procedures)
        printf '}}'
    done
    printf ']'
}

print_json() {
    local names i separator='' entry file key folders
    printf '{\n'
    json_field program "$program" '  '
    json_field file "$subject" $',\n  '
    json_field abi "$abi" $',\n  '
    json_field release_at_least "$release_floor" $',\n  '
    mapfile -t names < <(printf '%s\n' "${!language_of[@]}" | sort)
    json_array "${names[@]}"
    printf ',\n  "languages": %s' "$REPLY"
    mapfile -t names < <(printf '%s\n' "${!interface_of[@]}" | sort | sed '/^$/d')
    json_array "${names[@]}"
    printf ',\n  "interfaces": %s,\n  "libraries": {' "$REPLY"
    for i in "${!program_sonames[@]}"; do
        is_mpi_library "${program_sonames[i]}" || continue
        json_field "${program_sonames[i]}" "${program_paths[i]}" "$separator"
        separator=', '
    done
    printf '},\n  "search_paths": ['
    separator=''
    for entry in "${search_paths[@]}"; do
        IFS=$'\t' read -r file key folders <<< "$entry"
        json_field file "$file" "$separator{"
        json_field kind "$key" ', '
        json_field folders "$folders" ', '
        search_path_remark "$key" "$folders"
        json_field remark "$REPLY" ', '
        printf '}'
        separator=', '
    done
    printf '],\n'
    print_json_hosts
    printf '\n}\n'
}

command_explain() {
    local named
    parse_options --from --json "$@"
    [[ ${#operands[@]} -gt 0 ]] || usage_error 'no program is given'
    named=${operands[0]}
    parse_options --from --json "${operands[@]:1}"
    [[ ${#operands[@]} -eq 0 ]] || usage_error 'more than a program is given'
    load_settings die_of_problem
    load_pairs say
    check_abi_options
    find_explained "$named"
    examine_imports
    examine_hosts
    find_release
    if [[ -n ${given[--json]-} ]]; then
        print_json
    else
        print_text
    fi
}
