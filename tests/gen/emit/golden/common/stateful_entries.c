#include "callbacks/stateful.h"
#include "layers/layers.h"

#define OURS(each)
LAYER_PART(inner, OURS);

void stateful_install_entries(void)
{
}
