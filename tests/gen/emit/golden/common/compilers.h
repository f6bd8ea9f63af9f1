#define FORTRAN_TRUE 1
#define FORTRAN_FALSE 0
#define COMPILERS "gnu, other"
static const struct compiler {
    const char *name;
    int logical_true, logical_false;
    const char *library;
} compilers[] = {
    { "gnu", 1, 0, "libgnu.so." },
    { "other", -1, 0, "libother.so." },
    { 0, 0, 0, 0 },
};
