#include "core/cone/cone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "signature_file.h"
#include "test.h"

static bool
has_row(const int64_t *rows, size_t m, size_t n, char **name, bool equality, const char *text)
{
	bool found = false;
	struct str t = {0};

	for (size_t i = 0; i < m && !found; i++) {
		str_clear(&t);
		cone_row_text(rows + i * n, (const char *const *)name, n, equality, false, &t);
		found = str_eq(str_text(&t), text);
	}
	str_free(&t);
	return found;
}

static void
haswell_m0_has_its_counts(void)
{
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL);

	CHECK(c->complete);
	CHECK_INT(c->n_signatures, 488);
	CHECK_INT(c->n_rays, 126);
	CHECK_INT(c->n_inequalities, 31);
	CHECK_INT(c->n_equalities, 4);
	if (getenv("SHOW")) {
		struct str t = {0};
		for (size_t i = 0; i < c->n_equalities; i++) { cone_row_text(c->equality + i * 26, (const char *const *)f->name, 26, true, true, &t); str_addc(&t, '\n'); }
		for (size_t i = 0; i < c->n_inequalities; i++) { cone_row_text(c->inequality + i * 26, (const char *const *)f->name, 26, false, true, &t); str_addc(&t, '\n'); }
		printf("%s%g\n", str_text(&t), c->seconds);
		for (int k = 0; k < 20; k++) { struct cone *d = cone_new(f->n_counters, f->n, f->signature, NULL); printf("%.2f ms ", d->seconds * 1e3); cone_free(d); }
		putchar('\n');
		str_free(&t);
	}
	CHECK(has_row(c->inequality, c->n_inequalities, 26, f->name, false, "load.ret_stlb_miss <= load.walk_done"));
	cone_free(c);
	signature_file_free(f);
}

TEST_MAIN(CASE(haswell_m0_has_its_counts))
