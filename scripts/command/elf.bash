# SPDX-License-Identifier: BSD-3-Clause
# What ELF files say, and what the dynamic loader would load for them.

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

# trace FILE LIBRARY_PATH PRELOAD: asks the dynamic loader itself which
# libraries it would load for FILE.  Nothing of FILE runs.
trace() {
    local line name path text status
    trace_names=()
    trace_paths=()
    text=$(env -u LD_BIND_NOW -u LD_DEBUG -u LD_VERBOSE -u LD_WARN \
        LD_TRACE_LOADED_OBJECTS=1 LD_LIBRARY_PATH="$2" LD_PRELOAD="$3" \
        "$loader" "$1" 2> /dev/null)
    status=$?
    while IFS= read -r line; do
        line=${line#$'\t'}
        name=${line%% => *}
        path=${line#* => }
        [[ $path == 'not found'* ]] && path=
        path=${path% (0x*)}
        name=${name% (0x*)}
        trace_names+=("${name##*/}")
        trace_paths+=("$path")
    done <<< "$text"
    return $status
}

