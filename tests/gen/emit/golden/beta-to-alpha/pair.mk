beta-to-alpha_soname := libbeta.so.7
beta-to-alpha_companions := libbeta-rte.so.4
beta-to-alpha_fortran := libbetaf.so.1
