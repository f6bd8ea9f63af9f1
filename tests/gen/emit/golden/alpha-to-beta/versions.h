#define VERSION_OLDEST 301
#define VERSION_NEWEST 301

static const struct version_symbol version_symbols[] = {
};
