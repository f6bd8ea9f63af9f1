beta-to-alpha_soname := libbeta.so.7
beta-to-alpha_companions := libbeta-rte.so.4
beta-to-alpha_renamed := 
beta-to-alpha_bindings := 
beta-to-alpha_opened := libbeta.so.7 libbeta.so
beta-to-alpha_fortran := libbetaf.so.1
beta-to-alpha_application_called := beta
beta-to-alpha_host_called := alpha
