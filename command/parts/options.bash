# SPDX-License-Identifier: BSD-3-Clause
# The options of the commands.

declare -A given=()     # option -> its value, or yes
launcher_arguments=()
operands=()
ranks=1
taken=0                 # words of the launcher's

valid_ranks() {
    [[ $1 =~ ^[0-9]{1,9}$ && $((10#$1)) -gt 0 ]] ||
        usage_error "-n '$1' is not a positive number"
    ranks=$((10#$1))
}

# take_value OPTION VALUE
take_value() {
    [[ -n $2 || $1 == --*-arg ]] || usage_error "$1 has an empty value"
    case $1 in
    -n | -np) valid_ranks "$2" ;;
    --launcher-arg) launcher_arguments+=("$2") ;;
    --tool-arg) tool_arguments+=("$2") ;;
    *) given[$1]=$2 ;;
    esac
}

# take_launcher_option OPTION WORD...: gives the launcher an option with its value. Of one that the table does not
# have, what follows is the value if it is neither an option nor a program, nor an image. Sets taken to the number of words.
take_launcher_option() {
    local kind
    find_in_path "${given[--launcher]}" || REPLY=${given[--launcher]}
    kind_of_launcher "$REPLY"
    kind=$REPLY
    if value_words "$kind" "$1"; then
        taken=$((REPLY + 1))
    else
        taken=1
        [[ $1 == *=* || $# -lt 3 || $2 == -* || $command$3 == container-- ]] || is_command "$2" || taken=2
    fi
    [[ $taken -le $# ]] || usage_error "$1 needs a value"
    launcher_arguments+=("${@:1:taken}")
}

# launcher_meant WORD...: sets launcher and launcher_kind to the host's for the program among the words, or fails.
launcher_meant() {
    local text
    # The first of several programs has settled it.
    [[ -z $line_host ]] || return 0
    # One of an image is not this machine's of the same name.
    [[ $command == run ]] || return
    text=$(
        line=("$@")
        exec 2> /dev/null
        launcher_kind=''
        require_pairs
        find_program_in 0 $#
        is_command "${line[${program_at:-${command_at:-0}}]}"
        examine_program "$REPLY"
        chosen_launcher
        choose_host yes "$REPLY"
        printf '%s\n' "$launcher" "$launcher_kind"
    ) && launcher=${text%$'\n'*} launcher_kind=${text##*$'\n'} && [[ -n $launcher_kind ]]
}

# is_ranks_option WORD: whether it is a way to write -n that some launchers have, and this command has not.
is_ranks_option() {
    single_dash "$1"
    [[ $REPLY == -n || $REPLY == -np ]]
}

# is_late_option WORD: whether it stands ahead of a later program, and is one of all programs.
is_late_option() { [[ -n $line_host ]] && has_word "${1%%=*}" '--from --to --launcher --preload'; }

# is_slip OPTION KNOWN: whether it is near an option that the command has, and no launcher's. Sets REPLY to the question.
is_slip() { ! is_launcher_option "$1" && did_you_mean "${1%%=*}" "$2"; }

# unknown_option KNOWN OPTION WORD...: ends with what to do about it.
unknown_option() {
    local where name known=$1
    shift
    case $command in
    exec)
        ! is_slip "$1" "$known" || usage_error "unknown option '$1'" "$REPLY"
        usage_error "unknown option '$1'" "if it is the launcher's, give the launcher ahead of it, or use 'mpi-adapter run'"
        ;;
    run | container) ;;
    *)
        did_you_mean "${1%%=*}" "$known"
        usage_error "unknown option '$1'" "$REPLY"
        ;;
    esac
    ! is_ranks_option "$1" || usage_error "unknown option '$1'" 'give the number of ranks by -n N'
    ! is_late_option "$1" || usage_error "unknown option '$1' of a later program" 'give it ahead of the first one'
    ! is_slip "$1" "$known" || usage_error "unknown option '$1'" "$REPLY"
    if ! launcher_meant "${@:2}"; then
        usage_error "unknown option '$1'" "if it is the launcher's, give it after --launcher PATH"
    fi
    name=${launcher##*/}
    where="after --launcher $name"
    [[ -z $line_host ]] || where='by --launcher-arg'
    if value_words "$launcher_kind" "$1"; then
        usage_error "unknown option '$1'" "give the launcher's options $where"
    elif ! instead_of "$launcher_kind" "$1"; then
        usage_error "unknown option '$1'" "if it is one of $launcher, give it $where"
    elif [[ -n $REPLY ]]; then
        usage_error "unknown option '$1'" "$launcher has $REPLY for it, and takes its options $where"
    fi
    usage_error "unknown option '$1'" "$launcher doesn't need it, leave it out"
}

# parse_options WITH_VALUE WITHOUT_VALUE ARGUMENT...: options end at the first
# operand, as what follows belongs to the program; where none is started, they may follow operands.
parse_options() {
    local with_value=$1 without_value="$2 -h --help -v --verbose" ahead=()
    shift 2
    while [[ $# -gt 0 ]]; do
        if [[ $1 != -?* ]]; then
            has_word "$command" 'env list check explain doctor build splice' || break
            ahead+=("$1")
        elif [[ $1 == -- ]]; then
            shift
            break
        elif has_word "$1" "$without_value"; then
            given[$1]=yes
        elif has_word "$1" "$with_value"; then
            [[ $# -gt 1 ]] || usage_error "$1 needs a value"
            take_value "$1" "$2"
            shift
        elif [[ $1 == --*=* ]] && has_word "${1%%=*}" "$with_value"; then
            take_value "${1%%=*}" "${1#*=}"
        elif [[ $1 == -n[0-9]* ]] && has_word -n "$with_value"; then
            valid_ranks "${1#-n}"
        elif [[ -n ${given[--launcher]-} ]] && ! is_ranks_option "$1" && ! is_late_option "$1"; then
            take_launcher_option "$@"
            shift "$taken"
            continue
        else
            unknown_option "$with_value $without_value" "$@"
        fi
        case $1 in
        -h | --help) put_text "help_$command"; exit 0 ;;
        -v | --verbose) verbose=yes ;;
        esac
        shift
    done
    operands=("${ahead[@]}" "$@")
}

# Options over settings.
chosen_launcher() { REPLY=${given[--launcher]-${setting[launcher]-}}; }
chosen_host() { REPLY=${given[--to]-${setting[host]-}}; }

# Names of ABIs are known, and become those of families.
check_abi_options() {
    local option
    for option in --from --to; do
        [[ -n ${given[$option]-} ]] || continue
        check_abi_name "$option" "${given[$option]}"
        given[$option]=$REPLY
    done
    [[ -n ${setting[host]-} ]] || return 0
    check_abi_name --to "${setting[host]}" "${setting_origin[host]}"
    setting[host]=$REPLY
}
