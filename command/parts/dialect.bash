# SPDX-License-Identifier: BSD-3-Clause
# The options of launchers and what they mean: the table launch-options.

declare -A option_forms=()      # "LAUNCHER.OPTION" -> a line for each form: the meaning, and the words behind the option
declare -A written_forms=()     # "LAUNCHER.MEANING" -> the words by which it is written
declare -A variable_forms=()    # "LAUNCHER" -> a line for each variable that its environment may have: the name, the meaning, and the value
declare -A line_defaults=()     # "LAUNCHER.KEY" -> values
declare -A meaning_advice=()
dispensable=''                  # meanings that may be left out

# One option of a line that was read: its meaning, its value, and its words as they stand there.
items=()                        # "MEANING=VALUE"
item_texts=()

# add_form LAUNCHER MEANING WORDS
add_form() {
    local first=${3%% *} rest=''
    [[ -n ${written_forms[$1.$2]+set} ]] || written_forms[$1.$2]=$3
    [[ $3 != %*=* ]] || { rest=${3#*=}; variable_forms[$1]+="${first:1:${#first} - ${#rest} - 2} $2 $rest"$'\n'; }
    [[ $3 == -* ]] || return 0
    [[ $3 != *' '* ]] || rest=${3#* }
    [[ $first != *=* ]] || rest=${first#*=}
    single_dash "$first"
    option_forms[$1.$REPLY]+="$2 $rest"$'\n'
}

load_launch_options() {
    local meaning name words
    [[ ${#written_forms[@]} -eq 0 ]] || return 0
    [[ -r $home/launch-options ]] || die "$home/launch-options is missing" 'install mpi-adapter again'
    while read -r meaning name words; do
        case $meaning in
        '' | '#'*) ;;
        default) line_defaults[$name.${words%% *}]=${words#* } ;;
        without) dispensable+=" $name" ;;
        advice) meaning_advice[$name]=$words ;;
        *) add_form "$name" "$meaning" "$words" ;;
        esac
    done < "$home/launch-options"
}

# line_default LAUNCHER KEY: sets REPLY.
line_default() { REPLY=${line_defaults[$1.$2]-}; }

# match_form FORM TEXT: whether a value has this form; sets REPLY to what stands for VALUE there.
match_form() {
    local before after
    REPLY=$2
    [[ $1 != 'NAME VALUE' ]] || return 0
    if [[ $1 != *VALUE* ]]; then
        REPLY=''
        [[ ${2,,} == "${1,,}" ]]
        return
    fi
    before=${1%%VALUE*} after=${1#*VALUE}
    [[ $2 == "$before"?*"$after" ]] || return
    REPLY=${2#"$before"}
    REPLY=${REPLY%"$after"}
}

# find_variables LAUNCHER: notes the items that variables of the environment stand for.
find_variables() {
    local name meaning form
    while read -r name meaning form; do
        [[ -n $name && -n ${!name-} ]] && match_form "$form" "${!name}" || continue
        note_item "$meaning" "$REPLY" "$name"
    done <<< "${variable_forms[$1]-}"
}

# idle_variables LAUNCHER: sets names to the variables of the environment that are settings of this launcher's MPI alone: no other one
# heeds them, and no item stands for them.
idle_variables() {
    local name pattern patterns items=() item_texts=()
    load_launch_options
    find_variables "$1"
    line_default "$1" settings
    read -r -a patterns <<< "$REPLY"
    item_texts+=(${line_defaults[$1.bind_variables]-})
    names=()
    for name in $(compgen -e); do
        for pattern in "${patterns[@]}"; do
            # shellcheck disable=SC2053  # a pattern
            [[ $name != $pattern ]] || has_word "$name" "${item_texts[*]}" || names+=("$name")
        done
    done
}

# tell_idle_variables: says with -v which settings of the program's own MPI no host heeds.
tell_idle_variables() {
    local names
    [[ $verbose == yes ]] && launcher_of_abi "$abi" || return 0
    idle_variables "$REPLY"
    [[ ${#names[@]} -gt 0 ]] || return 0
    joined ', ' "${names[@]}"
    note "without effect on ${conf[$chosen.host]}: $REPLY"
}

# note_item MEANING VALUE TEXT
note_item() {
    items+=("$1=$2")
    item_texts+=("$3")
}

# find_form FORMS TEXT WORDS: notes the item of the first form that the value has, or fails.
find_form() {
    local meaning form
    while read -r meaning form; do
        [[ -n $meaning ]] || continue
        if match_form "$form" "$2"; then
            note_item "$meaning" "$REPLY" "$3"
            return 0
        fi
    done <<< "$1"
    return 1
}

# find_value FORMS TEXT WORDS: notes the items of a value: one, and those that may follow it with ':' between.
find_value() {
    local rest=$2
    ! find_form "$1" "$rest" "$3" || return 0
    while [[ $rest == *:* ]] && find_form "$1" ":${rest##*:}" "$3"; do
        rest=${rest%:*}
        [[ -n $rest ]] || return 0
        ! find_form "$1" "$rest" "$3" || return 0
    done
    return 1
}

# values_of FORMS: sets REPLY to how many words follow an option with these forms.
values_of() {
    local meaning form
    REPLY=0
    while read -r meaning form; do
        [[ -z $form ]] || REPLY=1
        [[ $form != 'NAME VALUE' ]] || { REPLY=2; return; }
    done <<< "$1"
}

# is_ignored OPTION: whether the user or the site wants it left out, with whatever dashes.
is_ignored() {
    local word
    for word in ${ignored_options//,/ }; do
        word=${word#-}
        [[ ${word#-} != "${1#-}" ]] || return 0
    done
    return 1
}

# refuse_option DIALECT WORDS ADVICE
refuse_option() {
    die "the option '$2', of a line for $1, has no counterpart in ${launcher:-the launcher of the host}" \
        "${3:-leave it out, or name it in --ignore-options}"
}

# take_option DIALECT INDEX: notes what the option at this place of the line means. Sets taken to how many words it has.
take_option() {
    local word=${line[$2]} option forms count value=''
    single_dash "$word"
    option=$REPLY
    taken=1
    if is_ignored "$option"; then
        value_words "$1" "$word"
        taken=$((REPLY + 1))
        note "the option $word is left out, as --ignore-options names it"
        return
    fi
    forms=${option_forms[$1.$option]-}
    # -n4
    if [[ -z $forms && $word =~ ^-[A-Za-z][^-=].*$ && -n ${option_forms[$1.${word:0:2}]-} ]]; then
        forms=${option_forms[$1.${word:0:2}]}
        value=${word:2}
    elif [[ -n $forms ]]; then
        values_of "$forms"
        count=$REPLY
        if [[ $word == *=* ]]; then
            value=${word#*=}
        else
            taken=$((count + 1))
            [[ $(($2 + count)) -lt ${#line[@]} ]] || usage_error "$word needs a value"
            case $count in
            1) value=${line[$2 + 1]} ;;
            2) value=${line[$2 + 1]}=${line[$2 + 2]} ;;
            esac
        fi
    fi
    if [[ -z $forms ]]; then
        value_words "$1" "$word"
        taken=$((REPLY + 1))
    fi
    [[ -n $forms ]] && find_value "$forms" "$value" "${line[*]:$2:taken}" || refuse_option "$1" "${line[*]:$2:taken}" ''
}
