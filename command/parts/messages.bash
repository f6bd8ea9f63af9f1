# SPDX-License-Identifier: BSD-3-Clause
# Messages, and small helpers that every part uses.

verbose=no

# One line, whatever a file name may hold.
say() {
    local text=${1//[[:cntrl:]]/?}
    # Terminals heed the control characters of Latin 1, too, here in UTF-8.
    printf 'mpi-adapter: %s\n' "${text//$'\xc2'[$'\x80'-$'\x9f']/?}" >&2
}

# die WHAT TO_DO
die() {
    say "$1; $2"
    exit 1
}

die_of_problem() {
    say "$1"
    exit 1
}

# usage_error WHAT [TO_DO]
usage_error() {
    local help="see 'mpi-adapter ${command:+$command }--help'"
    say "$1; ${2:-$help}"
    exit 2
}

# put FORMAT VALUE...: prints a part of an answer; where that cannot be written, nothing more is said.
put() {
    # shellcheck disable=SC2059  # the caller's
    printf "$@" 2> /dev/null || die 'the answer cannot be written' 'free space where it goes'
}

# put_text COMMAND...: what a command says, as an answer.
put_text() { put '%s\n' "$("$@")"; }

note() {
    if [[ $verbose == yes ]]; then
        say "$1"
    fi
}

problem=''              # why a check failed: "what; what to do"

# has_word WORD WORDS
has_word() {
    [[ -n $1 && $1 != *[[:space:]]* && " ${2//[[:space:]]/ } " == *" $1 "* ]]
}

is_word() { [[ $1 =~ ^[A-Za-z0-9_+.-]+$ ]]; }

# quoted VALUE: for any POSIX shell.
quoted() { REPLY=\'${1//\'/\'\\\'\'}\'; }

# Not by EUID, which bash takes from the environment if that has one.
is_root() { [[ $(id -u) == 0 ]]; }

# is_somebody_elses FILE: whether it is a link, or another user's file, in a folder where others may write.
is_somebody_elses() {
    local folder=.
    [[ $1 != */* ]] || folder=${1%/*}/
    [[ $(stat -L -c %A -- "$folder" 2> /dev/null) == ?????w* || $(stat -L -c %A -- "$folder" 2> /dev/null) == ????????w* ]] || return
    [[ -L $1 ]] || { [[ -e $1 ]] && [[ ! -O $1 ]]; }
}

# shell_word TEXT: sets REPLY to a word for any POSIX shell, as short as that can be.
shell_word() {
    printf -v REPLY %q "$1"
    [[ $REPLY != \$* || $1 == *[[:cntrl:]]* ]] || quoted "$1"
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

# read_lines FILE ADVICE: sets lines, or problem. A device or a pipe might never end, and a file for this command is
# not large. /dev/null is an empty file.
read_lines() {
    local size
    lines=()
    if [[ ! -f $1 && ! $1 -ef /dev/null ]]; then
        problem="$1 is not a regular file; $2"
    elif [[ ! -r $1 ]] || ! size=$(stat -L -c %s -- "$1" 2> /dev/null); then
        problem="$1 cannot be read; check its permissions"
    elif [[ ! $size =~ ^[0-9]{1,6}$ ]]; then
        problem="$1 is larger than a megabyte; $2"
    else
        mapfile -t lines < "$1"
        return
    fi
    return 1
}

# split_setting PLACE LINE ADVICE: sets key and value of a line "key = value",
# or "key.HOST = value"; both are empty for a comment.  Fails with problem set.
split_setting() {
    key='' value=''
    [[ $2 =~ ^[[:space:]]*(#.*)?$ ]] && return
    if ! [[ $2 =~ ^[[:space:]]*([a-z_]+(\.[A-Za-z0-9_+.@-]+)?)[[:space:]]*=[[:space:]]*(.*)$ ]]; then
        problem="$1: not of the form 'key = value'; $3"
        return 1
    fi
    key=${BASH_REMATCH[1]}
    value=${BASH_REMATCH[3]}
    value=${value%"${value##*[![:space:]]}"}
    [[ -n $value ]] && return
    problem="$1: $key has no value; $3"
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
