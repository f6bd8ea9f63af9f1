# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter doctor: tries what is there, and says what to do about failures.

help_doctor() {
    cat <<'TEXT'
Usage: mpi-adapter doctor [OPTION]...
       mpi-adapter doctor [OPTION]... [--] TREE...

Finds the MPIs and the launchers of this machine, and starts a probe of two
ranks on each MPI natively and through each installed pair.  Checks launchers
against libraries, and the pairs themselves.  For each failure it says the
next step, and the exit status is 1.

Of each TREE that 'mpi-adapter splice' adapted, it says instead whether that is
as it was left, and which libraries its programs and the host's MPI both bring.

  --json           print JSON; docs/json.md has its form
  --timeout N      seconds that a probe may take (default: 60)
  --report FOLDER  leave all of this in a file there, with versions, pairs and
                   settings, to attach to a report; and what MPI_ADAPTER_REPORT
                   leaves of probes that die
  -v, --verbose    show on stderr what failing probes said
  -h, --help       print this text
TEXT
}

doctor_status=0
trees=()
probe_seconds=60

part=''             # of the answer: MPIs, launchers, pairs
findings=()         # objects of JSON

begin_part() {
    part=$1
    [[ -n ${given[--json]-} ]] || put_plain '%s\n' "$part"
}

# note_finding RESULT TEXT NEXT: for the answer in JSON.
note_finding() {
    local text
    json_text "$2"
    text=$REPLY
    json_value "$3"
    json_object part "\"$part\"" result "\"$1\"" text "$text" next "$REPLY"
    findings+=("$REPLY")
}

report_ok() {
    if [[ -n ${given[--json]-} ]]; then note_finding ok "$1" ''; else put_plain '  ok    %s\n' "$1"; fi
}

report_note() {
    if [[ -n ${given[--json]-} ]]; then note_finding note "$1" ''; else put_plain '  -     %s\n' "$1"; fi
}

# report_failure MESSAGE
report_failure() {
    local what advice
    doctor_status=1
    split_message "$1"
    if [[ -n ${given[--json]-} ]]; then
        note_finding failure "$what" "$advice"
    else
        put_plain '  FAIL  %s\n        next: %s\n' "$what" "$advice"
    fi
}

# ---------------------------------------------------------------- probes

# advice_for STATUS TEXT: sets problem to what went wrong in a probe.
advice_for() {
    local line
    line=$(grep -m 1 '^mpi-adapter: .*; ' <<< "$2")
    if [[ -n $line ]]; then
        line=${line#mpi-adapter: }
        problem=${line/; /$then}
        return
    fi
    case $2 in
    *'of the expected'*)
        problem="its ranks do not find each other${then}use the launcher that came with that MPI, or under Slurm the right srun --mpi"
        ;;
    *'error while loading shared libraries'*)
        line=${2#*error while loading shared libraries: }
        problem="a rank cannot load ${line%%:*}${then}install it, or add its folder to LD_LIBRARY_PATH"
        ;;
    *'symbol lookup error'* | *'undefined symbol'*)
        problem="a library lacks a symbol${then}install the pair again, or give the MPI that it was made for"
        ;;
    *'not enough slots'* | *'No nodes'*)
        problem="the launcher has no room for two ranks${then}run doctor inside an allocation, or set launcher_arguments"
        ;;
    *probe:*)
        line=$(grep -m 1 '^probe: ' <<< "$2")
        problem="${line#probe: }${then}report this with the output of 'mpi-adapter doctor -v'"
        ;;
    *)
        if [[ $1 -eq 124 ]]; then
            problem="the probe hangs${then}check the MPI's network settings, or give --timeout more than $probe_seconds"
        else
            line=$(tail -n 1 <<< "$2")
            problem="the probe ends with status $1 (${line:0:120})${then}see all it says with -v"
        fi
        ;;
    esac
}

# judge WHAT STATUS TEXT
judge() {
    local line
    line=$(grep -m 1 '^probe: ok, 2 ranks' <<< "$3")
    if [[ $2 -eq 0 && -n $line ]]; then
        report_ok "$1: ${line#probe: ok, }"
        return
    fi
    advice_for "$2" "$3"
    report_failure "$1: $problem"
    [[ $verbose == no ]] || while IFS= read -r line; do
        plain "$1: $line"
        printf '%s\n' "$REPLY" >&2
    done <<< "$3"
}

# start_probe WHAT COMMAND...: sets text and status.
start_probe() {
    local items
    begin_step "trying $1"
    shift
    trial_variables
    text=$(start_program env "${items[@]}" timeout -k 5 "$probe_seconds" "$@" < /dev/null 2>&1 | tr -d '\0'
        exit "${PIPESTATUS[0]}")
    status=$?
    stop_ticking
}

# The probe needs its MPI by one name; that MPI may have another.
probe_natively() {
    local library=$1 family=$2 folder=$3 text status name probe=$home/probe/$2
    if [[ ! -x $probe ]]; then
        report_note "$library: not tried natively, as there is no probe of the ABI $family"
        return
    fi
    if ! launcher_of_library "$library" "$family"; then
        report_failure "$library: no launcher of $family is in PATH or beside it${then}install it or add its folder to PATH"
        return
    fi
    launcher=$REPLY
    mkdir -p -- "$folder"
    for name in $("$elf_facts" "$probe" | sed -n 's/^needed \(libmpi.*\)/\1/p'); do
        ln -sfn -- "$library" "$folder/$name"
    done
    start_probe "$library natively" "$launcher" -n 2 env LD_LIBRARY_PATH="$folder:${library%/*}${LD_LIBRARY_PATH:+:}${LD_LIBRARY_PATH-}" \
        "$probe" 2
    judge "$library natively, by $launcher" "$status" "$text"
}

# probe_pair INDEX NAME: as run would.
probe_pair() {
    local text status arguments probe=$home/probe/${conf[$1.application]} operands=()
    if [[ ! -x $probe ]]; then
        report_note "$2: not tried, as there is no probe of the ABI ${conf[$1.application]}"
        return
    fi
    if ! check_launcher "$1" "${setting[launcher]-}"; then
        report_failure "$2: $problem"
        return
    fi
    program=$probe subject=$probe chosen=$1 ranks=2
    rank_names=()
    rank_environment=()
    if check_host_preload "$1"; then
        [[ -z $host_preload ]] || report_note "$2: host_preload has $host_preload loaded with its MPI"
    else
        report_failure "$2: $problem"
        return
    fi
    library_path_of "$1"
    if ! find_conflicts "$REPLY" "${LD_PRELOAD-}"; then
        report_failure "$2: $problem"
        return
    fi
    make_environment no
    launcher_command
    start_probe "$2" "$launcher" "${arguments[@]}" "$probe" 2
    judge "$2" "$status" "$text"
}

# ---------------------------------------------------------------- pairs

# Why a library of a pair is damaged: sets problem.
check_pair_library() {
    local name=${1##*/}
    if ! read_facts "$1"; then
        problem="$1 is damaged${then}install the pair again"
    elif [[ ${facts[linkage]} != library || ${facts[soname]-} != "$name" ]]; then
        problem="$1 is not the library $name${then}install the pair again"
    else
        return 0
    fi
    return 1
}

check_pair_state() {
    local file
    check_pair_files "$1" || return
    for file in "${pair_folders[$1]}"/*.so*; do
        [[ ! -L $file ]] || continue
        check_pair_library "$file" || return
    done
    if [[ ${conf[$1.version]-} != "$version" ]]; then
        problem="its version is ${conf[$1.version]-unknown}, the command's is $version${then}make or install it again"
        return 1
    fi
    if [[ ! -r ${pair_folders[$1]}/procedures.conf ]]; then
        problem="${pair_folders[$1]}/procedures.conf is missing${then}install the pair again"
        return 1
    fi
    check_host_library "$1" || return
    [[ -n ${conf[$1.host_checksum]-} ]] || return 0
    checksum_of "$host_library" && [[ $REPLY == "${conf[$1.host_checksum]}" ]] && return
    problem="$host_library has changed since the pair was made for it${then}run 'mpi-adapter build --host ${conf[$1.host_prefix]-PREFIX} --name ${conf[$1.name]-NAME}' again"
    return 1
}

examine_pairs() {
    local index name
    begin_part pairs
    for index in "${!pair_folders[@]}"; do
        pair_name "$index"
        name=$REPLY
        if check_pair_state "$index"; then
            probe_pair "$index" "$name"
        elif [[ -z ${conf[$index.name]-} ]] && is_absence "$problem"; then
            # A pair for an MPI that the site does not have is not a fault.
            report_note "$name: not tried, as ${problem%%"$then"*}"
        else
            report_failure "$name: $problem"
        fi
    done
    [[ ${#pair_folders[@]} -gt 0 ]] ||
        report_failure "no pair is installed in ${folders[*]}${then}install one, or name its folder in MPI_ADAPTER_PATH"
}

damaged_pairs=()

note_damaged() { damaged_pairs+=("$1"); }

# ---------------------------------------------------------------- the machine

examine_mpis() {
    local i
    begin_part MPIs
    [[ ${#mpi_libraries[@]} -gt 0 ]] ||
        report_failure "no MPI library is found${then}load its module, or name its prefix in host_prefixes"
    for i in "${!mpi_libraries[@]}"; do
        if [[ -n ${mpi_families[i]} ]]; then
            probe_natively "${mpi_libraries[i]}" "${mpi_families[i]}" "$work/$i"
        else
            described_library "${mpi_libraries[i]}"
            report_note "$REPLY: of no known ABI"
        fi
    done
}

# The PMI by which a library finds its ranks under srun: sets REPLY.
pmi_of_library() {
    whose_library "$1" "$2"
    REPLY=${implementation_facts[$REPLY.slurm]-pmi2}
    ! "$elf_facts" --imports PMIx_Init "$1" 2> /dev/null || REPLY=pmix
}

# mpi_types SRUN: sets REPLY to the types of MPI that it lists; if it does not, fails, with what it says in REPLY. Until Slurm 20.11 it logs
# them, each with its name ahead, and long ago as mpi/TYPE.
mpi_types() {
    local answer line types=''
    answer=$(start_program timeout 20 "$1" --mpi=list < /dev/null 2>&1) || { REPLY=${answer##*$'\n'}; return 1; }
    while IFS= read -r line; do
        [[ $line =~ ^(.*:)?[[:space:]]*([a-z0-9_/]+(,[a-z0-9_]+)*)$ ]] || continue
        line=${BASH_REMATCH[2]#mpi/}
        types+=" ${line//,/ }"
    done <<< "$answer"
    REPLY=${types# }
}

# srun must offer what each library speaks.
examine_srun() {
    local i offered status
    begin_step "asking $1"
    mpi_types "$1"
    status=$?
    offered=$REPLY
    stop_ticking
    if [[ $status -ne 0 ]]; then
        report_note "$1: Slurm does not answer ($offered)"
        return
    fi
    for i in "${!mpi_libraries[@]}"; do
        [[ -n ${mpi_families[i]} ]] || continue
        pmi_of_library "${mpi_libraries[i]}" "${mpi_families[i]}"
        if [[ " $offered " == *" $REPLY "* ]]; then
            report_ok "$1 --mpi=$REPLY suits ${mpi_libraries[i]}"
        else
            report_failure "$1 offers '$offered', but ${mpi_libraries[i]} needs $REPLY${then}ask for Slurm's $REPLY plugin, or start ${mpi_families[i]} by its own launcher in an allocation"
        fi
    done
}

examine_launchers() {
    local i kind
    begin_part launchers
    [[ ${#launcher_paths[@]} -gt 0 ]] ||
        report_failure "no launcher is in PATH${then}load the module of an MPI, or add its bin folder to PATH"
    for i in "${!launcher_paths[@]}"; do
        kind=${launcher_kinds[i]}
        launcher_fact "$kind" starts
        if [[ $kind == slurm ]]; then
            examine_srun "${launcher_paths[i]}"
        elif [[ -n $REPLY ]]; then
            report_ok "${launcher_paths[i]} starts $REPLY"
        else
            report_note "${launcher_paths[i]}: whose it is cannot be told"
        fi
    done
}

# Settings of an MPI whose programs pairs serve: none of their hosts heeds these.
examine_settings() {
    local index names applications=''
    for index in "${!pair_folders[@]}"; do
        has_word "${conf[$index.application]}" "$applications" || applications+=" ${conf[$index.application]}"
    done
    for index in $applications; do
        launcher_of_abi "$index" || continue
        idle_variables "$REPLY"
        [[ ${#names[@]} -eq 0 ]] || report_note "settings without effect on programs of $index that run on another MPI: ${names[*]}"
    done
}

# Further facts for a report of a fault.
describe_machine() {
    local index name
    put_plain 'mpi-adapter %s in %s, %s\n' "$version" "$prefix" "$(date -u '+%Y-%m-%d %H:%M:%S UTC')"
    name=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\).*/\1/p' /etc/os-release 2> /dev/null)
    put_plain '%s, %s, %s, bash %s\n' "${name:-an unknown system}" "$(uname -srm)" "$(getconf GNU_LIBC_VERSION 2> /dev/null)" \
        "$BASH_VERSION"
    for name in PATH LD_LIBRARY_PATH LD_PRELOAD LOADEDMODULES; do
        [[ -z ${!name-} ]] || put_plain '%s=%s\n' "$name" "${!name}"
    done
    for index in "${!pair_folders[@]}"; do
        list_pair "$index"
    done
    list_settings
}

# examine_into_report FOLDER: the same as without, and into a file.
examine_into_report() {
    local file opened statuses
    { mkdir -p -- "$1" 2> /dev/null && real_folder "$1" && file=$REPLY/doctor.$(uname -n).$$-$RANDOM.txt && open_new "$file"; } ||
        die "no report can be written into $1" 'give --report a folder that can be written'
    opened=$REPLY
    export MPI_ADAPTER_REPORT=${file%/*}
    { describe_machine && examine_machine; } 2>&1 | tee -- "$opened" 2> /dev/null
    statuses=("${PIPESTATUS[@]}")
    [[ ${statuses[1]} -eq 0 ]] || die 'the answer cannot be written' 'free space where it goes'
    put_plain 'report\n  %s\n' "$file"
    exit "${statuses[0]}"
}

command_doctor() {
    parse_options '--timeout --report' --json "$@"
    trees=("${operands[@]}")
    probe_seconds=${given[--timeout]-60}
    [[ $probe_seconds =~ ^[1-9][0-9]{0,5}$ ]] || usage_error "--timeout '$probe_seconds' is not a positive number"
    [[ -z ${given[--report]-} || -z ${given[--json]-} ]] || usage_error '--report and --json contradict each other' 'give one of them'
    load_settings note_damaged
    load_pairs note_damaged
    [[ -z ${given[--report]-} ]] || examine_into_report "${given[--report]}"
    examine_machine
}

examine_installation() {
    begin_step 'looking for MPIs and launchers'
    find_mpis
    find_launchers
    stop_ticking
    examine_mpis
    examine_launchers
    examine_pairs
    examine_settings
}

examine_trees() {
    local tree
    begin_part trees
    for tree in "${trees[@]}"; do
        begin_step "comparing $tree"
        examine_tree "$tree"
        stop_ticking
    done
}

examine_machine() {
    local line work
    work=$(mktemp -d 2> /dev/null) || die "no folder can be created in ${TMPDIR:-/tmp}" 'free space there or set TMPDIR to another folder'
    # shellcheck disable=SC2064
    trap "stop_ticking; rm -rf -- ${work@Q}" EXIT
    trap 'exit 130' INT TERM HUP
    if [[ ${#trees[@]} -gt 0 ]]; then examine_trees; else examine_installation; fi
    for line in "${damaged_pairs[@]}"; do
        report_failure "$line"
    done
    [[ -z ${given[--json]-} ]] || put_json findings '' "${findings[@]}"
    exit $doctor_status
}
