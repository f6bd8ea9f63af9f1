# SPDX-License-Identifier: BSD-3-Clause
# The modules mpi and mpi_f08 of the compiler that mpifort_abi calls, which reads it. Module files belong to a compiler and
# its version: those of compilers that were there at installation lie beside the library, all others in the user's cache,
# where the first use compiles them.

sources=$prefix/include/mpi-adapter/fortran
modules=

# In the order in which they use each other. Programs may refer to code of the first two.
module_files='mpi_f08_types mpi_f08_callbacks mpi_adapter_sentinels mpi mpi_f08'

# identify_compiler: sets `key` to the compiler's name, version and target, and `lenient` to the option by which gfortran since 10
# takes buffers of several types in calls of one procedure, which mpif.h does not declare.
identify_compiler() {
    command -v -- "${compiler%% *}" > /dev/null ||
        fail "there is no compiler ${compiler%% *}" 'install it, or name another one by MPI_ADAPTER_FC'
    # shellcheck disable=SC2086
    said=$($compiler -v 2>&1) || said=
    key=$(printf '%s\n' "$said" | sed -n 's/^gcc version \([0-9][0-9.]*\).*/gfortran-\1/p; s/^.*flang\(-new\)\{0,1\} version \([0-9][0-9.]*\).*/flang-\2/p')
    target=$(printf '%s\n' "$said" | sed -n 's/^Target: *//p')
    case $key in
    gfortran-[1-8].*) fail "$compiler is too old for the modules of MPI" 'use gfortran 9 or newer, or LLVM flang' ;;
    flang-1[0-6].* | flang-[1-9].*) fail "$compiler is too old for the modules of MPI" 'use LLVM flang 19 or newer, or gfortran' ;;
    gfortran-9.* | flang-*) key=$key-$target ;;
    gfortran-*) key=$key-$target lenient=-fallow-argument-mismatch ;;
    *) fail "$compiler is neither gfortran nor LLVM flang" 'name one of these by MPI_ADAPTER_FC' ;;
    esac
}

# cache_folder: prints the folder of the modules that users compile.
cache_folder() {
    case ${MPI_ADAPTER_CACHE-} in ?*) printf '%s\n' "$MPI_ADAPTER_CACHE/fortran"; return ;; esac
    case ${XDG_CACHE_HOME-} in /*) printf '%s\n' "$XDG_CACHE_HOME/mpi-adapter/fortran"; return ;; esac
    case ${HOME-} in /*) printf '%s\n' "$HOME/.cache/mpi-adapter/fortran"; return ;; esac
    fail 'there is no folder for the Fortran modules, as HOME is not set' 'name one by MPI_ADAPTER_CACHE'
}

# compile_modules PLACE: makes the folder with all in it, or fails and leaves nothing. Another process may do the same meanwhile.
compile_modules() {
    work=$1.$$
    if ! problem=$(mkdir -p -- "$work" 2>&1); then
        fail "the Fortran modules of $key cannot be written: ${problem#mkdir: }" 'name a folder that is writable by MPI_ADAPTER_CACHE'
    fi
    trap 'rm -rf -- "$work"; exit 1' HUP INT TERM
    if ! problem=$(build_modules 2>&1); then
        rm -rf -- "$work"
        printf '%s\n' "$problem" >&2
        fail "$compiler cannot compile the modules of MPI in $sources" 'see its messages above'
    fi
    mv -T -- "$work" "$1" 2> /dev/null || rm -rf -- "$work"
    trap - HUP INT TERM
    [ -e "$1/mpi_f08.mod" ] || fail "the Fortran modules of $key cannot be put into $1" 'remove it, or name another folder by MPI_ADAPTER_CACHE'
}

build_modules() {
    cd -- "$work" || return
    for name in $module_files; do
        # shellcheck disable=SC2086
        MPI_ADAPTER_COMPILES=1 $compiler -w -O2 -fPIC -c "$sources/$name.F90" -o "$name.o" || return
    done
    ar rcs libmpi_adapter_modules.a mpi_f08_types.o mpi_f08_callbacks.o && rm -- *.o
}

# prepare_modules: sets `modules` to the folder of the compiler's.
prepare_modules() {
    [ -z "$modules" ] || return 0
    refuse_itself
    identify_compiler || exit
    modules=$library/modules/$key
    [ ! -e "$modules/mpi_f08.mod" ] || return 0
    modules=$(cache_folder) || exit
    # Other sources are other modules.
    sum=$(cat -- "$sources"/*.F90 | cksum) || exit
    modules=$modules/$key-${sum%% *}
    [ -e "$modules/mpi_f08.mod" ] || compile_modules "$modules"
}

# install_modules: for all users of this installation.
install_modules() {
    refuse_itself
    identify_compiler || exit
    rm -rf -- "$library/modules/$key"
    compile_modules "$library/modules/$key"
    exit
}
