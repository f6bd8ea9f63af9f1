# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For etc/conda/activate.d: mpicc, mpiexec and their other names are MPI-Adapter's while this environment is active.
mpi_adapter_home=$CONDA_PREFIX/lib/mpi-adapter/abi
export PATH="$mpi_adapter_home/bin:$PATH"
export PKG_CONFIG_PATH="$mpi_adapter_home/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
[ -z "${MPI_HOME-}" ] || export CONDA_BACKUP_MPI_HOME="$MPI_HOME"
export MPI_HOME="$mpi_adapter_home"
unset mpi_adapter_home
