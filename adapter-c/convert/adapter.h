/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers that every wrapper needs: both sides, the conversions, and staging of arrays. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include "application.h"
#include "convert.h"
#include "convert/codec.h"
#include "convert/error.h"
#include "convert/procedure.h"
#include "convert/significant.h"
#include "convert/stage.h"
#include "convert/status.h"
#include "convert/text.h"
#include "host.h"

/* The version of the application's ABI (MPI-5.0 chapter 20); an mpi.h that does not say so is not the standard's. */
#ifndef APP_MPI_ABI_VERSION
#define APP_MPI_ABI_VERSION (-1)
#define APP_MPI_ABI_SUBVERSION (-1)
#endif

#endif
