# SPDX-License-Identifier: BSD-3-Clause
# An MPI of the site, as `mpi-adapter build` is given it: its header, its
# library and its launcher.  Nothing of it is compiled or run but
# `mpicc -show`.

site_prefix=''
site_compiler=''        # its mpicc, if it has one
site_header=''          # its mpi.h, if it has one
site_library=''
site_family=''
site_implementation=''  # whose mpi.h is
site_product=''         # as people call it: MPICH 4.2.1
site_release=''         # of the family's table: 4.2.1
site_name=''            # how pairs for it are told apart: 4.2.1, intel-2021.11
site_launcher=''
site_shows=()           # the words of mpicc -show

# find_site PREFIX|MPICC ABI: where a compiler of its family may be, or the compiler itself; the ABI is optional.
find_site() {
    local name
    [[ $1 != *[[:cntrl:]]* ]] || die "the name of $1 has a control character" 'rename it'
    if [[ -d $1 ]]; then
        real_folder "$1" || die "$1 cannot be entered" 'check its permissions'
        site_prefix=$REPLY
        for name in mpicc mpigcc mpiicx mpiicc; do
            [[ -x $site_prefix/bin/$name ]] && site_compiler=$site_prefix/bin/$name && break
        done
    elif find_in_path "$1" && [[ -f $REPLY && -x $REPLY ]]; then
        site_compiler=${REPLY##*/}
        real_folder "${REPLY%/*}/"
        site_compiler=$REPLY/$site_compiler
        site_prefix=$REPLY
        site_prefix=${site_prefix%/*}
        site_prefix=${site_prefix:-/}
    else
        die "$1 is neither a folder nor a compiler" \
            'give the prefix of an MPI installation, or its mpicc'
    fi
    [[ -z $site_compiler ]] || begins_with_null "$site_compiler" ||
        read -r -a site_shows < <(said_by "$site_compiler" -show 2> /dev/null | head -n 1)
    # A program that says nothing may be a compiler by its name.
    [[ -d $1 || ${#site_shows[@]} -gt 0 || ${site_compiler##*/} == *mpi* ]] ||
        die "$1 is not an MPI compiler: -show does not tell what it calls" 'give the prefix of an MPI installation, or its mpicc'
    find_site_header
    find_site_library "${2-}"
    read_site_header
}

# The folders that mpicc gives after an option: -I, -L.
shown_folders() {
    local word
    items=()
    for word in "${site_shows[@]}"; do
        [[ $word == "$1"/* ]] && items+=("${word#"$1"}")
    done
    return 0
}

find_site_header() {
    local folder items
    shown_folders -I
    for folder in "${items[@]}" "$site_prefix/include"; do
        [[ -f $folder/mpi.h && -r $folder/mpi.h ]] || continue
        site_header=$folder/mpi.h
        return
    done
}

# header_macro NAME: sets REPLY to what mpi.h defines it as, without quotes.
header_macro() {
    # No mpi.h has as many bytes, and a sparse file would have no end.
    REPLY=$(head -c 4194304 -- "$site_header" 2> /dev/null | tr -d '\0' | sed -n "s/^[[:space:]]*#[[:space:]]*define[[:space:]]\{1,\}$1[[:space:]]\{1,\}\"\{0,1\}\([^\"[:space:]]*\).*/\1/p" | head -n 1)
    [[ -n $REPLY ]]
}

# Sets items to the folders that may hold its library: mpicc's own, the
# prefix's, and for an installation among the system's, the compiler's.
site_library_folders() {
    local folders
    shown_folders -L
    folders=("${items[@]}" "$site_prefix"/{lib,lib64,lib/release})
    [[ $site_prefix != / && $site_prefix != /usr ]] || folders+=("$site_prefix"/lib/*-linux-gnu)
    items=("${folders[@]}")
}

# header_release NAME: sets REPLY to the release of an implementation that mpi.h is of, by its macros, or fails.
header_release() {
    local macro release=''
    [[ -n ${implementation_facts[$1.release]-} ]] || return
    for macro in ${implementation_facts[$1.release]}; do
        header_macro "$macro" || return
        release+=${release:+.}$REPLY
    done
    REPLY=$release
}

# header_vendor NAME: sets REPLY to the last macro=vendor of those that mpi.h has of one implementation, or fails.
header_vendor() {
    local word vendor=''
    for word in ${implementation_facts[$1.vendors]-}; do
        ! header_macro "${word%%=*}" || vendor=$word
    done
    REPLY=$vendor
    [[ -n $vendor ]]
}

# Sets site_implementation to the one that mpi.h belongs to, or nothing.
implementation_of_header() {
    [[ -n $site_header ]] || return 0
    for site_implementation in "${implementation_names[@]}"; do
        if header_release "$site_implementation" || header_vendor "$site_implementation"; then
            return
        fi
    done
    site_implementation=''
}

# host_abis: sets REPLY to what people call the ABIs of hosts: "A 4 or later, or of B".
host_abis() {
    local name index texts=() hosts=''
    for index in "${!pair_folders[@]}"; do
        hosts+=" ${conf[$index.host]}"
    done
    for name in "${family_names[@]}"; do
        ! has_word "$name" "$hosts" ||
            texts+=("${family_facts[$name.called]-$name}${family_facts[$name.since]+ ${family_facts[$name.since]} or later}")
    done
    joined ', or of ' "${texts[@]}"
}

# Why none of the folders has a library that can be used.
no_site_library() {
    local folder file folders other=''
    folders=("${items[@]}")
    for folder in "${folders[@]}"; do
        other_libraries "$folder"
        other=${other:-${items[0]-}}
    done
    if [[ -n $other ]]; then
        described_library "$other"
        other=$REPLY
        host_abis
        die "$other is an MPI library of an unknown ABI" "give an MPI with the ABI of $REPLY"
    fi
    for folder in "${folders[@]}"; do
        for file in "$folder"/libmpi*.a; do
            [[ ! -e $file ]] || ! has_stem "$(basename -- "$file" .a).so" ||
                die "$site_prefix has only static libraries ($file), which no adapter can load" \
                    'build that MPI with --enable-shared'
        done
    done
    die "no MPI library is in $site_prefix" 'give the prefix of an MPI installation, or its mpicc'
}

# find_site_library ABI: the library of that ABI or, without one, of the first that a pair runs on.
find_site_library() {
    local folder folders items index
    implementation_of_header
    site_library_folders
    folders=("${items[@]}")
    for index in "${!pair_folders[@]}"; do
        site_family=${conf[$index.host]}
        [[ -z $1 || $1 == "$site_family" ]] || continue
        [[ -z $site_implementation ]] ||
            has_word "$site_implementation" "${family_facts[$site_family.implementations]-}" || continue
        for folder in "${folders[@]}"; do
            # shellcheck disable=SC2086  # words are wanted
            library_in_folder "$folder" "$site_family" ${conf[$index.host_libraries]} || continue
            site_library=$REPLY
            whose_library "$site_library" "$site_family"
            host_implementation=$REPLY
            return
        done
    done
    items=("${folders[@]}")
    [[ -z $1 ]] ||
        die "no MPI library of the ABI $1 is in $site_prefix" "give the prefix of an MPI that has it, or leave out --host-abi"
    no_site_library
}

# Whether mpi.h is another implementation's than the library: of an ABI that several have, both may be in one prefix. Sets REPLY to
# that of the library.
is_foreign_header() {
    is_shared "$site_family" && likely_implementation "$site_library" "$site_family" && [[ $REPLY != "$site_implementation" ]]
}

# Sets site_product, site_release and site_name by the macros of mpi.h.
read_site_header() {
    local vendor
    site_product=$site_family
    site_name=${site_prefix##*/}
    if is_foreign_header; then
        site_product=${implementation_facts[$REPLY.version]}
        return
    fi
    [[ -n $site_implementation ]] || return 0
    if header_release "$site_implementation"; then
        site_release=$REPLY
        site_name=$REPLY
        site_product="${implementation_facts[$site_implementation.version]} $REPLY"
    fi
    header_vendor "$site_implementation" || return 0
    vendor=${REPLY#*=}
    header_macro "${REPLY%%=*}"
    site_name=${vendor,,}-$REPLY
    site_product="$vendor $REPLY${site_release:+ ($site_product)}"
}

# launchers_of_compiler FILE: adds to names; a compiler mpicc.X has a launcher mpiexec.X, and so has a link to it.
launchers_of_compiler() {
    local file=$1 suffix target
    while :; do
        suffix=${file##*/mpicc}
        [[ $suffix != .* ]] || names+=("${file%/*}/mpiexec$suffix")
        [[ -L $file ]] || return 0
        target=$(readlink -- "$file")
        [[ $target == /* ]] || target=${file%/*}/$target
        file=$target
    done
}

# find_site_launcher WANTED INDEX: beside the compiler, under the family's names, or the compiler's.
find_site_launcher() {
    local name names=() folder
    if [[ -n $1 ]]; then
        check_launcher "$2" "$1" || die_of_problem "$problem"
        site_launcher=$launcher
        return
    fi
    folder=$site_prefix/bin
    if [[ -n $site_compiler ]]; then
        folder=${site_compiler%/*}
        launchers_of_compiler "$site_compiler"
    fi
    launchers_of_pair "$2" launchers
    for name in $REPLY mpirun; do
        names+=("$folder/$name")
    done
    for name in "${names[@]}"; do
        check_launcher "$2" "$name" || continue
        site_launcher=$launcher
        return
    done
    die "no launcher of $site_family is in $folder" 'give the launcher with --launcher PATH'
}
