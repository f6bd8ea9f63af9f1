# SPDX-License-Identifier: BSD-3-Clause
# Whose a library is, and what a program was built with, is told by what they export and import: file names are
# vendors', or of another family's earlier release, or anybody's.

load false_mpis

old_openmpi='int PMPI_Init(void) { return 0; } int MPI_Init(void) { return 0; } int ompi_mpi_comm_world, ompi_mpi_comm_self;'
uses_self='extern int ompi_mpi_comm_self; int MPI_Init(void); int main(void) { MPI_Init(); return ompi_mpi_comm_self; }'

setup_file() {
    make_fixtures
    # Open MPI 1.10, whose libraries have names of MPICH's and of its own.
    make_library "$fixtures/old/libmpi.so.12" libmpi.so.12 "$old_openmpi"
    make_library "$fixtures/old/libmpi_mpifh.so.12" libmpi_mpifh.so.12 'void mpi_init_(int *e) { *e = 0; }'
    make_library "$fixtures/older/libmpi.so.1" libmpi.so.1 "$old_openmpi"
    # MPICH, by the name that it has where it builds itself, and by a vendor's.
    make_library "$fixtures/mpich/libmpi.so.12" libmpi.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$fixtures/vendor/libmpi_cray.so.12" libmpi_cray.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    write_launcher "$fixtures/bin/mpiexec.mpich" hydra 'HYDRA build details:'
}

setup() { make_installation; cd "$BATS_TEST_TMPDIR"; }

# refuses PROGRAM TEXT: in whatever way it is asked.
refuses() {
    local command
    for command in run env explain; do
        run --separate-stderr "$adapter" "$command" "$1"
        fails_with 1 "$2" || { echo "$command"; return 1; }
    done
}

# built FILE TEXT [CC_OPTION]...: a program.
built() {
    local file=$1 text=$2
    shift 2
    compile "$file" -Wl,--no-as-needed "$@" <<< "$text"
}

# is_taken_for ABI PROGRAM
is_taken_for() {
    run --separate-stderr "$adapter" check --json "$2"
    echo "$output $stderr"
    [[ $output == *"\"abi\": \"$1\""* ]]
}

@test "a program of Open MPI 1.10 is not taken for one of MPICH" {
    built "$PWD/c" "$uses_self" "$fixtures/old/libmpi.so.12"
    is_taken_for openmpi "$PWD/c"
    # Nor where an MPICH is found by that name, or its own library.
    LD_LIBRARY_PATH+=:$fixtures/mpich is_taken_for openmpi "$PWD/c"
    LD_LIBRARY_PATH+=:$fixtures/old is_taken_for openmpi "$PWD/c"
    run --separate-stderr "$adapter" run --from mpich "$PWD/c"
    fails_with 1 'was compiled against openmpi, not mpich' 'give --from openmpi or leave it out'
    # By position-independent code, which has no copies of data.
    built "$PWD/pic" "$uses_self" -fPIC -pie -fno-plt "$fixtures/old/libmpi.so.12"
    is_taken_for openmpi "$PWD/pic"
    # A program that refers to nothing of Open MPI's is MPICH's, unless the user says otherwise.
    built "$PWD/bare" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$fixtures/old/libmpi.so.12"
    is_taken_for mpich "$PWD/bare"
    run --separate-stderr "$adapter" env --from openmpi "$PWD/bare"
    [ "$status" -eq 0 ]
}

@test "its links lead to the pair's libraries, and are none of the pair's" {
    local links
    built "$PWD/c" "$uses_self" "$fixtures/old/libmpi.so.12"
    XDG_CACHE_HOME=$PWD/cache run --separate-stderr "$adapter" env --to mpich "$PWD/c"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    links=$(echo "$PWD"/cache/mpi-adapter/names/*)
    [[ $output == *"LD_LIBRARY_PATH='$pair:"*":$links'"* ]]
    [[ $output == *"LD_PRELOAD='$pair/libmpi.so.40:$pair/libmpi.so.20:"* ]]
    [ "$(readlink "$links/libmpi.so.12")" = "$pair/libmpi.so.20" ]
    [ ! -e "$pair/libmpi.so.12" ]
}

@test "nor is one in Fortran, which refers to no data of Open MPI's" {
    built "$PWD/fortran" 'void mpi_init_(int *); int main(void) { int e; mpi_init_(&e); return e; }' \
        "$fixtures/old/libmpi_mpifh.so.12" "$fixtures/old/libmpi.so.12"
    is_taken_for openmpi "$PWD/fortran"
}

@test "nor one whose mpi_f08 has constants that later releases have no more, which the pair has" {
    local name
    make_library "$PWD/made/libmpi_usempif08.so.11" libmpi_usempif08.so.11 'int mpi_fortran_in_place, mpi_fortran_in_place_;'
    for name in mpi_fortran_in_place mpi_fortran_in_place_; do
        for how in '-fPIC -pie' '-fno-pie -no-pie'; do
            # shellcheck disable=SC2086  # two words
            built "$PWD/f08" "extern int $name; int MPI_Init(void); int main(void) { MPI_Init(); return $name; }" $how \
                "$PWD/made/libmpi_usempif08.so.11" "$fixtures/old/libmpi.so.12"
            is_taken_for openmpi "$PWD/f08"
        done
    done
}

@test "nor one that leaves MPI to a library of its own" {
    make_library "$PWD/libwork.so" libwork.so 'extern int ompi_mpi_comm_self; int work(void) { return ompi_mpi_comm_self; }' \
        -Wl,--no-as-needed "$fixtures/old/libmpi.so.12"
    built "$PWD/indirect" 'int work(void); int main(void) { return work(); }' "$PWD/libwork.so" "-Wl,-rpath,$PWD" \
        "-Wl,-rpath-link,$fixtures/old"
    is_taken_for openmpi "$PWD/indirect"
}

@test "releases before that are named, too" {
    built "$PWD/old" "$uses_self" "$fixtures/old/libmpi.so.12"
    built "$PWD/older" "$uses_self" "$fixtures/older/libmpi.so.1"
    refuses "$PWD/older" 'was built with Open MPI 1.5 to 1.8'
    # Without a mark it may be anybody's.
    built "$PWD/anybody" 'int main(void) { return 0; }' "$fixtures/older/libmpi.so.1"
    refuses "$PWD/anybody" 'needs libmpi.so.1, an MPI library of no known ABI'
}

@test "a program of MPICH with the same library is still one of MPICH" {
    built "$PWD/mpich" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$fixtures/mpich/libmpi.so.12"
    change_pair 's/^host =.*/host = openmpi/; s/^application =.*/application = mpich/
        s/fakempich/fakeopenmpi/g; s/otherfakempich/otherfakeopenmpi/; s/^launcher_kind.*/launcher_kind = openmpi/'
    cp "$fixtures/mpich/libmpi.so.12" "$pair/"
    for folder in "$fixtures/mpich" "$fixtures/old"; do
        LD_LIBRARY_PATH+=:$folder run --separate-stderr "$adapter" run -v "$PWD/mpich"
        echo "$stderr"
        [ "$status" -eq 0 ]
        [[ $stderr == *'compiled against mpich'* ]]
    done
}

@test "a library of Open MPI 1.10 serves neither family, and is named" {
    local file=$fixtures/old/libmpi.so.12 family
    for family in mpich openmpi; do
        change_pair "s/^host = .*/host = $family/; s/^application = .*/application = mpiabi/"
        MPI_ADAPTER_HOST_LIBRARY=$file run --separate-stderr "$adapter" env --from mpiabi --to "$family"
        fails_with 1 "$file (Open MPI 1.10) is not an MPI library of the ABI $family"
    done
    # By any name.
    cp "$file" "$PWD/libfakempich.so.12"
    LD_LIBRARY_PATH=$PWD run --separate-stderr "$adapter" env --from mpiabi --to openmpi
    fails_with 1 "$PWD/libfakempich.so.12 (Open MPI 1.10) is not an MPI library of the ABI openmpi"
    cp "$fixtures/older/libmpi.so.1" "$PWD/libfakempich.so.12"
    LD_LIBRARY_PATH=$PWD run --separate-stderr "$adapter" env --from mpiabi --to openmpi
    fails_with 1 "$PWD/libfakempich.so.12 (Open MPI 1.5 to 1.8) is not an MPI library of the ABI openmpi"
}

@test "doctor and build name it, too" {
    LD_LIBRARY_PATH=$fixtures/old:$fixtures/older run "$adapter" doctor
    [[ $output == *"-     $fixtures/old/libmpi.so.12 (Open MPI 1.10): of no known ABI"* ]]
    [[ $output == *"-     $fixtures/older/libmpi.so.1 (Open MPI 1.5 to 1.8): of no known ABI"* ]]
    mkdir -p "$PWD/site"
    cp -r "$fixtures/old" "$PWD/site/lib"
    run --separate-stderr "$adapter" build --host "$PWD/site"
    fails_with 1 "$PWD/site/lib/libmpi.so.12 (Open MPI 1.10) is an MPI library of an unknown ABI" 'give an MPI with the ABI of'
}

# is_host LIBRARY SETTING...: the vendor's library is the host, and ranks are told so.
is_host() {
    run --separate-stderr env "${@:2}" "$adapter" run "$fixtures/bin/app" env MPI_ADAPTER_HOST_LIBRARY
    echo "$output $stderr"
    [ "$output" = "MPI_ADAPTER_HOST_LIBRARY=$1" ]
}

@test "a host whose library has a vendor's name is found by what it exports" {
    local library=$fixtures/vendor/libmpi_cray.so.12
    is_host "$library" "LD_LIBRARY_PATH=$fixtures/vendor"
    mkdir -p "$PWD/vendors"
    ln -s "$fixtures/vendor" "$PWD/vendors/lib"
    is_host "$PWD/vendors/lib/libmpi_cray.so.12" "MPI_ADAPTER_HOST_PREFIXES=$PWD/vendors" LD_LIBRARY_PATH=
    LD_LIBRARY_PATH=$fixtures/vendor run "$adapter" doctor
    [[ $output == *"$library: not tried natively, as there is no probe of the ABI mpich"* ]]
    # A library that has only the name of an MPI is none. On a machine that has the program's own MPI, that one would run it.
    make_library "$PWD/name/libmpi_cray.so.12" libmpi_cray.so.12 'int PMPI_Init(void) { return 0; }'
    LD_LIBRARY_PATH=$PWD/name MPI_ADAPTER_HOST=mpich run --separate-stderr "$adapter" run "$fixtures/bin/app"
    fails_with 1 'the MPI library of mpich (libfakempich.so.12 libothermpich.so.12) is not found'
    LD_LIBRARY_PATH=$PWD/name run "$adapter" doctor
    [[ $output == *"-     $PWD/name/libmpi_cray.so.12: of no known ABI"* ]]
}

@test "a usual name goes ahead of a vendor's" {
    make_library "$PWD/both/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    cp "$fixtures/vendor/libmpi_cray.so.12" "$PWD/both/"
    LD_LIBRARY_PATH=$PWD/both run --separate-stderr "$adapter" run -v "$fixtures/bin/app"
    [[ $stderr == *"host library $PWD/both/libfakempich.so.12"* ]]
}

@test "a program that needs its MPI by a name that is nobody's is served by what it refers to, and a line says so" {
    built "$PWD/self" "$uses_self" "$fixtures/old/libmpi.so.12"
    patchelf --replace-needed libmpi.so.12 libanybodysmpi.so.7 "$PWD/self"
    XDG_CACHE_HOME=$PWD/cache run --separate-stderr "$adapter" env --to mpich "$PWD/self"
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$stderr" = "mpi-adapter: $PWD/self needs libanybodysmpi.so.7, not a known name of an MPI library; taking it for a program of Open MPI, as what it refers to tells" ]
    [[ $output == *"export MPI_ADAPTER_NAMES='libanybodysmpi.so.7'"* ]]
    [[ $output == *"export LD_PRELOAD='$pair/libmpi.so.40'"* ]]
    [ "$(readlink -f "$PWD"/cache/mpi-adapter/names/*/libanybodysmpi.so.7)" = "$(readlink -f "$pair/libmpi.so.40")" ]
}

@test "one that nothing tells is refused with the families that it may be of, and runs as the user says" {
    built "$PWD/mpich" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$fixtures/mpich/libmpi.so.12"
    patchelf --replace-needed libmpi.so.12 libanybodysmpi.so.7 "$PWD/mpich"
    refuses "$PWD/mpich" 'needs libanybodysmpi.so.7, an MPI library of an unknown ABI, and may be a program of mpich or mpiabi; say which with --from mpich or --from mpiabi'
    # In C, a program of Open MPI refers to data.
    run --separate-stderr "$adapter" run --from openmpi "$PWD/mpich"
    fails_with 1 'was compiled against mpich mpiabi, not openmpi; give --from mpich or leave it out'
    # Its library, where that is found, tells as well.
    make_library "$PWD/there/libanybodysmpi.so.7" libanybodysmpi.so.7 "$fake_host int MPI_Init(void) { return 0; }"
    add_pair "$prefix/lib/mpi-adapter/mpich-to-openmpi" mpich openmpi
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$PWD/there XDG_CACHE_HOME=$PWD/cache run --separate-stderr "$adapter" env --to openmpi "$PWD/mpich"
    echo "$stderr"
    [ "$status" -eq 0 ]
    [[ $stderr == *'taking it for a program of MPICH, as what it refers to tells' ]]
    # The other family's marks in the program, and this library: nobody knows.
    built "$PWD/self" "$uses_self" "$fixtures/old/libmpi.so.12"
    patchelf --replace-needed libmpi.so.12 libanybodysmpi.so.7 "$PWD/self"
    LD_LIBRARY_PATH=$PWD/there refuses "$PWD/self" 'may be a program of openmpi or mpich; say which with --from openmpi or --from mpich'
}

# exported_by TABLE PATTERN FORMAT [FORMAT]: the functions of a scanned library for C that match, and the objects of all libraries beside
# it, each by its printf format.
exported_by() {
    awk -v pattern="$2" -v function_format="$3" -v object_format="${4-}" '/^#/ { next } !library { library = $1 } $4 ~ /^_(init|fini)$/ { next }
        $1 == library && $2 == "function" && $4 ~ pattern { printf function_format, $4 }
        $2 == "object" && object_format && !seen[$4]++ { bytes = $3; printf object_format, $4, bytes }' "$1"
}

@test "programs of each scanned release, by a name that is nobody's, are of its family or refused, with their library or without" {
    local table family world folder libraries asked=0
    for table in "$BATS_TEST_DIRNAME"/../../abi-tables/{mpich,openmpi,mpiabi}-*/exports; do
        folder=$(basename "${table%/exports}") world=
        family=${folder%%-*}
        exported_by "$table" . 'void %s(void) {}\n' 'char %s[%d];\n' > library.c
        [ -s library.c ] || continue
        mkdir "$folder"
        "$cc" -w -fno-builtin -shared -fPIC -Wl,-soname,libnobodysmpi.so.7 -o "$folder/libnobodysmpi.so.7" library.c
        [ "$family" != openmpi ] || world='extern char ompi_mpi_comm_world; char *world = &ompi_mpi_comm_world;'
        { exported_by "$table" '^P?MPI' 'void %s(void);\n'; echo "$world void *all[] = {"; exported_by "$table" '^P?MPI' '%s,'; echo '}; int main(void) { return 0; }'; } > all.c
        "$cc" -w -fno-builtin -Wl,--no-as-needed -o "$folder/all" all.c "$folder/libnobodysmpi.so.7"
        "$cc" -w -Wl,--no-as-needed -o "$folder/few" -x c - -x none "$folder/libnobodysmpi.so.7" <<< "$world void MPI_Init(void); int main(void) { MPI_Init(); return 0; }"
        for libraries in "$PWD/$folder" /nowhere; do
            LD_LIBRARY_PATH+=:$libraries run --separate-stderr "$adapter" check --json "$PWD/$folder/all" "$PWD/$folder/few"
            echo "$folder $libraries: $output"
            asked=$((asked + $(grep -cE "\"abi\": \"$family\"|may be a program of .*$family" <<< "$output")))
            [ $((asked % 4)) -eq $([ "$libraries" = /nowhere ] && echo 0 || echo 2) ]
        done
    done
    [ "$asked" -ge 40 ]
}

@test "a name that an earlier release had, too, is told by what else the program needs" {
    make_library "$PWD/made/libmpi.so.0" libmpi.so.0 "$old_openmpi"
    make_library "$PWD/made/libopen-rte.so.0" libopen-rte.so.0 'int orte;'
    make_library "$PWD/made/libfjcrt.so.1" libfjcrt.so.1 'int fj;'
    built "$PWD/plain" "$uses_self" "$PWD/made/libmpi.so.0"
    refuses "$PWD/plain" "needs libmpi.so.0, and nothing tells whether it is Open MPI 1.3 to 1.4's, that of an MPI made of a later Open MPI, or MVAPICH 4.1's; if it is one of the latter, say so with --from openmpi or --from mpich"
    built "$PWD/old" "$uses_self" "$PWD/made/libmpi.so.0" "$PWD/made/libopen-rte.so.0"
    refuses "$PWD/old" 'was built with Open MPI 1.3 to 1.4, whose ABI no pair supports'
    run --separate-stderr "$adapter" run --from openmpi "$PWD/old"
    fails_with 1 'was built with Open MPI 1.3 to 1.4'
    built "$PWD/made-of-4" "$uses_self" "$PWD/made/libmpi.so.0" "$PWD/made/libfjcrt.so.1"
    for words in "--from openmpi $PWD/plain" "$PWD/made-of-4"; do
        # shellcheck disable=SC2086  # two words
        XDG_CACHE_HOME=$PWD/cache run --separate-stderr "$adapter" env --to mpich $words
        echo "$words $stderr"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
        [ -L "$PWD"/cache/mpi-adapter/names/*/libmpi.so.0 ]
    done
}

@test "nor are libraries for Fortran of a release that no pair supports taken for a maker's of that name" {
    local name
    for name in libmpi.so.1 libmpi_mpifh.so.2 libmpi_usempif08.so.0 libmpi_usempi_ignore_tkr.so.0; do
        make_library "$PWD/made/$name" "$name" "$old_openmpi"
    done
    built "$PWD/old" "$uses_self" "$PWD/made/libmpi_usempif08.so.0" "$PWD/made/libmpi_usempi_ignore_tkr.so.0" "$PWD/made/libmpi_mpifh.so.2" \
        "$PWD/made/libmpi.so.1"
    for there in "$PWD/made" /nowhere; do
        LD_LIBRARY_PATH=$there refuses "$PWD/old" 'was built with Open MPI 1.5 to 1.8, whose ABI no pair supports'
    done
}

@test "one that needs the libraries for C of two families is refused with both" {
    local order
    make_library "$PWD/made/libmpich.so.12" libmpich.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$PWD/made/libmpi.so.40" libmpi.so.40 "$old_openmpi"
    for order in "$PWD/made/libmpi.so.40 $PWD/made/libmpich.so.12" "$PWD/made/libmpich.so.12 $PWD/made/libmpi.so.40"; do
        # shellcheck disable=SC2086  # two words
        built "$PWD/both" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' $order
        run --separate-stderr "$adapter" run "$PWD/both"
        fails_with 1 "$PWD/both needs " 'of MPICH' 'Open MPI' 'link it with one MPI, or say with --from which one it was compiled against'
        refuses "$PWD/both" 'libraries of '
        run --separate-stderr "$adapter" env --from openmpi "$PWD/both"
        echo "$stderr"
        [ "$status" -eq 0 ]
    done
}

# with_libraries NAME FAMILY_LIBRARY...: a program of Open MPI's with a library for each, which calls that MPI.
with_libraries() {
    local name=$1 library libraries=()
    shift
    for library; do
        make_library "$PWD/made/lib$library.so" "lib$library.so" "int MPI_Init(void); int ${library//./_}(void) { return MPI_Init(); }" "$PWD/made/$library"
        libraries+=("$PWD/made/lib$library.so")
    done
    built "$PWD/$name" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$PWD/made/libmpi.so.40" "${libraries[@]}" -Wl,-rpath,"$PWD/made"
}

@test "one with a library of another family's has two parts, and runs on the MPI of either" {
    local from
    make_library "$PWD/made/libmpich.so.12" libmpich.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$PWD/made/libmpi.so.40" libmpi.so.40 "$old_openmpi"
    make_library "$PWD/made/libmpi_abi.so.1" libmpi_abi.so.1 'int MPI_Init(void) { return 0; } int PMPI_Init(void) { return 0; }'
    with_libraries mixed libmpich.so.12
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --to mpich "$PWD/mixed"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *"LD_LIBRARY_PATH='$pair:"* ]]
    # Another MPI runs them by two pairs, if these are installed.
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --to mpiabi "$PWD/mixed"
    fails_with 1 "no installed pair runs parts for openmpi and mpich on mpiabi; give --to one of: openmpi mpich"
    with_libraries three libmpich.so.12 libmpi_abi.so.1
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --to mpich "$PWD/three"
    fails_with 1 "no installed pair runs programs of mpiabi on mpich; install mpiabi-to-mpich"
    sed -i '/ between /d' "$prefix/lib/mpi-adapter/families"
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --to mpich "$PWD/three"
    fails_with 1 "$PWD/three has parts for openmpi and mpiabi, and no pair leads them there; compile one of them for another MPI"
    # A library that refers to an MPI and calls nothing is no part.
    make_library "$PWD/made/libleft.so" libleft.so 'int left(void) { return 0; }' -Wl,--no-as-needed "$PWD/made/libmpich.so.12"
    built "$PWD/left" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$PWD/made/libmpi.so.40" "$PWD/made/libleft.so" \
        -Wl,-rpath,"$PWD/made"
    is_taken_for openmpi "$PWD/left"
    # The user may tell of parts that are opened late.
    built "$PWD/late" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$PWD/made/libmpi.so.40"
    for from in openmpi,mpich mpich,openmpi; do
        LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --from $from --to mpich "$PWD/late"
        [[ $output == *"LD_LIBRARY_PATH='$pair:"* ]]
    done
    LD_LIBRARY_PATH=$PWD/made run "$adapter" check --from openmpi,mpich --to mpich "$PWD/late"
    [[ $output == *$'with parts:   opened late, built for mpich\n'*'mpi-adapter run -n N --to mpich --from openmpi,mpich '* ]]
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --from mpich,mpiabi --to mpich "$PWD/late"
    fails_with 1 "$PWD/late was compiled against openmpi, which --from does not name; add it there"
    run --separate-stderr "$adapter" shell --from openmpi,mpich -- true
    fails_with 2 '--from takes one ABI here'
    # The user may say that one is never called.
    run "$adapter" env --from openmpi "$PWD/mixed"
    [ "$status" -eq 0 ]
}

@test "the native part of two loads the MPI that runs all" {
    make_library "$PWD/made/libmpich.so.12" libmpich.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$PWD/chosen/libmpich.so.12" libmpich.so.12 "$fake_host int MPI_Init(void) { return 0; }"
    make_library "$PWD/made/libmpi.so.40" libmpi.so.40 "$old_openmpi"
    with_libraries mixed libmpich.so.12
    export MPI_ADAPTER_HOST_LIBRARY=$PWD/chosen/libmpich.so.12
    LD_LIBRARY_PATH=$PWD/made run --separate-stderr "$adapter" env --to mpich "$PWD/mixed"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ $output == *"LD_LIBRARY_PATH='$pair:$PWD/chosen:$PWD/made'"* ]]
    make_library "$PWD/made/libfixed.so" libfixed.so "int MPI_Init(void); int fixed(void) { return MPI_Init(); }" \
        -Wl,--disable-new-dtags,-rpath,"$PWD/made" "$PWD/made/libmpich.so.12"
    built "$PWD/fixed" 'int MPI_Init(void); int main(void) { return MPI_Init(); }' "$PWD/made/libmpi.so.40" "$PWD/made/libfixed.so" \
        -Wl,-rpath,"$PWD/made"
    run --separate-stderr "$adapter" env --to mpich "$PWD/fixed"
    fails_with 1 "parts of $PWD/fixed load $PWD/made/libmpich.so.12, and its MPI is $PWD/chosen/libmpich.so.12; run all on one of them"
}

@test "where links to libraries cannot be made, that is said" {
    built "$PWD/self" "$uses_self" "$fixtures/old/libmpi.so.12"
    patchelf --replace-needed libmpi.so.12 libanybodysmpi.so.7 "$PWD/self"
    touch "$PWD/file"
    XDG_CACHE_HOME=$PWD/file run --separate-stderr "$adapter" env "$PWD/self"
    [ "$status" -eq 1 ]
    [[ $stderr == *"mpi-adapter: $PWD/file/mpi-adapter/names/"*" cannot be written; set XDG_CACHE_HOME to a folder of yours" ]]
    XDG_CACHE_HOME=here run --separate-stderr env -u HOME "$adapter" env "$PWD/self"
    [ "$status" -eq 1 ]
    [[ $stderr == *"there is no folder for links to libraries by the names that $PWD/self needs; set XDG_CACHE_HOME"* ]]
}

@test "a program that no pair can serve is refused in one line, with the reason" {
    cp "$fixtures/bin/app" app
    refused() {
        cp app "$PWD/$1"
        patchelf --add-needed "$2" "$PWD/$1"
        refuses "$PWD/$1" "needs $2, $3"
    }
    refused ilp64 libmpi_ilp64.so.4 'which Intel MPI has for INTEGERs of 8 bytes, and no pair converts these; build it with INTEGERs of 4 bytes, without -ilp64'
    # The library has no soname, so that programs need its name for linking.
    refused ilp64_as_linked libmpi_ilp64.so 'which Intel MPI has for INTEGERs of 8 bytes'
    refused fortran_abi libmpifort_abi.so.1 "another MPI's library for Fortran of the standard ABI, whose constants MPI-5.0 does not fix; compile it again with mpifort_abi"
    refused intel4 libmpi_mt.so.4 "which is Intel MPI 4's or older, whose ABI no pair supports; use a program built with Intel MPI 5 or later"
    refused xe libmpich_gnu_48.so.2 "which is Cray MPT 6's or older, whose ABI no pair supports; use a program built with Cray MPT 7 or later"
    refused shmem liboshmem.so.40 "which is Open MPI's OpenSHMEM, and no other MPI has that; start it with oshrun where Open MPI is"
    refused java libmpi_java.so.40 "which is Open MPI's for Java, and enters its internals; start it with mpirun where Open MPI is"
    refused muslib libc.musl-x86_64.so.1 'the C library musl, for which no pair is made; use a program built for the GNU C library'
    cp app musl
    patchelf --set-interpreter /lib/ld-musl-x86_64.so.1 musl
    refuses "$PWD/musl" 'needs ld-musl-x86_64.so.1, the dynamic loader of the C library musl, for which no pair is made; use a program built for the GNU C library'
    # In a launch line, too, but for the launcher of the MPI that it is made for.
    for name in shmem musl; do
        run --separate-stderr "$adapter" exec mpiexec.fakempich -n 1 "$PWD/$name"
        fails_with 1 "$PWD/$name needs l"
    done
    run --separate-stderr "$adapter" exec mpiexec.fakeopenmpi -n 1 "$PWD/musl"
    fails_with 1 "$PWD/musl needs ld-musl"
    run -127 --separate-stderr "$adapter" exec mpiexec.fakeopenmpi -n 1 "$PWD/shmem"
    [[ $stderr != *mpi-adapter* ]]
}

@test "a program that has MPI linked in is refused, stripped or not" {
    local text
    while read -r text; do
        built "$PWD/inside" "#include <stdio.h>
int main(void) { puts(\"*** The %s() $text %s\"); return 0; }"
        run --separate-stderr "$adapter" env "$PWD/inside"
        fails_with 1 'linked in, but not the names of its procedures'
        strip "$PWD/inside"
        run --separate-stderr "$adapter" env "$PWD/inside"
        fails_with 1 'linked in, but not the names of its procedures'
    done < <(sed -n 's/^[a-z]* inside //p' "$BATS_TEST_DIRNAME/../../abi-tables/implementations")
    [[ $stderr == *'has MPICH linked in'* ]]
    # Behind all that is loaded.
    built "$PWD/inside" 'int main(void) { return 0; }'
    sed -n 's/^mpich inside //p' "$BATS_TEST_DIRNAME/../../abi-tables/implementations" >> "$PWD/inside"
    run --separate-stderr "$adapter" env "$PWD/inside"
    fails_with 1 'has MPICH linked in statically, so its MPI cannot be replaced; link it with the shared library of its MPI'
    # At a place where blocks meet that are read.
    text='a text of which this is the whole'
    for length in 65520 65536 131060; do
        { head -c "$length" /dev/zero; printf %s "$text"; } > "$PWD/tail"
        cp "$fixtures/bin/app" "$PWD/long"
        patchelf --remove-needed libmpi.so.40 "$PWD/long"
        truncate -s 40000 "$PWD/long"
        cat "$PWD/tail" >> "$PWD/long"
        "$build/tools/elf-facts" --contains "$text" "$PWD/long"
        run "$build/tools/elf-facts" --contains "$text?" "$PWD/long"
        [ "$status" -eq 1 ]
    done
    # Code is left out where the linker has put it apart.
    for layout in separate noseparate; do
        compile "$PWD/code" "-Wl,-z,$layout-code" <<< 'const char data[] = "a text among constants"; int main(void) { return 0; }
            __asm__(".text; .ascii \"a text among code\"");'
        "$build/tools/elf-facts" --contains 'a text among constants' "$PWD/code"
        run "$build/tools/elf-facts" --contains 'a text among code' "$PWD/code"
        [ "$status" -eq "$([ "$layout" = separate ] && echo 1 || echo 0)" ]
    done
}

@test "a library of another machine is no host, and is named" {
    make_library "$PWD/arm/libfakempich.so.12" libfakempich.so.12 "$fake_host"
    cp "$PWD/arm/libfakempich.so.12" "$PWD/arm/libmpi.so.12"
    for file in "$PWD"/arm/*; do
        printf '\xf3' | dd of="$file" bs=1 seek=18 conv=notrunc status=none
    done
    run --separate-stderr "$adapter" explain "$PWD/arm/libmpi.so.12"
    fails_with 1 'is a 64-bit riscv library, the adapter is for' 'give a library of this architecture'
    MPI_ADAPTER_HOST_LIBRARY=$PWD/arm/libmpi.so.12 run --separate-stderr "$adapter" run "$fixtures/bin/app"
    fails_with 1 "$PWD/arm/libmpi.so.12 (for riscv) is not an MPI library of the ABI mpich"
    LD_LIBRARY_PATH=$PWD/arm run "$adapter" doctor
    [[ $output == *"-     $PWD/arm/libmpi.so.12 (for riscv): of no known ABI"* ]]
}
