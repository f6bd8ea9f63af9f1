#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# A host whose libraries and plugins lie beside it, where DT_RUNPATH or DT_RPATH alone leads: all of them are isolated.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# part FILE FUNCTION ARGUMENT...: a library of the host's. As plugins of Open MPI, it names no library of MPI's.
part() {
    local file=$1 function=$2
    shift 2
    mkdir -p "${file%/*}"
    compile_for "$host" part.o -c -fPIC -DRUN="$function" "$here/loading_runpath_part.c" "${next[@]}"
    "$CC" -shared -o "$file" part.o "$@"
}

# make_host TAGS: in this folder; libneeded.so and plugin.so are in parts/, what the plugin needs is in parts/deeper/.
make_host() {
    local path=(-Wl,"--$1-new-dtags" -Wl,--no-as-needed) next=()
    part parts/deeper/libdeep.so deep_run
    part parts/libneeded.so needed_run
    next=(-DNEXT=deep_run)
    part parts/plugin.so plugin_run "${path[@]}" -Lparts/deeper -ldeep -Wl,-rpath,'$ORIGIN/deeper'
    compile_for "$host" libhost.so -shared -fPIC -Wl,-soname,libhost.so "$here/loading_runpath_host.c" -ldl "${path[@]}" \
        -Lparts -lneeded -Wl,-rpath,'$ORIGIN/parts'
    readelf --dynamic --wide libhost.so > dynamic
    grep -q "($2) .*\[.*\$ORIGIN/parts\]" dynamic
}

reaches_host() {
    local tags now
    for tags in enable:RUNPATH disable:RPATH; do
        mkdir "${tags#*:}"
        cd "${tags#*:}"
        make_host "${tags%:*}" "${tags#*:}"
        host_program native "$here/loading_runpath.c"
        app_program program "$here/loading_runpath.c"
        for now in '' 1; do
            [ "$(env ${now:+NOW=1} LD_PRELOAD="$PWD/libhost.so" timeout 60 ./native)" = right ]
            [ "$(env ${now:+NOW=1} LD_BIND_NOW=$now MPI_ADAPTER_HOST_LIBRARY="$PWD/libhost.so" LD_LIBRARY_PATH="$folder" \
                timeout 60 ./program)" = right ]
        done
        cd ..
    done
}

@test "a host's libraries and plugins that its own search path alone finds reach the host" {
    for_each_pair reaches_host
}
