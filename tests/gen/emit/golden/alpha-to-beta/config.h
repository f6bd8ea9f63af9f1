#define HOST_LIBRARIES "libbeta.so.7", "libbeta.so"
#define HOST_SCOPE RTLD_LOCAL
#define HOST_SONAMES "libbeta.so.7:libbetaf.so.1"
#define APP_SONAMES "libalpha.so.4:libalphaf.so.1:libalpha_made*.so.1:libalpha_maker.so.1:libalphaf_maker.so.1:libalpha.so.0"
#define HOST_HAS_NAMESAKES 0
#define APP_PREFIXES 0
#define APP_FILE_PREFIXES ""
