#define HOST_LIBRARIES "libalpha.so.4", "libalpha.so"
#define HOST_SCOPE RTLD_GLOBAL
