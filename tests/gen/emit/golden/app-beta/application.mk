beta_soname := libbeta.so.7
beta_companions := libbeta-rte.so.4
beta_runtime := 
beta_renamed := 
beta_aliases := 
beta_bindings := 
beta_opened := libbeta.so.7 libbeta.so
beta_fortran := libbetaf.so.1
