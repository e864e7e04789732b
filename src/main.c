#include <stdio.h>

int
main(void)
{
	puts("hecate");
	return 0;
}
