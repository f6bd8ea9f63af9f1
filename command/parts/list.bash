# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter list: shows the installed pairs.

help_list() {
    cat <<'END'
Usage: mpi-adapter list [--abis | --json]

Shows every installed pair, with the MPI library and the launcher that it
would use.  Pairs are looked for in the folders of MPI_ADAPTER_PATH, then in
the folder of this installation.

  --abis              print the names that --from and --to take, and no more:
                      of ABIs, and of MPIs that pairs were made for (ABI@NAME)
  --json              print the same in JSON; docs/json.md has its form
  -h, --help          print this text
END
}

list_status=0

list_damaged() {
    say "$1"
    list_status=1
}

list_pair() {
    local library_line launcher_line
    check_host_library "$1" && problem=''
    shown_message "$problem"
    library_line=${REPLY:-$host_library}
    check_launcher "$1" "${setting[launcher]-}" && problem=''
    shown_message "$problem"
    launcher_line=${REPLY:-$launcher}
    pair_name "$1"
    put_plain '%s\n' "$REPLY"
    put_plain '  %-13s %s\n' application: "${conf[$1.application]}" \
        host: "${conf[$1.host]}" version: "${conf[$1.version]-unknown}" \
        folder: "${pair_folders[$1]}" 'host library:' "$library_line" \
        launcher: "$launcher_line"
    [[ -z ${conf[$1.host_product]-} ]] ||
        put_plain '  %-13s %s\n' 'made for:' "${conf[$1.host_product]} in ${conf[$1.host_prefix]-an unknown place}"
}

list_settings() {
    local name
    put 'settings\n'
    for name in "${setting_names[@]}"; do
        if [[ -n ${setting[$name]-} ]]; then
            put_plain '  %-19s %s (%s)\n' "$name:" "${setting[$name]}" "${setting_origin[$name]}"
        else
            put '  %-19s not set\n' "$name:"
        fi
    done
}

# json_pair INDEX: sets REPLY to what list_pair shows.
json_pair() {
    local key value values=() problems=()
    check_host_library "$1" || { shown_message "$problem"; problems+=("$REPLY"); }
    check_launcher "$1" "${setting[launcher]-}" || { shown_message "$problem"; problems+=("$REPLY"); }
    pair_name "$1"
    json_text "$REPLY"
    values=(name "$REPLY")
    for key in application host version folder host_library launcher made_for; do
        case $key in
        folder) value=${pair_folders[$1]} ;;
        host_library) value=$host_library ;;
        launcher) value=$launcher ;;
        made_for) value=${conf[$1.host_product]-} ;;
        *) value=${conf[$1.$key]-} ;;
        esac
        json_value "$value"
        values+=("$key" "$REPLY")
    done
    json_list "${problems[@]}"
    json_object "${values[@]}" problems "$REPLY"
}

list_in_json() {
    local index name value pairs=() settings=()
    for index in "${!pair_folders[@]}"; do
        json_pair "$index"
        pairs+=("$REPLY")
    done
    for name in "${setting_names[@]}"; do
        [[ -n ${setting[$name]-} ]] || continue
        json_text "${setting[$name]}"
        value=$REPLY
        json_text "${setting_origin[$name]}"
        json_object value "$value" from "$REPLY"
        settings+=("$name" "$REPLY")
    done
    json_object "${settings[@]}"
    put_json pairs "\"settings\": $REPLY, " "${pairs[@]}"
}

list_abis() {
    local index
    load_settings true
    load_pairs true
    {
        printf '%s\n' "${family_names[@]}"
        for index in "${!pair_folders[@]}"; do
            printf '%s\n' "${conf[$index.application]}" "${conf[$index.host]}${conf[$index.name]+@${conf[$index.name]}}"
        done
    } | sort -u
}

command_list() {
    local index
    parse_options '' '--abis --json' "$@"
    [[ ${#operands[@]} -eq 0 ]] || usage_error "unexpected argument '${operands[0]}'"
    if [[ -n ${given[--abis]-} ]]; then
        put_text list_abis
        return
    fi
    load_settings list_damaged
    load_pairs list_damaged
    if [[ ${#pair_folders[@]} -eq 0 ]]; then
        die "no pair is installed in ${folders[*]}" \
            'install one, or name its folder in MPI_ADAPTER_PATH'
    fi
    if [[ -n ${given[--json]-} ]]; then
        list_in_json
        exit $list_status
    fi
    for index in "${!pair_folders[@]}"; do
        list_pair "$index"
    done
    list_settings
    exit $list_status
}
