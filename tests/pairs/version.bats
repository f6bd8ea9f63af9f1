#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI_Get_version: the version of the mpi.h that a program was compiled with, as far as what it and its
# libraries import tells it.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# make_object NAME LANGUAGE FLAGS... < TEXT: linked with the pair's libraries; the headers are those of all releases.
make_object() {
    local name=$1 language=$2
    shift 2
    "$CC" -I"$build/include/$application" -Wno-implicit-function-declaration -o "$name" -x "$language" - -x none "$@" \
        -L"$folder" -Wl,--no-as-needed -l:"$soname" -Wl,--as-needed -Wl,-rpath-link,"$folder"
}

# program CALLS [FLAG...]: prints what it is told; CALLS are in it, but are not made.
program() {
    local calls=$1
    shift
    make_object program c "$@" << TEXT
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    if (argc > 100) {
        $calls;
    }
    MPI_Get_version(&major, &minor);
    printf("%d.%d\\n", major, minor);
    return 0;
}
TEXT
}

# told VERSION [NAME=VALUE...]: where no release is installed, whatever this machine has.
told() {
    local version=$1
    shift
    run --separate-stderr env MPI_ADAPTER_MPI_RELEASE=1.0 "$@" LD_LIBRARY_PATH="$folder:." ./program
    [ "$status" -eq 0 ] && [ "$output" = "$version" ] || { echo "told $output, not $version: $stderr"; return 1; }
}

# rows WHERE: lines "VERSION WHAT" of versions.tsv for the application's family.
rows() {
    awk -F '\t' -v family="$application" -v where="$1" '$1 == family && $3 == where { print $2, $4 }' "$here/versions.tsv"
}

# told_of WHERE FUNCTION: the function makes the program with each WHAT, and the program is told the version.
told_of() {
    local version what
    while read -r version what; do
        "$2" "$what"
        told "$version"
        told "$version" MPI_ADAPTER_MPI_VERSION=3.1
        told 5.0 MPI_ADAPTER_MPI_VERSION=5.0
    done < <(rows "$1")
}

needing() {
    program '' -Wl,--no-as-needed -l:"$1"
}

with_library() {
    make_object library.so c -shared -fPIC <<< "#include <mpi.h>
int library(void) { return $1; }"
    program '' -Wl,--no-as-needed ./library.so
}

told_of_all() {
    # Of each family it is known what tells nothing, and what tells something.
    [ "$(rows calls | awk '{ print $1 }' | sort -u | grep -c .)" -ge 2 ]
    told_of calls program
    told_of needs needing
    told_of library with_library
}

@test "what all releases have tells nothing; what only newer ones have does, in the program, a library, or as one" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair told_of_all
}

settings() {
    local value
    program ''
    told 4.0 MPI_ADAPTER_MPI_VERSION=4.0
    told 5.0 MPI_ADAPTER_MPI_VERSION=5.0
    told 5.0 MPI_ADAPTER_MPI_VERSION=9.1
    told 3.1 MPI_ADAPTER_MPI_VERSION=2.2
    told 3.1 MPI_ADAPTER_MPI_VERSION=
    for value in new 4 4.0.2 -1.0 4.0x; do
        run --separate-stderr env MPI_ADAPTER_MPI_VERSION=$value LD_LIBRARY_PATH="$folder" ./program
        [ "$status" -ne 0 ]
        [ -z "$output" ]
        [[ $stderr == "mpi-adapter: MPI_ADAPTER_MPI_VERSION is '$value'; set it to a version of MPI"* ]]
    done
}

@test "a setting decides where the imports do not, and never makes it newer than the pair" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair settings
}

later() {
    make_object later.so c -shared -fPIC << 'TEXT'
#include <mpi.h>
int later(void *p) { return MPI_Send_c(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
TEXT
    make_object program c << 'TEXT'
#include <mpi.h>
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int major = 0, minor = 0, error_class = 0;
    MPI_Get_version(&major, &minor);
    if (!dlopen("./later.so", RTLD_NOW))
        return 1;
    MPI_Get_version(&major, &minor);
    printf("%d.%d", major, minor);
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Get_version(&major, NULL), &error_class);
    puts(error_class == MPI_ERR_ARG ? " ok" : " wrong class");
    return MPI_Finalize();
}
TEXT
    told '3.1 ok'
}

@test "whoever asks later is told the same, and a missing argument is an error" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair later
}

# fortran_program SYMBOL
fortran_program() {
    make_object program c "$folder/$fortran" << TEXT
#include <stdio.h>
void mpi_get_version_(int *, int *, int *);
void $1(void);
int main(int argc, char **argv)
{
    int major = 0, minor = 0, ierror = -1;
    if (argc > 100)
        $1();
    mpi_get_version_(&major, &minor, &ierror);
    printf("%d.%d %d\\n", major, minor, ierror);
    return 0;
}
TEXT
}

told_in_fortran() {
    local version name symbol
    [ "$(rows fortran | grep -c .)" -ge 1 ]
    while read -r version name; do
        for symbol in "${name}_" "${name}__" "${name^^}" "p${name}_"; do
            fortran_program "$symbol"
            told "$version 0"
        done
    done < <(rows fortran)
}

@test "Fortran programs are told the same" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair told_in_fortran
}

# ---- what tells whose ABI it is

# library_program [CALLS]: prints the version and the text.
library_program() {
    make_object library_program c << TEXT
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, major, minor;
    if (argc > 100) {
        ${1-};
    }
    MPI_Get_library_version(text, &length);
    MPI_Get_version(&major, &minor);
    printf("%d.%d %d %s", major, minor, text[length] == 0 && length < MPI_MAX_LIBRARY_VERSION_STRING, text);
    return 0;
}
TEXT
}

# says NAME=VALUE...: sets output to what the program prints.
says() {
    run --separate-stderr env "$@" LD_LIBRARY_PATH="$folder${fakes:+:$fakes}" ./library_program
    echo "$output $stderr"
    [ "$status" -eq 0 ]
}

# How the family's own text begins, of a release.
identity() {
    case $application in
    openmpi) echo "Open MPI v$1" ;;
    mpich) printf 'MPICH Version:\t%s\nMPICH Device:\tadapter' "$1" ;;
    esac
}

is_mpich_family() { [ "$application" = mpich ]; }

# Intel MPI's library says the release that it began as, and exports procedures of MPI-5.0, though it says that it has MPI 4.1.
intels_library() {
    local fakes=$PWD/intel
    mkdir intel
    "$CC" -w -shared -fPIC -x c - -o "intel/$soname" <<< 'const char MPII_Version_string[] = "3.4a2"; int I_MPI_mark(void) { return 0; }
        int MPI_Init(void) { return 0; } int MPI_Buffer_flush(void) { return 0; } int MPI_Abi_get_version(void) { return 0; }'
    says
    [[ $output == "4.1 1 $(identity 4.2.1) for Intel(R) MPI Library, adapted"* ]]
    # By the program's RUNPATH alone.
    fakes=''
    patchelf --set-rpath "$PWD/intel" library_program
    says
    [[ $output == "4.1 1 $(identity 4.2.1) for Intel(R) MPI Library, adapted"* ]]
}

own_text() {
    local fakes='' version=$build/lib/mpi-adapter/$pair/pair.conf
    version=$(sed -n 's/^version = //p' "$version")
    library_program
    says
    [[ $output == *" 1 $(identity "$(release_here "$application")"), adapted by MPI-Adapter $version to "* ]]
    case $host_family in
    openmpi) [[ $output == *" to Open MPI v$(release_here openmpi), package"* ]] ;;
    mpich) [[ $output == *" to MPICH Version:"*"$(release_here mpich)"* ]] ;;
    esac
    says MPI_ADAPTER_MPI_RELEASE=3.9.9rc1
    [[ $output == *" 1 $(identity 3.9.9rc1), adapted"* ]]
    run --separate-stderr env MPI_ADAPTER_MPI_RELEASE=new LD_LIBRARY_PATH="$folder" ./library_program
    [ "$status" -ne 0 ]
    [[ $stderr == "mpi-adapter: MPI_ADAPTER_MPI_RELEASE is 'new'; set it to a release of the program's MPI, such as "* ]]
    # The library that is first in LD_LIBRARY_PATH is the program's own; damaged ones, and those without a version, are skipped.
    mkdir -p fake broken
    "$CC" -shared -fPIC -x c - -o "fake/$soname" <<< 'const char ompi_version_string[] = "77.8", MPII_Version_string[] = "77.8";'
    head -c 3000 "fake/$soname" > "broken/$soname"
    fakes=$PWD/broken:$PWD/fake
    says
    [[ $output == "5.0 1 $(identity 77.8), adapted"* ]]
    "$CC" -shared -fPIC -x c - -o "broken/$soname" <<< 'const char ompi_version_string[] = "%n", MPII_Version_string[] = "not a release";'
    says
    [[ $output == "5.0 1 $(identity 77.8), adapted"* ]]
    # An installed one that has not what the program imports is not the program's.
    "$CC" -shared -fPIC -x c - -o "broken/$soname" <<< 'const char ompi_version_string[] = "3.1.6", MPII_Version_string[] = "3.4.1";'
    says
    [[ $output == "3.1 1 $(identity "$([ "$application" = openmpi ] && echo 3.1.6 || echo 3.4.1)"), adapted"* ]]
    ! is_mpich_family || intels_library
    library_program 'MPI_Send_c(0, 0, MPI_INT, 0, 0, MPI_COMM_WORLD)'
    says
    [[ $output == [45].0' 1 '"$(identity "$(newest_release)"), adapted"* ]]
}

newest_release() {
    ls -d "$top/abi-tables/$application"-* | sed 's/.*-//' | sort -V | sed -n '$p'
}

texts() {
    host_family=$(host_of "$pair")
    [ "$application" = mpiabi ] || { own_text; return; }
    library_program
    says
    [[ $output == *' 1 Standard ABI 1.0 of MPI, adapted by MPI-Adapter '*' to '[MO]* ]]
}

@test "MPI_Get_library_version begins as the program's own MPI would say, and goes on with the host's text" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair texts
}

# exporting FOLDER < NAMES: a library of the application's name that exports these functions, and does not say its release.
exporting() {
    mkdir -p "$1"
    sed 's/.*/void &(void) { }/' | "$CC" -shared -fPIC -w -fno-builtin -x c - -o "$1/$soname"
}

unnamed() {
    [ "$application" != mpiabi ] || return 0
    local fakes='' table standard seen=0
    library_program
    for table in "$top/abi-tables/$application"-*; do
        standard=$(sed -n 's/^standard //p' "$table/release")
        # All older ones say their release.
        [[ $standard != 3.* ]] || continue
        seen=$((seen + 1)) fakes=$PWD/${table##*-}
        awk -v soname="$soname" '$1 == soname && $2 == "function" && $4 ~ /^MPI_/ { print $4 }' "$table/exports" | exporting "$fakes"
        says
        [[ $output == "$standard 1 $(identity "${table##*-}"), adapted"* ]]
        says MPI_ADAPTER_MPI_RELEASE=3.1
        [[ $output == "3.1 1 $(identity 3.1), adapted"* ]]
    done
    [ "$seen" -ge 1 ]
    # Of one whose exports tell nothing it is known that it is newer than those that say it.
    fakes=$PWD/untold
    exporting "$fakes" <<< MPI_Init
    says
    [[ $output == "5.0 1 $(identity "$(newest_release)"), adapted"* ]]
    # A library that is none of MPI's says nothing.
    fakes=$PWD/other:$PWD/told
    exporting other <<< MPIR_Dup_fn
    mkdir -p told
    "$CC" -shared -fPIC -x c - -o "told/$soname" <<< 'const char ompi_version_string[] = "77.8", MPII_Version_string[] = "77.8";'
    says
    [[ $output == "5.0 1 $(identity 77.8), adapted"* ]]
}

@test "an installed MPI that does not say its release is told by what it exports" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair unnamed
}

# Prints what MPI.jl, PETSc and mpi4py detect in the text: its first words, release and line.
detected() {
    [ "$application" != mpiabi ] || return 0
    make_object library_program c << 'TEXT'
#include <mpi.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
static void match(const char *pattern, const char *text)
{
    regex_t regex;
    regmatch_t found[2];
    regcomp(&regex, pattern, REG_EXTENDED);
    if (regexec(&regex, text, 2, found, 0) == 0)
        printf(" %.*s", (int)(found[1].rm_eo - found[1].rm_so), text + found[1].rm_so);
}
int main(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    /* MPI.jl */
    match("^MPICH2? Version:\t([0-9]+\\.[0-9]+(\\.[0-9]+)?[a-z0-9]*)\n", text);
    match("^Open MPI v([0-9]+\\.[0-9]+\\.[0-9]+[a-z0-9]*)", text);
    /* PETSc: the name anywhere, then the release behind it */
    const char *name = strstr(text, "Open MPI");
    printf(" %d %d", name && name == text && strstr(name, "v4.1") != 0, strstr(text, "MPICH Version:") == text);
    return 0;
}
TEXT
    says MPI_ADAPTER_MPI_RELEASE=4.1.4
    case $application in
    openmpi) [ "$output" = ' 4.1.4 1 0' ] ;;
    mpich) [ "$output" = ' 4.1.4 0 1' ] ;;
    esac
}

@test "software that tells ABIs apart by it takes the program's family" {
    PAIRS=${PAIRS:-$(native_pairs)} for_each_pair detected
}
