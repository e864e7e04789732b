#include "work/probe/probe_book.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/str.h"
#include "core/curve/knee.h"
#include "text/diag.h"
#include "work/probe/probes.h"

#define SHARP_SHARE 0.02   /* half an interval of a sharp answer, as a share of it; two steps of x are sharp, too */
#define WANDER_SCATTER 0.1 /* from the least repetition to the mean, as a share of it */

const char *
probe_trust_name(enum probe_trust t)
{
	static const char *const name[] = {[PROBE_NOT_RUN] = "not run", [PROBE_CUT] = "stopped",
		[PROBE_SHARP] = "sharp", [PROBE_SOFT] = "soft", [PROBE_AT_LEAST] = "at least",
		[PROBE_WANDERS] = "wanders", [PROBE_SILENT] = "none"};

	static_assert(sizeof name / sizeof *name == PROBE_TRUSTS, "a name for each");
	return name[t];
}

/* --- the probes -------------------------------------------------------------------------------------------------- */

/* In the order of a memory access: what is cached, translated, in flight, executed. Other groups follow, those without
 * a name last. */
static size_t
group_rank(const char *group)
{
	static const char *const known[] = {"capacity", "translation", "window", "branches", "ports and latency",
		"folding"};
	size_t i = 0, n = sizeof known / sizeof *known;

	while (i < n && !str_eq(group, known[i]))
		i++;
	return *group ? i : n + 1;
}

static const char *
probe_book_group_of(const struct probe_entry *e)
{
	return e->probe ? e->probe->group : "";
}

static int
compare_entries(const void *a, const void *b)
{
	const struct probe_entry *x = a, *y = b;
	size_t i = group_rank(probe_book_group_of(x)), k = group_rank(probe_book_group_of(y));
	int order = i < k ? -1 : i > k ? 1 : strcmp(probe_book_group_of(x), probe_book_group_of(y));

	return order ? order : strcmp(x->name, y->name);
}

static void
add_entry(struct probe_book *b, const struct probe_entry *e)
{
	b->entry = mem_resize(b->entry, b->n + 1, sizeof *b->entry);
	b->entry[b->n++] = *e;
	qsort(b->entry, b->n, sizeof *b->entry, compare_entries);
}

struct probe_book *
probe_book_new(void)
{
	return mem_new(sizeof(struct probe_book));
}

void
probe_book_add(struct probe_book *b, struct probe *p)
{
	add_entry(b, &(struct probe_entry){.name = mem_str(p->name), .probe = p, .known.low = NAN});
}

struct probe_book *
probe_book_load(void)
{
	struct probe_book *book = probe_book_new();
	char **name = probe_names();

	for (size_t i = 0; name[i]; i++) {
		struct diags d = {0};
		struct err e = {0};
		struct probe *probe = probe_load(name[i], &d, &e);
		struct str fault = {0};

		if (!probe && d.n)
			diags_print(&d, "", &fault);
		else if (!probe)
			err_text(&e, &fault);
		add_entry(book, &(struct probe_entry){.name = mem_str(name[i]), .probe = probe,
			.fault = probe ? NULL : mem_str(str_text(&fault)), .known.low = NAN});
		str_free(&fault);
		diags_free(&d);
	}
	str_split_free(name);
	return book;
}

static void
free_measured(struct probe_measured *m)
{
	curve_free(&m->curve);
	knees_free(m->knees);
	free(m->machine);
	free(m->probe);
	free(m);
}

void
probe_book_free(struct probe_book *book)
{
	if (!book)
		return;
	for (size_t i = 0; i < book->n; i++) {
		free(book->entry[i].name);
		free(book->entry[i].fault);
		probe_free(book->entry[i].probe);
	}
	for (size_t i = 0; i < book->n_measured; i++)
		free_measured(book->measured[i]);
	free(book->entry);
	free(book->measured);
	free(book->machine);
	free(book->other);
	free(book);
}

void
probe_book_choose(struct probe_book *b, const char *machine, const char *other)
{
	char *old[] = {b->machine, b->other};

	b->machine = machine ? mem_str(machine) : NULL;
	b->other = other ? mem_str(other) : NULL;
	free(old[0]);
	free(old[1]);
}

size_t
probe_book_find(const struct probe_book *b, const char *probe)
{
	size_t i = 0;

	while (i < b->n && !str_eq(b->entry[i].name, probe))
		i++;
	return i;
}

/* --- the curves -------------------------------------------------------------------------------------------------- */

struct probe_measured *
probe_book_curve(const struct probe_book *b, const char *machine, const char *probe)
{
	for (size_t i = b->n_measured; machine && probe && i-- > 0;)
		if (str_eq(b->measured[i]->machine, machine) && str_eq(b->measured[i]->probe, probe))
			return b->measured[i];
	return NULL;
}

static void
remove_measured(struct probe_book *b, struct probe_measured *m)
{
	size_t i = 0;

	while (i < b->n_measured && b->measured[i] != m)
		i++;
	for (; i + 1 < b->n_measured; i++)
		b->measured[i] = b->measured[i + 1];
	b->n_measured--;
	free_measured(m);
}

/* Notes what a curve found that is measured anew, and what those before it found: "found before: 496, 498". */
static void
note_before(const struct probe_measured *old, struct curve *curve)
{
	static const char words[] = "found before: ";
	const char *earlier = NULL;

	for (size_t i = 0; i < old->curve.n_notes && !earlier; i++)
		if (str_starts(old->curve.note[i], words))
			earlier = old->curve.note[i] + strlen(words);
	if (old->whole && old->answer.found)
		curve_note(curve, str_format("%s%s%s%s%.6g", words, earlier ? earlier : "", earlier ? ", " : "",
			probe_answer_at_least(&old->answer) ? "≥ " : "", old->answer.value));
	else if (earlier)
		curve_note(curve, str_format("%s%s", words, earlier));
}

struct probe_measured *
probe_book_begin(struct probe_book *book, const char *machine, const char *probe)
{
	struct probe_measured *old = probe_book_curve(book, machine, probe), *m = mem_new(sizeof *m);

	*m = (struct probe_measured){.machine = mem_str(machine), .probe = mem_str(probe), .trust = PROBE_CUT};
	m->curve.name = mem_str(probe);
	if (probe_book_find(book, probe) == book->n)
		add_entry(book, &(struct probe_entry){.name = mem_str(probe), .known.low = NAN});
	if (old) {
		note_before(old, &m->curve);
		remove_measured(book, old);
	}
	book->measured = mem_resize(book->measured, book->n_measured + 1, sizeof(struct probe_measured *));
	book->measured[book->n_measured++] = m;
	return m;
}

void
probe_book_point(struct probe_measured *m, size_t at, const struct curve_point *p)
{
	if (at < m->curve.n)
		m->curve.point[at] = *p;
	else
		curve_add(&m->curve, p);
	if (at < m->stored.points)
		m->stored.points = at;
}

static double
scatter_of(const struct curve *curve)
{
	double *share = mem_new_array(curve->n, sizeof *share), median;

	for (size_t i = 0; i < curve->n; i++) {
		const struct curve_point *point = &curve->point[i];

		share[i] = point->mean > 0 ? (point->mean - point->min) / point->mean : 0;
	}
	sort_doubles(share, curve->n);
	median = share[curve->n / 2];
	free(share);
	return median;
}

/* The answer of a curve of which it is not known what it looks for. */
static struct probe_answer
first_knee(const struct knees *k)
{
	const struct knee *first = k->knee;

	return k->n ? (struct probe_answer){.found = true, .value = first->x, .low = first->low, .high = first->high}
		    : (struct probe_answer){0};
}

static enum probe_trust
trust_of(const struct probe_measured *measured, const struct probe *probe)
{
	double half = (measured->answer.high - measured->answer.low) / 2;
	double step = probe && probe->value == PROBE_KNEE ? 2.0 * (double)probe->step * probe->times / probe->over : 0;

	if (!measured->whole)
		return PROBE_CUT;
	if (!measured->answer.found)
		return PROBE_SILENT;
	if (measured->scatter > WANDER_SCATTER)
		return PROBE_WANDERS;
	if (probe_answer_at_least(&measured->answer))
		return PROBE_AT_LEAST;
	return half <= fmax(step, SHARP_SHARE * fabs(measured->answer.value)) ? PROBE_SHARP : PROBE_SOFT;
}

static bool
is_sorted(const struct curve *c)
{
	for (size_t i = 1; i < c->n; i++)
		if (!(c->point[i - 1].x < c->point[i].x))
			return false;
	return true;
}

/* Works out the answers and trust of all curves of a machine that grow no more: one may show that another is a lower
 * bound. Curves from files are of any machine. */
static void
answer_all(struct probe_book *book, const char *machine)
{
	struct probe_finding *all = mem_new_array(book->n_measured, sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < book->n_measured; i++) {
		struct probe_measured *measured = book->measured[i];
		const struct probe *probe = book->entry[probe_book_find(book, measured->probe)].probe;

		if (!measured->knees || !str_eq(measured->machine, machine))
			continue;
		measured->answer = probe ? probe_answer_of(probe, measured->knees) : first_knee(measured->knees);
		if (probe && measured->whole)
			all[n++] = (struct probe_finding){.probe = probe, .answer = &measured->answer};
	}
	if (!str_eq(machine, PROBE_IMPORT))
		probe_answers_compare(all, n, str_eq(machine, "native"));
	for (size_t i = 0; i < book->n_measured; i++)
		if (book->measured[i]->knees && str_eq(book->measured[i]->machine, machine))
			book->measured[i]->trust = trust_of(book->measured[i],
				book->entry[probe_book_find(book, book->measured[i]->probe)].probe);
	free(all);
}

void
probe_book_end(struct probe_book *book, struct probe_measured *measured, bool whole)
{
	const struct probe *probe = book->entry[probe_book_find(book, measured->probe)].probe;

	if (measured->curve.n == 0) {
		remove_measured(book, measured);
		return;
	}
	if (!is_sorted(&measured->curve)) {
		curve_sort(&measured->curve);
		measured->stored = (struct probe_stored){0};
	}
	measured->stored.head = false;
	measured->curve.means_of_all = str_eq(measured->machine, PROBE_IMPORT) && !(probe && probe_is_pair(probe));
	knees_free(measured->knees);
	measured->knees = knees_find(&measured->curve);
	measured->whole = whole;
	measured->scatter = scatter_of(&measured->curve);
	answer_all(book, measured->machine);
}

bool
probe_book_runs(const struct probe_book *b, const char *machine, size_t entry)
{
	const struct probe_entry *e = &b->entry[entry];

	if (!e->probe || !machine || probe_book_curve(b, machine, e->name))
		return true;
	return str_eq(machine, "native") ? !e->probe->needs_sim : !e->probe->needs_native;
}

size_t
probe_book_count(const struct probe_book *b, const char *machine)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += probe_book_runs(b, machine, i);
	return n;
}

size_t
probe_book_done(const struct probe_book *b, const char *machine)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_measured; i++)
		n += machine && b->measured[i]->whole && str_eq(b->measured[i]->machine, machine);
	return n;
}
