alpha-to-beta_application_called := alpha
alpha-to-beta_host_called := beta
