# SPDX-License-Identifier: BSD-3-Clause
# Programs that need their MPI by a name that no library of the pair's, or of the host's, has: links by that name lead to it.
# They are kept in the user's cache, as each rank needs them, and are replaced if they lead elsewhere.

# links_folder OF: sets REPLY to the folder of the links to what is in the folder OF, or to the file OF.
links_folder() {
    local cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}} key
    [[ $cache == /* && $cache != *:* ]] ||
        die "there is no folder for links to libraries by the names that $program needs" 'set XDG_CACHE_HOME to a folder of yours'
    key=${1//%/%%}
    REPLY=$cache/mpi-adapter/names/${key//\//%}
    mkdir -p -- "$REPLY" 2> /dev/null && [[ -O $REPLY && -w $REPLY ]] ||
        die "$REPLY cannot be written" 'set XDG_CACHE_HOME to a folder of yours'
}

# lead_to LINK FILE: no other process sees the link missing.
lead_to() {
    [[ $(readlink -- "$1") != "$2" ]] || return 0
    ln -sfn -- "$2" "$1.$$" 2> /dev/null && mv -fT -- "$1.$$" "$1" 2> /dev/null ||
        die "the link $1 cannot be made" 'free space there, or set XDG_CACHE_HOME to another folder of yours'
}

# reject_names_in_image NAME: links to it are needed, which an image cannot have.
reject_names_in_image() {
    [[ $command != container ]] ||
        die "$program needs its MPI by the name $1, and images are given libraries by their own names" \
            "rename it in a copy of the program: patchelf --replace-needed $1 ${family_facts[$abi.soname]} COPY"
}

# pair_links INDEX: sets links to the folder of links to the pair's libraries, or nothing where the pair has all names, leading
# to these libraries, without their folder, and unknown to those names of which the adapter does not know that they are the program's.
pair_links() {
    local name REPLY folder=${pair_folders[$1]}
    links='' leading='' unknown=''
    for name in "${other_names[@]}"; do
        [[ ! -e $folder/$name ]] || continue
        reject_names_in_image "$name"
        [[ -n $links ]] || { links_folder "$folder"; links=$REPLY; }
        if ! alias_of "$name" "${conf[$1.application]}"; then
            REPLY=${conf[$1.preload]%% *}
            unknown+=${unknown:+:}$name
        elif [[ " ${family_facts[${conf[$1.application]}.contested]-}" == *" $name="* ]]; then
            unknown+=${unknown:+:}$name
        fi
        has_word "$REPLY" "$leading" || leading+=" $REPLY"
        lead_to "$links/$name" "$folder/$REPLY"
    done
    # Nothing tells which of the unknown ones Fortran is in.
    [[ -z $unknown ]] || ! refers_by "$subject" mpi_ || leading+=" ${conf[$1.fortran]-}"
}

# host_file NAME: sets REPLY to the host's library that has this name in its family, or one alike.
host_file() {
    local words word alike=$1
    [[ $1 != "${family_facts[$abi.soname]}" ]] || { REPLY=$host_library; return; }
    read -r -a words <<< "${family_facts[$abi.fortran_library]-}"
    for word in "${words[@]}"; do
        [[ ,$word, != *,"$1",* ]] || alike=$word
    done
    IFS=, read -r -a words <<< "$alike"
    for word in "${words[@]}"; do
        REPLY=${host_library%/*}/$word
        [[ ! -e $REPLY ]] || return 0
    done
    die "$program needs $alike of the MPI of $host_library, and it is not there" 'install it'
}

# Sets leading to the host's own libraries for Fortran, with colons between.
host_fortran() {
    local words word file
    leading=''
    REPLY=${family_facts[$abi.fortran_library]-}
    read -r -a words <<< "${REPLY//,/ }"
    for word in "${words[@]}"; do
        file=${host_library%/*}/$word
        [[ $word != *.so.* || ! -e $file || :$leading: == *":$file:"* ]] || leading+=${leading:+:}$file
    done
}

# Sets links to the folder of links to the host's own libraries, or nothing where the loader finds all names, and
# leading to libraries that are to be preloaded, with colons between.
host_links() {
    local name REPLY unknown=''
    links='' leading=''
    for name in "${other_names[@]}"; do
        if find_library "$chosen" "$name" && library_serves "$REPLY" "$abi"; then continue; fi
        reject_names_in_image "$name"
        [[ -n $links ]] || { links_folder "$host_library"; links=$REPLY; }
        if alias_of "$name" "$abi"; then library_of_today "$name" "$abi"; else unknown=yes REPLY=${family_facts[$abi.soname]}; fi
        host_file "$REPLY"
        lead_to "$links/$name" "$REPLY"
    done
    [[ -z $unknown ]] || ! refers_by "$subject" mpi_ || host_fortran
}
