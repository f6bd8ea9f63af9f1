#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Debuggers, profilers and C++ exceptions find their way through the adapter.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# steps_into_conversion: from MPI_Comm_size into the function that converts its communicator, and back, line by line.
steps_into_conversion() {
    app_program size "$here/size.c"
    cat > commands <<'GDB'
set breakpoint pending on
set pagination off
break size.c:10
run
break PMPI_Comm_size
continue
step
step
backtrace
finish
step
backtrace
GDB
    run env LD_LIBRARY_PATH="$folder" timeout 300 gdb -batch -nx -x commands ./size
    echo "$output"
    # Into a function that the compiler put into its caller, whose lines it has nevertheless.
    [[ $output == *$'\n#0  comm_to_host '*generated/convert.h:*$'\n#1  PMPI_Comm_size '*generated/wrappers.c:*$'\n#2  '*' in main '*size.c:10$'\n'* ]]
    # And on, to the host's own.
    [[ ${output##*$'\n#1  PMPI_Comm_size '} == *generated/wrappers.c:*' in main '*size.c:10* ]]
}

@test "gdb steps through a conversion line by line" {
    type -P gdb > /dev/null || skip "gdb is not installed"
    PAIRS=$(native_pairs) for_each_pair steps_into_conversion
}

# The C compiler's own startup files have functions without it, which call nothing of ours.
STARTUP='_init|_fini|deregister_tm_clones|register_tm_clones|__do_global_dtors_aux|frame_dummy'

# functions_without_unwinding LIBRARY: of its functions those that no entry of .eh_frame covers.
functions_without_unwinding() {
    {
        readelf -W --debug-dump=frames "$1" | sed -n 's/.* FDE .*pc=\([0-9a-f]*\)\.\.\([0-9a-f]*\).*/\1 \2 entry/p'
        nm --defined-only "$1" | sed -n 's/ [tTW] / - /p'
    } | LC_ALL=C sort -s -k 1,1 | awk '
        $3 == "entry" { end = $2; next }
        ($1 "") >= (end "") { print $3 }' | { grep -vxE "$STARTUP" || [ $? -eq 1 ]; }
}

covers_functions() {
    local library=$adapter missing
    [ "$(readelf -W --debug-dump=frames "$library" | grep -c ' FDE ')" -gt 1000 ]
    [ "$(nm --defined-only "$library" | grep -c ' [tTW] ')" -gt 1000 ]
    missing=$(functions_without_unwinding "$library")
    [ -z "$missing" ] || { echo "no unwind information: $missing"; false; }
}

@test "each function of the adapter has unwind information" {
    for_each_pair covers_functions
}
