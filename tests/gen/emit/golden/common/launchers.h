static const struct launcher others[] = {
    { "the batch system", "BATCH_RANK", "BATCH_SIZE", 0 },
    { "a port", "PORT_RANK", 0, 0 },
};
