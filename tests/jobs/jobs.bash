# SPDX-License-Identifier: BSD-3-Clause
# Job scripts as users have them run natively, and unedited on the other MPI. Sourced.

jobs=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
there=()            # what runs a command elsewhere

# native_others FAMILY: the other families whose MPI is here.
native_others() {
    local name
    for name in $(native_modes | grep -vxF "$1"); do
        ! is_native "$name" || echo "$name"
    done
}

# job_facts NAME: sets family, other, needs and tolerance; fails where the job cannot run, and says why.
job_facts() {
    IFS=$'\t' read -r _ family needs tolerance _ < <(grep "^$1"$'\t' "$jobs/jobs.tsv")
    read -r other < <(native_others "$family")
    is_native "$family" && [ -n "$other" ] || { echo "an MPI that it needs is not here"; return 1; }
    [ "$needs" = - ] || type -P "$needs" > /dev/null || { echo "$needs is not installed"; return 1; }
}

# job_folder FOLDER NAME FAMILY: the script, what it starts, and launchers of the family by their usual names.
job_folder() {
    local name file
    rm -rf "$1"
    mkdir -p "$1/native"
    cp "$jobs/scripts/$2" "$1/job.sh"
    "$(tool "$3" CC mpicc)" -O1 -o "$1/heat" "$jobs/heat.c"
    for name in mpirun mpiexec mpiexec.hydra; do
        file=$(type -P "$(tool "$3" RUN mpiexec)")
        printf '#!/bin/sh\nexec %s "$@"\n' "$file" > "$1/native/$name"
        chmod +x "$1/native/$name"
    done
}

# run_job FOLDER COMMAND...: in it; what the job prints goes to job.values.
run_job() {
    cd "$1" || return
    "${there[@]}" timeout -k 5 600 "${@:2}" > job.values 2> job.messages < /dev/null || { echo "status $? of ${*:2}"; cat job.values job.messages; return 1; }
}

# same_values ONE OTHER TOLERANCE: the same names, in any order, and values that differ by no more than that share. What an MPI or a
# launcher says of itself among them is none.
same_values() {
    grep -E '^[^ ]+ [-+.0-9Ee]+$' "$1" || { echo "$1 has no values"; return 1; }
    awk -v tolerance="$3" '
        function apart(a, b) { a = a - b; return a < 0 ? -a : a }
        function size(a) { return a < 0 ? -a : a }
        NF != 2 || $2 !~ /^[-+]?[0-9.]+([Ee][-+]?[0-9]+)?$/ { next }
        NR == FNR { value[$1] = $2; count++; next }
        !($1 in value) { print $1 " is new"; failed = 1; next }
        apart(value[$1], $2) > tolerance * (size($2) > 1 ? size($2) : 1) { print $1 ": " value[$1] ", " $2; failed = 1 }
        { count-- }
        END { if (count) { print count " values are missing"; failed = 1 }; exit failed }' "$1" "$2"
}
