#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Open MPI's plugins: each component that works natively works under the adapter, and every slot of
# everything that is loaded by then leads to the host.

load ../pair
use_pair mpich-to-openmpi

setup_file() {
    load ../pair
    use_pair mpich-to-openmpi
    cd "$BATS_FILE_TMPDIR"
    need_commands ompi_info
    app_program components "$here/programs/components.c"
    host_program oracle "$here/programs/components.c"
    app_program libisolated.so -shared -fPIC "$here/programs/isolated.c" -I"$top/gotswap" \
        -L"$build/gotswap" -lgotswap -Wl,-rpath,"$build/gotswap"
    compile_variant leak isolate/slots.c gotswap_replace_each=leak_replace_each
    compile_adapter_source leak/leak.o "$top/tests/isolation/programs/leak.c"
    link_variant leak/libmpich.so.12 leak leak/leak.o
}

setup() {
    start_by_defaults
    cd "$BATS_FILE_TMPDIR"
}

# components_of FRAMEWORK: those that this host has.
components_of() {
    ompi_info --parsable | awk -F : -v framework="$1" '$1 == "mca" && $2 == framework { print $3 }' | sort -u
}

# plugins: their folder.
plugins() { ompi_info --parsable --path pkglibdir | cut -d : -f 3; }

# romio: what this release calls that component, if it has it.
romio() { components_of io | sed -n '/^romio/p'; }

# need_romio_plugin: releases from 5.0 on, as Debian builds them, have their components in their libraries.
need_romio_plugin() {
    [ -e "$(plugins)/mca_io_$(romio).so" ] || skip "this Open MPI has no plugin for ROMIO"
}

# proven RANKS WORK...: natively right; then so through the adapter, with every slot in order on every
# rank. Fails with status 2 if the component does not work natively, and so proves nothing.
proven() {
    local ranks=$1
    shift
    [ "$(natively "$ranks" ./oracle "$@" 2> native.err)" = right ] || return 2
    compgen -G "$(plugins)/mca_*.so" > /dev/null || local -x ISOLATED_PLUGINS=0
    if ! on_ranks "$ranks" -x LD_PRELOAD="$PWD/libisolated.so" ./components "$@" > output 2> messages ||
        [ "$(cat output)" != right ] || [ "$(grep -c '^isolated:.*right$' messages)" -ne "$ranks" ]; then
        cat output messages
        return 1
    fi
}

# each_of FRAMEWORK WORK...: every component of the framework by itself; "proved" lists what counted.
each_of() {
    local framework=$1 component status
    shift
    proved=
    for component in $(components_of "$framework"); do
        status=0
        forced "$component" proven 2 "$@" || status=$?
        case $status in
        0) proved+="$component " ;;
        2) echo "# $framework $component does not work natively: $(head -n 3 native.err | tr '\n' ' ')" ;;
        *) echo "$framework $component: wrong through the adapter"; return 1 ;;
        esac
    done
    echo "proved: $proved"
}

# has FRAMEWORK COMPONENT...: they were proved, as far as this release has them; one of them it has.
has() {
    local framework=$1 component found=0
    shift
    for component in $(components_of "$framework" | grep -xF "$(printf '%s\n' "$@")"); do
        found=1
        [[ " $proved" == *" $component "* ]] || { echo "$component was not proved"; return 1; }
    done
    [ "$found" -eq 1 ]
}

@test "components of io: Open MPI's own and ROMIO" {
    forced() { OMPI_MCA_io=$1 "${@:2}"; }
    each_of io file "$PWD/file"
    has io ompio romio321 romio341
    proven 4 file "$PWD/file"
}

@test "components of osc: windows" {
    # Component rdma needs memory of other processes, which not every machine permits.
    local -x OMPI_MCA_btl_vader_single_copy_mechanism=cma
    unset OMPI_MCA_smsc
    forced() { OMPI_MCA_osc=$1 "${@:2}"; }
    each_of osc window
    has osc pt2pt sm
    # A component that watches another one.
    OMPI_MCA_pml_monitoring_enable=1 proven 2 window || [ $? -eq 2 ]
}

@test "components of coll: collectives" {
    # One component cannot have all procedures; others stand behind it.
    forced() { env OMPI_MCA_coll="$1,basic,libnbc,inter,self" OMPI_MCA_coll_"$1"_priority=95 "${@:2}"; }
    env() { local -x "${@:1:2}"; "${@:3}"; }
    each_of coll collective
    has coll basic han libnbc sm tuned
    proven 4 collective
}

@test "components behind ompio: how collective writes and shared pointers are done" {
    local -x OMPI_MCA_io=ompio
    forced() { OMPI_MCA_fcoll=$1 "${@:2}"; }
    each_of fcoll file "$PWD/file"
    has fcoll dynamic dynamic_gen2 individual two_phase vulcan
    forced() { OMPI_MCA_sharedfp=$1 "${@:2}"; }
    each_of sharedfp file "$PWD/file"
    has sharedfp lockedfile sm
}

@test "components of pml and topo: messages" {
    forced() { OMPI_MCA_pml=$1 "${@:2}"; }
    each_of pml collective
    has pml ob1
    OMPI_MCA_pml_monitoring_enable=1 proven 2 collective || [ $? -eq 2 ]
    forced() { OMPI_MCA_topo=$1 "${@:2}"; }
    each_of topo collective
    has topo basic
}

@test "start-up reads no file of a library to isolate the host" {
    app_program reads -rdynamic "$here/programs/reads.c"
    on_ranks 1 ./reads > files
    echo "read: $(cat files)"
    [ "$(cat files)" = initialized ]
}

@test "plugins are isolated where another library took the slots of dlopen" {
    local when calls
    need_romio_plugin
    app_program taker.so -shared -fPIC "$top/tests/isolation/programs/taker.c" -I"$top/gotswap" \
        -L"$build/gotswap" -lgotswap -Wl,-rpath,"$build/gotswap"
    host_program native-taker.so -shared -fPIC "$top/tests/isolation/programs/taker.c" -I"$top/gotswap" \
        -L"$build/gotswap" -lgotswap -Wl,-rpath,"$build/gotswap"
    # ROMIO names no library of MPI among those it needs.
    local -x OMPI_MCA_io
    OMPI_MCA_io=$(romio)
    for when in before after; do
        for calls in address slot; do
            local -x TAKER=$when TAKER_CALLS=$calls TAKER_SEES=mca_io_romio
            natively 1 env LD_PRELOAD="$PWD/native-taker.so" ./oracle file "$PWD/file" > native 2> native.err
            on_ranks 1 -x LD_PRELOAD="$PWD/taker.so" ./components file "$PWD/file" > output 2> messages
            diff native output
            diff <(grep ^taker: native.err) <(grep ^taker: messages)
            grep -qx 'taker: seen' messages
        done
    done
}

@test "threads that load and unload plugins which look for symbols" {
    local plugin isolation=$top/tests/isolation/programs
    app_program cycles "$isolation/cycles.c" -pthread
    for plugin in 0 1 2 3; do
        app_program cycle$plugin.so -shared -fPIC "$isolation/cycle.c"
    done
    [ "$(adapted ./cycles 4 400 "$PWD"/cycle{0,1,2,3}.so)" = right ]
    [ "$(adapted ./cycles 4 400 "$PWD"/cycle{0,0,0,0}.so)" = right ]
}

@test "with the host's dlopen and dlsym left alone, plugins call the adapter, and that is seen" {
    need_romio_plugin
    folder=$PWD/leak:$folder
    proven 2 file "$PWD/file"
    # ROMIO is loaded but not chosen.
    LEAK=dlopen:dlsym run on_ranks 2 -x LEAK -x LD_PRELOAD="$PWD/libisolated.so" ./components file "$PWD/file"
    [ "$status" -ne 0 ]
    grep -qE '^isolated: P?MPI_.* of .*/mca_io_romio[0-9]+.so leads to (the linker|.*/leak/libmpich.so.12)$' <<< "$output" ||
        { echo "$output"; return 1; }
    # Chosen, it goes wrong.
    local -x OMPI_MCA_io
    OMPI_MCA_io=$(romio)
    proven 2 file "$PWD/file"
    LEAK=dlopen:dlsym run on_ranks 2 -x LEAK ./components file "$PWD/file"
    [[ $status -ne 0 && $output != *right* ]]
}
