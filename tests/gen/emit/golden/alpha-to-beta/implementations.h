static const struct implementation implementations[] = {
    { 0, "Alpha", "Alpha's launcher", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", 0, "pmix", "env", 0, 0, (const char *const[]){ "mpiexec.alpha", "mpiexec", 0 } },
    { 1, "Beta", "a launcher with PMI (Hydra)", "PMI_RANK", "PMI_SIZE", 0, "pmi2", 0, "/usr/bin/env", 0, (const char *const[]){ "mpiexec.beta", "mpiexec", 0 } },
};
#define HOST_IMPLEMENTATIONS 1
