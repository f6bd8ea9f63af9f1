alpha-to-beta_soname := libalpha.so.4
alpha-to-beta_companions := libalpha-rte.so.4
alpha-to-beta_runtime := libalpha-pal.so.4 libalpha-pal.so.5
alpha-to-beta_renamed := libalpha.so.3=libalpha.so.4 libalphaf.so.0=libalphaf.so.1
alpha-to-beta_aliases := libalpha_maker.so.1=libalpha.so.4 libalphaf_maker.so.1=libalphaf.so.1 libalpha_made2.so.1=libalpha.so.4
alpha-to-beta_bindings := libalphacxx.so.4 libalphacxx.so.5
alpha-to-beta_opened := libalpha.so.4 libalpha.so
alpha-to-beta_fortran := libalphaf.so.1 libalphaf.so.2 libalphaf08.so.1
alpha-to-beta_application_called := alpha
alpha-to-beta_host_called := beta
