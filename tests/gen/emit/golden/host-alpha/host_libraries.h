#define HOST_LIBRARIES "libalpha.so.4", "libalpha.so"
#define HOST_SCOPE RTLD_GLOBAL
#define HOST_SONAMES "libalpha.so.4:libalphaf.so.1"
