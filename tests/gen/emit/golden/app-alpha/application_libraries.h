#define APP_SONAMES "libalpha.so.4:libalphaf.so.1:libalpha_made*.so.1:libalpha_maker.so.1:libalphaf_maker.so.1:libalpha.so.0"
#define APP_STEMS "libalpha"
#define APP_PREFIXES ""
#define APP_TOLD "openmpi,batch"
#define APP_INFO_ENV "command,host"
#define APP_HAS_UNIVERSE 1
#define APP_FILE_PREFIXES ""
