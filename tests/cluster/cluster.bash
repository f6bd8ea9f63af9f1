# SPDX-License-Identifier: BSD-3-Clause
# A cluster of three hosts on this machine.  A host is a process in namespaces
# of its own: network, host name, processes, IPC, mounts.  It has an address on
# a network that nothing outside can reach, an sshd, and a slurmd; the first
# one has slurmctld, too.  All files are in one temporary folder; the end of
# the host's first process ends everything in it.

hosts=(node1 node2 node3)
network=10.77.0

missing_commands() {
    local name
    for name; do
        type -P "$name" > /dev/null || { echo "$name is not installed"; return; }
    done
}

# Prints why there can be no cluster on this machine.
no_cluster_because() {
    local missing
    [ "$(id -u)" -eq 0 ] || { echo 'only root can make hosts of namespaces'; return; }
    missing=$(missing_commands unshare nsenter pgrep ip ssh ssh-keygen sshd)
    [ -z "$missing" ] || { echo "$missing"; return; }
    unshare --mount --uts --ipc --net --pid --fork --kill-child --mount-proc sh -ec '
        hostname node
        mount -t sysfs sysfs /sys
        mount -t tmpfs tmpfs /run
        ip link add switch type bridge
        ip link add wire type veth peer name eth0' 2>&1 ||
        echo 'the kernel, or what confines this process, permits no namespaces with a network'
}

# A private key of its own, and no questions.
write_ssh_files() {
    ssh-keygen -q -t ed25519 -N '' -f "$1/key" || return
    cat > "$1/sshd_config" <<END_OF_FILE
HostKey $1/key
AuthorizedKeysFile $1/key.pub
StrictModes no
PermitRootLogin prohibit-password
PidFile none
MaxStartups 100
SetEnv TMPDIR=/run/tmp
END_OF_FILE
    cat > "$1/ssh_config" <<END_OF_FILE
Host *
    IdentityFile $1/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
END_OF_FILE
}

write_slurm_files() {
    cat > "$1/slurm.conf" <<END_OF_FILE
ClusterName=check
SlurmctldHost=${hosts[0]}
SlurmUser=root
AuthInfo=socket=/run/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TaskProlog=$1/task-prolog
MpiDefault=none
ReturnToService=2
StateSaveLocation=$1/slurmctld
SlurmctldPidFile=/run/slurmctld.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdPidFile=/run/slurmd.pid
SlurmdSpoolDir=/run/slurmd
SlurmdLogFile=$1/slurmd.%n.log
TmpFS=/run/tmp
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
InactiveLimit=0
KillWait=2
NodeName=${hosts[0]%1}[1-${#hosts[@]}] CPUs=16
PartitionName=all Nodes=ALL Default=YES MaxTime=10 OverSubscribe=FORCE:4
END_OF_FILE
    echo 'CgroupPlugin=cgroup/v1' > "$1/cgroup.conf"
    # A test that wants a folder ahead in the PATH of jobs puts its name into that file.
    printf '%s\n' '#!/bin/sh' "[ ! -s '$1/ahead' ] || echo \"export PATH=\$(cat '$1/ahead'):\$PATH\"" > "$1/task-prolog"
    chmod +x "$1/task-prolog"
    mkdir "$1/slurmctld"
    (umask 077 && head -c 1024 /dev/urandom > "$1/munge.key")
}

write_hosts_file() {
    local i
    echo '127.0.0.1 localhost'
    for i in "${!hosts[@]}"; do
        echo "$network.$((i + 1)) ${hosts[i]}"
    done
}

# The process that `unshare` started, as this process numbers it.
first_child() {
    local tries
    for ((tries = 0; tries < 50; tries++)); do
        REPLY=$(pgrep -P "$1") && return
        sleep 0.1
    done
    echo "no process in new namespaces; see $work/*.log" >&2
    return 1
}

# start_in_namespaces NAME COMMAND...: leaves the number of its first process in $work/NAME.pid.
start_in_namespaces() {
    local name=$1
    shift
    # It ends with the process that starts it, however that ends.
    setpriv --pdeathsig KILL unshare --mount --uts --ipc --net --pid --fork --kill-child --mount-proc "$@" \
        > "$work/$name.log" 2>&1 < /dev/null 3>&- &
    echo $! > "$work/$name.unshare"
    first_child $! && echo "$REPLY" > "$work/$name.pid"
}

on_switch() { nsenter -t "$(cat "$work/switch.pid")" -n -- "$@"; }

# A wire between the switch and a host.
plug_in() {
    on_switch ip link add "$1" type veth peer name eth0 netns "$(cat "$work/$1.pid")" &&
        on_switch ip link set "$1" master switch up
}

# start_cluster FOLDER
start_cluster() {
    local host
    work=$1
    write_ssh_files "$work" && write_slurm_files "$work" && write_hosts_file > "$work/hosts" || return
    start_in_namespaces switch sleep infinity || return
    on_switch ip link add switch type bridge && on_switch ip link set switch up || return
    for host in "${hosts[@]}"; do
        start_in_namespaces "$host" "$here/host" "$host" "$work" && plug_in "$host" || return
    done
    wait_for 'the hosts' all_hosts_up
}

stop_cluster() {
    local name
    for name in switch "${hosts[@]}"; do
        [ ! -s "$1/$name.unshare" ] || kill -KILL "$(cat "$1/$name.unshare")"
    done
    wait
}

# wait_for WHAT COMMAND...: until it succeeds.
wait_for() {
    local what=$1 tries
    shift
    for ((tries = 0; tries < 150; tries++)); do
        "$@" > /dev/null 2>&1 && return
        sleep 0.2
    done
    echo "$what did not start; see $work/*.log" >&2
    return 1
}

all_hosts_up() {
    local host
    for host in "${hosts[@]}"; do
        [ -e "$work/$host.up" ] && on node1 ssh "$host" true || return
    done
}

slurm_is_up() { [ "$(on node1 sinfo -h -t idle -o %D)" = "${#hosts[@]}" ]; }

# on HOST COMMAND...: runs it there, as if typed there.
on() {
    local host=$1
    shift
    nsenter -t "$(cat "$work/$host.pid")" -m -u -i -n -p -- \
        env -C "$PWD" TMPDIR=/run/tmp SLURM_CONF="$work/slurm.conf" "$@"
}
