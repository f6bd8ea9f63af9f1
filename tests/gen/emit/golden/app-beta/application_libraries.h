#define APP_SONAMES "libbeta.so.7:libbetaf.so.1"
#define APP_STEMS "libbeta"
#define APP_PREFIXES ""
#define APP_TOLD ""
#define APP_INFO_ENV ""
#define APP_HAS_UNIVERSE 0
#define APP_FILE_PREFIXES ""
