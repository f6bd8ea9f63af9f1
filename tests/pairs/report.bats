#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI_ADAPTER_REPORT: what a process leaves that dies, and that it dies as it would.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    ulimit -c unlimited
}

ways=(segv thread callback divide abort ignored sent term overrun MPI_Abort exit error own own-first forked well)

# how_it_ends HOW: the status of one process, by wait(), where a dumped core counts, and what it says on stdout.
how_it_ends() {
    /usr/bin/python3 -c 'import os, sys
out = os.pipe()
child = os.fork()
if not child:
    os.dup2(out[1], 1)
    os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(out[1])
text = os.fdopen(out[0]).read()
print(hex(os.waitpid(child, 0)[1]), text)' ./die "$1"
}

# left_by HOW: the program dies so with the variable; its file is report, or there is none.
left_by() {
    rm -rf reports report core core.*
    LD_LIBRARY_PATH=$folder MPI_ADAPTER_REPORT=reports how_it_ends "$1" > end
    [ "$(compgen -G 'reports/*' | wc -l)" -le 1 ] || { ls reports; return 1; }
    ! compgen -G 'reports/*' > /dev/null || cp reports/* report
}

compiled() { app_program die "$here/die.c" -pthread; }

@test "a program dies, or handles its signals, as without it: status, core, output" {
    deaths() {
        local way
        compiled
        for way in "${ways[@]}"; do
            LD_LIBRARY_PATH=$folder how_it_ends "$way" > expected
            left_by "$way"
            diff expected end || { echo "$way"; return 1; }
        done
    }
    PAIRS=$(native_pairs) for_each_pair deaths
}

@test "who dies leaves one file, and nobody else does" {
    files() {
        local way
        compiled
        for way in segv thread callback divide abort sent overrun MPI_Abort exit error; do
            left_by "$way"
            [ -s report ] || { echo "no report of $way"; return 1; }
        done
        for way in own own-first term forked well; do
            left_by "$way"
            [ ! -e report ] || { echo "a report of $way"; cat report; return 1; }
        done
    }
    PAIRS=$(native_pairs) for_each_pair files
}

@test "the file has the reason, the surroundings, the last calls and the maps, and no data" {
    content() {
        compiled
        TOKEN='secret of the environment' left_by segv
        cat report
        grep -x 'reason         the signal SIGSEGV at the address 0x8' report
        grep "^pair           $pair [0-9.]*, $adapter" report
        grep '^host           /.*(MPI [0-9.]*, .*' report
        grep '^isolation      proved at load: none of [0-9]* slots' report
        grep '^initialized    as rank 0 of 1' report
        grep '^launcher       none' report
        grep "^setting        LD_LIBRARY_PATH=$folder" report
        grep '^the last of 1[0-9][0-9] calls' report
        [ "$(grep -cE '^[0-9]+\.[0-9]{6} [0-9]+ MPI_' report)" -eq 64 ]
        grep -E 'MPI_Sendrecv\(sendbuf=0x[0-9a-f]+, sendcount=24, sendtype=MPI_CHAR, dest=0, sendtag=77, .*\) = MPI_SUCCESS' report | sed -n 1p
        grep -E 'MPI_Comm_set_name\(comm=0x[0-9a-f]+, comm_name=(\.\.\.|0x[0-9a-f]+)\) = MPI_SUCCESS' report
        [ "$(grep -c '/die$' report)" -ge 3 ]
        run ! grep -a 'secret of' report
        left_by callback
        grep -i 'MPI_.*reduce.*did not return' report
        left_by MPI_Abort
        grep -x 'reason         MPI_Abort was called with the code 5' report
        left_by exit
        grep -x 'reason         the process ended before MPI_Finalize' report
        left_by sent
        grep '^reason         the signal SIGSEGV sent by process [0-9]*' report
    }
    PAIRS=$(native_pairs) for_each_pair content
}

@test "a call that the host does not have is named, and who goes on without it leaves nothing" {
    refusals() {
        compiled
        left_by refused-fatal
        # The application's MPI may be older than the procedure, or the host have it.
        [ -e report ] || return 0
        echo "$pair: refused" >> "$BATS_TEST_TMPDIR/tried"
        grep -xE 'reason         (the process ended before MPI_Finalize|the host.s MPI ended the process by .*)' report
        grep -x 'refused        MPIX_Comm_agree, which the host does not have' report
        left_by refused-abort
        grep '^reason         the signal SIGABRT' report
        grep -x 'refused        MPIX_Comm_agree, which the host does not have' report
        left_by refused
        grep 'ended well' end
        [ ! -e report ]
    }
    PAIRS=$(native_pairs) for_each_pair refusals
    [ -s tried ] || skip 'no host lacks a procedure of the application here'
}

@test "each rank that dies has a file, with the launcher's name" {
    ranks() {
        compiled
        MPI_ADAPTER_REPORT=$PWD/reports on_ranks 2 ./die segv > output 2>&1 && return 1
        cat output
        grep -x 'launcher       [^n].*' reports/die.*.rank[01].*.txt
        grep -x 'rank           [01] by the launcher' reports/die.*.rank[01].*.txt
    }
    PAIRS=$(native_pairs) for_each_pair ranks
}

@test "a rank that gets its launcher by a port (mpiexec -pmi-port) is known, too" {
    by_port() {
        [ "$(pair_facts launcher_kind)" = hydra ] || return 0
        compiled
        MPI_ADAPTER_REPORT=$PWD/reports on_ranks 2 -pmi-port ./die segv > output 2>&1 && return 1
        MPI_ADAPTER_TRACE=$PWD/trace.%r on_ranks 2 -pmi-port ./die well > output 2>&1
        cat output
        ls
        grep -h '^launcher       a launcher with PMI' reports/die.*
        grep -x 'rank           [01] by the launcher' reports/die.*.rank[01].*.txt
        [ "$(grep -c 'MPI_Init(' trace.0)" -eq 1 ]
        [ "$(grep -c 'MPI_Init(' trace.1)" -eq 1 ]
    }
    PAIRS=$(native_pairs) for_each_pair by_port
}

@test "an error that nobody handles leaves a file under the launcher, which kills the ranks, and ends as it would" {
    errors() {
        local without=0 with=0
        compiled
        on_ranks 2 ./die error > /dev/null 2>&1 || without=$?
        MPI_ADAPTER_REPORT=$PWD/reports on_ranks 2 ./die error > output 2>&1 || with=$?
        cat output
        [ "$without" -ne 0 ]
        [ "$with" -eq "$without" ]
        cat reports/die.*.rank[01].*.txt > report
        grep "^reason         the host's MPI ended the process by " report
        grep -E 'MPI_Send\(.*dest=99.*\) did not return' report
    }
    PAIRS=$(native_pairs) for_each_pair errors
}

@test "a folder is made with those above it, a fact is one line, and a file that finds no room is complained of" {
    room() {
        compiled
        cp die $'two\nlines'
        run adapted env MPI_ADAPTER_REPORT=a/b/c ./$'two\nlines' segv
        cat a/b/c/two\?lines.* > report
        grep -x 'program        ./two?lines' report
        mkdir full
        "$CC" -shared -fPIC -o no_room.so "$here/no_room.c"
        run --separate-stderr adapted env LD_PRELOAD="$PWD/no_room.so" MPI_ADAPTER_REPORT=full ./die segv
        echo "$stderr"
        [ -z "$(ls full)" ]
        grep -E '^mpi-adapter: cannot write all of the report .*/full/die\..*; set MPI_ADAPTER_REPORT to .*' <<< "$stderr"
    }
    PAIRS=$(native_pairs) for_each_pair room
}

@test "who dies while another thread's report is stuck waits a while, and dies as it would" {
    stuck() {
        compiled
        "$CC" -shared -fPIC -o no_room.so "$here/no_room.c"
        mkdir stuck
        run adapted env LD_PRELOAD="$PWD/no_room.so" MPI_ADAPTER_REPORT=stuck ./die two
        [ "$status" -eq 134 ]
        [ ! -s stuck/die.* ]
    }
    PAIRS=$(native_pairs | sed -n 1p) for_each_pair stuck
}

@test "a folder that cannot be written stops the program, with one line" {
    refused() {
        compiled
        : > file
        run --separate-stderr adapted env MPI_ADAPTER_REPORT="$PWD/file/under" ./die well
        [ "$status" -eq 1 ]
        one_line "$stderr"
        [[ $stderr == *'cannot write reports into'* ]]
    }
    PAIRS=$(native_pairs) for_each_pair refused
}

# planted NAME COMMAND...: runs COMMAND where NAME, in which %p is its process's number, leads to the file victim; in a folder in
# which others may write.
planted() {
    local name=$1
    shift
    mkdir -p shared
    chmod 1777 shared
    rm -f shared/*
    echo precious > victim
    # shellcheck disable=SC2016
    sh -c 'ln -s ../victim "shared/$(echo "$1" | sed "s/%p/$$/; s/%h/$(uname -n)/")" && shift && exec "$@"' sh "$name" "$@"
}

@test "links that others left under the name of a report or a trace are not followed, and the user is told" {
    links() {
        compiled
        LD_LIBRARY_PATH=$folder MPI_ADAPTER_REPORT=shared planted die.%h.rank0.%p.txt ./die segv 2> said && return 1
        cat said
        grep -x 'mpi-adapter: the report .*/shared/die\..*\.txt would be a link or somebody else.s file; set MPI_ADAPTER_REPORT to .*' said
        LD_LIBRARY_PATH=$folder MPI_ADAPTER_TRACE=shared/trace.%r planted trace.0 ./die well 2> said && return 1
        cat said
        grep 'mpi-adapter: shared/trace.0 is a link or somebody else.s file, in a folder where others may write; set MPI_ADAPTER_TRACE to' said
        LD_LIBRARY_PATH=$folder MPI_ADAPTER_STATS=shared/counts planted counts.%p ./die well 2> said && return 1
        grep 'shared/counts.[0-9]* is a link' said
        [ "$(cat victim)" = precious ]
        # Another name of a file of the user's, and another user's file.
        rm -f shared/*
        ln victim shared/trace.0
        LD_LIBRARY_PATH=$folder MPI_ADAPTER_TRACE=shared/trace.%r ./die well 2> said && return 1
        [ "$(cat victim)" = precious ]
        rm -f shared/*
        echo theirs > shared/trace.0
        [ "$(id -u)" -ne 0 ] || chown 12345 shared/trace.0
        [ "$(id -u)" -ne 0 ] || { LD_LIBRARY_PATH=$folder MPI_ADAPTER_TRACE=shared/trace.%r ./die well 2> said && return 1; }
        [ "$(cat shared/trace.0)" = theirs ]
    }
    PAIRS=$(native_pairs) for_each_pair links
}

@test "a trace goes on in the user's own file of an earlier run, and into what the user names" {
    named() {
        local once
        compiled
        mkdir -p shared
        chmod 1777 shared
        rm -f shared/* link
        export LD_LIBRARY_PATH=$folder
        MPI_ADAPTER_TRACE=shared/trace.%r ./die well > /dev/null
        once=$(wc -l < shared/trace.0)
        MPI_ADAPTER_TRACE=shared/trace.%r ./die well > /dev/null
        [ "$(wc -l < shared/trace.0)" -eq $((2 * once)) ]
        MPI_ADAPTER_TRACE=/dev/stderr ./die well 2>&1 > /dev/null | grep -c 'MPI_Init' | grep -x 1
        MPI_ADAPTER_TRACE=/dev/null ./die well > /dev/null
        mkfifo shared/fifo
        cat shared/fifo > got &
        MPI_ADAPTER_TRACE=shared/fifo ./die well > /dev/null
        wait "$!"
        [ "$(wc -l < got)" -eq "$once" ]
        # In a folder of the user's own a link is the user's, too.
        mkdir -p own
        ln -sf ../got own/trace.0
        MPI_ADAPTER_TRACE=own/trace.%r ./die well > /dev/null
        [ "$(wc -l < got)" -eq $((2 * once)) ]
        unset LD_LIBRARY_PATH
    }
    PAIRS=$(native_pairs) for_each_pair named
}
