#define HOST_LIBRARIES "libbeta.so.7", "libbeta.so"
#define HOST_OWN_NAMES ""
#define HOST_SCOPE RTLD_LOCAL
#define HOST_SONAMES "libbeta.so.7:libbetaf.so.1"
#define HOST_DEPARTURES { "alpha", "Gamma(R) MPI", "Gamma", "MPI_ANY_TAG and MPI_COMM_SELF" }
