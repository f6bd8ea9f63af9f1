# SPDX-License-Identifier: BSD-3-Clause
# How probes are started.

# probe_environment NAME=VALUE... COMMAND...: without the user's settings, and
# as administrators must be able to: Open MPI asks root twice, and a machine
# may have a single core.
probe_environment() {
    env -u LD_PRELOAD -u MPI_ADAPTER_HOST_LIBRARY -u MPI_ADAPTER_HOST_PREFIXES \
        -u MPI_ADAPTER_HOST -u MPI_ADAPTER_LAUNCHER \
        MPI_ADAPTER_CONFIG=/dev/null OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "$@"
}
