/* What the explorer's demo compiles: enough for the compiler to fault its pages in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(void)
{
	double root[64];

	for (int i = 0; i < 64; i++)
		root[i] = sqrt((double)(i * 7919 % 64));
	qsort(root, 64, sizeof *root, by_value);
	printf("%zu roots, the largest is %.3f\n", sizeof root / sizeof *root, root[63]);
	return EXIT_SUCCESS;
}
