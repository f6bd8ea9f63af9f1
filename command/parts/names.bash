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

# Ends if the program needs the host's own library by a name that the host's MPI does not give it, in an image, which has no links.
# Names are left that the host's MPI gives its libraries.
reject_names_of_host() {
    local name REPLY
    for name in "${other_names[@]}"; do
        alias_of "$name" "$abi" || ! has_word "$name" "${family_facts[$abi.needs]-}" || continue
        die "$program needs its MPI by the name $name, by which images are given libraries of a pair alone" \
            "choose another MPI with --to, or rename it in a copy of the program: patchelf --replace-needed $name ${family_facts[$abi.soname]} COPY"
    done
    other_names=()
}

# pair_file INDEX NAME: sets REPLY to the file of the pair's that serves as the program's NAME, and fails if the adapter does not know
# that this name is the program's.
pair_file() {
    local family=${conf[$1.application]}
    alias_of "$2" "$family" || { REPLY=${conf[$1.preload]%% *}; return 1; }
    [[ " ${family_facts[$family.contested]-}" != *" $2="* ]]
}

# names_in_image: where in an image the pair's libraries are by the names that the program needs and the pair has not.
names_in_image() { REPLY=$container_top/names; }

# has_fortran_by_name FAMILY LIBRARIES: whether the program needs one of the family's libraries for Fortran, whatever it calls it.
has_fortran_by_name() {
    local name REPLY
    trace "$subject" "${LD_LIBRARY_PATH-}" '' || return
    for name in "${trace_names[@]}"; do
        library_of_today "$name" "$1"
        ! has_word "$REPLY" "$2" || return 0
    done
    return 1
}

# lacks_fortran_library FAMILY LIBRARIES: whether the program is in Fortran, and needs none of these libraries for it: its MPI has all
# in one.
lacks_fortran_library() {
    refers_by "$subject" mpi_ && { needs_nobodys "$1" || ! has_fortran_by_name "$1" "$2"; }
}

# needs_nobodys FAMILY: whether the family does not know one of the names in unknown, by another family's right to it at least.
needs_nobodys() {
    local name names REPLY
    IFS=: read -r -a names <<< "$unknown"
    for name in "${names[@]}"; do
        alias_of "$name" "$1" || return 0
    done
    return 1
}

# pair_links INDEX: sets links to the folder of links to the pair's libraries, or nothing where the pair has all names, leading
# to these libraries, without their folder, and unknown to those names of which the adapter does not know that they are the program's.
pair_links() {
    local name REPLY folder=${pair_folders[$1]}
    links='' leading='' unknown=''
    for name in "${other_names[@]}"; do
        [[ ! -e $folder/$name ]] || continue
        if [[ $command == container ]]; then
            names_in_image
            links=$REPLY
        else
            [[ -n $links ]] || { links_folder "$folder"; links=$REPLY; }
        fi
        pair_file "$1" "$name" || unknown+=${unknown:+:}$name
        has_word "$REPLY" "$leading" || leading+=" $REPLY"
        [[ $command == container ]] || lead_to "$links/$name" "$folder/$REPLY"
    done
    # Nothing tells which of the unknown ones Fortran is in.
    [[ ${#other_names[@]} -eq 0 ]] || ! lacks_fortran_library "${conf[$1.application]}" "${conf[$1.fortran]-}" ||
        leading+=" ${conf[$1.fortran]-}"
}

# host_file NAME: sets REPLY to the host's library that has this name in its family, or one alike.
host_file() {
    local words word alike=$1
    ! is_for_c "$1" "$abi" || { REPLY=$host_library; return; }
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

# Adds the host's own libraries for Fortran to leading, with colons between.
host_fortran() {
    local words word file
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
    local name file REPLY unknown=''
    links='' leading=''
    for name in "${other_names[@]}"; do
        if find_library "$chosen" "$name" && library_serves "$REPLY" "$abi"; then continue; fi
        [[ -n $links ]] || { links_folder "$host_library"; links=$REPLY; }
        if alias_of "$name" "$abi"; then library_of_today "$name" "$abi"; else unknown=yes REPLY=${family_facts[$abi.soname]}; fi
        host_file "$REPLY"
        lead_to "$links/$name" "$REPLY"
        # A wheel's own is found by a DT_RPATH, which no LD_LIBRARY_PATH overrides.
        file=$REPLY
        ! unbundled "$name" || [[ :$leading: == *":$file:"* ]] || leading+=${leading:+:}$file
    done
    [[ ${#other_names[@]} -eq 0 ]] || ! lacks_fortran_library "$abi" "${family_facts[$abi.fortran_library]//,/ }" || host_fortran
}
