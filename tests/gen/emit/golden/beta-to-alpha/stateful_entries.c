#include "convert/take_over.h"
#include "keep/stateful.h"

void stateful_take_places(void)
{
}
