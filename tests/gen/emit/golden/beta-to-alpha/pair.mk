beta-to-alpha_application_called := beta
beta-to-alpha_host_called := alpha
