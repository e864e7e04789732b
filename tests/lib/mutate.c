#include "mutate.h"

#include <stdlib.h>

#include "base/str.h"
#include "core/udd/model.h"
#include "test.h"
#include "text/diag.h"

char *
mutate(const char *text, size_t n, const char *const *piece, size_t n_pieces, size_t stretch, uint64_t *seed,
	size_t *out_n)
{
	struct str t = {0};
	size_t changes = 1 + test_random(seed) % 4;

	str_addn(&t, text, n);
	while (changes--) {
		size_t at = t.n ? test_random(seed) % t.n : 0, len = test_random(seed) % stretch,
		       k = test_random(seed) % n_pieces;
		struct str next = {0};

		len = len > t.n - at ? t.n - at : len;
		str_addn(&next, str_text(&t), at);
		switch (test_random(seed) % 5) {
		case 0: /* another byte */
			str_addc(&next, (char)test_random(seed));
			at += at < t.n;
			break;
		case 1: /* a piece that readers know */
			str_add(&next, piece[k]);
			break;
		case 2: /* a stretch is removed */
			at += len;
			break;
		case 3: /* a stretch is doubled */
			str_addn(&next, str_text(&t) + at, len);
			break;
		case 4: /* one time in eight: the end is cut off */
			at = test_random(seed) % 8 ? at : t.n;
			break;
		}
		str_addn(&next, str_text(&t) + at, t.n - at);
		str_free(&t);
		t = next;
	}
	*out_n = t.n;
	return str_take(&t);
}

unsigned long
mutate_model(const char *path, const struct model_mutation *how, unsigned long rounds, uint64_t *seed)
{
	unsigned long n, models = 0;
	char *text = test_read(path, &n);

	for (unsigned long k = 0; text && k < rounds; k++) {
		struct diags d = {0};
		struct str out = {0};
		size_t m_n;
		char *bytes = mutate(text, n, how->piece, how->n_pieces, how->stretch, seed, &m_n);
		struct udd_model *m = how->load(bytes, m_n, &d);

		test_label("%s round %lu", path, k);
		CHECK((m != NULL) == (d.errors == 0));
		CHECK(d.n <= 2 * DIAGS_MAX);
		diags_print(&d, "", &out);
		if (m)
			how->use(m);
		models += m != NULL;
		udd_free(m);
		diags_free(&d);
		str_free(&out);
		free(bytes);
	}
	free(text);
	return models;
}
