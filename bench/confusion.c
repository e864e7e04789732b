/* The confusion matrix of calibration: which item or feature was hidden, and which was named. Arguments: the number of
 * cores drawn for each, the first seed, and the name of one item or feature, if only that is to be hidden.
 *
 * confusion all CORES SEED draws from all items of a machine file instead: cores with one of them hidden, as many with
 * two, and as many with a change that no item can express. */
#include "tests/lib/confusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tests/lib/confusion_all.h"

static int
run_all(unsigned long cores, unsigned long first)
{
	static const struct { size_t hidden; const char *title; } kind[] = {
		{1, "one item"}, {2, "two items"}, {0, "no item's change"}};
	unsigned count[3][N_CONFUSION_OUTCOMES] = {0};

	for (size_t k = 0; k < 3; k++)
		for (unsigned long i = 0; i < cores; i++) {
			enum confusion_outcome o = CONFUSION_WRONG;
			struct str what = {0};
			bool good = confusion_judge(first + i, kind[k].hidden, &o, &what);

			fprintf(stderr, "%s %lu: %s: %s\n", kind[k].title, first + i,
				good ? confusion_outcome_name(o) : "not made", str_text(&what));
			str_free(&what);
			if (!good)
				return 1;
			count[k][o]++;
		}
	printf("%-18s", "hidden");
	for (int o = 0; o < (int)N_CONFUSION_OUTCOMES; o++)
		printf("%11s", confusion_outcome_name((enum confusion_outcome)o));
	printf("\n");
	for (size_t k = 0; k < 3; k++) {
		printf("%-18s", kind[k].title);
		for (int o = 0; o < (int)N_CONFUSION_OUTCOMES; o++)
			printf("%11u", count[k][o]);
		printf("\n");
	}
	return 0;
}

int
main(int argc, char **argv)
{
	struct confusion m = {0};
	struct str out = {0};
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	size_t from = argc > 3 ? confusion_kind(argv[3]) : 0, to = argc > 3 ? from + 1 : confusion_kinds();

	if (argc > 1 && strcmp(argv[1], "all") == 0)
		return run_all(argc > 2 ? strtoul(argv[2], NULL, 10) : 20, argc > 3 ? strtoul(argv[3], NULL, 10) : 1);
	if (from == confusion_kinds()) {
		fprintf(stderr, "confusion: %s is never hidden\n", argv[3]);
		return 2;
	}
	for (unsigned long r = 0; r < rounds; r++)
		for (size_t k = from; k < to; k++) {
			struct str why = {0};
			unsigned alone = m.alone;
			bool good = confusion_add(&m, k, first + 1000 * r + k, NULL, 0, &why);

			if (!good || m.alone == alone)
				fprintf(stderr, "%s\n", str_text(&why));
			str_free(&why);
			if (!good)
				return 1;
		}
	confusion_print(&m, &out);
	fputs(str_text(&out), stdout);
	str_free(&out);
	return 0;
}
