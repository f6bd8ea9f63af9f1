# SPDX-License-Identifier: BSD-3-Clause
# The environment in which launchers start tests' programs: as root, with more ranks than cores, on a machine without a
# network whose processes may not read each other's memory. Components go by the names that this machine's release of
# Open MPI has for them. Sourced.
. "$(dirname "${BASH_SOURCE[0]}")/families.bash"
start_anywhere
remember_releases
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1
# No test needs a device that hwloc finds. To look for them is a third of MPICH's start on a virtual machine, and a tenth of Open MPI's.
export HWLOC_COMPONENTS=-pci,-linuxio
openmpi_here=$(release_here openmpi)
case $openmpi_here in
# PMIx tells ranks of their job by messages, and not in files that they map, which takes a fifth of a start.
[1-4].*) export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_vader_single_copy_mechanism=none PMIX_MCA_gds=hash ;;
*) export OMPI_MCA_btl=self,sm,tcp OMPI_MCA_smsc=^cma,xpmem ;;
esac
# Open MPI 6 warns of the name that Open MPI 5 has for what it takes by another.
case $openmpi_here in [1-5].*) ;; *) unset PRTE_MCA_rmaps_default_mapping_policy ;; esac

# start_by_defaults: from here on processes look for devices, and map what they are told, as those of users do.
start_by_defaults() { unset HWLOC_COMPONENTS PMIX_MCA_gds; }

# choose_windows: from here on windows are made by the components that work on such a machine. Open MPI 5 has no others;
# those of Open MPI 4 refuse MPI_THREAD_MULTIPLE.
choose_windows() {
    case $(release_here openmpi) in [1-4].*) export OMPI_MCA_osc=sm,pt2pt ;; esac
}

# choose_messages: from here on Open MPI opens the component alone that it takes for messages on such a machine, and MPICH's UCX its
# transports: to look for others (UCX, libfabric; tcp) is a third of a start, and a fifth. MPI_T_pvar_handle_alloc crashes then, of a
# variable of PSM2's, which nobody has started.
choose_messages() { export OMPI_MCA_pml=ob1 UCX_TLS=posix,self; }

# yield_while_waiting: from here on the ranks of start_ranks yield while they wait, as those of Open MPI do by the setting above.
# RANKS_PRELOAD= leaves them as they are. Roots of other releases share the folder, and not the C library.
yield_while_waiting() {
    local source=$tables/../tests/yield.c library
    [ -z "${RANKS_PRELOAD+set}" ] || return 0
    library=$BUILD/tests/yield-$(getconf GNU_LIBC_VERSION | tr ' ' -).so
    if [ ! "$library" -nt "$source" ]; then
        mkdir -p "$BUILD/tests"
        "${CC:-cc}" -O1 -shared -fPIC -o "$library.$$" "$source" -ldl && mv "$library.$$" "$library" || return
    fi
    export RANKS_PRELOAD=$library
}

# use_includes PAIR: where a compiler finds what the adapter's own files of this pair include.
use_includes() {
    includes=(-I"$build/pair/$1/generated" -I"$build/app/${1%-to-*}/generated" -I"$build/host/${1#*-to-}/generated"
        -I"$build/common/generated" -I"$top/adapter-c")
}
