#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The application kernels: their numbers are right natively and adapted, wrong ones are noticed, and
# the driver judges times as it says. Nothing here depends on how fast anything is.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    : "${BUILD:=$top/build}"
    export BUILD
    apps=$top/bench/apps
    unset LD_PRELOAD MPI_ADAPTER_VERBOSE MPI_ADAPTER_HOST_LIBRARY
    . "$top/tests/components.bash"
}

# A BUILD of its own, with the pairs, for tests that do not run programs.
own_build() {
    mkdir -p "$BATS_TEST_TMPDIR/build/lib"
    ln -s "$BUILD/lib/mpi-adapter" "$BATS_TEST_TMPDIR/build/lib/mpi-adapter"
    export BUILD=$BATS_TEST_TMPDIR/build
}

# Launchers that run nothing, but print what a kernel would: $1 natively, $2 adapted, in turn one of the words.
fake_launchers() {
    cat > "$BATS_TEST_TMPDIR/mpiexec" <<END
#!/bin/bash
case "\$*" in *LD_LIBRARY_PATH*) kind=adapted times=($2) ;; *) kind=native times=($1) ;; esac
turn=\$(cat "$BATS_TEST_TMPDIR/\$kind" 2>/dev/null || echo 0)
echo \$((turn + 1)) > "$BATS_TEST_TMPDIR/\$kind"
echo "ep \${times[turn % \${#times[@]}]}"
END
    chmod +x "$BATS_TEST_TMPDIR/mpiexec"
    export OPENMPI_EXEC=$BATS_TEST_TMPDIR/mpiexec MPICH_EXEC=$BATS_TEST_TMPDIR/mpiexec
}

@test "every kernel is right natively and adapted, in both directions" {
    run --separate-stderr "$apps/run" --quick --json "$BATS_TEST_TMPDIR/results.json"
    printf '%s\n' "$output" "$stderr"
    [ "$status" -eq 0 ]
    for pair in openmpi-to-mpich mpich-to-openmpi; do
        for source in "$apps"/*.c "$apps"/*_*.f90; do
            kernel=$(basename "${source%.*}")
            line=$(grep -P "^2\t$pair\t$kernel\t" <<<"$output")
            case $line in
            *$'\tright') ;;
            *$'\tnot run adapted: the pair has no '*)
                # Only Fortran, and only where the pair has no such library.
                library=${line##* }
                [[ $source == *.f90 && ! -e $BUILD/lib/mpi-adapter/$pair/$library ]]
                echo "# $pair $kernel: natively only, the pair has no $library" >&3
                ;;
            *) false ;;
            esac
        done
    done
    /usr/bin/python3 - "$BATS_TEST_TMPDIR/results.json" <<'END'
import json, sys
results = json.load(open(sys.argv[1]))
assert [pair["pair"] for pair in results["pairs"]] == ["openmpi-to-mpich", "mpich-to-openmpi"]
for pair in results["pairs"]:
    for kernel in pair["kernels"]:
        assert len(kernel["native"]) == 1, kernel
        assert len(kernel["adapted"]) == (kernel["verdict"] == "right"), kernel
END
}

# bats test_tags=long
@test "kernels are right on other numbers of ranks" {
    "$apps/run" --quick --ranks 3 is himeno_f08 laplace
    "$apps/run" --quick --ranks 1 ft stencil
}

# Alone, without a launcher: MPICH's may lose what a process prints before it aborts.
@test "a wrong number ends the job, in C and in Fortran" {
    "$apps/run" --quick cg cg_mpif
    for kernel in cg cg_mpif; do
        reference=$BUILD/bench/apps/references/$kernel.quick
        program=$BUILD/bench/apps/mpich/$kernel
        run --separate-stderr timeout 60 "$program" quick "$reference"
        [ "$status" -eq 0 ]
        [[ $output =~ ^$kernel\ [0-9]+\.[0-9]{6}$ ]]
        # The last number, wrong by a millionth.
        awk '{ line[NR] = $1 } END { for (i = 1; i < NR; i++) print line[i]; printf "%.17g\n", line[NR] * 1.000001 }' \
            "$reference" > "$reference.wrong"
        run --separate-stderr timeout 60 "$program" quick "$reference.wrong"
        [ "$status" -ne 0 ]
        [[ $output != *"$kernel "[0-9]* ]]
        [[ $stderr == *"result "*" is "*", not "* ]]
        # A file with too few numbers is no reason to compute them anew, nor to go on.
        head -n 1 "$reference" > "$reference.short"
        run timeout 60 "$program" quick "$reference.short"
        [ "$status" -ne 0 ]
    done
}

@test "kernels refuse wrong arguments and numbers of ranks" {
    "$apps/run" --quick ep cg_mpif >/dev/null
    for arguments in "" "slow" "quick reference more" "quick reference 0" "quick reference 1 more"; do
        for kernel in ep cg_mpif; do
            # shellcheck disable=SC2086
            run timeout 60 "$BUILD/bench/apps/mpich/$kernel" $arguments
            [ "$status" -ne 0 ]
            [[ $output == *"usage: "*" quick|full [REFERENCE [STEPS]]"* ]]
        done
    done
    run timeout 60 mpiexec.mpich -n 3 "$BUILD/bench/apps/mpich/cg_mpif" quick
    [ "$status" -ne 0 ]
    [[ $output != *"cg_mpif "[0-9]* ]]
}

# bats test_tags=long
@test "kernels take as many steps as they are told" {
    # All of a language do so by the same code.
    "$apps/run" --quick ep cg cg_mpif himeno_f08 > /dev/null
    for kernel in ep cg cg_mpif himeno_f08; do
        program=$BUILD/bench/apps/mpich/$kernel
        timeout 60 "$program" quick "$BATS_TEST_TMPDIR/$kernel" 1
        timeout 60 "$program" quick "$BATS_TEST_TMPDIR/$kernel" 1
        case $kernel in ep) continue ;; esac
        run timeout 60 "$program" quick "$BATS_TEST_TMPDIR/$kernel"
        [ "$status" -ne 0 ]
        # No more than there are.
        timeout 60 "$program" quick "$BUILD/bench/apps/references/$kernel.quick" 1000
    done
}

# bats test_tags=long
@test "oversubscribed, kernels take as many steps as last long enough" {
    own_build
    fake_launchers '$(awk "BEGIN { print ${@: -1} * 0.3 }")' '$(awk "BEGIN { print ${@: -1} * 0.3 }")'
    "$apps/run" --others 1 --ranks 4096 --repetitions 3 --json "$BATS_TEST_TMPDIR/results.json" ep
    /usr/bin/python3 - "$BATS_TEST_TMPDIR/results.json" <<'END'
import json, sys
for pair in json.load(open(sys.argv[1]))["pairs"]:
    assert [(kernel["steps"], set(kernel["native"])) for kernel in pair["kernels"]] == [(8, {2.4})], pair
END
    # All of them, if they last no longer.
    fake_launchers "0.1" "0.1"
    "$apps/run" --others 1 --ranks 4096 --repetitions 3 --json "$BATS_TEST_TMPDIR/results.json" ep
    run ! grep -F '"steps"' "$BATS_TEST_TMPDIR/results.json"
}

# bats test_tags=long
@test "a goal is met, or missed, if that is certain, and else not proved" {
    own_build
    fake_launchers "1.0" "1.004"
    run "$apps/run" --others 1 ep
    [ "$status" -eq 0 ]
    grep -qP '^2\topenmpi-to-mpich\tep\t12\t1.0000\t1.0040\t1.0040\t1.0040\t1.0040\t[\d.]+\tmet$' <<<"$output"
    grep -qF 'geometric mean of the ratios 1.0040, between 1.0040 and 1.0040, goal 1.005: met' <<<"$output"

    fake_launchers "1.0" "1.01"
    run "$apps/run" --others 1 --repetitions 3 ep
    [ "$status" -eq 3 ]
    grep -qP '^2\tmpich-to-openmpi\tep\t12\t1.0000\t1.0100\t1.0100\t1.0100\t1.0100\t[\d.]+\tmet$' <<<"$output"
    grep -qF 'goal 1.005: MISSED' <<<"$output"

    fake_launchers "1.0" "1.03"
    run "$apps/run" --others 1 ep
    [ "$status" -eq 3 ]
    grep -qP '\tep\t12\t1.0000\t1.0300\t1.0300\t1.0300\t1.0300\t[\d.]+\tMISSED$' <<<"$output"

    # Five coins fall alike too often.
    run "$apps/run" --others 1 --repetitions 5 --most 5 ep
    [ "$status" -eq 0 ]
    grep -qP '\tep\t5\t1.0000\t1.0300\t1.0300\t-\t-\t[\d.]+\tnot proved: too few rounds$' <<<"$output"
    grep -qF 'ratios 1.0300, goal 1.005: not proved: too few rounds' <<<"$output"
    run "$apps/run" --others 1 --repetitions 6 --most 6 ep
    [ "$status" -eq 3 ]
    grep -qP '\tep\t6\t1.0000\t1.0300\t1.0300\t1.0300\t1.0300\t[\d.]+\tMISSED$' <<<"$output"

    # Somebody else always uses more than less than nothing.
    run "$apps/run" --others -1 ep
    [ "$status" -eq 0 ]
    [ -z "$(grep -P '\tMISSED$' <<<"$output")" ]
    grep -qF 'goal 1.005: not proved: machine busy' <<<"$output"

    # No number of rounds says whether this is more.
    rm -f "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/adapted"
    fake_launchers "0.8 1.0 1.2 0.9 1.1" "1.005"
    run "$apps/run" --others 1 --most 12 ep
    [ "$status" -eq 0 ]
    grep -qP '\tep\t12\t[\d.]+\t1.0050\t[\d.]+\t0\.[\d]+\t1\.[1-4]\d+\t[\d.]+\tnot proved$' <<<"$output"
    grep -qF 'goal 1.005: not proved' <<<"$output"
}

# bats test_tags=long
@test "as many rounds as it takes, of the kernel whose ratio is least certain" {
    /usr/bin/python3 - "$apps" <<'END'
import random, sys
sys.path.insert(0, sys.argv[1])
import ratios

assert ratios.looks(5, 40) == [5, 10, 20, 40] and ratios.looks(3, 8) == [3, 6, 8] and ratios.looks(1, 1) == [1]
steady, wild = [0.001, 0.002, 0.003] * 2, [-0.1, 0.0, 0.1] * 2
assert ratios.least_certain([steady, wild]) == 1
assert ratios.least_certain([steady, wild * 1000]) == 0

# Intervals of samples that are drawn from known ratios hold the true ratio nearly as often as they claim: medians of few rounds
# are coarse.
generator, inside, runs = random.Random(1), 0, 200
ratios.DRAWS = 400
for _ in range(runs):
    programs = [[generator.gauss(0.01, 0.03) for _ in range(15)] for _ in range(6)]
    low, high = ratios.bounds(programs, 0.05)
    assert low <= ratios.mean_ratio(programs) <= high
    inside += low <= 2.718281828 ** 0.01 <= high
assert inside / runs > 0.9, inside

assert ratios.fewest(0.05) == 6 and ratios.bounds([[0.0] * 5], 0.05) is None and ratios.bounds([[0.0] * 6], 0.05) == (1, 1)

# More rounds, closer bounds.
def width(rounds):
    low, high = ratios.bounds([[generator.gauss(0, 0.03) for _ in range(rounds)] for _ in range(6)], 0.05)
    return high - low
assert width(80) < width(10)
END
    own_build
    # It is seen at the second look.
    fake_launchers "1.0" "1.0 1.0 1.03 1.0 1.0 1.0 1.0 1.0 1.0 1.0"
    run "$apps/run" --others 1 --repetitions 3 --most 12 ep
    [ "$status" -eq 0 ]
    grep -qP '^2\topenmpi-to-mpich\tep\t(6|12)\t.*\tmet$' <<<"$output"
}

# Real programs, whose time counts for nothing here.
# bats test_tags=long
@test "the calls of a kernel are counted, the same on both hosts, and their share of the least native time is said" {
    cd "$BATS_TEST_TMPDIR"
    ranks=$((2 * $(nproc --all)))
    "$apps/run" --others -1 --repetitions 3 --most 3 --ranks "$ranks" --json results.json ep > out
    grep -E '^mpich-to-openmpi, .*; by their calls at 50 ns each, 0\.00 % in the mean, at most 0\.00 %$' out
    /usr/bin/python3 - results.json "$ranks" <<'END'
import json, os, sys
pairs = json.load(open(sys.argv[1]))["pairs"]
ep, = pairs[0]["kernels"]
sharing = int(sys.argv[2]) / os.cpu_count()
# Both pairs carry the same calls: ep makes few.
assert ep["calls"] == pairs[1]["kernels"][0]["calls"] and 5 < ep["calls"] < 50, ep
assert abs(ep["by_calls"] - ep["calls"] * sharing * 50e-9 / min(ep["native"])) < 1e-12, ep
END
}

# bats test_tags=long
@test "each number of ranks is measured, and the report says which are more than there are processors" {
    own_build
    fake_launchers "1.0" "1.0"
    run "$apps/run" --others 1 --ranks 1,4096 --json "$BATS_TEST_TMPDIR/results.json" ep
    [ "$status" -eq 0 ]
    grep -qP '^4096\tmpich-to-openmpi\tep\t12\t' <<<"$output"
    grep -qP '^openmpi-to-mpich, 4096 ranks, oversubscribed \(\d+ processors\): 1 of 1 kernels' <<<"$output"
    grep -qP '^openmpi-to-mpich, 1 ranks: 1 of 1 kernels' <<<"$output"
    /usr/bin/python3 -c '
import json, sys
found = [(pair["ranks"], pair["oversubscribed"]) for pair in json.load(open(sys.argv[1]))["pairs"]]
assert found == [(1, False)] * 2 + [(4096, True)] * 2, found' "$BATS_TEST_TMPDIR/results.json"
}

# bats test_tags=long
@test "other layers run in the same rounds; where one fails it is left out" {
    own_build
    fake_launchers "1.0" "1.0"
    cat > "$BATS_TEST_TMPDIR/layer" <<'END'
#!/bin/sh
exec "$@"
END
    chmod +x "$BATS_TEST_TMPDIR/layer"
    BENCH_ALSO="theirs=$BATS_TEST_TMPDIR/layer; none@mpich-to-openmpi=false" run --separate-stderr "$apps/run" \
        --quick --json "$BATS_TEST_TMPDIR/results.json" ep
    [ "$status" -eq 0 ]
    # The launcher here runs nothing, but sees all.
    /usr/bin/python3 -c '
import json, sys
one, other = [pair["kernels"][0]["also"] for pair in json.load(open(sys.argv[1]))["pairs"]]
assert list(one) == ["theirs"] and len(one["theirs"]) == 1, one
assert list(other) == ["theirs", "none"], other' "$BATS_TEST_TMPDIR/results.json"

    printf '#!/bin/sh\ncase "$*" in *layer*) echo "it cannot" >&2; exit 3 ;; esac\necho "ep 1.0"\n' > "$MPICH_EXEC"
    BENCH_ALSO="theirs=$BATS_TEST_TMPDIR/layer" run --separate-stderr "$apps/run" --quick ep
    [ "$status" -eq 0 ]
    [[ $stderr == *"bench: theirs is left out: ep of "*"it cannot"* ]]
    [ "$(grep -cP '\tright$' <<<"$output")" -eq 2 ]
    BENCH_ALSO="theirs" run --separate-stderr "$apps/run" --quick ep
    [ "$status" -eq 1 ]
    [[ $stderr == "mpi-adapter: BENCH_ALSO: 'theirs' is no layer; write 'NAME=COMMAND PREFIX'"* ]]
}

@test "a kernel that prints anything else, or fails, is a failure" {
    own_build
    fake_launchers "1.0" "nan"
    run --separate-stderr "$apps/run" ep
    [ "$status" -eq 1 ]
    grep -qP '^2\topenmpi-to-mpich\tep\t1\t1.0000\t-\t-\t-\t-\t-\tFAILED$' <<<"$output"
    [[ $stderr == *"ep of openmpi on mpich: exit status 0, stdout 'ep nan"* ]]
    grep -qF 'openmpi-to-mpich, 2 ranks: 0 of 1 kernels right natively and adapted' <<<"$output"

    printf '#!/bin/sh\necho "ep 1.0"; exit 7\n' > "$MPICH_EXEC"
    run --separate-stderr "$apps/run" ep
    [ "$status" -eq 1 ]
    [[ $stderr == *"exit status 7"* ]]

    rm "$BUILD/bench/apps/mpich/ep"
    export MPICH_CC=false
    run --separate-stderr "$apps/run" ep
    [ "$status" -eq 1 ]
    [[ $stderr == *"ep does not compile for mpich"* ]]
}

@test "the driver refuses what it cannot do" {
    run "$apps/run" no-such-kernel
    [ "$status" -eq 2 ]
    [[ $output == *"there is no kernel 'no-such-kernel'; give any of: ep cg "* ]]
    for repetitions in 0 2 many; do
        run "$apps/run" --repetitions $repetitions
        [ "$status" -eq 2 ]
    done
    # And without doing anything.
    for ranks in 3 0 1_6 ' 2' -2; do
        BUILD=$BATS_TEST_TMPDIR run "$apps/run" --check --ranks="$ranks"
        [ "$status" -eq 2 ]
    done
    BUILD=$BATS_TEST_TMPDIR run "$apps/run" --check --ranks 2,64 --most 6
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    run "$apps/run" --quick --ranks 3 is ft
    [ "$status" -eq 2 ]
    [[ $output == *"ft: the number of ranks must be a power of two; name other kernels, "* ]]
    run "$apps/run" --quick --json "$BATS_TEST_TMPDIR/none/results" ep
    [ "$status" -eq 2 ]
    BUILD=$BATS_TEST_TMPDIR run --separate-stderr "$apps/run" ep
    [ "$status" -eq 1 ]
    [[ $stderr == "mpi-adapter: "*" has no pair openmpi-to-mpich; run make, or set BUILD" ]]
}
