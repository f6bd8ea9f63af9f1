# SPDX-License-Identifier: BSD-3-Clause
# Messages, and small helpers that every part uses.

verbose=no

utf8_text=$'^([\x01-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]'
utf8_text+=$'|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*$'

# plain TEXT: sets REPLY to text that people can be shown, whatever names of files and texts from elsewhere it holds: one line of UTF-8. A
# question mark stands for each control character (of Latin 1, too), for each mark that changes the direction of what follows, and, if
# the text is no UTF-8, for each byte that is not ASCII.
plain() {
    REPLY=${1//[[:cntrl:]]/?}
    [[ $REPLY == *[$'\x80'-$'\xff']* ]] || return 0
    if [[ $REPLY =~ $utf8_text ]]; then
        REPLY=${REPLY//$'\xc2'[$'\x80'-$'\x9f']/?}
        REPLY=${REPLY//$'\xd8\x9c'/?}
        REPLY=${REPLY//$'\xe2\x80'[$'\x8e\x8f\xa8'-$'\xae']/?}
        REPLY=${REPLY//$'\xe2\x81'[$'\xa6'-$'\xa9']/?}
    else
        REPLY=${REPLY//[$'\x80'-$'\xff']/?}
    fi
}

# A message has two halves: what is wrong, and what to do. Between them is a character that is never shown, as a name of a file may have
# any text, '; ' too.
then=$'\x1f'

# split_message TEXT: sets what and advice, which may be empty. If a name holds the separator, too, the advice is to rename that file.
split_message() {
    what=${1%%"$then"*}
    advice=${1#"$what"}
    advice=${advice#"$then"}
    [[ $advice == *"$then"* ]] || return 0
    what=$1
    advice='give the file that is named here another name'
}

# shown_message TEXT: sets REPLY to a message as people see it.
shown_message() {
    local what advice
    split_message "$1"
    plain "$what${advice:+; $advice}"
}

record_fd=''            # if another part of the command is to be told, and not the user: where records go

# put_record KEY VALUE: for who reads them; each ends with a null byte, which no name has.
put_record() { printf '%s\0%s\0' "$1" "$2" >&"$record_fd"; }

# say TEXT: one line.
say() {
    local REPLY
    if [[ -n $record_fd ]]; then
        put_record said "$1"
    else
        shown_message "$1"
        printf 'mpi-adapter: %s\n' "$REPLY" >&2
    fi
}

# die WHAT TO_DO
die() {
    say "$1$then$2"
    exit 1
}

die_of_problem() {
    say "$1"
    exit 1
}

# usage_error WHAT [TO_DO]
usage_error() {
    local help="see 'mpi-adapter ${command:+$command }--help'"
    say "$1$then${2:-$help}"
    exit 2
}

# put FORMAT VALUE...: prints a part of an answer; where that cannot be written, nothing more is said.
put() {
    # shellcheck disable=SC2059  # the caller's
    printf "$@" 2> /dev/null || die 'the answer cannot be written' 'free space where it goes'
}

# put_plain FORMAT VALUE...: the same for values from elsewhere: each stays in its line.
put_plain() {
    local format=$1 value values=() REPLY
    shift
    for value; do
        plain "$value"
        values+=("$REPLY")
    done
    put "$format" "${values[@]}"
}

# put_text COMMAND...: what a command says, as an answer.
put_text() { put '%s\n' "$("$@")"; }

note() {
    if [[ $verbose == yes ]]; then
        say "$1"
    fi
}

problem=''              # why a check failed: a message, as split_message() takes it

# has_word WORD WORDS
has_word() {
    [[ -n $1 && $1 != *[[:space:]]* && " ${2//[[:space:]]/ } " == *" $1 "* ]]
}

is_word() { [[ $1 =~ ^[A-Za-z0-9_+.-]+$ ]]; }

# quoted VALUE: for any POSIX shell.
quoted() { REPLY=\'${1//\'/\'\\\'\'}\'; }

# Not by EUID, which bash takes from the environment if that has one.
is_root() { [[ $(id -u) == 0 ]]; }

# is_in_shared_folder FILE: whether its folder is one where others may write.
is_in_shared_folder() {
    local folder=.
    [[ $1 != */* ]] || folder=${1%/*}/
    [[ $(stat -L -c %A -- "$folder" 2> /dev/null) == @(?????w|????????w)* ]]
}

# ways_to PATH: adds an absolute path, and the path of each folder on the way to it, to items.
ways_to() {
    local way=$1
    while [[ $way == */* ]]; do
        items+=("${way:-/}")
        way=${way%/*}
    done
    items+=(/)
}

# is_on_anothers_way FILE: whether a folder or a link on the way to it, by its name or without links, belongs to another user than root,
# who could lead the way elsewhere.
is_on_anothers_way() {
    local folder=${1%/*} items=() owner
    [[ $1 == */* ]] || folder=.
    [[ $1 != /* ]] || folder=${folder:-/}
    [[ $folder == /* ]] || folder=$(pwd -P)/$folder
    ways_to "$folder"
    ! real_folder "$folder" || ways_to "$REPLY"
    while IFS= read -r owner; do
        [[ $owner == 0 || $owner == "$(id -u)" ]] || return 0
    done < <(stat -c %u -- "${items[@]}" 2> /dev/null)
    return 1
}

# is_somebody_elses FILE: whether it is a link, or another user's file, in a folder where others may write.
is_somebody_elses() {
    is_in_shared_folder "$1" || return
    [[ -L $1 ]] || { [[ -e $1 ]] && [[ ! -O $1 ]]; }
}

# open_new FILE: sets REPLY to a path that leads to a file made just now, which others may read, whoever changes the names in its folder
# meanwhile. Fails where something has that name already.
open_new() {
    local number mask status
    mask=$(umask)
    umask 022
    set -o noclobber
    { exec {number}> "$1"; } 2> /dev/null
    status=$?
    set +o noclobber
    umask "$mask"
    REPLY=/proc/$$/fd/${number-}
    [[ $status -eq 0 && -f $REPLY ]]
}

# real_folder FOLDER: sets REPLY to its path without links, whatever its name begins or ends with, or fails.
real_folder() {
    REPLY=$1
    [[ $1 == /* ]] || REPLY=./$1
    REPLY=$(cd -- "$REPLY" 2> /dev/null && pwd -P && echo /) || return
    REPLY=${REPLY%$'\n/'}
}

# shell_word TEXT: sets REPLY to a word for any POSIX shell, as short as that can be; for bash, if the text cannot be shown as it is.
shell_word() {
    local word
    printf -v word %q "$1"
    plain "$1"
    if [[ $word == \$* && $REPLY == "$1" ]]; then quoted "$1"; else REPLY=$word; fi
}

# split_colons TEXT: sets items to its parts that are not empty.
split_colons() {
    local rest=$1:
    items=()
    while [[ -n $rest ]]; do
        [[ -n ${rest%%:*} ]] && items+=("${rest%%:*}")
        rest=${rest#*:}
    done
    return 0
}

# read_lines FILE ADVICE [SIZE]: sets lines, or problem. A device or a pipe might never end, and a file for this command is
# not large: a megabyte, if SIZE says no more. /dev/null is an empty file.
read_lines() {
    local size limit=${3:-1000000}
    lines=()
    if [[ ! -f $1 && ! $1 -ef /dev/null ]]; then
        problem="$1 is not a regular file${then}$2"
    elif [[ ! -r $1 ]] || ! size=$(stat -L -c %s -- "$1" 2> /dev/null); then
        problem="$1 cannot be read${then}check its permissions"
    elif [[ ! $size =~ ^[0-9]{1,9}$ || $size -ge $limit ]]; then
        problem="$1 is too large${then}$2"
    else
        mapfile -t lines < "$1"
        return
    fi
    return 1
}

# checksum_of FILE: sets REPLY to its SHA-256, or fails. A file of a stranger's may be a FIFO, or claim any size.
checksum_of() {
    local size
    [[ -f $1 ]] && size=$(stat -L -c %s -- "$1" 2> /dev/null) && [[ $size =~ ^[0-9]{1,10}$ ]] || return
    REPLY=$(timeout 120 sha256sum < "$1" 2> /dev/null) && REPLY=${REPLY%% *} && [[ -n $REPLY ]]
}

# split_setting PLACE LINE ADVICE: sets key and value of a line "key = value",
# or "key.HOST = value"; both are empty for a comment.  Fails with problem set.
split_setting() {
    key='' value=''
    [[ $2 =~ ^[[:space:]]*(#.*)?$ ]] && return
    if ! [[ $2 =~ ^[[:space:]]*([a-z_]+(\.[A-Za-z0-9_+.@-]+)?)[[:space:]]*=[[:space:]]*(.*)$ ]]; then
        problem="$1: not of the form 'key = value'${then}$3"
        return 1
    fi
    key=${BASH_REMATCH[1]}
    value=${BASH_REMATCH[3]}
    value=${value%"${value##*[![:space:]]}"}
    [[ -n $value ]] && return
    problem="$1: $key has no value${then}$3"
    return 1
}

# find_in_path NAME: sets REPLY as a shell would, fails when there is none.
find_in_path() {
    REPLY=$1
    [[ $1 == */* ]] || REPLY=$(type -P -- "$1")
    # A folder "." in PATH gives a bare name, which the next program would
    # look up in PATH again.
    [[ -z $REPLY || $REPLY == */* ]] || REPLY=./$REPLY
    [[ -n $REPLY && -e $REPLY ]]
}
