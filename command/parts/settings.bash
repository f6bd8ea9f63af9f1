# SPDX-License-Identifier: BSD-3-Clause
# Settings: of the environment, or else of the user's file, the installation's
# and the system's.  See mpi-adapter.conf(5).

declare -A setting=()           # only those that are set
declare -A setting_origin=()    # where from: a variable, or file:line
declare -A setting_variable=(
    [host]=MPI_ADAPTER_HOST
    [host_library]=MPI_ADAPTER_HOST_LIBRARY
    [host_preload]=MPI_ADAPTER_HOST_PRELOAD
    [host_prefixes]=MPI_ADAPTER_HOST_PREFIXES
    [ignore_options]=MPI_ADAPTER_IGNORE_OPTIONS
    [launcher]=MPI_ADAPTER_LAUNCHER
    [launcher_arguments]=MPI_ADAPTER_LAUNCHER_ARGUMENTS
    [mpi_release]=MPI_ADAPTER_MPI_RELEASE
    [mpi_version]=MPI_ADAPTER_MPI_VERSION
    [pair_path]=MPI_ADAPTER_PATH
)
setting_names=(host host_prefixes host_library host_preload ignore_options launcher launcher_arguments mpi_release mpi_version pair_path)

# Sets items to the configuration files, the strongest first.
setting_files() {
    if [[ -n ${MPI_ADAPTER_CONFIG-} ]]; then
        split_colons "$MPI_ADAPTER_CONFIG"
        return
    fi
    items=()
    [[ -z ${XDG_CONFIG_HOME:-${HOME-}} ]] ||
        items+=("${XDG_CONFIG_HOME:-$HOME/.config}/mpi-adapter/mpi-adapter.conf")
    items+=("$prefix/etc/mpi-adapter.conf" "$system_configuration")
}

# check_preloaded PLACE KEY FILE: whether LD_PRELOAD can hold it: a path that leads to the same file everywhere, or a name that the
# loader looks for. Sets problem.
check_preloaded() {
    if [[ $3 == *[[:space:]]* ]]; then
        problem="$1: $2 has '$3', which LD_PRELOAD cannot hold, as it has a space${then}name a link to it, and put colons between files"
    elif [[ $3 == */* && $3 != /* && $3 != \~/* ]]; then
        problem="$1: $2 has '$3', which is not an absolute path${then}correct it"
    else
        return 0
    fi
    return 1
}

# names_setting KEY: whether there is such a setting. Only that of a host's libraries to preload may name an ABI or an MPI: KEY.HOST.
names_setting() {
    local host=${1#host_preload.}
    [[ $host != "$1" ]] || { [[ -n ${setting_variable[$1]-} ]]; return; }
    has_word "${host%%@*}" "${family_names[*]}"
}

# Folders of a file must be absolute: it is read wherever the user is.
check_setting() {
    local folder items
    if [[ $2 == mpi_release && ! $3 =~ ^[0-9]+\.[0-9][0-9a-z.+-]*$ ]]; then
        problem="$1: mpi_release is '$3', which is not a release such as 4.1.4${then}correct it"
        return 1
    fi
    if [[ $2 == mpi_version && ! $3 =~ ^[1-9][0-9]?\.[0-9][0-9]?$ ]]; then
        problem="$1: mpi_version is '$3', which is not a version of MPI such as 4.0${then}correct it"
        return 1
    fi
    split_colons "$3"
    if [[ $2 == host_preload* ]]; then
        for folder in "${items[@]}"; do
            check_preloaded "$1" "$2" "$folder" || return
        done
    fi
    [[ $2 == host_prefixes || $2 == pair_path ]] || return 0
    for folder in "${items[@]}"; do
        if [[ $folder != /* && $folder != \~/* ]]; then
            problem="$1: $2 has '$folder', which is not an absolute path${then}correct it"
            return 1
        fi
    done
}

# store_setting FILE NUMBER LINE
store_setting() {
    local key value place=$1:$2 advice='correct it, see mpi-adapter.conf(5)'
    split_setting "$place" "$3" "$advice" || return
    [[ -n $key ]] || return 0
    if ! names_setting "$key"; then
        did_you_mean "$key" "${setting_names[*]} ${family_names[*]/#/host_preload.}" || REPLY=$advice
        problem="$place: there is no setting '$key'${then}$REPLY"
        return 1
    fi
    if [[ ${setting_origin[$key]-} == "$1":* ]]; then
        problem="$place: $key is given twice${then}$advice"
        return 1
    fi
    check_setting "$place" "$key" "$value" || return
    [[ -z ${setting_origin[$key]-} ]] || return 0
    [[ $value != \~/* ]] || value=${HOME-}/${value#\~/}
    [[ $key != *.* ]] || setting_names+=("$key")
    setting[$key]=${value//:\~\//":${HOME-}/"}
    setting_origin[$key]=$place
}

# $1 is called with the problem of a damaged line.
read_setting_file() {
    local number lines
    read_lines "$2" 'correct MPI_ADAPTER_CONFIG, or put a file there' || { "$1" "$problem"; return; }
    for number in "${!lines[@]}"; do
        store_setting "$2" $((number + 1)) "${lines[number]}" || "$1" "$problem"
    done
}

# load_settings ON_PROBLEM
load_settings() {
    local name file items
    for name in "${setting_names[@]}"; do
        file=${setting_variable[$name]}
        [[ -n ${!file-} ]] || continue
        setting[$name]=${!file}
        setting_origin[$name]=$file
    done
    setting_files
    for file in "${items[@]}"; do
        [[ ! -e $file ]] || read_setting_file "$1" "$file"
    done
}
