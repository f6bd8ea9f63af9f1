#include "fortran.h"

EXPORTED char betapriv_[8] __attribute__((aligned(16)));

struct fortran_sentinels fortran_sentinels = {
    .bottom = betapriv_ + 0,
    .status_ignore = betapriv_ + 4,
};
extern EXPORTED char beta_f08_bottom[];
const struct fortran_sentinels f08_sentinels = {
    .bottom = beta_f08_bottom,
};

const struct sentinel sentinel_symbols[] = {
    { "betapriv_", betapriv_ },
    { "beta_f08_bottom", beta_f08_bottom },
    { 0, 0 }
};

const struct fortran_keyval fortran_keyvals[] = {
    { 0, 0 }
};
