/* SPDX-License-Identifier: BSD-3-Clause */
#include "convert/host_answer.h"

void refuse_answer(const char *answer)
{
    give_up("the host MPI answers %s; use another release of it", answer);
}
