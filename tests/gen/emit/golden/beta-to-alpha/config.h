#define HOST_LIBRARIES "libalpha.so.4", "libalpha.so"
#define HOST_SCOPE RTLD_GLOBAL
#define HOST_SONAMES "libalpha.so.4:libalphaf.so.1"
#define APP_SONAMES "libbeta.so.7:libbetaf.so.1"
#define HOST_HAS_NAMESAKES 0
#define APP_PREFIXES 0
#define APP_FILE_PREFIXES ""
