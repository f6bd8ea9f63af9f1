#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Promises that an implementation makes to its programs beyond MPI, on another MPI. docs/extensions.md lists all of them.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# for_programs_of FAMILY FUNCTION: for each pair for such programs that can run here.
for_programs_of() {
    local name pairs=''
    for name in $(native_pairs); do
        [ "$(family_of "$name")" != "$1" ] || pairs+=" $name"
    done
    [ -n "$pairs" ] || skip "no pair for $1 can run here"
    PAIRS=$pairs for_each_pair "$2"
}

types='HWTHREAD CORE L1CACHE L2CACHE L3CACHE SOCKET NUMA BOARD HOST CU CLUSTER'

split_types() {
    local type words=
    for type in $types; do
        words+=" OMPI_COMM_TYPE_$type,"
    done
    app_program split -x c - <<< "#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int types[] = { $words }, rank, size, order;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        MPI_Comm_split_type(MPI_COMM_WORLD, types[i], -rank, MPI_INFO_NULL, &part);
        MPI_Comm_size(part, &size);
        MPI_Comm_rank(part, &order);
        MPI_Comm_free(&part);
        if (rank == 0)
            printf(\"%d=%d,%d \", types[i], size, order);
    }
    /* Those who take part in none, and types that nobody has. */
    MPI_Comm_split_type(MPI_COMM_WORLD, rank ? OMPI_COMM_TYPE_CORE : MPI_UNDEFINED, 0, MPI_INFO_NULL, &part);
    if (rank == 0)
        printf(\"%d \", part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Comm_split_type(MPI_COMM_WORLD, 4711, 0, MPI_INFO_NULL, &part) != MPI_SUCCESS && rank == 0)
        printf(\"refused\n\");
    MPI_Finalize();
    return 0;
}"
    # All may run everywhere, so all share everything; the key orders them.
    [ "$(on_ranks 2 ./split)" = '1=2,1 2=2,1 3=2,1 4=2,1 5=2,1 6=2,1 7=2,1 8=2,1 9=2,1 10=2,1 11=2,1 1 refused' ]
    # One processor each: none in common, but the node.
    [ "$(nproc)" -ge 2 ] || return 0
    printf '%s\n' '#!/bin/sh' 'exec taskset -c "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" "$@"' > bound
    chmod +x bound
    on_ranks 2 ./bound ./split > said
    cat said
    grep -q '^1=1,0 ' said
    grep -q ' 8=2,1 9=2,1 10=2,1 11=2,1 1 refused$' said
}

@test "Open MPI's own split types put processes together that share a part of the machine" {
    for_programs_of openmpi split_types
}

@test "the table has the values of Open MPI's header" {
    for type in $types; do
        echo "OMPI_COMM_TYPE_$type"
    done > names
    { echo '#include <mpi.h>'; cat names; } > names.c
    compile_for openmpi values -x c - <<< "#include <mpi.h>
#include <stdio.h>
int main(void) { int all[] = { $(paste -sd, names) }; for (unsigned i = 0; i < sizeof all / sizeof *all; i++) printf(\"%d\n\", all[i]); return 0; }"
    ./values > values.txt
    sed -n 's/^openmpi split_type \(.*\)=.*/\1/p' "$top/abi-tables/families" | diff - values.txt
}

affinity() {
    app_program affinity -x c - <<< '#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char bound[OMPI_AFFINITY_STRING_MAX], now[OMPI_AFFINITY_STRING_MAX], exists[OMPI_AFFINITY_STRING_MAX];
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    OMPI_Affinity_str(OMPI_AFFINITY_RSRC_STRING_FMT, bound, now, exists);
    printf("%s;%s;%d;", bound, now, exists[0] == 48);
    OMPI_Affinity_str(OMPI_AFFINITY_LAYOUT_FMT, bound, now, exists);
    printf("%.2s;%d\n", now, OMPI_Affinity_str(77, bound, now, exists) != MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}'
    [ "$(on_ranks 1 taskset -c 0 ./affinity)" = "the host's launcher decides, not Open MPI's;0;1;[B;1" ]
}

@test "OMPI_Affinity_str tells where the process may run" {
    for_programs_of openmpi affinity
}

# Programs tell Open MPI by its library's names, before MPI_Init and after it. The function is Open MPI's own.
inside() {
    app_program inside -x c - -ldl <<< '#include <mpi.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    static const char *const names[] = { "ompi_mpi_init", "ompi_mpi_comm_world", "ompi_mpi_comm_self" };
    void *library = dlopen(argv[1], RTLD_NOW), *init = dlsym(library, "ompi_mpi_init");
    int found = 0, provided;
    for (int i = 0; i < 3; i++)
        found += dlsym(library, names[i]) && dlsym(RTLD_DEFAULT, names[i]);
    if (argc > 2)
        return ((int (*)(int, char **, int, int *, int))init)(argc, argv, 0, &provided, 0);
    MPI_Init(&argc, &argv);
    printf("%d %d\n", found, dlsym(RTLD_DEFAULT, "ompi_mpi_init") == init);
    return MPI_Finalize();
}'
    [ "$(on_ranks 1 ./inside libmpi.so.40)" = '3 1' ]
    run on_ranks 1 ./inside libmpi.so.40 call
    [ "$status" -ne 0 ]
    [[ $output == *'mpi-adapter: the program calls ompi_mpi_init(), a function inside Open MPI; have it call MPI_Init_thread()'* ]]
}

@test "programs find ompi_mpi_init, by which they tell Open MPI, and may not call it" {
    for_programs_of openmpi inside
}

# Natively, if the program's MPI is here; a program of the standard ABI sees none of the names.
looks() {
    local names library
    mapfile -t names < <(sed -n 's/^\([A-Za-z_][A-Za-z_0-9]*\)\t.*/\1/p' "$here/looked-for.tsv")
    [ "${#names[@]}" -gt 10 ]
    library=$(pair_facts application_sonames)
    library=${library%% *}
    app_program looks "$here/looks.c" -ldl
    on_ranks 1 ./looks "$library" "${names[@]}" > adapted
    if [ "$application" = mpiabi ]; then
        run grep -v ' 0 0 0$' adapted
        echo "$output"
        [ -z "$output" ]
    else
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 120 ./looks "$library" "${names[@]}" > native
        diff native adapted
    fi
    [ "$host" != openmpi ] || other_libraries "$library" "${names[@]}"
}

# A maker's library of another name is hidden as well, and what somebody preloads is seen, with the host's library that it needs.
other_libraries() {
    local path
    path=$(LD_LIBRARY_PATH='' "$CC" -print-file-name="$(family_fact "$host" soname)")
    cp "$path" libmpivn.so.40
    patchelf --set-soname libmpivn.so.40 libmpivn.so.40
    MPI_ADAPTER_HOST_LIBRARY=$PWD/libmpivn.so.40 on_ranks 1 ./looks "$@" > vendors
    diff adapted vendors
    echo 'int preloaded;' | gcc -shared -fPIC -x c - -x none -o libpreloaded.so -Wl,--no-as-needed "$path"
    on_ranks 1 env LD_PRELOAD="$PWD/libpreloaded.so" ./looks "$@" > preloaded
    run grep -c '^[ab].* ompi_mpi_comm_self [01] 1 1$' preloaded
    echo "$output"
    [ "$output" -eq 2 ]
}

@test "programs find the names by which they tell MPIs apart as natively, and none of the host's" {
    for_each_pair looks
}

# file_program: opens, or deletes, what it is told.
file_program() {
    app_program file -x c - <<< '#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    MPI_File file;
    int error_class, rc;
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "delete") == 0) {
        rc = MPI_File_delete(argv[2], MPI_INFO_NULL);
    } else {
        rc = MPI_File_open(MPI_COMM_WORLD, argv[2], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        if (rc == MPI_SUCCESS)
            MPI_File_close(&file);
    }
    MPI_Error_class(rc, &error_class);
    printf("%d\n", error_class);
    MPI_Finalize();
    return 0;
}'
}

prefixes() {
    local name
    file_program
    for name in data ufs:data "ufs:$PWD/data" "nfs:data"; do
        [ "$(on_ranks 1 ./file open "$name")" = 0 ]
        [ -e data ]
        [ ! -e "$name" ] || [ "$name" = data ]
        [ "$(on_ranks 1 ./file delete "$name")" = 0 ]
        [ ! -e data ]
    done
    # A text before a colon that is no prefix is a part of the name.
    [ "$(on_ranks 1 ./file open u:data)" = 0 ]
    [ -e u:data ]
}

@test "MPICH's prefixes of file names say nothing to other MPIs, and are left out" {
    for_programs_of mpich prefixes
}

no_prefixes() {
    file_program
    [ "$(on_ranks 1 ./file open ufs:data)" = 0 ]
    [ -e ufs:data ]
    [ ! -e data ]
    [ "$(on_ranks 1 ./file delete ufs:data)" = 0 ]
    [ ! -e ufs:data ]
    [ "$(on_ranks 1 ./file open "$PWD/ufs:data")" = 0 ]
    [ -e ufs:data ]
}

@test "for other programs they are a part of the name" {
    for_programs_of openmpi no_prefixes
}

# MPICH's own programs end in all of these calls, by assertions of its ch4 device: there the attribute alone is asked for.
tolerate_faults() {
    local words=calls want='agree refused acknowledge refused failed refused shrink refused revoke refused'
    case $host-$(release_here "$host") in
    mpich-*) words='' want='' ;;
    openmpi-[1-4].*) ;;
    *) want='agree=2 acknowledge=0 failed=1 shrink=2 revoke=1 shrink of a revoked one=2' ;;
    esac
    [ "$application" != openmpi ] || want="attribute=0,0 $want"
    # The tables know headers that name all of it, which an older MPI's does not.
    "$CC" -std=gnu11 -Wall -I"$build/include/$application" -o tolerant "$here/fault_tolerance.c" -L"$folder" -l:"$soname"
    # shellcheck disable=SC2086  # words, or none
    on_ranks 2 ./tolerant $words 2> messages > said || { cat messages said; return 1; }
    diff <(echo $want) <(paste -sd ' ' said)
}

@test "fault tolerance is what the host has of it, and an attribute that the host does not know is not set" {
    for_programs_of mpich tolerate_faults
    for_programs_of openmpi tolerate_faults
}

vendors_names() {
    local name names='MPIX_Win_create_notify MPIX_Win_free_notify MPIX_Win_get_notify MPIX_Win_set_notify MPIX_Win_get_notify_request
        MPIX_Get_notify MPIX_Get_notify_c MPIX_Put_notify MPIX_Put_notify_c PMPIX_Win_create_notify PMPIX_Put_notify_c'
    # The program is linked with a made-up library of a vendor's, bound at its start, and finds these names in the pair alone.
    for name in $names; do
        echo "int $name(void) { return 0; }"
    done | "$CC" -shared -fPIC -Wl,-soname,vendor.so -o vendor.so -x c -
    {
        printf 'int %s();\n' $names
        printf '#define NAMES(each) '
        printf 'each(%s) ' $names
        cat <<'TEXT'

#include <mpi.h>
#include <stdio.h>
#define CALL(name) refused += name() != MPI_SUCCESS;
static void split(int type, const char *key)
{
    MPI_Comm part;
    MPI_Info info = MPI_INFO_NULL;
    int size = 0;
    if (key) {
        MPI_Info_create(&info);
        MPI_Info_set(info, key, "/tmp");
    }
    if (MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &part) != MPI_SUCCESS)
        size = -1;
    else if (part != MPI_COMM_NULL)
        MPI_Comm_size(part, &size);
    printf(" %d", size);
}
int main(int argc, char **argv)
{
    int refused = 0, flag = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    NAMES(CALL)
    printf("%d refused,", refused);
    printf(" %d", MPIX_GPU_query_support(3, &flag) == MPI_SUCCESS ? flag : -1);
    /* MPIX_COMM_TYPE_NEIGHBORHOOD of Intel MPI and MPICH 5, and of MPICH 4.0. */
    split(5, 0);
    split(5, "nbhd_common_dirname");
    split(4, 0);
    split(4, "nbhd_common_dirname");
    split(6, "nbhd_common_dirname");
    puts("");
    return MPI_Finalize();
}
TEXT
    } > notify.c
    app_program notify -w -Wl,-z,now notify.c vendor.so -Wl,-rpath,"$PWD"
    "$CC" -shared -fPIC -Wl,-soname,vendor.so -o vendor.so -x c - <<< 'int nothing_here;'
    on_ranks 1 ./notify > said 2> heard
    cat said heard
    [ "$(cat said)" = '11 refused, 0 0 1 0 1 -1' ]
    grep -q MPIX_Win_create_notify heard
}

@test "what only a vendor's header declares ends in an error, and MPICH's neighborhoods and devices are as natively" {
    for_programs_of mpich vendors_names
}
