alpha-to-beta_soname := libalpha.so.4
alpha-to-beta_companions := libalpha-rte.so.4
