#define HOST_LIBRARIES "libbeta.so.7", "libbeta.so"
#define HOST_SCOPE RTLD_LOCAL
#define HOST_SONAMES "libbeta.so.7:libbetaf.so.1"
