/* SPDX-License-Identifier: BSD-3-Clause */
#include "application.h"
#include "application_libraries.h"
#include "convert/facts.h"

const char application_family[] = APP_FAMILY, application_prefixes[] = APP_PREFIXES;
const char application_sonames[] = APP_SONAMES, application_stems[] = APP_STEMS;
const char application_told[] = APP_TOLD, application_info_env[] = APP_INFO_ENV;
const int application_has_universe = APP_HAS_UNIVERSE;
const char *const application_file_prefixes = APP_FILE_PREFIXES;
const int application_bsend_overhead = APP_MPI_BSEND_OVERHEAD;
