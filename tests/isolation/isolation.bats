#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The host's calls to MPI reach the host, and it is noticed if they do not.

load ../pair
use_pair openmpi-to-mpich

setup_file() {
    load ../pair
    use_pair openmpi-to-mpich
    cd "$BATS_FILE_TMPDIR"
    app_program work "$here/programs/work.c"
    app_program barrier "$here/programs/barrier.c"
    compile_variant none isolate/isolate.c="$here/programs/none.c"
    link_variant none/libmpi.so.40 none
    compile_variant leak isolate/slots.c gotswap_replace_each=leak_replace_each
    compile_adapter_source leak/leak.o "$here/programs/leak.c"
    link_variant leak/libmpi.so.40 leak leak/leak.o
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -Wl,-soname,libfakehost.so -o libfakehost.so "$here/programs/host.c" -ldl \
        -Wl,-rpath,'$ORIGIN/plugins' -Wl,--no-as-needed -l:libmpich.so.12
    for binding in lazy now; do
        "$CC" -shared -fPIC -Wl,-z,$binding $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') \
            -o plugin-$binding.so "$here/programs/plugin.c" -ldl
    done
    "$CC" -shared -fPIC $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') -o nested.so "$here/programs/nested.c" -ldl
    app_program taker.so -shared -fPIC "$here/programs/taker.c" -I"$top/gotswap" -L"$build/gotswap" -lgotswap \
        -Wl,-rpath,"$build/gotswap"
    mkdir -p real
}

setup() {
    start_by_defaults
    cd "$BATS_FILE_TMPDIR"
}

# with_variant NAME COMMAND...: with a variant of the adapter's library in its place.
with_variant() {
    local folders=$PWD/$1:$folder
    shift
    LD_LIBRARY_PATH=$folders "$@"
}

@test "work that calls MPI inside the host is right" {
    [ "$(adapted ./work "$PWD/file" 2>&1)" = right ]
}

@test "without isolation it is not" {
    run with_variant none ./work "$PWD/file"
    echo "$output"
    [ "$status" -ne 0 ]
    [[ $output != *right* ]]
}

@test "a slot that is left out is named, and the program stopped" {
    local symbol
    [ "$(with_variant leak ./work "$PWD/file")" = right ]
    for symbol in PMPI_Comm_rank PMPI_Type_size_x MPI_F_STATUS_IGNORE; do
        LEAK=$symbol run --separate-stderr with_variant leak ./work "$PWD/file"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        one_line "$stderr"
        [[ $stderr == "mpi-adapter: $symbol of "*libmpich.so.12*" still leads to the adapter; "* ]]
    done
}

@test "a slot that changes while MPI is initialized is bound again, and named if it does not stay" {
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -o libspoil.so "$here/programs/spoil.c" -I"$top/gotswap" -L"$build/gotswap" \
        -lgotswap -Wl,-rpath,"$build/gotswap" -ldl -Wl,--no-as-needed -l:libmpich.so.12
    [ "$(MPI_ADAPTER_HOST_LIBRARY=$PWD/libspoil.so adapted ./barrier)" = right ]
    SPOIL_STAYS=1 MPI_ADAPTER_HOST_LIBRARY=$PWD/libspoil.so run --separate-stderr with_variant leak ./barrier
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    [[ $stderr == "mpi-adapter: PMPI_Comm_rank of "*libmpich.so.12*" still leads to the adapter; "* ]]
}

@test "every slot of every object of the host leads to the host, at any time" {
    app_program slots "$here/programs/slots.c" -I"$top/gotswap" -L"$build/gotswap" -lgotswap \
        -Wl,-rpath,"$build/gotswap"
    adapted ./slots "$PWD/file"
    # Not one if nothing is isolated.
    run with_variant none ./slots "$PWD/file"
    [ "$status" -ne 0 ]
}

@test "what is preloaded ahead of UCX is called, whether the dynamic linker has filled the host's slots or not" {
    nm -D --undefined-only "$("$CC" -print-file-name=libmpich.so.12)" | grep ' ucp_mem_map$' || skip "this host registers no windows with UCX"
    "$CC" -shared -fPIC -o ahead.so "$here/programs/ahead.c" -ldl
    for bound in '' 1; do
        rm -f asked
        ASKED=$PWD/asked LD_BIND_NOW=$bound LD_PRELOAD=$PWD/ahead.so on_ranks 2 ./work "$PWD/file" > said
        grep -qx right said
        [ "$(wc -c < asked)" -ge 2 ]
    done
}

# on_fake_host VARIANT PLUGIN: the program, on the host that loads the plugin.
on_fake_host() {
    PLUGIN=$PWD/plugin-$2.so MPI_ADAPTER_HOST_LIBRARY=$PWD/libfakehost.so with_variant "$1" ./barrier
}

@test "plugins that the host loads later are isolated, however they are bound" {
    for binding in lazy now; do
        [ "$(on_fake_host real $binding)" = right ]
        [ "$(PLUGIN_NOW=1 on_fake_host real $binding)" = right ]
    done
}

@test "a plugin is isolated again at the address of one that was unloaded" {
    for binding in lazy now; do
        [ "$(PLUGIN_AGAIN=1 on_fake_host real $binding)" = right ]
    done
}

@test "the host's plugins are found where the host looks for them" {
    mkdir -p plugins
    cp plugin-lazy.so plugins/only-here.so
    [ "$(MPI_ADAPTER_HOST_LIBRARY=$PWD/libfakehost.so PLUGIN=only-here.so with_variant real ./barrier)" = right ]
    run env MPI_ADAPTER_HOST_LIBRARY="$PWD/libfakehost.so" PLUGIN=nowhere.so LD_LIBRARY_PATH="$folder" ./barrier
    [[ $output == *"plugin: nowhere.so: cannot open shared object file"*wrong* ]]
}

@test "with the host's dlopen and dlsym left alone its plugins are not isolated" {
    for binding in lazy now; do
        LEAK=dlopen:dlsym run on_fake_host leak $binding
        echo "$output"
        [ "$status" -ne 0 ]
        [[ $output != *right* ]]
    done
}

@test "plugins that load others while they are loaded, in two threads" {
    local mpich=(-Wl,--no-as-needed -l:libmpich.so.12)
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -Wl,-soname,libloads.so -o libloads.so "$here/programs/loads_host.c" \
        -ldl -pthread "${mpich[@]}"
    MPICH_CC=$CC mpicc.mpich -shared -fPIC -o nesting.so "$here/programs/nesting.c" ./libloads.so "${mpich[@]}"
    for _ in 1 2 3; do
        [ "$(PLUGIN=$PWD/nesting.so OTHER=$PWD/plugin-lazy.so NESTED=$PWD/plugin-now.so LD_LIBRARY_PATH=$folder:$PWD \
            MPI_ADAPTER_HOST_LIBRARY=$PWD/libloads.so timeout 60 ./barrier)" = right ]
    done
}

# UCX, which libmpich.so.12 may load, would take the slots, too, in an order of its own.
ucx_takes_none() { export UCX_MEM_EVENTS=n; }

@test "plugins are isolated where another library took the slots of dlopen" {
    ucx_takes_none
    local when calls
    for when in before after; do
        for calls in address slot; do
            TAKER=$when TAKER_CALLS=$calls TAKER_SEES=plugin- LD_PRELOAD=$PWD/taker.so run --separate-stderr on_fake_host real lazy
            echo "$when $calls: $output $stderr"
            [ "$output" = right ]
            # The other library's hook still sees the objects that it sees loaded natively.
            [ "$stderr" = 'taker: seen' ]
        done
    done
}

@test "a plugin that nobody looks into, loaded while MPI is initialized, is isolated in spite of such a library" {
    ucx_takes_none
    "$CC" -shared -fPIC -DREGISTERS $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') -o registers.so \
        "$here/programs/plugin.c" ./libfakehost.so -ldl
    local -x LD_LIBRARY_PATH=$folder:$PWD MPI_ADAPTER_HOST_LIBRARY=$PWD/libfakehost.so PLUGIN_REGISTERS=$PWD/registers.so
    [ "$(./barrier)" = right ]
    [ "$(TAKER=before TAKER_CALLS=address TAKER_SEES=registers LD_PRELOAD=$PWD/taker.so ./barrier 2> messages)" = right ]
    [ "$(cat messages)" = 'taker: seen' ]
}

@test "a plugin that the constructor of another one loads is isolated" {
    ucx_takes_none
    [ "$(PLUGIN=$PWD/nested.so NESTED=$PWD/plugin-lazy.so MPI_ADAPTER_HOST_LIBRARY=$PWD/libfakehost.so \
        with_variant real ./barrier)" = right ]
}

@test "a plugin that the host loads by dlmopen is isolated" {
    PLUGIN_SPACE=1 on_fake_host real lazy > output
    [ "$(cat output)" = right ]
}

# cycling COMMAND...: four threads that load and unload the program's plugins.
cycling() {
    local plugin
    for plugin in 0 1 2 3; do
        [ -e cycle$plugin.so ] || app_program cycle$plugin.so -shared -fPIC "$here/programs/cycle.c"
    done
    [ -e cycles ] || app_program cycles "$here/programs/cycles.c" -pthread
    "$@" ./cycles "${cycles[@]}" "$PWD"/cycle{0,1,2,3}.so
}

@test "threads that load and unload plugins which look for symbols" {
    local cycles=(4 400)
    [ "$(cycling adapted)" = right ]
    # The same plugin in all of them.
    [ "$(adapted ./cycles 4 400 "$PWD"/cycle{0,0,0,0}.so)" = right ]
}

@test "an object is looked at when it was loaded, and others are not" {
    local cycles few many
    compile_variant count isolate/slots.c gotswap_each_word=count_each_word
    compile_adapter_source count/count.o "$here/programs/count.c"
    link_variant count/libmpi.so.40 count count/count.o
    cycles=(1 10) && few=$(cycling with_variant count 2>&1 >/dev/null | sed 's/looked at //')
    cycles=(1 110) && many=$(cycling with_variant count 2>&1 >/dev/null | sed 's/looked at //')
    echo "looked at $few, then $many"
    [ $((many - few)) -le 200 ]
}

@test "the host finds its own procedures by dlsym, wherever it looks" {
    [ "$(PLUGIN_LOOKS=1 on_fake_host real lazy)" = right ]
}

@test "a library of another namespace has an adapter and a host of its own" {
    "$CC" -o namespace "$here/programs/namespace.c" -ldl
    app_program embedded.so -shared -fPIC "$here/programs/embedded.c"
    host_program native-embedded.so -shared -fPIC "$here/programs/embedded.c"
    # UCX 1.18 crashes when it loads its modules there.
    ./namespace "$PWD/native-embedded.so" > native 2>&1 || skip "the host does not start in another namespace: $(sed -n 1p native)"
    [ "$(adapted ./namespace "$PWD/embedded.so")" = 'size 1' ]
}

@test "a library that a tool of the host's loads, also in its constructor, is isolated" {
    "$CC" -shared -fPIC $(mpicc.mpich -compile_info | grep -o ' -I[^ ]*') -o tool.so "$here/programs/tool.c" -ldl \
        -Wl,--no-as-needed -l:libmpich.so.12
    for when in early late; do
        LOADS=$PWD/plugin-lazy.so TOOL_LOADS=$when MPI_ADAPTER_HOST_TOOLS=$PWD/tool.so run adapted ./barrier
        echo "$output"
        [ "$output" = right ]
    done
}
