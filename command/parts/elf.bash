# SPDX-License-Identifier: BSD-3-Clause
# Reads ELF files, and finds what the dynamic loader would load for them.

declare -A facts=()

# read_facts FILE: fills facts (of the keys that occur once), or fails with
# elf-facts' exit status.
read_facts() {
    local text key value status
    facts=()
    text=$("$elf_facts" "$1" 2> /dev/null)
    status=$?
    while read -r key value; do
        [[ -n $key ]] && facts[$key]=$value
    done <<< "$text"
    return $status
}

trace_names=()
trace_paths=()      # empty: not found
declare -A trace_texts=()       # what elf-facts said, as each question is a process
declare -A trace_status=()

# trace FILE LIBRARY_PATH PRELOAD: the libraries that the dynamic loader would
# load for FILE.  Nothing of FILE runs, nor anything that it names.
trace() {
    local name path question="$2"$'\n'"$3"$'\n'"$1"
    trace_names=()
    trace_paths=()
    if [[ -z ${trace_status[$question]-} ]]; then
        trace_texts[$question]=$("$elf_facts" --closure "$2" "$3" "$1" 2> /dev/null)
        trace_status[$question]=$?
    fi
    while IFS= read -r name; do
        [[ -n $name ]] || continue
        path=${name#*$'\t'}
        name=${name%%$'\t'*}
        trace_names+=("${name##*/}")
        trace_paths+=("$path")
    done <<< "${trace_texts[$question]}"
    return "${trace_status[$question]}"
}
