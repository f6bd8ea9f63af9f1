#define APP_SONAMES "libbeta.so.7:libbetaf.so.1"
#define APP_PREFIXES ""
