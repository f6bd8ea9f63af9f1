# SPDX-License-Identifier: BSD-3-Clause
# The host MPI of a pair, its launcher, and the choice of a pair.

host_library=''
host_library_is_named=no
host_library_behind=''  # of a list A:B, what is behind A: where A is a pair's, its host's
host_departure=''       # why a library that was found is no host, though it has the name of one
host_folders=''         # where the host's libraries are, if the loader must be told
host_prefix=''          # of the setting host_prefixes, if it is by that
host_implementation=''  # whose it is, and whose launcher starts its programs
launcher=''
launcher_kind=''

# The value with ENTRY first, and no empty entry, which would mean the
# current folder.
prepended() {
    REPLY=$1
    [[ -z $2 || $2 == "$1" || $2 == "$1:"* ]] && { REPLY=${2:-$1}; return; }
    REPLY=$1:$2
}

library_path_of() {
    REPLY=${LD_LIBRARY_PATH-}
    [[ -z $host_folders ]] || prepended "$host_folders" "$REPLY"
    [[ -z ${pair_folders[$1]-} ]] || prepended "${pair_folders[$1]}" "$REPLY"
}

# The file that the loader takes for a library that the trace names, and the
# first library that it lacks.
traced_file() {
    local i
    for i in "${!trace_names[@]}"; do
        if [[ ${trace_names[i]} == "$1" && -n ${trace_paths[i]} ]]; then
            REPLY=${trace_paths[i]}
            return
        fi
    done
    return 1
}

traced_missing() {
    local i
    for i in "${!trace_names[@]}"; do
        REPLY=${trace_names[i]}
        [[ -z ${trace_paths[i]} ]] && return
    done
    return 1
}

# find_library INDEX NAME: as the loader resolves it for the adapter, either
# as a need of the adapter or when opened by name; without a pair, for the program.
find_library() {
    local path file
    library_path_of "$1"
    path=$REPLY
    if [[ $2 == */* ]]; then
        trace "$2" "$path" '' && REPLY=$2
        return
    fi
    if [[ -n ${pair_folders[$1]-} ]]; then
        trace "${pair_folders[$1]}/${conf[$1.preload]%% *}" "$path" ''
        traced_file "$2" && return
    elif [[ -n $subject ]] && trace "$subject" "$path" '' && traced_file "$2"; then
        file=$REPLY
        trace "$file" "$path" '' && REPLY=$file
        return
    fi
    trace "$elf_facts" "$path" "$2"
    traced_file "$2"
}

# Sets host_library to the first of the names that is a library of the host,
# or problem.
try_libraries() {
    local index=$1 host=${conf[$1.host]} name wrong=''
    shift
    for name; do
        find_library "$index" "$name" || continue
        host_library=$REPLY
        if is_damaged "$host_library"; then
            problem="$host_library is damaged, as a part of it is missing${then}install it again"
            return 1
        elif ! library_serves "$host_library" "$host"; then
            wrong=${wrong:-$host_library}
        elif traced_missing; then
            problem="$host_library cannot be loaded, as it needs $REPLY${then}install that or add its folder to LD_LIBRARY_PATH"
            return 1
        else
            [[ -z $wrong ]] || host_library_is_named=yes
            whose_library "$host_library" "$host"
            host_implementation=$REPLY
            return 0
        fi
    done
    host_library=''
    if [[ -n $wrong ]] && departs "$wrong" "$host"; then
        host_departure=$REPLY
        problem=$REPLY
    elif [[ -n $wrong ]]; then
        described_library "$wrong"
        problem="$REPLY is not an MPI library of the ABI $host${then}put the folder of $host's ahead in LD_LIBRARY_PATH"
    else
        package_of_family "$host"
        REPLY="install it$REPLY or"
        [[ -z ${family_facts[$host.had_by]-} ]] || REPLY="give another --to, install ${family_facts[$host.had_by]}, or"
        problem="the MPI library of $host ($*) is not found${then}$REPLY add its folder to LD_LIBRARY_PATH"
    fi
    return 1
}

# library_in_folder FOLDER ABI NAME...: sets REPLY to the MPI library in FOLDER: one of these names, or another one
# that serves.
library_in_folder() {
    local name host=$2 folder=$1 items
    shift 2
    for name; do
        REPLY=$folder/$name
        [[ -f $REPLY ]] && library_serves "$REPLY" "$host" && return
    done
    other_libraries "$folder" "$@"
    for REPLY in "${items[@]}"; do
        library_serves "$REPLY" "$host" && return
    done
    return 1
}

# library_in_prefix FOLDER ABI NAME...: sets REPLY to the MPI library of the
# installation in FOLDER.
library_in_prefix() {
    local place top=$1
    shift
    for place in lib lib64 lib/release; do
        library_in_folder "$top/$place" "$@" && return
    done
    return 1
}

# departs_in_prefix FOLDER ABI NAME...: whether the installation in FOLDER has such a library with other numbers. Sets REPLY to how.
departs_in_prefix() {
    local file host=$2 top=$1
    shift 2
    for file in "${@/#/$top/lib/}" "${@/#/$top/lib64/}" "${@/#/$top/lib/release/}"; do
        [[ -f $file ]] && departs "$file" "$host" && return
    done
    return 1
}

# library_in_path INDEX NAME...: sets REPLY to an MPI library of the pair's host that is in LD_LIBRARY_PATH under
# another name than those, as a vendor's module puts it there.
library_in_path() {
    local items folder host=${conf[$1.host]}
    shift
    split_colons "${LD_LIBRARY_PATH-}"
    for folder in "${items[@]}"; do
        [[ ! -e $folder/pair.conf ]] && library_in_folder "$folder" "$host" "$@" && return
    done
    return 1
}

# Sets REPLY to the library that the pair or a host prefix says, host_folders,
# and host_prefix if it is by that.
recorded_library() {
    local names items folder
    host_prefix=''
    if [[ -n ${conf[$1.host_library]-} ]]; then
        REPLY=${conf[$1.host_library]}
        host_folders=${conf[$1.library_path]-${REPLY%/*}}
        return
    fi
    read -r -a names <<< "${conf[$1.host_libraries]}"
    split_colons "${setting[host_prefixes]-}"
    for folder in "${items[@]}"; do
        library_in_prefix "$folder" "${conf[$1.host]}" "${names[@]}" || {
            ! departs_in_prefix "$folder" "${conf[$1.host]}" "${names[@]}" || host_departure=$REPLY
            continue
        }
        host_folders=${REPLY%/*}
        host_prefix=$folder
        host_departure=''
        return
    done
    return 1
}

# Sets host_library, or problem; and host_library_is_named when the ranks must
# be told, as the adapter would open the first that it finds.
check_host_library() {
    local names folders library failed
    host_library_is_named=no
    host_library_behind=''
    host_folders=''
    host_prefix=''
    host_departure=''
    host_implementation=''
    if [[ -n ${setting[host_library]-} ]]; then
        [[ ${setting_origin[host_library]} == MPI_ADAPTER_HOST_LIBRARY ]] ||
            host_library_is_named=yes
        host_library_behind=${setting[host_library]#"${setting[host_library]%%:*}"}
        try_libraries "$1" "${setting[host_library]%%:*}"
    elif recorded_library "$1"; then
        library=$REPLY
        folders=$host_folders
        host_library_is_named=yes
        # Its folder goes ahead of the user's only where it must.
        host_folders=''
        try_libraries "$1" "$library" && return
        host_folders=$folders
        try_libraries "$1" "$library"
    elif [[ -n $host_departure ]]; then
        problem=$host_departure
        host_library=''
        return 1
    else
        read -r -a names <<< "${conf[$1.host_libraries]}"
        try_libraries "$1" "${names[@]}" && return
        failed=$problem
        if library_in_path "$1" "${names[@]}" && try_libraries "$1" "$REPLY"; then
            host_library_is_named=yes
            return
        fi
        problem=$failed
        return 1
    fi
}

check_pair_files() {
    local name
    for name in ${conf[$1.preload]}; do
        if [[ ! -r ${pair_folders[$1]}/$name ]]; then
            problem="${pair_folders[$1]}/$name is missing${then}install the pair again"
            return 1
        fi
    done
    if [[ ${pair_folders[$1]} == *[:\;]* ]]; then
        problem="the dynamic loader cannot search ${pair_folders[$1]}, as its name has a ':' or ';'${then}install into another folder"
        return 1
    fi
}

# begins_with_null FILE: as no program does; a shell would read on.
begins_with_null() {
    local byte
    [[ -f $1 && -r $1 ]] && IFS= read -r -d '' -n 1 byte < "$1" && [[ -z $byte ]]
} 2> /dev/null

# kind_of_launcher PATH: sets REPLY to an implementation's kind, a batch system's or nothing. Starts only a launcher whose file does
# not tell, and only if the command may start it anyway; else REPLY is `unasked`.
kind_of_launcher() {
    local text
    # These have a name that nothing else has, and not all of them tell their version.
    ! batch_of_name "$1" || return 0
    REPLY=''
    ! begins_with_null "$1" || return 0
    ! kind_of_file "$1" || return 0
    may_start || { REPLY=unasked; return 0; }
    launcher_says "$1"
    text=$REPLY
    REPLY=''
    kind_of_text "$text" && return
    # Libraries of a program's there may keep it from starting.
    [[ -z ${LD_LIBRARY_PATH-} ]] || ! kind_of_text "$(said_by env -u LD_LIBRARY_PATH "$1" --version 2>&1)" || return 0
    REPLY=''
    # If Slurm is not set up, srun does not even print its version.
    [[ $text != slurm* && $text != srun:* ]] || REPLY=slurm
}

# launchers_of_pair INDEX KEY: sets REPLY to what the pair says of the launchers (KEY: launchers, launcher_kind)
# of the implementation that was found to be the host. One that may be several's names the first without a word.
launchers_of_pair() {
    REPLY=${conf[$1.${host_implementation}_$2]-${conf[$1.$2]}}
}

# Sets names to the launchers of a pair that come into question.
recorded_launchers() {
    local found name top
    launchers_of_pair "$1" launchers
    read -r -a found <<< "$REPLY"
    names=()
    if [[ -n ${conf[$1.launcher]-} ]]; then
        names=("${conf[$1.launcher]}")
        return
    fi
    [[ -z $host_prefix ]] || for name in "${found[@]}"; do
        names+=("$host_prefix/bin/$name")
    done
    top=${host_library%/*}
    top=${top%/lib*}
    [[ -z $top || $top == /usr || $top == "$host_prefix" ]] || for name in "${found[@]}"; do
        [[ ! -x $top/bin/$name ]] || names+=("$top/bin/$name")
    done
    names+=("${found[@]}")
}

# is_of_other INDEX LAUNCHER: whether a launcher's installation has an MPI library of the host's ABI itself, and not the one that was chosen:
# two versions of an MPI would be one job. One that stands alone, as wrappers do, starts what is there.
is_of_other() {
    local file top names
    [[ -n $host_library ]] && ! starts_library "$host_library" || return
    read -r -a names <<< "${conf[$1.host_libraries]}"
    for file in "$2" "$(readlink -e -- "$2")"; do
        top=${file%/*/*}
        [[ $file == */bin/* ]] && library_in_prefix "$top" "${conf[$1.host]}" "${names[@]}" && ! [[ $REPLY -ef $host_library ]] && return
    done
    return 1
}

# Sets launcher and launcher_kind, or problem.  $2: the launcher that the user
# wants, or nothing.
check_launcher() {
    local name names kind advice wrong='' other='' host=${conf[$1.host]}
    launchers_of_pair "$1" launcher_kind
    kind=$REPLY
    [[ -z ${conf[$1.implementations]-} ]] || host=${host_implementation:-$host}
    if [[ -n $2 ]]; then
        names=("$2")
    else
        recorded_launchers "$1"
    fi
    for name in "${names[@]}"; do
        { find_launcher "$name" && [[ -f $REPLY && -x $REPLY ]]; } || continue
        launcher=$REPLY
        kind_of_launcher "$launcher"
        # One that is not asked is taken for what its name says.
        [[ $REPLY != unasked ]] || REPLY=$kind
        launcher_kind=$REPLY
        if [[ -z $2 && -z ${conf[$1.launcher]-} && $REPLY == "$kind" ]] && is_of_other "$1" "$launcher"; then
            other=${other:-$launcher}
            continue
        fi
        [[ $launcher_kind == "$kind" ]] || is_batch "$launcher_kind" && return
        wrong=${wrong:-$launcher}
    done
    launcher=''
    if [[ -n $other ]]; then
        problem="the launcher $other is of another installation than $host_library${then}put that one's ahead in PATH, or give it by --launcher PATH"
    elif [[ -n $wrong ]]; then
        advice="give $host's with --launcher PATH"
        [[ $command != exec ]] || advice="put $host's in the line"
        problem="the launcher $wrong is not one of $host${then}$advice, or use 'mpi-adapter env'"
    elif [[ -n $2 ]]; then
        advice=${setting_origin[launcher]---launcher}
        [[ -z ${given[--launcher]-} ]] || advice=--launcher
        problem="the launcher $2 is missing or not executable${then}correct $advice"
    else
        package_of_family "${conf[$1.host]}"
        problem="no launcher of $host (${names[*]}) is in PATH${then}install it$REPLY or give --launcher PATH"
    fi
    return 1
}

chosen=''

# meant_pair TO NAME...: as did_you_mean. A name with other digits is that of another release, and no slip.
meant_pair() {
    local name same='' digits=${1//[!0-9]/}
    for name in "${@:2}"; do
        [[ ${name//[!0-9]/} != "$digits" ]] || same+=" $name"
    done
    did_you_mean "$1" "$same"
}

# pairs_that_run FROM TO: sets REPLY to the names of those that are made for these, whether they are installed or not.
pairs_that_run() {
    local name names=()
    for name in "${pair_names[@]}"; do
        # shellcheck disable=SC2053  # a pattern
        [[ $name != "$1-to-"${2:-*} ]] || names+=("$name")
    done
    joined ' or ' "${names[@]:-$1-to-${2:-HOST}}"
}

# no_pair FROM TO: sets problem.
no_pair() {
    local index installed=()
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$1" ]] || continue
        installed+=("${conf[$index.host]}${conf[$index.name]+@${conf[$index.name]}}")
    done
    # Names of hosts, each once; only those on which the program can run.
    read -r -d '' -a installed < <(printf '%s\n' "${installed[@]}" | sort -u)
    if [[ $2 == *@* ]] && meant_pair "$2" "${installed[@]}"; then
        problem="no installed pair runs programs of $1 on $2${then}$REPLY"
    elif [[ $2 == *@* ]]; then
        problem="no installed pair runs programs of $1 on $2${then}make one with 'mpi-adapter build --host PREFIX --name ${2#*@}'${installed:+, or give --to one of: ${installed[*]}}"
    else
        pairs_that_run "$@"
        problem="no installed pair runs programs of $1${2:+ on $2}${then}install $REPLY${installed:+, or give --to one of: ${installed[*]}}"
    fi
}

# pair_is_on INDEX TO: TO is an ABI, ABI@NAME or empty.
pair_is_on() {
    [[ -z $2 || ${conf[$1.host]} == "${2%%@*}" ]] &&
        [[ $2 != *@* || ${conf[$1.name]-} == "${2#*@}" ]]
}

# is_absence PROBLEM: whether check_host_library found no MPI of the ABI, not even a damaged one, but perhaps one with other numbers.
is_absence() {
    [[ $1 == *") is not found$then"* || -n $host_departure ]]
}

# choose_pair FROM TO CHECK LAUNCHER PROBLEM: the first pair, in search order, that serves both and passes the checks. When none
# passes, fails and sets problem: that of running without one, or else the first one's is the one to solve. Sets has_host to
# whether something that may be a pair's MPI is here, or is named.
choose_pair() {
    local index first=$5 candidates=0
    has_host=${setting[host_library]+yes}
    for index in "${!pair_folders[@]}"; do
        [[ ${conf[$index.application]} == "$1" ]] || continue
        pair_is_on "$index" "$2" || continue
        candidates=$((candidates + 1))
        if check_pair_files "$index" && check_host_library "$index" &&
            { [[ $3 == no ]] || check_launcher "$index" "$4"; }; then
            chosen=$index
            return
        fi
        # If a library that the pair names is gone, the user has to mend it.
        [[ -z ${conf[$index.host_library]-} ]] && is_absence "$problem" || has_host=yes
        first=${first:-$problem}
    done
    problem=$first
    [[ $candidates -gt 0 || -n $first ]] || no_pair "$1" "$2"
    return 1
}
