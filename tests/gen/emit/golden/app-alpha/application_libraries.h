#define APP_SONAMES "libalpha.so.4:libalphaf.so.1"
#define APP_PREFIXES ""
