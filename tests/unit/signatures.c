/* Signatures of models: numbers beyond machine words, properties, witnesses. A recursion over the diagram that visits
 * every µpath is the independent oracle. */
#include "core/cone/signatures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/str.h"
#include "core/cone/paths_gmp.h"
#include "core/cone/vectors.h"
#include "core/cone/walk.h"
#include "core/udd/diagram.h"
#include "models.h"
#include "parsed.h"
#include "test.h"

struct run {
	struct udd_model *m;
	struct udd_diagram *g;
	struct signatures *s;
	struct diags d;
};

static struct run
run_model(struct udd_model *m, const char *variant)
{
	struct run r = {.m = m};
	struct fset on;
	struct err e;

	if (m && udd_choose(m, variant, NULL, NULL, &on, &e))
		r.g = udd_expand(m, &on, &r.d);
	if (r.g)
		r.s = signatures_new(r.g, &r.d);
	return r;
}

static struct run
run_text(const char *text)
{
	return run_model(parsed_model(text), NULL);
}

static void
end(struct run *r, bool whole)
{
	signatures_free(r->s);
	udd_diagram_free(r->g);
	if (whole)
		udd_free(r->m);
	diags_free(&r->d);
}

/* Packed and unpacked, they are the same, bit for bit. */
static void
check_packed(const struct signatures *s)
{
	size_t bytes, links = s->walk->n * sizeof *s->walk->state;
	char *packed = signatures_pack(s, &bytes);
	struct signatures *back = signatures_unpack(packed);

	CHECK(bytes < signatures_bytes(s));
	CHECK_INT(back->n, s->n);
	CHECK_INT(back->n_counters, s->n_counters);
	CHECK(memcmp(back->coef, s->coef, s->n * s->n_counters * sizeof *s->coef) == 0);
	CHECK_STR(back->total, s->total);
	for (size_t k = 0; k < s->n; k++)
		CHECK_STR(back->paths[k], s->paths[k]);
	CHECK_INT(back->walk->n, s->walk->n);
	CHECK(memcmp(back->walk->state, s->walk->state, links) == 0);
	CHECK(memcmp(back->walk->last, s->walk->last, s->n * sizeof *s->walk->last) == 0);
	signatures_free(back);
	free(packed);
}

static void
counts_grow_past_machine_words(void)
{
	struct str text = {0};
	struct run r;

	str_add(&text, "model m; path p { ");
	for (int i = 0; i < 100; i++)
		str_add(&text, "choose { case A: case B: } ");
	str_add(&text, "count c; }");
	r = run_text(str_text(&text));
	CHECK_STR(r.s->total, "1267650600228229401496703205376"); /* 2^100 */
	CHECK_STR(r.s->paths[0], r.s->total);
	CHECK_INT(r.s->n, 1);
	end(&r, true);
	str_free(&text);
}

static void
sixty_choices_are_not_enumerated(void)
{
	struct diags d = {0};
	double begun = clock_seconds();
	struct run r = run_model(model_from_file("models/good", "many-upaths.udd", &d), NULL);

	printf("# read, expanded and walked in %.2f ms\n", (clock_seconds() - begun) * 1e3);
	CHECK_STR(r.s->total, "1152921504606846976"); /* 2^60 */
	CHECK_INT(r.s->n, 38 * 24); /* a + b = 37, c from 0 to 23 */
	check_packed(r.s);
	end(&r, true);
	diags_free(&d);
}

/* Sixty properties, each asked for twice. If they were kept longer than needed, there would be 2^60 states. */
static void
properties_are_forgotten_after_their_last_use(void)
{
	struct str text = {0};
	struct run r;

	str_add(&text, "model m; path p { ");
	for (int i = 0; i < 60; i++)
		str_addf(&text, "switch (P%d) { case A: count a; case B: } switch (P%d) { case A: case B: count b; } ",
			i, i);
	/* only one side of the choice asks again: the other one has forgotten the value */
	str_add(&text,
		"switch (Q) { case A: case B: case C: } choose { case Again: switch (Q) { case A: count q; default: } "
		"case Not: } }");
	r = run_text(str_text(&text));
	if (CHECK(r.s != NULL)) {
		CHECK_STR(r.s->total, "6917529027641081856"); /* 2^60 × 3 × 2 */
		CHECK_INT(r.s->n, 61 * 2);
	}
	end(&r, true);
	str_free(&text);
}

static void
upaths_without_counters_are_only_counted(void)
{
	struct run r = run_text(
		"model m; counter c; path p { choose { case A: count c; case B: case C: event e; } } path q { }");

	CHECK_STR(r.s->total, "4");
	CHECK_INT(r.s->n, 1);
	CHECK_INT(r.s->coef[0], 1);
	end(&r, true);
	r = run_text("model m; path p { }");
	CHECK_STR(r.s->total, "1");
	CHECK_INT(r.s->n, 0);
	CHECK_INT(r.s->n_counters, 0);
	end(&r, true);
}

static char *
dump_witness(const struct run *r, size_t k)
{
	static const char *const kind[] = {"root", "choice", "event", "count", "{", "} and {", "}", "done"};
	struct signature_witness *w = signatures_witness(r->s, r->g, k);
	struct str t = {0};

	for (size_t i = 0; i < w->n; i++)
		str_addf(&t, "%s%s%s%s%s", i ? ", " : "", kind[w->step[i].kind], *w->step[i].name ? " " : "",
			w->step[i].name,
			*w->step[i].value ? str_eq(w->step[i].value, "(other)") ? "=other" : "=named" : "");
	for (size_t i = 0; i < w->n_before; i++)
		str_addf(&t, "; %zu before %zu", w->before[i].from, w->before[i].to);
	signature_witness_free(w);
	return str_take(&t);
}

static void
a_witness_describes_one_upath(void)
{
	struct run r = run_text(
		"model m; def d() { switch (P) { case A: count a; default: E: event e; } before E, F; F: count f; } "
		"path p { d(); both { choose { case X: count x; } } and { switch (P) { case B: default: } } choose { "
		"case L: impossible; case R: } }");
	char *got;

	CHECK_INT(r.s->n, 2);
	got = dump_witness(&r, 0);
	CHECK_STR(got,
		"root p, choice P=named, count a, count f, {, choice=named, count x, } and {, choice P=named, }, "
		"choice=named, done");
	free(got);
	got = dump_witness(&r, 1);
	CHECK_STR(got,
		"root p, choice P=named, event e, count f, {, choice=named, count x, } and {, choice P=named, }, "
		"choice=named, done; 2 before 3");
	free(got);
	CHECK_STR(r.s->paths[1], "2"); /* B and every other value */
	end(&r, true);
}

/* The oracle: every µpath, by recursion over the diagram. */
struct oracle {
	const struct udd_diagram *g;
	int64_t *sum;
	uint32_t *value; /* for each property: value + 1, or 0 while unassigned */
	struct names rows;
	uint64_t *paths;
	size_t cap;
	uint64_t total;
};

static void
found_row(struct oracle *o)
{
	size_t n = o->g->model->n_counters, known = o->rows.n, i;
	struct str t = {0};

	for (size_t k = 0; k < n; k++)
		str_addf(&t, "%lld ", (long long)o->sum[k]);
	i = names_add(&o->rows, str_text(&t), t.n);
	mem_grow(&o->paths, &o->cap, i + 1, sizeof *o->paths);
	if (i == known)
		o->paths[i] = 0;
	o->paths[i]++;
	o->total++;
	str_free(&t);
}

static void enumerate(struct oracle *, uint32_t node);

static void
enumerate_switch(struct oracle *o, const struct udd_node *v)
{
	const struct udd_domain *domain = &o->g->property_domain[v->property];
	const struct udd_edge *fallback = NULL;
	uint32_t *value = &o->value[v->property], was = *value;

	for (uint32_t i = v->first_edge; i < v->first_edge + v->n_edges; i++)
		if (o->g->edge[i].fallback)
			fallback = &o->g->edge[i];
	for (uint32_t k = domain->first; k < domain->first + domain->n; k++) {
		const struct udd_edge *taken = fallback;

		if (was && was != o->g->domain[k] + 1)
			continue;
		for (uint32_t i = v->first_edge; i < v->first_edge + v->n_edges; i++)
			if (!o->g->edge[i].fallback && o->g->edge[i].value == o->g->domain[k])
				taken = &o->g->edge[i];
		if (!taken)
			continue;
		*value = o->g->domain[k] + 1;
		enumerate(o, taken->to);
		*value = was;
	}
}

static void
enumerate(struct oracle *o, uint32_t node)
{
	const struct udd_node *v = &o->g->node[node];

	if (v->kind == UDD_IMPOSSIBLE)
		return;
	if (v->kind == UDD_COUNT)
		o->sum[v->name] += v->amount;
	if (v->n_edges == 0)
		found_row(o);
	else if (v->kind == UDD_DECISION && v->property != UDD_NO_PROPERTY)
		enumerate_switch(o, v);
	else
		for (uint32_t i = v->first_edge; i < v->first_edge + v->n_edges; i++)
			enumerate(o, o->g->edge[i].to);
	if (v->kind == UDD_COUNT)
		o->sum[v->name] -= v->amount;
}

static void
compare_with_oracle(const struct run *r)
{
	struct oracle o = {.g = r->g};
	size_t n = r->m->n_counters, zero = 0;
	char *total;

	o.sum = mem_new_array(n, sizeof *o.sum);
	o.value = mem_new_array(r->g->n_properties, sizeof *o.value);
	for (size_t i = 0; i < r->g->n_roots; i++)
		enumerate(&o, r->g->root_node[i]);
	total = str_format("%llu", (unsigned long long)o.total);
	CHECK_STR(r->s->total, total);
	for (size_t k = 0; k < r->s->n; k++) {
		struct str t = {0};
		size_t i;

		for (size_t c = 0; c < n; c++)
			str_addf(&t, "%lld ", (long long)r->s->coef[k * n + c]);
		i = names_find(&o.rows, str_text(&t), t.n);
		if (CHECK(i != NAMES_NONE)) {
			char *paths = str_format("%llu", (unsigned long long)o.paths[i]);

			CHECK_STR(r->s->paths[k], paths);
			free(paths);
		}
		str_free(&t);
	}
	for (size_t i = 0; i < o.rows.n; i++)
		zero += strspn(o.rows.name[i], "0 ") == strlen(o.rows.name[i]);
	CHECK_INT(r->s->n, o.rows.n - zero);
	free(total);
	free(o.sum);
	free(o.value);
	free(o.paths);
	names_free(&o.rows);
}

static void
good_models_agree_with_enumeration(void)
{
	size_t n, compared = 0;
	char **file = names_list("models/good", ".udd", &n);

	for (size_t i = 0; i < n; i++) {
		struct diags d = {0};
		struct udd_model *m = model_from_file("models/good", file[i], &d);

		for (size_t v = 0; m && v <= m->n_variants; v++) {
			struct run r = run_model(m, v < m->n_variants ? m->variant[v].name : NULL);

			test_label("%s variant %zu", file[i], v);
			if (CHECK(r.s != NULL))
				check_packed(r.s);
			if (r.s && strlen(r.s->total) <= 5) {
				compare_with_oracle(&r);
				compared++;
			}
			end(&r, false);
		}
		udd_free(m);
		diags_free(&d);
	}
	CHECK(compared > 20);
	names_list_free(file);
}

static void
vectors_are_interned_and_bounded(void)
{
	struct vectors v;
	struct vector_delta d = {0};
	uint32_t a, b, c;

	vectors_init(&v);
	CHECK(vector_delta_add(&d, 7, 2, 100));
	CHECK(vector_delta_add(&d, 3, 1, 100));
	CHECK(vector_delta_add(&d, 7, 98, 100));
	CHECK(!vector_delta_add(&d, 7, 1, 100));
	CHECK_INT(d.n, 2);
	CHECK(vectors_add(&v, VECTOR_ZERO, &d, 100, &a));
	CHECK(vectors_add(&v, VECTOR_ZERO, &d, 100, &b));
	CHECK_INT(a, b);
	CHECK_INT(vectors_get(&v, a, 7), 100);
	CHECK_INT(vectors_get(&v, a, 3), 1);
	CHECK_INT(vectors_get(&v, a, 5), 0);
	CHECK(!vectors_add(&v, a, &d, 100, &c));
	CHECK_INT(c, 7); /* the entry that would exceed the limit */
	CHECK(vectors_add(&v, a, &d, 200, &c));
	CHECK_INT(vectors_get(&v, c, 7), 200);
	CHECK(c != a);
	vectors_free(&v);
	vector_delta_free(&d);
}

static void
path_counts_add_exactly(void)
{
	struct paths a = {.small = UINT64_MAX}, b = {.small = 1}, c;
	char *text;

	paths_copy(&c, &a);
	paths_add(&c, &b);
	text = paths_text(&c);
	CHECK_STR(text, "18446744073709551616");
	free(text);
	paths_add(&a, &c);
	paths_add(&a, &a);
	text = paths_text(&a);
	CHECK_STR(text, "73786976294838206462"); /* 2 (2^65 - 1) */
	free(text);
	CHECK(!paths_is_zero(&a));
	paths_free(&a);
	paths_free(&c);
	CHECK(paths_is_zero(&a));
}

TEST_MAIN(CASE(counts_grow_past_machine_words), CASE(sixty_choices_are_not_enumerated),
	CASE(properties_are_forgotten_after_their_last_use), CASE(upaths_without_counters_are_only_counted),
	CASE(a_witness_describes_one_upath), CASE(good_models_agree_with_enumeration),
	CASE(vectors_are_interned_and_bounded), CASE(path_counts_add_exactly))
