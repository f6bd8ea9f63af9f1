# SPDX-License-Identifier: BSD-3-Clause
# Answers the questions of `mpi-adapter container` within the image (parts/look.bash starts it):
#   inside.bash FOLDER COUNT program FROM PROGRAM [APPLICATION SONAMES]...
#   inside.bash FOLDER COUNT environment IMAGE ABI PROGRAM PRELOAD HOST HOST_LIBRARY LIBRARY_PATH PLUGINS HOST_PRELOAD NAMES [PAIR]
# COUNT words, then an empty word and the image's variables, each a word NAME=VALUE: look.c sees to that.
# It answers on stdout by names and values, each with a null byte behind.  It trusts nothing of the image's: what runs
# is in FOLDER, and what this machine's bash needs is not what programs of the image see.

set -u

home=$1 count=$2
elf_facts=$home/elf-facts
prefix='' system_configuration='' site_prefix_of_all=''     # there is no installation in an image
guard=${home%/*}/lib/mpi-adapter/guard.so
shift 2

tell() { printf '%s\0' "$@"; }

# note_variables NAME=VALUE...: sets variables to the names of the image's variables, and those of them that say where programs
# and libraries are. None of the others becomes one of this shell's.
note_variables() {
    local word name value
    # The tool's or a shell's own, of which none is to be handed on to ranks.
    variables=(PWD OLDPWD SHLVL _)
    unset HOME PATH
    for word; do
        name=${word%%=*} value=${word#*=}
        [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || continue
        variables+=("$name")
        case $name in
        HOME) HOME=$value ;;
        PATH) PATH=$value ;;
        LD_LIBRARY_PATH) LD_LIBRARY_PATH=$value ;;
        LD_PRELOAD) LD_PRELOAD=$value ;;
        esac
    done
}
note_variables "${@:count + 2}"
set -- "${@:1:count}"

# Errors from here on are reported here.
tell inside yes

# The image's own dynamic loader may know another C library than these need.
start() { "$home/loader" --library-path "$home" "$@"; }
head() { start "$home/head" "$@"; }
readlink() { start "$home/readlink" "$@"; }
sed() { start "$home/sed" "$@"; }
sort() { start "$home/sort" "$@"; }
stat() { start "$home/stat" "$@"; }
tr() { start "$home/tr" "$@"; }
# A file, too, for the parts.
eval "$elf_facts() { start '$elf_facts' \"\$@\"; }"

for part in "$home"/command/*.bash; do
    # shellcheck source=/dev/null
    . "$part"
done

# Nothing of the image is started from here.
only_looks=yes

# The adapter is made for the GNU C library.
require_glibc() {
    local name
    for name in "${trace_names[@]}"; do
        [[ $name != libc.so.6 ]] || return 0
    done
    die "$subject does not use the GNU C library, as this machine's MPI does" 'use an image that has it'
}

# program FROM PROGRAM [APPLICATION SONAMES]...: which ABI it is of.
inside_program() {
    local from=$1 wanted=$2 index=0
    [[ -z $from ]] || given[--from]=$from
    shift 2
    while [[ $# -gt 0 ]]; do
        pair_folders[index]=''
        conf[$index.application]=$1
        conf[$index.application_sonames]=$2
        index=$((index + 1))
        shift 2
    done
    find_program_of_image "$wanted"
    find_subject
    require_runnable_elf
    trace "$subject" "${LD_LIBRARY_PATH-}" ''
    require_glibc
    settle_abi "$from"
    reject_refused
    tell program "$program" abi "$abi" variables "${variables[*]}" names "${other_names[*]}"
}

# is_host FILE: whether it is mounted, of the host's MPI or of the pair.
is_host() {
    local folder
    [[ $1 != "${home%/*}"/* && :$plugins: != *":$1:"* ]] || return 0
    split_colons "$host_path"
    for folder in "${items[@]}"; do
        [[ ${1%/*} != "$folder" ]] || return 0
    done
    return 1
}

# too_old FILE LIBRARY VERSION: FILE is mounted, and LIBRARY the image's.
too_old() {
    local advice='use a newer image, or an MPI that was built on an older system'
    [[ $1 != "${home%/*}"/lib/* ]] ||
        advice='use a newer image, or install an mpi-adapter that was built on an older system'
    newest_version "$2" "$3"
    die "${1##*/} needs $3 of ${2##*/}, and $image_name has $REPLY" "$advice"
}

# Whether files that are mounted and files of the image fit each other, the newest versions first. One that is mounted and that is
# too old for the image is better left out: told as that.
check_versions() {
    local by library version preload
    preload=${rank_environment[LD_PRELOAD]}:$host_library:$plugins
    [[ $native == yes ]] || preload+=:${pair_folders[0]}/${conf[$chosen.preload]%% *}
    while IFS=$'\t' read -r by library version; do
        [[ -n $by ]] || continue
        if is_host "$by" && ! is_host "$library"; then
            too_old "$by" "$library" "$version"
        elif is_host "$library" && ! is_host "$by"; then
            tell leave "$library"
        fi
    done < <(unmet_versions "${rank_environment[LD_LIBRARY_PATH]}" "$preload")
}

# environment IMAGE ABI PROGRAM PRELOAD HOST HOST_LIBRARY LIBRARY_PATH PLUGINS HOST_PRELOAD NAMES [PAIR]: what its ranks need. NAMES is
# what `program` told.
inside_environment() {
    local image_name=$1 preload=$4 host=$5 host_path=$7 plugins=$8 folder=${11-} name
    find_program_of_image "$3"
    find_subject
    trace "$subject" "${LD_LIBRARY_PATH-}" ''
    abi=$2
    read -r -a other_names <<< "${10}"
    setting[host_library]=$6
    setting_origin[host_library]=${setting_variable[host_library]}
    setting[host_preload]=$9
    setting_origin[host_preload]=${setting_variable[host_preload]}
    LD_LIBRARY_PATH=$host_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    if [[ -n $folder ]]; then
        read_pair 0 "$folder" || die_of_problem "$problem"
        pair_folders[0]=$folder
        chosen=0
    else
        describe_native "$host"
        native=yes
    fi
    check_host_library "$chosen" || die_of_problem "$problem"
    [[ $native == no ]] || reject_names_of_host
    if [[ $native == yes ]]; then native_environment; else make_environment "$preload"; fi
    # The image or the launcher may set these variables, so each is set here.
    [[ -n ${rank_environment[LD_LIBRARY_PATH]+set} ]] || set_for_ranks LD_LIBRARY_PATH "$LD_LIBRARY_PATH"
    [[ -n ${rank_environment[LD_PRELOAD]+set} ]] || set_for_ranks LD_PRELOAD "${LD_PRELOAD-}"
    set_for_ranks MPI_ADAPTER_HOST_LIBRARY "$host_library"
    check_versions
    for name in "${rank_names[@]}"; do
        tell "$name" "${rank_environment[$name]}"
    done
}

# find_program_of_image NAME: as find_program.
find_program_of_image() {
    find_in_path "$1" || die "$1: no such program in the image" "check its name and the image's PATH"
    find_program "$1"
}

load_families
command=container
what=$1
shift
"inside_$what" "$@"
