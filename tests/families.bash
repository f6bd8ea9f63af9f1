# SPDX-License-Identifier: BSD-3-Clause
# The families and pairs of the tables, and how programs of each are started; sourced.
# A mode of tests is a family, natively, a pair, or a chain A-to-B-to-C: the pair A-to-B whose host
# is the pair B-to-C.

tables=$(cd "$(dirname "${BASH_SOURCE[0]}")/../abi-tables" && pwd)

# The tables are read by one command, into one assignment: every test does that, and Bats looks at each command of a test.
declare -gA table_facts=()      # "TABLE NAME KEY": its values, in a line
declare -ga table_pairs=() anywhere=()      # anywhere: the settings of start_anywhere
read_tables() {
    eval "$(cd "$tables" && awk -v quote="'" '
        /^#/ || !NF { next }
        FILENAME == "pairs" { pairs = pairs " " $1; next }
        { value = $0; sub(/^[^ ]* [^ ]* /, "", value); key = FILENAME " " $1 " " $2; of[key] = of[key] " " value }
        FILENAME == "implementations" && $2 == "anywhere" { anywhere = anywhere " " value }
        END {
            for (key in of) {
                gsub(quote, quote "\\" quote quote, of[key])
                facts = facts " [" key "]=" quote substr(of[key], 2) quote
            }
            print "table_facts=(" facts ") table_pairs=(" pairs ") anywhere=(" anywhere ")"
        }' families implementations pairs)"
}
read_tables

pair_modes() { printf '%s\n' "${table_pairs[@]}"; }
native_modes() { printf '%s\n' "${table_pairs[@]%%-to-*}" | sort -u; }
chain_modes() {
    local pair inner
    for pair in "${table_pairs[@]}"; do
        for inner in "${table_pairs[@]}"; do
            [ "${pair#*-to-}" != "${inner%-to-*}" ] || [ "${pair%-to-*}" = "${inner#*-to-}" ] || is_native "${pair#*-to-}" ||
                echo "$pair-to-${inner#*-to-}"
        done
    done
}

# Programs take turns over the standard ABI: each comes to each host once, either as a program of that ABI or through a stack of two
# pairs, whose inner one is the same. turns_of MODE: if it is one of these two ways, both, in an order that differs from host to host,
# so that each program has the one and the other. has_turn MODE NUMBER FAMILIES [WAY...]: whether the program of this number, which is
# for these families, or for all, runs in this mode.
turns_of() {
    local host stack
    host=$(host_of "$1")
    stack=$(chain_modes | grep -- "-to-$host\$" | sed -n 1p)
    [ -n "$stack" ] && { [ "$1" = "$stack" ] || [ "$1" = "${stack#*-to-}" ]; } || return 0
    [ "$host" = "$(native_modes | sed -n '$p')" ] && echo "${stack#*-to-} $stack" || echo "$stack ${stack#*-to-}"
}
has_turn() {
    local mode=$1 number=$2 families=$3 ways=() way
    for way in "${@:4}"; do
        [[ -n $families && " $families " != *" $(family_of "$way") "* ]] || ways+=("$way")
    done
    [ ${#ways[@]} -eq 0 ] || [ "$mode" = "${ways[number % ${#ways[@]}]}" ]
}
is_mode() { { pair_modes; native_modes; chain_modes; } | grep -xF -- "$1" > /dev/null; }

# is_wanted MODE: MODES restricts tests that are tried in several modes. need_mode MODE: skips a test about another one.
is_wanted() { [ -z "${MODES-}" ] || [[ " ${MODES//[[:space:]]/ } " == *" $1 "* ]]; }
need_mode() { is_wanted "$1" || skip "MODES does not have $1"; }

# The application and the host of a mode.
family_of() { echo "${1%%-to-*}"; }
host_of() { echo "${1##*-to-}"; }

# fact TABLE NAME KEY: its values, in a line. family_fact FAMILY KEY, and the same of the implementation that is likely
# behind it.
fact() { echo "${table_facts[$1 $2 $3]-}"; }
family_fact() { fact families "$@"; }
implementation_fact() {
    local name
    name=$(family_fact "$1" implementations)
    fact implementations "${name%% *}" "$2"
}

# tool FAMILY KIND NAME: a compiler or launcher, which a variable like OPENMPI_CC may name. Some families' compilers
# are built here.
tool() {
    local variable=${1^^}_$2 name=$3.$1 own
    for own in ${table_facts[families $1 wrappers]-}; do
        [[ $own != "$3"_* ]] || name=$BUILD/bin/$own
    done
    echo "${!variable:-$name}"
}

# Whether a family's own MPI is on this machine, by its compiler or launcher. What has neither is left out.
is_native() { { [ -z "${table_facts[families $1 wrappers]-}" ] && has_compiler "$1"; } || type -P "$(tool "$1" EXEC mpiexec)" > /dev/null; }
has_compiler() { type -P "$(tool "$1" CC mpicc)" > /dev/null; }

# release_here FAMILY: of this machine's MPI, by what its launcher says. remember_releases: from here on a launcher that it has asked is
# not asked again, here and in what is started from here.
release_here() {
    local launcher known=RELEASE_OF_${1^^}
    launcher=$(type -P "$(tool "$1" EXEC mpiexec)") || return 0
    case ${!known-} in
    *" of $launcher") echo "${!known%% of *}" ;;
    *) "$launcher" --version 2> /dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | sed -n 1p ;;
    esac
}
remember_releases() {
    local family
    [ "${RELEASES_KNOWN_IN-}" != "$PATH" ] || return 0
    for family in $(native_modes); do
        ! is_native "$family" || export "RELEASE_OF_${family^^}=$(release_here "$family") of $(type -P "$(tool "$family" EXEC mpiexec)")"
    done
    export RELEASES_KNOWN_IN=$PATH
}

# without_sync_reg COMPILER: a definition for programs, if what the Fortran compiler links lacks the MPI_F_sync_reg of
# its mpi_f08: there is a library of that kind.
without_sync_reg() {
    local folder
    folder=$(mktemp -d)
    printf 'program p\n use mpi_f08\n integer :: i\n call MPI_F_sync_reg(i)\nend program\n' > "$folder/p.F90"
    "$1" -w "$folder/p.F90" -o "$folder/p" 2> /dev/null || echo -DNO_SYNC_REG
    rm -r "$folder"
}

# directive SOURCE KEY: the value of a line "/* KEY: VALUE */", or "! KEY: VALUE", ahead of the code of a source: a program says there
# how it wants to be compiled and run.
directive() {
    local line
    while read -r line; do
        case $line in
        "/* $2: "*" */") line=${line#"/* $2: "}; echo "${line% \*/}"; return ;;
        "! $2: "*) echo "${line#"! $2: "}"; return ;;
        '#'* | 'program '* | 'module '*) return ;;
        esac
    done < "$1"
}

# has_ranks SOURCE: whether the program says on how many ranks it runs; one that does not would pass without a run.
has_ranks() { [ -n "$(directive "$1" ranks)" ] || { echo "FAIL ${1##*/} does not say on how many ranks it runs"; return 1; }; }

# each_of CAN_RUN MODE...: calls run.sh of the test's folder in those of MODES that the function CAN_RUN takes, with
# PROGRAMS. Skips the test if there are none; what run.sh leaves out is said.
each_of() {
    local can_run=$1 mode failed=0 wanted=0
    shift
    for mode; do
        is_wanted "$mode" || continue
        if ! "$can_run" "$mode"; then
            echo "# $mode: left out, as an MPI that it needs is not on this machine" >&3
            continue
        fi
        wanted=1
        # shellcheck disable=SC2086  # PROGRAMS is a list of words
        "$here/run.sh" "$mode" $PROGRAMS > "$BATS_TEST_TMPDIR/$mode" || failed=1
        sed -n 's/^left out/# &/p' "$BATS_TEST_TMPDIR/$mode" >&3
        cat "$BATS_TEST_TMPDIR/$mode"
    done
    [ "$wanted" -eq 1 ] || skip "not in MODES, or not on this machine"
    [ "$failed" -eq 0 ]
}

# conclude MODE COUNT [PROGRAM...]: says how many of so many programs failed in a mode, and how these run natively. Called by the
# run.sh of the folder $here; fails if one did.
conclude() {
    local mode=$1 count=$2 host
    host=$(host_of "$mode")
    shift 2
    [ $# -gt 0 ] || return 0
    echo "$# of $count programs failed in mode $mode"
    [ "$mode" = "$host" ] || echo "natively: tests/${here##*/}/run.sh $host $*"
    return 1
}

# Lets launchers start as root, and more processes than there are cores.
start_anywhere() { export "${anywhere[@]}"; }

# start_ranks HOST RANKS [NAME=VALUE]... -- COMMAND...: the ranks get the variables, and RANKS_PRELOAD behind what LD_PRELOAD gives.
start_ranks() {
    local host=$1 options=(-n "$2") setting settings=() word words preload=${RANKS_PRELOAD-}
    read -r -a words <<< "$(implementation_fact "$host" gives)"
    shift 2
    while [ "$1" != -- ]; do
        case $1 in
        LD_PRELOAD=*) preload=${1#*=}${preload:+:$preload} ;;
        *) settings+=("$1") ;;
        esac
        shift
    done
    shift
    [ -z "$preload" ] || settings+=("LD_PRELOAD=$preload")
    for setting in "${settings[@]}"; do
        for word in "${words[@]}"; do
            word=${word/NAME/"${setting%%=*}"}
            options+=("${word/VALUE/"${setting#*=}"}")
        done
    done
    timeout -k 5 "$TEST_TIMEOUT" "$(tool "$host" EXEC mpiexec)" "${options[@]}" "$@"
}

# while_hanging HOSTS HOST COMMAND...: once; up to five times if it hangs (HANG_TIMEOUT, in seconds) and HOST is one of HOSTS,
# those of which the program's source says that it hangs on them natively, too, now and then.
while_hanging() {
    local hosts=$1 host=$2 tries=1 code TEST_TIMEOUT=$TEST_TIMEOUT
    shift 2
    case " $hosts " in *" $host "*) tries=5 TEST_TIMEOUT=${HANG_TIMEOUT:-60} ;; esac
    while :; do
        "$@"
        code=$? tries=$((tries - 1))
        [ "$code" -eq 124 ] && [ "$tries" -gt 0 ] || return "$code"
        echo "hung, as on $host natively now and then; once more: $*" >&2
    done
}

# while_losing CODE COMMAND...: once; up to three times if it ends with 1 and a CODE is wanted: Hydra loses that of MPI_Abort now and
# then (once in 900 native runs on a busy machine).
while_losing() {
    local wanted=$1 tries=3 code
    shift
    while :; do
        "$@"
        code=$? tries=$((tries - 1))
        [ -n "$wanted" ] && [ "$code" -eq 1 ] && [ "$tries" -gt 0 ] || return "$code"
        echo "ended with 1, not $wanted; once more: $*" >&2
    done
}

# within FOLDER COMMAND...: in the folder, where its stdout and stderr are then.
within() { (cd "$1" && "${@:2}" > stdout 2> stderr); }

# pairs_of MODE: the pair, or those of a chain.
pairs_of() {
    local chain=$1 rest
    while [[ $chain == *-to-* ]]; do
        rest=${chain#*-to-}
        echo "${chain%%-to-*}-to-${rest%%-to-*}"
        chain=$rest
    done
}

# paths_of MODE: the LD_LIBRARY_PATH of its ranks, as a setting, where a pair has a say in it.
paths_of() {
    local pair path=
    while read -r pair; do
        path+=$BUILD/lib/mpi-adapter/$pair:
    done < <(pairs_of "$1")
    [ -z "$path" ] || echo "LD_LIBRARY_PATH=${path%:}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
