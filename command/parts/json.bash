# SPDX-License-Identifier: BSD-3-Clause
# Answers in JSON.

# json_text TEXT: sets REPLY to a string of JSON.
json_text() {
    plain "$1"
    REPLY=${REPLY//\\/\\\\}
    REPLY=\"${REPLY//\"/\\\"}\"
}

# json_value TEXT: the same, and null for none.
json_value() {
    REPLY=null
    [[ -z $1 ]] || json_text "$1"
}

# json_list TEXT...: sets REPLY to an array of strings.
json_list() {
    local text list=''
    for text; do
        json_text "$text"
        list+=${list:+, }$REPLY
    done
    REPLY="[$list]"
}

# json_object KEY VALUE...: sets REPLY to an object whose values are JSON already.
json_object() {
    local list=''
    while [[ $# -gt 1 ]]; do
        list+="${list:+, }\"$1\": $2"
        shift 2
    done
    REPLY="{$list}"
}

# put_json NAME MORE OBJECT...: prints an answer: its objects are an array of that name, behind MORE.
put_json() {
    local name=$1 more=$2 object separator=''
    shift 2
    put '{"mpi_adapter": "%s", %s"%s": [' "$version" "$more" "$name"
    for object; do
        put '%s\n  %s' "$separator" "$object"
        separator=,
    done
    put '\n]}\n'
}
