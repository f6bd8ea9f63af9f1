# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For etc/conda/deactivate.d: takes back what activate.sh has set.
mpi_adapter_home=$CONDA_PREFIX/lib/mpi-adapter/abi

# mpi_adapter_without FOLDER PATH: prints the path without the folder.
mpi_adapter_without() {
    case :$2: in
    *":$1:"*) set -- "$1" ":$2:" && set -- "${2%%":$1:"*}:${2#*":$1:"}" && set -- "${1#:}" && printf '%s\n' "${1%:}" ;;
    *) printf '%s\n' "$2" ;;
    esac
}

PATH=$(mpi_adapter_without "$mpi_adapter_home/bin" "$PATH")
PKG_CONFIG_PATH=$(mpi_adapter_without "$mpi_adapter_home/lib/pkgconfig" "${PKG_CONFIG_PATH-}")
[ -n "$PKG_CONFIG_PATH" ] || unset PKG_CONFIG_PATH
unset MPI_HOME
[ -z "${CONDA_BACKUP_MPI_HOME-}" ] || export MPI_HOME="$CONDA_BACKUP_MPI_HOME"
unset CONDA_BACKUP_MPI_HOME mpi_adapter_home
unset -f mpi_adapter_without
