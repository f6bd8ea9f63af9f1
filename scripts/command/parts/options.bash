# SPDX-License-Identifier: BSD-3-Clause
# The options of the commands.

declare -A given=()     # option -> its value, or yes
launcher_arguments=()
operands=()
ranks=1

valid_ranks() {
    [[ $1 =~ ^[0-9]{1,9}$ && $((10#$1)) -gt 0 ]] ||
        usage_error "-n '$1' is not a positive number"
    ranks=$((10#$1))
}

# take_value OPTION VALUE
take_value() {
    [[ -n $2 || $1 == --launcher-arg ]] || usage_error "$1 has an empty value"
    case $1 in
    -n | -np) valid_ranks "$2" ;;
    --launcher-arg) launcher_arguments+=("$2") ;;
    *) given[$1]=$2 ;;
    esac
}

# parse_options WITH_VALUE WITHOUT_VALUE ARGUMENT...: options end at the first
# operand, as what follows belongs to the program.
parse_options() {
    local with_value=$1 without_value="$2 -h --help -v --verbose"
    shift 2
    while [[ ${1-} == -?* ]]; do
        if [[ $1 == -- ]]; then
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
        else
            usage_error "unknown option '$1'"
        fi
        case $1 in
        -h | --help) "help_$command"; exit 0 ;;
        -v | --verbose) verbose=yes ;;
        esac
        shift
    done
    operands=("$@")
}

# Options over settings.
chosen_launcher() { REPLY=${given[--launcher]-${setting[launcher]-}}; }
chosen_host() { REPLY=${given[--to]-${setting[host]-}}; }

check_abi_options() {
    [[ -z ${given[--from]-} ]] || check_abi_name --from "${given[--from]}"
    [[ -z ${given[--to]-} ]] || check_abi_name --to "${given[--to]%%@*}"
}
