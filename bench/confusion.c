/* The confusion matrix of calibration: which item or feature was hidden, and which was named. Arguments: the number of
 * cores drawn for each, the first seed, and the name of one item or feature, if only that is to be hidden. */
#include "tests/lib/confusion.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/str.h"

int
main(int argc, char **argv)
{
	struct confusion m = {0};
	struct str out = {0};
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;
	unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
	size_t from = argc > 3 ? confusion_kind(argv[3]) : 0, to = argc > 3 ? from + 1 : confusion_kinds();

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
