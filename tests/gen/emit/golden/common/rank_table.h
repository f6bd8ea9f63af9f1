static const struct rank_launcher launchers[] = {
    { "openmpi", "Alpha's launcher" },
    { "hydra", "a launcher with PMI (Hydra)" },
    { "batch", "the batch system" },
};
static const struct rank_variable variables[] = {
    { 0, RANK_RANK, "OMPI_COMM_WORLD_RANK" },
    { 0, RANK_SIZE, "OMPI_COMM_WORLD_SIZE" },
    { 0, RANK_JOB, "ALPHA_JOB" },
    { 1, RANK_RANK, "PMI_RANK" },
    { 1, RANK_SIZE, "PMI_SIZE" },
    { 2, RANK_RANK, "BATCH_RANK" },
    { 2, RANK_LOCAL_SIZE, "BATCH_LOCAL_SIZE" },
};
