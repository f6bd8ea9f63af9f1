alpha_soname := libalpha.so.4
alpha_companions := libalpha-rte.so.4
alpha_runtime := libalpha-pal.so.4 libalpha-pal.so.5
alpha_renamed := libalpha.so.3=libalpha.so.4 libalphaf.so.0=libalphaf.so.1 libalphaf08.so.0=libalphaf08.so.1
alpha_aliases := libalpha_maker.so.1=libalpha.so.4 libalphaf_maker.so.1=libalphaf.so.1 libalpha_made2.so.1=libalpha.so.4
alpha_bindings := libalphacxx.so.4 libalphacxx.so.5
alpha_opened := libalpha.so.4 libalpha.so
alpha_fortran := libalphaf.so.1 libalphaf.so.2 libalphaf08.so.1
alpha_lost := libalphaf08.so.0
alpha_renumbered := 
