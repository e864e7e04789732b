#include "test.h"
static void none(void) {}
TEST_MAIN(CASE(none))
