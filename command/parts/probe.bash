# SPDX-License-Identifier: BSD-3-Clause
# How probes are started.

# probe_environment NAME=VALUE... COMMAND...: without the user's settings, and
# as administrators must be able to: as root, and on a machine with a single
# core.
probe_environment() {
    local items
    trial_variables
    env -u LD_PRELOAD -u MPI_ADAPTER_HOST_LIBRARY -u MPI_ADAPTER_HOST_PRELOAD -u MPI_ADAPTER_HOST_PREFIXES \
        -u MPI_ADAPTER_HOST -u MPI_ADAPTER_LAUNCHER \
        MPI_ADAPTER_CONFIG=/dev/null "${items[@]}" "$@"
}
