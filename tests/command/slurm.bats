# SPDX-License-Identifier: BSD-3-Clause
# mpi-adapter run with a false Slurm.

load false_mpis

setup_file() { make_fixtures; }

setup() {
    make_installation
    make_own_launchers
    unset SLURM_MPI_TYPE
    export FAKE_TYPES
    fake_srun 'slurm-wlm 22.05.8'
    fake_scontrol 'MpiDefault              = none'
    FAKE_TYPES='MPI plugin types are...\n\tnone\n\tcray_shasta\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v4\n'
}

# Notes its arguments and runs what follows its options; lists $FAKE_TYPES, as printf writes them.
fake_srun() {
    cat > "$bin/srun" <<END
#!/bin/bash
if [ "\$1" = --version ]; then echo '$1'; exit 0; fi
if [ "\$1" = --mpi=list ]; then printf "\$FAKE_TYPES" >&2; exit; fi
printf 'argument %s\n' "\$@" > "$LAUNCHER_LOG"
while [[ \$1 != */start-rank ]]; do shift; done
exec "\$@"
END
    chmod +x "$bin/srun"
}

fake_scontrol() {
    printf '%s\n' '#!/bin/sh' "echo '$1'" > "$bin/scontrol"
    chmod +x "$bin/scontrol"
}

run_by_srun() { run --separate-stderr "$adapter" run --launcher srun "$@"; }

@test "srun gets the number of ranks, the name of the program and what the host MPI speaks" {
    run_by_srun -n 3 app args one
    [ "$status" -eq 0 ]
    [ "$output" = '<one>' ]
    [ "$(cat "$LAUNCHER_LOG")" = "$(printf 'argument %s\n' --job-name=app -n 3 --mpi=pmi2 "$starter" openmpi slurm \
        "LD_LIBRARY_PATH=$pair:$fixtures/host" -- "$fixtures/bin/app" args one)" ]
}

@test "Open MPI speaks PMIx" {
    change_pair 's/^host = .*/host = openmpi/; s/fakempich/fakeopenmpi/; s/hydra/openmpi/'
    run_by_srun --from openmpi app
    echo "$stderr"
    [ "$status" -eq 0 ]
    launcher_got 'argument --mpi=pmix'
}

@test "Slurm by its own name is known, too" {
    fake_srun 'slurm 23.11.4'
    run_by_srun app
    [ "$status" -eq 0 ]
    [ "$output" = adapter ]
}

@test "what the user or the site says of --mpi counts" {
    run_by_srun --launcher-arg --mpi=pmix_v4 app
    launcher_got 'argument --mpi=pmix_v4' && ! launcher_got 'argument --mpi=pmi2' || return
    run_by_srun --launcher-arg --mpi --launcher-arg cray_shasta app
    launcher_got 'argument cray_shasta' && ! launcher_got 'argument --mpi=pmi2' || return
    SLURM_MPI_TYPE=openmpi run_by_srun app
    launcher_got "argument $starter" && ! launcher_got 'argument --mpi=pmi2' || return
    fake_scontrol 'MpiDefault              = cray_shasta'
    run_by_srun app
    launcher_got "argument $starter" && ! launcher_got 'argument --mpi=pmi2' || return
    fake_scontrol ''
    run_by_srun app
    [ "$status" -eq 0 ] && ! launcher_got 'argument --mpi=pmi2'
}

@test "a value that has commas reaches the ranks whole" {
    LD_LIBRARY_PATH=$fixtures/host:/a,b run_by_srun app env LD_LIBRARY_PATH
    [ "$output" = "LD_LIBRARY_PATH=$pair:$fixtures/host:/a,b" ]
}

@test "only the ranks get the environment, not srun" {
    sed -i "s|^printf|env > '$LAUNCHER_LOG.environment'; printf|" "$bin/srun"
    run_by_srun --preload app env LD_PRELOAD
    [ "$output" = "LD_PRELOAD=$pair/libmpi.so.40" ]
    grep -q '^PATH=' "$LAUNCHER_LOG.environment"
    ! grep -F "$pair" "$LAUNCHER_LOG.environment"
}

# srun_gets OPTION MPI_DEFAULT TYPES: of Open MPI, where scontrol and srun answer so. Without an OPTION, none of --mpi.
srun_gets() {
    echo "row: $*"
    fake_scontrol "$2"
    FAKE_TYPES=$3
    run_by_srun --from openmpi app
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(sed -n 's/^argument \(--mpi.*\)/\1/p' "$LAUNCHER_LOG")" = "$1" ]
}

@test "answers of Slurm 20.11, 22.05 and 24.11 are understood" {
    local name='MpiDefault              =' logged='srun: MPI types are...\nsrun: ' listed='MPI plugin types are...\n\t'
    change_pair 's/^host = .*/host = openmpi/; s/fakempich/fakeopenmpi/; s/hydra/openmpi/'
    while IFS='|' read -r option default offered; do
        srun_gets "$option" "$name $default" "$offered" || return
    done <<END
--mpi=pmix|none|${logged}cray_shasta\nsrun: none\nsrun: pmi2\nsrun: pmix_v3\nsrun: pmix\n
--mpi=pmix_v3|none|${logged}none\nsrun: pmi2\nsrun: pmix_v3\n
--mpi=pmix|none|${logged}mpi/openmpi\nsrun: mpi/none\nsrun: mpi/pmix\n
--mpi=pmix|none|${listed}cray_shasta\n\tnone\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v4\n
--mpi=pmix_v5|(null)|${listed}none\n\tpmi2\nspecific pmix plugin versions available: pmix_v5,pmix_v4\n
--mpi=pmix|(null)|${listed}none\n\tcray_shasta\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: pmix_v5\n
--mpi=pmix|(null)|
|pmix|${listed}none\n\tpmi2\n\tpmix\n
|pmi2|${listed}none\n\tpmi2\n\tpmix\n
END
}

@test "a Slurm that has no plugin for what the host MPI speaks is named" {
    change_pair 's/^host = .*/host = openmpi/; s/fakempich/fakeopenmpi/; s/hydra/openmpi/'
    fake_scontrol 'MpiDefault              = (null)'
    FAKE_TYPES='MPI plugin types are...\n\tnone\n\tcray_shasta\n\tpmi2\n'
    run_by_srun --from openmpi app
    fails_with 1 "$bin/srun offers 'none cray_shasta pmi2', but" 'connects its ranks by pmix' "ask for Slurm's pmix plugin"
}
