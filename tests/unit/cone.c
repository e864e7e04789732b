/* Cones (core/cone/cone.h): constraints of the paper's Haswell model; facets, rays, equalities and normal forms of
 * random cones against brute force in exact arithmetic (exact.h); coefficients beyond 64 bits, and the time limit. */
#include "core/cone/cone.h"

#include <fenv.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "exact.h"
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

/* The three constraints of the paper's Table 1; the second and the third are in this project's normal form. */
static void
haswell_m0_is_what_the_paper_says(void)
{
	static const char *const facets[] = {
		"load.ret_stlb_miss <= load.walk_done",
		("walk_ref.l1 + walk_ref.l2 + walk_ref.l3 + walk_ref.mem + load.walk_done_2m + 2 load.walk_done_1g + "
		 "store.walk_done_2m + 2 store.walk_done_1g <= load.causes_walk + 3 load.pde$_miss + "
		 "store.causes_walk + 3 store.pde$_miss"),
		("load.causes_walk + load.walk_done_1g + store.causes_walk + store.walk_done_1g <= walk_ref.l1 + "
		 "walk_ref.l2 + walk_ref.l3 + walk_ref.mem"),
		"load.pde$_miss <= load.causes_walk",
		"0 <= walk_ref.mem",
	};
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL);

	CHECK(c->complete);
	CHECK(c->reason == NULL);
	CHECK_INT(c->n_signatures, 488);
	CHECK_INT(c->n_rays, 126);
	CHECK_INT(c->n_inequalities, 31);
	CHECK_INT(c->n_equalities, 4);
	for (size_t i = 0; i < sizeof facets / sizeof *facets; i++) {
		test_label("%s", facets[i]);
		CHECK(has_row(c->inequality, c->n_inequalities, c->n_counters, f->name, false, facets[i]));
	}
	CHECK(has_row(c->equality, 4, c->n_counters, f->name, true,
		"load.walk_done = load.walk_done_4k + load.walk_done_2m + load.walk_done_1g"));
	cone_free(c);
	signature_file_free(f);
}

static void
rows_read_like_relations(void)
{
	static const char *const name[] = {"a", "b", "c"};
	static const struct { int64_t coef[3]; bool equality, utf8; const char *text; } row[] = {
		{{-1, 1, 0}, false, false, "a <= b"},
		{{-1, 1, 0}, false, true, "a ≤ b"},
		{{1, -1, -2}, true, false, "a = b + 2 c"},
		{{-1, 1, 2}, true, false, "a = b + 2 c"},
		{{0, 1, 0}, true, false, "b = 0"},
		{{0, 0, 1}, false, false, "0 <= c"},
		{{0, 0, -1}, false, false, "c <= 0"},
		{{0, 0, 0}, false, false, "0 = 0"},
		{{0, 0, 0}, true, true, "0 = 0"},
		{{-3, -1, 2}, false, false, "3 a + b <= 2 c"},
		{{INT64_MIN, 1, 0}, false, false, "9223372036854775808 a <= b"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct str t = {0};

		cone_row_text(row[i].coef, name, 3, row[i].equality, row[i].utf8, &t);
		CHECK_STR(str_text(&t), row[i].text);
		str_free(&t);
	}
}

/* A random cone. Its entries are small, so that midpoints, multiples, equalities and coincidences occur. */
static int64_t *
random_signatures(uint64_t *seed, size_t *n, size_t *m)
{
	int64_t *s;
	uint64_t shape = test_random(seed) % 4;

	*n = 1 + test_random(seed) % 5;
	*m = 1 + test_random(seed) % 9;
	s = mem_new_array(*n * *m, sizeof *s);
	for (size_t i = 0; i < *n * *m; i++)
		s[i] = (int64_t)(test_random(seed) % (shape == 0 ? 2 : shape == 1 ? 3 : 5));
	/* One shape has a column that depends on others. */
	for (size_t i = 0; shape == 3 && *n > 2 && i < *m; i++)
		s[i * *n] = s[i * *n + 1] + 2 * s[i * *n + 2];
	return s;
}

/* The set of signatures that lie on the row, as bits. *valid: all signatures lie on its right side. */
static unsigned
incidence(const struct cone *c, const int64_t *row, bool *valid)
{
	unsigned mask = 0;

	*valid = true;
	for (size_t i = 0; i < c->n_signatures; i++) {
		i128 t = exact_dot(row, c->signature + i * c->n_counters, c->n_counters);

		*valid &= t >= 0;
		mask |= (unsigned)(t == 0) << i;
	}
	return mask;
}

/* Packs columns that keep the rank r of the m × n matrix into an m × r matrix. The caller frees it. */
static int64_t *
independent_columns(size_t m, size_t n, const int64_t *a, size_t r)
{
	int64_t *packed = mem_new_array(m * n + 1, sizeof *packed), *out = mem_new_array(m * r + 1, sizeof *out);
	size_t kept = 0;

	for (size_t j = 0; j < n && kept < r; j++) {
		for (size_t i = 0; i < m; i++) {
			for (size_t k = 0; k < kept; k++)
				packed[i * (kept + 1) + k] = out[i * r + k];
			packed[i * (kept + 1) + kept] = a[i * n + j];
		}
		if (exact_rank(m, kept + 1, packed) == kept + 1) {
			for (size_t i = 0; i < m; i++)
				out[i * r + kept] = a[i * n + j];
			kept++;
		}
	}
	free(packed);
	return out;
}

/* Finds facets by brute force. Each r − 1 independent signatures span a hyperplane, which is a facet's if all
 * signatures lie on one side. A facet is noted as the set of signatures on it. */
static size_t
brute_facets(const struct cone *c, unsigned *mask)
{
	size_t m = c->n_signatures, r = exact_rank(m, c->n_counters, c->signature), found = 0;
	int64_t *v = independent_columns(m, c->n_counters, c->signature, r), some[8 * 8], normal[8];

	for (unsigned set = 0; r > 0 && set < 1u << m; set++) {
		size_t k = 0;
		unsigned on = 0;
		int below = 0, above = 0;

		if ((size_t)__builtin_popcount(set) != r - 1)
			continue;
		for (size_t i = 0; i < m; i++)
			if (set >> i & 1)
				memcpy(some + k++ * r, v + i * r, r * sizeof *v);
		if (exact_rank(k, r, some) != r - 1)
			continue;
		exact_kernel(k, r, some, normal);
		for (size_t i = 0; i < m; i++) {
			i128 t = exact_dot(normal, v + i * r, r);

			on |= (unsigned)(t == 0) << i;
			above += t > 0;
			below += t < 0;
		}
		if (above && below)
			continue;
		k = 0;
		while (k < found && mask[k] != on)
			k++;
		mask[k] = on;
		found += k == found;
	}
	free(v);
	return found;
}

static void
facets_equal_brute_force(void)
{
	uint64_t seed = 1;

	for (int round = 0; round < (int)test_rounds(1500, 20000); round++) {
		size_t n, m, want;
		int64_t *s = random_signatures(&seed, &n, &m);
		struct cone *c = cone_new(n, m, s, NULL);
		unsigned mask[512];

		test_label("round %d, %zu × %zu", round, m, n);
		CHECK(c->complete);
		want = brute_facets(c, mask);
		CHECK_INT(c->n_inequalities, want);
		for (size_t i = 0; i < c->n_inequalities; i++) {
			bool valid;
			unsigned on = incidence(c, c->inequality + i * n, &valid);
			size_t k = 0;

			while (k < want && mask[k] != on)
				k++;
			CHECK(valid);
			CHECK(k < want);
		}
		cone_free(c);
		free(s);
	}
}

/* A ray is extreme if the facets that it lies on meet in a line (of the cone's span). */
static void
rays_are_the_extreme_ones(void)
{
	uint64_t seed = 2;

	for (int round = 0; round < 500; round++) {
		size_t n, m, rays = 0;
		int64_t *s = random_signatures(&seed, &n, &m);
		struct cone *c = cone_new(n, m, s, NULL);
		int64_t *on = mem_new_array((c->n_inequalities + c->n_equalities) * n + 1, sizeof *on);

		test_label("round %d", round);
		for (size_t i = 0; i < c->n_signatures; i++) {
			const int64_t *v = c->signature + i * n;
			size_t k = c->n_equalities;
			bool extreme, listed = false;

			memcpy(on, c->equality, c->n_equalities * n * sizeof *on);
			for (size_t j = 0; j < c->n_inequalities; j++)
				if (exact_dot(c->inequality + j * n, v, n) == 0)
					memcpy(on + k++ * n, c->inequality + j * n, n * sizeof *on);
			extreme = exact_rank(k, n, on) == n - 1;
			for (size_t j = 0; j < c->n_rays; j++)
				listed |= memcmp(c->ray + j * n, v, n * sizeof *v) == 0;
			CHECK_INT(listed, extreme);
			rays += extreme;
		}
		CHECK_INT(c->n_rays, rays);
		free(on);
		cone_free(c);
		free(s);
	}
}

static int64_t
row_gcd(const int64_t *row, size_t n)
{
	int64_t g = 0;

	for (size_t i = 0; i < n; i++)
		for (int64_t b = llabs(row[i]); b;) {
			int64_t r = g % b;

			g = b;
			b = r;
		}
	return g;
}

static void
equalities_are_in_echelon_form(void)
{
	uint64_t seed = 3;

	for (int round = 0; round < (int)test_rounds(1000, 10000); round++) {
		size_t n, m, last = 0;
		int64_t *s = random_signatures(&seed, &n, &m);
		struct cone *c = cone_new(n, m, s, NULL);

		test_label("round %d", round);
		CHECK_INT(c->n_equalities, n - exact_rank(m, n, s));
		for (size_t k = 0; k < c->n_equalities; k++) {
			const int64_t *row = c->equality + k * n;
			size_t lead = 0;

			while (lead < n && row[lead] == 0)
				lead++;
			if (!CHECK(lead < n))
				break;
			CHECK(row[lead] > 0);
			CHECK(k == 0 || lead > last);
			CHECK_INT(row_gcd(row, n), 1);
			for (size_t i = 0; i < c->n_equalities; i++)
				CHECK(i == k || c->equality[i * n + lead] == 0);
			for (size_t i = 0; i < m; i++)
				CHECK(exact_dot(row, s + i * n, n) == 0);
			last = lead;
		}
		cone_free(c);
		free(s);
	}
}

/* Finds the form of a facet that uses counters in `set` only: a + cE with zeros elsewhere, in integers without
 * common divisor. False: there is none. */
static bool
form_within(const struct cone *c, const int64_t *facet, unsigned set, int64_t *out)
{
	size_t n = c->n_counters, k = c->n_equalities, rows = 0;
	struct fraction a[64] = {{0}}, b[8] = {{0}}, x[8], whole[8];
	i128 scale = 1;
	int64_t g;

	for (size_t j = 0; j < n; j++) {
		if (set >> j & 1)
			continue;
		for (size_t i = 0; i < k; i++)
			a[rows * k + i] = fraction(c->equality[i * n + j], 1);
		b[rows++] = fraction(-facet[j], 1);
	}
	if (!exact_solve(rows, k, a, b, x))
		return false;
	for (size_t j = 0; j < n; j++) {
		whole[j] = fraction(facet[j], 1);
		for (size_t i = 0; i < k; i++)
			whole[j] = fraction_add(whole[j], fraction_multiply(x[i], fraction(c->equality[i * n + j], 1)));
		scale *= whole[j].den;
	}
	for (size_t j = 0; j < n; j++)
		out[j] = (int64_t)(whole[j].num * (scale / whole[j].den));
	g = row_gcd(out, n);
	for (size_t j = 0; j < n && g > 1; j++)
		out[j] /= g;
	return true;
}

static int64_t
sum_of_sizes(const int64_t *row, size_t n)
{
	int64_t s = 0;

	for (size_t j = 0; j < n; j++)
		s += llabs(row[j]);
	return s;
}

/* All supports of the smallest size are tried. Of their forms the facet must be the one with the smallest sum, and
 * of these the first in order. */
static void
facets_are_in_normal_form(void)
{
	uint64_t seed = 4;
	int ambiguous = 0;

	for (int round = 0; round < (int)test_rounds(1500, 20000); round++) {
		size_t n, m;
		int64_t *s = random_signatures(&seed, &n, &m);
		struct cone *c = cone_new(n, m, s, NULL);

		test_label("round %d", round);
		ambiguous += c->n_equalities > 0 && c->n_inequalities > 0;
		for (size_t f = 0; f < c->n_inequalities; f++) {
			int64_t best[8] = {0}, form[8];
			size_t used = 0, best_used = n + 1;

			/* Sets in lexicographic order of their lists of counters: bit 0 is the last counter, and
			 * larger numbers are first. */
			for (unsigned order = 1u << n; order-- > 1;) {
				unsigned set = 0;

				for (size_t j = 0; j < n; j++)
					set |= (order >> (n - 1 - j) & 1) << j;
				used = (size_t)__builtin_popcount(set);
				if (used > best_used || !form_within(c, c->inequality + f * n, set, form))
					continue;
				if (used < best_used || sum_of_sizes(form, n) < sum_of_sizes(best, n)) {
					memcpy(best, form, sizeof best);
					best_used = used;
				}
			}
			CHECK(memcmp(best, c->inequality + f * n, n * sizeof *best) == 0);
		}
		cone_free(c);
		free(s);
	}
	CHECK(ambiguous > 300);
}

static void
degenerate_cones_are_cones(void)
{
	static const int64_t zero[6] = {
		0}, one[] = {2, 0, 4}, same[] = {1, 2, 2, 4, 3, 6}, big[] = {INT64_C(1) << 62, 0, 0, INT64_C(1) << 62,
		1, 1
	};
	struct cone *c = cone_new(3, 2, zero, NULL);

	CHECK(c->complete);
	CHECK_INT(c->n_signatures, 0);
	CHECK_INT(c->n_equalities, 3);
	CHECK_INT(c->n_inequalities, 0);
	cone_free(c);
	c = cone_new(3, 0, NULL, NULL);
	CHECK_INT(c->n_equalities, 3);
	cone_free(c);
	c = cone_new(0, 0, NULL, NULL);
	CHECK(c->complete);
	cone_free(c);
	c = cone_new(0, 2, NULL, NULL);
	CHECK(c->complete);
	cone_free(c);
	c = cone_new(3, 1, one, NULL);
	CHECK_INT(c->n_rays, 1);
	CHECK_INT(c->ray[2], 2);
	CHECK_INT(c->n_equalities, 2);
	CHECK_INT(c->n_inequalities, 1);
	cone_free(c);
	c = cone_new(2, 3, same, NULL);
	CHECK_INT(c->n_signatures, 1);
	cone_free(c);
	c = cone_new(2, 3, big, NULL);
	CHECK_INT(c->n_signatures, 3);
	CHECK_INT(c->n_rays, 2);
	CHECK(c->complete);
	cone_free(c);
}

/* Facets of these signatures have coefficients of about 2^80. */
static void
too_long_coefficients_are_reported(void)
{
	static const int64_t s[] = {(1L << 40) + 15, 7, 3, 5, (1L << 40) + 9, 11, 13, 2, (1L << 40) + 1};
	static const int64_t long_equality[] = {(1L << 40) + 15, 7, 3, 5, (1L << 40) + 9, 11};
	struct cone *c = cone_new(3, 3, s, NULL);

	CHECK(!c->complete);
	CHECK_STR(c->reason, "a facet has a coefficient beyond 64 bits");
	CHECK_INT(c->n_rays, 3);
	cone_free(c);
	c = cone_new(3, 2, long_equality, NULL);
	CHECK(!c->complete);
	CHECK_STR(c->reason, "an equality has a coefficient beyond 64 bits");
	CHECK_INT(c->n_equalities, 0);
	CHECK_INT(c->n_inequalities, 3); /* that no counter is negative */
	cone_free(c);
}

static void
projection_keeps_constraints_of_the_rest(void)
{
	static const char *const kept[] = {"load.causes_walk", "load.walk_done", "load.ret_stlb_miss"};
	struct signature_file *f = signature_file_read("cones/haswell-m0.txt");
	struct cone *c = cone_new(f->n_counters, f->n, f->signature, NULL), *p;
	bool *keep = mem_new_array(f->n_counters, sizeof *keep);
	char *name[3];
	size_t n = 0;

	for (size_t i = 0; i < f->n_counters; i++)
		for (size_t k = 0; k < 3; k++)
			if (str_eq(f->name[i], kept[k])) {
				keep[i] = true;
				name[n++] = f->name[i];
			}
	p = cone_project(c, keep, NULL);
	CHECK_INT(p->n_counters, 3);
	CHECK_INT(p->n_inequalities, 3);
	CHECK(has_row(p->inequality, p->n_inequalities, 3, name, false, "load.ret_stlb_miss <= load.walk_done"));
	CHECK(has_row(p->inequality, p->n_inequalities, 3, name, false, "load.walk_done <= load.causes_walk"));
	CHECK(has_row(p->inequality, p->n_inequalities, 3, name, false, "0 <= load.ret_stlb_miss"));
	cone_free(p);
	cone_free(c);
	free(keep);
	signature_file_free(f);
}

/* A cone with far too many facets ends at its time limit. It is still usable, and leaves no trace in PPL or the
 * floating-point unit. */
static void
the_time_limit_holds(void)
{
	size_t n = 20, m = 300;
	uint64_t seed = 5;
	int64_t *s = mem_new_array(n * m, sizeof *s);
	struct cone_limits limits = {.seconds = 0.03}, none = {.seconds = -1};
	struct cone *c, *d;
	int rounding = fegetround();
	sigset_t prof, mask;
	struct sigaction action;

	/* The limit also holds while the caller blocks SIGPROF, the signal that PPL's limit uses. */
	sigemptyset(&prof);
	sigaddset(&prof, SIGPROF);
	sigprocmask(SIG_BLOCK, &prof, NULL);
	for (size_t i = 0; i < n * m; i++)
		s[i] = test_random(&seed) % 4 ? 0 : (int64_t)(test_random(&seed) % 7);
	cone_free(cone_new(n, m, s, &limits));
	c = cone_new(n, m, s, &limits);
	CHECK(!c->complete);
	CHECK(c->reason && strstr(c->reason, "time limit"));
	CHECK_INT(c->n_rays, c->n_signatures);
	CHECK_INT(c->n_inequalities, n); /* that no counter is negative is known without PPL */
	CHECK_INT(fegetround(), rounding);
	sigprocmask(SIG_UNBLOCK, &prof, &mask);
	CHECK(sigismember(&mask, SIGPROF));
	sigaction(SIGPROF, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL);
	d = cone_new(n, m, s, &none);
	CHECK(!d->complete);
	CHECK_INT(d->n_rays, c->n_signatures);
	cone_free(d);
	d = cone_new(2, 2, (const int64_t[]){1, 0, 1, 1}, NULL);
	CHECK(d->complete);
	CHECK_INT(d->n_inequalities, 2);
	cone_free(d);
	cone_free(c);
	free(s);
}

/* The equalities are one large tangle: the search for the shortest form gives up, and the facets are still facets. */
static void
tangled_equalities_end(void)
{
	size_t n = 40, m = 20;
	uint64_t seed = 6;
	int64_t *s = mem_new_array(n * m, sizeof *s);
	struct cone *c;

	for (size_t i = 0; i < n * m; i++)
		s[i] = (int64_t)(test_random(&seed) % 3);
	c = cone_new(n, m, s, NULL);
	CHECK_INT(c->n_equalities, n - m);
	if (c->complete) {
		/* As many independent rays as dimensions: a simplicial cone, in which each facet holds all rays but
		 * one. */
		CHECK_INT(c->n_inequalities, m);
		for (size_t f = 0; f < c->n_inequalities; f++) {
			size_t on = 0;

			for (size_t k = 0; k < m; k++) {
				i128 t = exact_dot(c->inequality + f * n, s + k * n, n);

				CHECK(t >= 0);
				on += t == 0;
			}
			CHECK_INT(on, m - 1);
		}
	} else {
		CHECK_STR(c->reason, "a facet has a coefficient beyond 64 bits");
	}
	cone_free(c);
	free(s);
}

TEST_MAIN(CASE(haswell_m0_is_what_the_paper_says), CASE(rows_read_like_relations), CASE(facets_equal_brute_force),
	CASE(rays_are_the_extreme_ones), CASE(equalities_are_in_echelon_form), CASE(facets_are_in_normal_form),
	CASE(degenerate_cones_are_cones), CASE(too_long_coefficients_are_reported),
	CASE(projection_keeps_constraints_of_the_rest), CASE(tangled_equalities_end), CASE(the_time_limit_holds))
