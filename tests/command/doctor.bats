# SPDX-License-Identifier: BSD-3-Clause
# "mpi-adapter doctor": what works is said to work, and each fault has a next step.

load real_mpis

setup() {
    clean_environment
    copy_installation
    mkdir "$BATS_TEST_TMPDIR/bin"
    export PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

doctor() { run --separate-stderr timeout 900 "$adapter" doctor "$@"; echo "$output $stderr"; }

# reports LINE NEXT: a failure and what to do about it.
reports() {
    grep -A 1 -F -- "  FAIL  $1" <<< "$output" | grep -qF "        next: $2" ||
        { echo "no such failure: $1"; return 1; }
}

works() { grep -qF -- "  ok    $1" <<< "$output" || { echo "this is not ok: $1"; return 1; }; }

# fake_launcher NAME VERSION: starts the ranks as a test says on standard input.
fake_launcher() {
    { printf '#!/bin/bash\n[ "$1" = --version ] && { echo "%s"; exit; }\n' "$2"; cat; } > "$BATS_TEST_TMPDIR/bin/$1"
    chmod +x "$BATS_TEST_TMPDIR/bin/$1"
}

@test "the MPIs, launchers and pairs of this machine work" {
    doctor
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    grep -qE '^  ok    .*/libmpich\.so\.12 natively, by .*: 2 ranks, MPI [45]\.[0-9], MPICH' <<< "$output"
    grep -qE '^  ok    .*/libmpi\.so\.40 natively, by .*: 2 ranks, .*Open MPI' <<< "$output"
    grep -qE '^  ok    .*/mpiexec.* starts Open MPI' <<< "$output"
    works 'openmpi-to-mpich: 2 ranks, MPI 3.1, MPICH'
    # The standard is that of the program's MPI, as it is installed.
    local standard
    standard=$(grep -oP '^  ok    .*/libmpich\.so\.12 natively, by .*: 2 ranks, MPI \K[45]\.[0-9]' <<< "$output")
    works "mpich-to-openmpi: 2 ranks, MPI $standard, Open MPI"
}

@test "a damaged library of a pair, and what hides under another's name" {
    truncate -s 1000 "$home/openmpi-to-mpich/libmpi.so.40"
    cp "$home/mpich-to-openmpi/libmpich.so.12" "$home/mpich-to-openmpi/libmpi.so.12"
    doctor
    [ "$status" -eq 1 ]
    reports "openmpi-to-mpich: $home/openmpi-to-mpich/libmpi.so.40 is damaged" 'install the pair again'
    reports "mpich-to-openmpi: $home/mpich-to-openmpi/libmpi.so.12 is not the library libmpi.so.12" 'install the pair again'
    grep -q 'ok .*natively' <<< "$output"
}

@test "stale pairs: of another version, or for a library that has changed" {
    sed -i 's/^version = .*/version = 0.0.1/' "$home/openmpi-to-mpich/pair.conf"
    cp "$(ldconfig -p | awk '$1 == "libmpi.so.40" { print $NF; exit }')" "$BATS_TEST_TMPDIR/libmpi.so.40"
    printf '%s\n' 'name = mine' 'host_prefix = /opt/mine' "host_library = $BATS_TEST_TMPDIR/libmpi.so.40" \
        "host_checksum = $(sha256sum < "$BATS_TEST_TMPDIR/libmpi.so.40" | cut -d ' ' -f 1)" \
        >> "$home/mpich-to-openmpi/pair.conf"
    doctor
    reports 'openmpi-to-mpich: its version is 0.0.1, the command'\''s is' 'make or install it again'
    works 'mpich-to-openmpi: 2 ranks'
    echo >> "$BATS_TEST_TMPDIR/libmpi.so.40"
    doctor
    [ "$status" -eq 1 ]
    reports "mpich-to-openmpi: $BATS_TEST_TMPDIR/libmpi.so.40 has changed since the pair was made for it" \
        "run 'mpi-adapter build --host /opt/mine --name mine' again"
}

@test "a pair for an MPI that the site does not have is no fault, unless it was made for it" {
    sed -i 's/^host_libraries = .*/host_libraries = libabsent.so.1/' "$home/openmpi-to-mpich/pair.conf"
    doctor
    [ "$status" -eq 0 ]
    [[ $output == *'-     openmpi-to-mpich: not tried, as the MPI library of mpich (libabsent.so.1) is not found'* ]]
    printf 'name = mine\nhost_library = /absent/libmpich.so.12\n' >> "$home/openmpi-to-mpich/pair.conf"
    doctor
    [ "$status" -eq 1 ]
    reports 'openmpi-to-mpich: the MPI library of mpich (/absent/libmpich.so.12) is not found' 'install it'
}

@test "a damaged pair.conf and a damaged configuration" {
    echo nonsense >> "$home/openmpi-to-mpich/pair.conf"
    echo 'hots = mpich' > "$BATS_TEST_TMPDIR/conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf doctor
    [ "$status" -eq 1 ]
    grep -qF "pair.conf:" <<< "$output"
    reports "$BATS_TEST_TMPDIR/conf:1: there is no setting 'hots'" "did you mean 'host'?"
    works 'mpich-to-openmpi: 2 ranks'
}

@test "what a host has to have preloaded is said, and a fault if it is not there" {
    local library
    library=$(ldconfig -p | awk '$1 == "libelf.so.1" { print $NF; exit }')
    printf 'host_preload.mpich = %s\nhost_preload.openmpi = /no/such.so\n' "$library" > "$BATS_TEST_TMPDIR/conf"
    MPI_ADAPTER_CONFIG=$BATS_TEST_TMPDIR/conf doctor
    [ "$status" -eq 1 ]
    [[ $output == *"  -     openmpi-to-mpich: host_preload has $library loaded with its MPI"* ]]
    works 'openmpi-to-mpich: 2 ranks'
    reports "mpich-to-openmpi: /no/such.so, which host_preload.openmpi ($BATS_TEST_TMPDIR/conf:2) has preloaded, is not found" \
        'correct the setting'
}

@test "ranks that do not find each other" {
    fake_launcher mpiexec.mpich 'HYDRA build details:' <<'TEXT'
while [ "$1" = -genv ]; do export "$2=$3"; shift 3; done
shift 2
"$@"; "$@"
TEXT
    doctor
    [ "$status" -eq 1 ]
    reports 'openmpi-to-mpich: its ranks do not find each other' 'use the launcher that came with that MPI'
    works 'mpich-to-openmpi: 2 ranks'
}

@test "settings of an MPI whose programs run on another one have no effect" {
    OMPI_MCA_some_thing=1 run "$adapter" doctor
    [[ $output == *'settings without effect on programs of openmpi that run on another MPI:'*OMPI_MCA_some_thing* ]]
}

@test "a probe that hangs" {
    fake_launcher mpiexec.mpich 'HYDRA build details:' <<< 'exec sleep 30'
    doctor --timeout 2
    [ "$status" -eq 1 ]
    reports 'openmpi-to-mpich: the probe hangs' "check the MPI's network settings"
}

@test "a probe that takes long is told of on a terminal, and not in the answer" {
    type -P script > /dev/null || skip 'script is not installed'
    local said=$BATS_TEST_TMPDIR/said answer=$BATS_TEST_TMPDIR/answer
    fake_launcher mpiexec.mpich 'HYDRA build details:' <<< "for ((i = 0; i < 900; i++)); do ! grep -q trying '$said' || break; sleep 0.1; done; exit 3"
    export MPI_ADAPTER_TICK=0.1
    SHELL=/bin/bash run timeout 900 script -qefc "${adapter@Q} doctor --json > ${answer@Q}" "$said" < /dev/null
    [ "$status" -eq 1 ]
    grep -q '^mpi-adapter: trying .*, [0-9]* s' "$said"
    "${PYTHON:-/usr/bin/python3}" -m json.tool "$answer" > /dev/null
    run ! grep trying "$answer"
    fake_launcher mpiexec.mpich 'HYDRA build details:' <<< 'sleep 1; exit 3'
    doctor
    [ -z "$stderr" ]
    [[ $output != *trying* ]]
}

@test "a launcher that fails: its words are shown with -v" {
    fake_launcher mpiexec.mpich 'HYDRA build details:' <<< 'echo "out of order"; exit 3'
    doctor -v
    [ "$status" -eq 1 ]
    reports 'openmpi-to-mpich: the probe ends with status 3 (out of order)' 'see all it says with -v'
    [[ $stderr == *'openmpi-to-mpich: out of order'* ]]
}

@test "what Slurm offers is compared with what each library needs" {
    fake_launcher srun 'slurm 22.05.8' <<< 'printf "MPI plugin types are...\n\tnone\n\tpmi2\n" >&2'
    doctor
    [ "$status" -eq 1 ]
    grep -qE "^  ok    $BATS_TEST_TMPDIR/bin/srun --mpi=pmi2 suits .*/libmpich.so.12" <<< "$output"
    reports "$BATS_TEST_TMPDIR/bin/srun offers 'none pmi2', but" "ask for Slurm's pmix plugin"
    fake_launcher srun 'slurm 22.05.8' <<< 'printf "MPI plugin types are...\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v4\n" >&2'
    doctor
    [ "$status" -eq 0 ]
    fake_launcher srun 'slurm 22.05.8' <<< 'echo "srun: fatal: no controller" >&2; exit 1'
    doctor
    [ "$status" -eq 0 ]
    [[ $output == *'srun: Slurm does not answer (srun: fatal: no controller)'* ]]
}

@test "no pair, no launcher, wrong options" {
    rm -r "$home"/*-to-*
    doctor
    [ "$status" -eq 1 ]
    reports "no pair is installed in $home" 'install one'
    doctor --timeout 0
    [ "$status" -eq 2 ]
    [[ $stderr == *"--timeout '0' is not a positive number"* ]]
    doctor --operand
    [ "$status" -eq 2 ]
    [[ $stderr == *"'--operand'"* ]]
    doctor operand
    [ "$status" -eq 1 ]
    reports 'operand is not a folder' 'give the prefix of a tree'
}

@test "it leaves nothing behind" {
    mkdir "$BATS_TEST_TMPDIR/tmp"
    TMPDIR=$BATS_TEST_TMPDIR/tmp doctor
    [ -z "$(find "$BATS_TEST_TMPDIR/tmp" -mindepth 1 -name 'tmp.*')" ]
}

@test "a report whose name becomes a link meanwhile" {
    local tools=$BATS_TEST_TMPDIR/tools shared=$BATS_TEST_TMPDIR/shared
    mkdir "$tools" "$shared"
    echo mine > "$BATS_TEST_TMPDIR/victim"
    printf '#!/bin/sh\nfor file in %s/doctor.*; do ln -sf %s/victim "$file"; done\nexec %s "$@"\n' \
        "$shared" "$BATS_TEST_TMPDIR" "$(type -P tee)" > "$tools/tee"
    chmod +x "$tools/tee"
    PATH=$tools:$PATH run "$adapter" doctor --timeout 20 --report "$shared"
    [[ $output == *report*"$shared/doctor."* ]]
    [ "$(cat "$BATS_TEST_TMPDIR/victim")" = mine ]
}

@test "nothing is left behind where nobody reads the answer" {
    mkdir "$BATS_TEST_TMPDIR/temporary"
    TMPDIR=$BATS_TEST_TMPDIR/temporary run bash -c '"$1" doctor | head -n 1' - "$adapter"
    [ "$output" = MPIs ]
    for ((i = 0; i < 600; i++)); do
        [ -n "$(ls "$BATS_TEST_TMPDIR/temporary")" ] || return 0
        sleep 0.1
    done
    false
}
