#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Device memory: a program learns what the host answers, and what the host's MPI has to have preloaded is the host's.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    export MPI_ADAPTER_CONFIG=/dev/null
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
}

# make_queries COMPILER OUTPUT: a program that prints what each of these procedures that it finds answers.
make_queries() {
    "$1" "$2" -x c - -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static void ask(const char *device)
{
    char name[64];
    snprintf(name, sizeof name, "MPIX_Query_%s_support", device);
    int (*query)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, name);
    if (query)
        printf(" %s=%d", device, query());
}

static void ask_all(void)
{
    ask("cuda");
    ask("hip");
    ask("rocm");
    ask("ze");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    ask_all();
    /* MPICH has one procedure for all kinds of devices. */
    int (*query)(int, int *) = (int (*)(int, int *))dlsym(RTLD_DEFAULT, "MPIX_GPU_query_support");
    for (int type = 0; query && type < 3; type++) {
        int flag = -1;
        query(type, &flag);
        printf(" gpu%d=%d", type, flag);
    }
    puts("");
    return MPI_Finalize();
}
END
}

# native_answer NAME...: what the host answers natively by the first of these names that it has, or 0.
native_answer() {
    local name
    for name; do
        sed -n "s/.* $name=\([-0-9]*\).*/\1/p" native-said
    done | grep -m 1 . || echo 0
}

# told DEVICE NAME...: the program was told of the device, if it asked, what the host answers by these names.
told() {
    local answer wanted
    answer=$(sed -n "s/.* $1=\([-0-9]*\).*/\1/p" adapted-said)
    [ -n "$answer" ] || return 0
    shift
    wanted=$(native_answer "$@")
    [ "$answer" = "$wanted" ] || { echo "the host says $wanted of $1, and the program is told $answer"; return 1; }
}

asked_of_host() {
    make_queries app_program ask
    make_queries host_program ask-host
    on_ranks 1 ./ask > adapted-said
    "$launcher" -n 1 ./ask-host > native-said
    cat adapted-said native-said
    # The same devices go by two names, and MPICH's numbers.
    told cuda cuda
    told gpu0 cuda
    told ze ze
    told gpu1 ze
    told hip hip rocm
    told gpu2 hip rocm
    told rocm rocm hip
    grep ' cuda=' adapted-said
}

@test "whether device memory may be passed is what the host says, or no" {
    PAIRS=$(native_pairs) for_each_pair asked_of_host
}

# A host that takes device memory, as far as programs are told.
told_yes() {
    make_queries app_program ask
    host_program libyes.so -shared -fPIC -x c - <<'END'
int MPIX_Query_cuda_support(void) { return 1; }
int MPIX_Query_hip_support(void) { return 1; }
int MPIX_Query_rocm_support(void) { return 1; }
int MPIX_Query_ze_support(void) { return 1; }
END
    MPI_ADAPTER_HOST_TOOLS=$PWD/libyes.so on_ranks 1 ./ask > said
    cat said
    grep ' cuda=1' said
    # By MPICH's other procedure for it, too.
    [ "$(grep -c ' gpu0=' said)" -eq "$(grep -c ' gpu0=1' said)" ]
}

@test "a host that takes device memory is asked" {
    PAIRS=$(native_pairs) for_each_pair told_yes
}

# The library calls the host's MPI as such a transport may, and the host's MPI and the program find what it has.
transport_serves() {
    host_program libtransport.so -shared -fPIC -x c - -x none -Wl,--no-as-needed <<'END'
#include <mpi.h>
int transport_size(void)
{
    int size = 0;
    return MPI_Type_size(MPI_DOUBLE, &size) == MPI_SUCCESS ? size : -1;
}
END
    app_program use -x c - -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int (*size)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "transport_size");
    printf("%d\n", size ? size() : 0);
    fflush(stdout);
    if (system("echo \"children: $LD_PRELOAD\"") != 0)
        return 1;
    return MPI_Finalize();
}
END
    echo "host_preload.$host = $PWD/libtransport.so" > conf
    MPI_ADAPTER_CONFIG=$PWD/conf timeout 60 "$command" run --from "$application" --to "$host" -n 1 ./use > said
    cat said
    [ "$(cat said)" = $'8\nchildren: ' ]
}

@test "what is preloaded with the host's MPI calls that, and what ranks start has none of it" {
    PAIRS=$(native_pairs) for_each_pair transport_serves
}
