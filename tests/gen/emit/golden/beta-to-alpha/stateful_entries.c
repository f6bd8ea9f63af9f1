#include "keep/stateful.h"

void stateful_take_places(void)
{
}
