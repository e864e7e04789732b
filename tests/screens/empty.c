/* placeholder */
#include "test.h"
static void nothing(void) { CHECK(true); }
TEST_MAIN(CASE(nothing))
