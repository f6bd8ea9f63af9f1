static const struct implementation implementations[] = {
    { 1, "Alpha", "openmpi", 0, "pmix", "env", 0, 0, (const char *const[]){ "mpiexec.alpha", "mpiexec", 0 } },
    { 0, "Beta", "hydra", 0, "pmi2", 0, "/usr/bin/env", 0, (const char *const[]){ "mpiexec.beta", "mpiexec", 0 } },
};
#define HOST_IMPLEMENTATIONS 1
