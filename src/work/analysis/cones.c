/* The cache has an entry per key (features, counters), in a hash table and in a list by last use, newest first.
 *
 *     key                    entry
 *     features, no counters  the signatures of the choice
 *     features, counters     the cone of those signatures over those counters
 *
 * Many choices have the same cone, so cones are reference-counted and equal signatures lead to one cone. A new cone is
 * made, where possible, from the cone of a similar choice by adding rays. */
#include "work/analysis/cones.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/panic.h"
#include "base/str.h"
#include "core/cone/cone.h"
#include "core/cone/signatures.h"
#include "core/udd/diagram.h"
#include "core/udd/model.h"
#include "text/diag.h"

#define NEIGHBOURS_MAX 6 /* number of existing cones from which a new one may be made */

struct shared {
	struct cone *cone;
	size_t bytes, users;
};

struct entry {
	struct fset on;
	bool *keep;              /* NULL: the entry holds the signatures of the choice */
	bool spans;              /* the entry holds the cone of cones_span() */
	uint64_t hash;
	struct signatures *sig;
	char *packed;            /* the signatures as bytes, when they have been packed once; `sig` may be NULL then */
	size_t packed_bytes;
	struct shared *shared;
	size_t bytes;            /* bytes of the entry without the cone */
	double seconds;          /* seconds that expanding and walking the diagram took, for signatures */
	unsigned long used;      /* the last round that asked for the entry */
	struct entry *newer, *older, *next; /* next: the next entry in the same slot */
};

struct cones {
	const struct udd_model *model;
	struct cone_limits limits;
	size_t n_max, bytes_max;
	struct entry **slot;
	size_t slots;
	struct entry *newest, *oldest;
	struct cones_size size;
	unsigned long round;
};

struct cones *
cones_new(const struct udd_model *m, double seconds)
{
	struct cones *c = mem_new(sizeof *c);

	c->model = m;
	c->limits.seconds = seconds;
	c->slots = 256;
	c->slot = mem_new_array(c->slots, sizeof *c->slot);
	cones_set_bounds(c, CONES_MAX, CONES_BYTES_MAX);
	return c;
}

static uint64_t
hash_key(const struct cones *c, const struct fset *on, const bool *keep, bool spans)
{
	uint64_t h = spans ? 2 : keep ? 1 : 0;

	for (size_t i = 0; i < sizeof on->w / sizeof *on->w; i++)
		h = (h ^ on->w[i]) * 0x9e3779b97f4a7c15u + 1;
	for (size_t i = 0; keep && i < c->model->n_counters; i++)
		h = (h ^ (h >> 29) ^ keep[i]) * 0xbf58476d1ce4e5b9u;
	return h ^ h >> 32;
}

static void
unlink_use(struct cones *c, struct entry *e)
{
	*(e->newer ? &e->newer->older : &c->newest) = e->older;
	*(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void
link_use(struct cones *c, struct entry *e)
{
	e->newer = NULL;
	e->older = c->newest;
	*(c->newest ? &c->newest->newer : &c->oldest) = e;
	c->newest = e;
	e->used = c->round;
}

static void
release(struct cones *c, struct shared *s)
{
	if (!s || --s->users > 0)
		return;
	c->size.cones--;
	c->size.bytes -= s->bytes;
	cone_free(s->cone);
	free(s);
}

static void
cones_forget(struct cones *cones, struct entry *entry)
{
	struct entry **at = &cones->slot[entry->hash & (cones->slots - 1)];

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	unlink_use(cones, entry);
	cones->size.choices--;
	cones->size.bytes -= entry->bytes;
	release(cones, entry->shared);
	signatures_free(entry->sig);
	free(entry->packed);
	free(entry->keep);
	free(entry);
}

void
cones_free(struct cones *c)
{
	if (!c)
		return;
	while (c->newest)
		cones_forget(c, c->newest);
	free(c->slot);
	free(c);
}

static void
cones_trim(struct cones *c)
{
	while (c->oldest && c->oldest->used != c->round && (c->size.choices > c->n_max || c->size.bytes > c->bytes_max))
		cones_forget(c, c->oldest);
}

void
cones_set_bounds(struct cones *c, size_t n, size_t bytes)
{
	c->n_max = n;
	c->bytes_max = bytes;
}

static void
set_bytes(struct cones *c, struct entry *e, size_t bytes)
{
	c->size.bytes += bytes - e->bytes;
	e->bytes = bytes;
}

/* Packs signatures that the last round did not ask for. A round that explains a refutation goes through a hundred
 * choices. */
static void
pack_older(struct cones *cones)
{
	for (struct entry *entry = cones->newest; entry; entry = entry->older) {
		if (!entry->sig || entry->used + 1 >= cones->round)
			continue;
		if (!entry->packed)
			entry->packed = signatures_pack(entry->sig, &entry->packed_bytes);
		signatures_free(entry->sig);
		entry->sig = NULL;
		set_bytes(cones, entry, sizeof *entry + entry->packed_bytes);
	}
}

void
cones_begin(struct cones *c)
{
	c->round++;
	pack_older(c);
	cones_trim(c);
}

static struct entry *
cones_find(struct cones *cones, const struct fset *on, const bool *keep, bool spans)
{
	uint64_t hash = hash_key(cones, on, keep, spans);
	struct entry *entry = cones->slot[hash & (cones->slots - 1)];

	while (entry &&
		(entry->hash != hash || !fset_equal(&entry->on, on) || !entry->keep != !keep || entry->spans != spans ||
			(keep && memcmp(entry->keep, keep, cones->model->n_counters * sizeof *keep) != 0)))
		entry = entry->next;
	if (entry) {
		unlink_use(cones, entry);
		link_use(cones, entry);
	}
	return entry;
}

/* Doubles the hash table. An observation may have its own set of counters, so one round may need as many cones as
 * observations exist. */
static void
more_slots(struct cones *c)
{
	free(c->slot);
	c->slots *= 2;
	c->slot = mem_new_array(c->slots, sizeof *c->slot);
	for (struct entry *e = c->newest; e; e = e->older) {
		struct entry **at = &c->slot[e->hash & (c->slots - 1)];

		e->next = *at;
		*at = e;
	}
}

static struct entry *
cones_add(struct cones *cones, const struct fset *on, const bool *keep, bool spans, size_t bytes)
{
	struct entry *entry = mem_new(sizeof *entry), **at;

	entry->on = *on;
	entry->keep = keep ? mem_copy(keep, cones->model->n_counters * sizeof *keep) : NULL;
	entry->spans = spans;
	entry->hash = hash_key(cones, on, keep, spans);
	entry->bytes = bytes + sizeof *entry + (keep ? cones->model->n_counters : 0);
	at = &cones->slot[entry->hash & (cones->slots - 1)];
	entry->next = *at;
	*at = entry;
	link_use(cones, entry);
	cones->size.bytes += entry->bytes;
	if (++cones->size.choices > cones->slots)
		more_slots(cones);
	return entry;
}

/* Returns the signatures of the choice: all of them, or enough to span its cone. */
static struct signatures *
make_signatures(const struct cones *cones, const struct fset *on, bool spans, char **error)
{
	struct diags d = {0};
	struct udd_diagram *diagram = udd_expand(cones->model, on, &d);
	struct signatures *sig = !diagram ? NULL
		: spans                   ? signatures_spanning(diagram, &d)
					  : signatures_new(diagram, &d);

	udd_diagram_free(diagram);
	if (!sig) {
		struct str text = {0};

		diags_print(&d, "", &text);
		*error = str_take(&text);
	}
	diags_free(&d);
	return sig;
}

const struct signatures *
cones_signatures(struct cones *cones, const struct fset *on, char **error)
{
	struct entry *entry = cones_find(cones, on, NULL, false);
	struct signatures *sig;
	double start = clock_seconds();

	if (entry && !entry->sig) {
		entry->sig = signatures_unpack(entry->packed);
		set_bytes(cones, entry, sizeof *entry + entry->packed_bytes + signatures_bytes(entry->sig));
	}
	if (entry)
		return entry->sig;
	sig = make_signatures(cones, on, false, error);
	if (sig) {
		entry = cones_add(cones, on, NULL, false, signatures_bytes(sig));
		entry->sig = sig;
		entry->seconds = clock_seconds() - start;
		cones_trim(cones);
	}
	return sig;
}

double
cones_walk_seconds(struct cones *c, const struct fset *on)
{
	const struct entry *e = cones_find(c, on, NULL, false);

	return e ? e->seconds : 0;
}

/* Copies the kept columns, row by row. */
static int64_t *
select_columns(const struct signatures *sig, const bool *keep, size_t *n_kept)
{
	size_t width = 0, at = 0;
	int64_t *row;

	for (size_t i = 0; i < sig->n_counters; i++)
		width += keep[i];
	row = mem_new_array(sig->n * width, sizeof *row);
	for (size_t k = 0; k < sig->n; k++)
		for (size_t i = 0; i < sig->n_counters; i++)
			if (keep[i])
				row[at++] = sig->coef[k * sig->n_counters + i];
	*n_kept = width;
	return row;
}

/* Returns how far apart two choices are: the number of features that differ. Features that only the other choice has
 * count high, because their rays would have to be removed. */
static size_t
cones_distance(const struct fset *new, const struct fset *old)
{
	size_t d = 0;

	for (size_t i = 0; i < sizeof new->w / sizeof *new->w; i++) {
		d += (size_t)__builtin_popcountll(new->w[i] & ~old->w[i]);
		d += FSET_MAX * (size_t)__builtin_popcountll(old->w[i] & ~new->w[i]);
	}
	return d;
}

/* Collects the nearest complete cones over the same counters. */
static size_t
find_neighbours(const struct cones *cones, const struct fset *on, const bool *keep, const struct cone **near)
{
	size_t far[NEIGHBOURS_MAX], n = 0;

	for (const struct entry *entry = cones->newest; entry; entry = entry->older) {
		size_t d, i;

		if (!entry->keep || !entry->shared->cone->complete ||
			memcmp(entry->keep, keep, cones->model->n_counters * sizeof *keep) != 0)
			continue;
		d = cones_distance(on, &entry->on);
		for (i = n < NEIGHBOURS_MAX ? n++ : n; i > 0 && far[i - 1] > d; i--)
			if (i < NEIGHBOURS_MAX) {
				far[i] = far[i - 1];
				near[i] = near[i - 1];
			}
		if (i < NEIGHBOURS_MAX) {
			far[i] = d;
			near[i] = entry->shared->cone;
		}
	}
	return n;
}

static bool
equal(const struct cone *a, const struct cone *b)
{
	return a->n_counters == b->n_counters && a->n_signatures == b->n_signatures && a->complete == b->complete
		&& memcmp(a->signature, b->signature, a->n_signatures * a->n_counters * sizeof *a->signature) == 0;
}

/* Takes the cone over. Returns an equal cone when the cache has one, otherwise this one. */
static struct shared *
share(struct cones *cones, struct cone *cone)
{
	struct shared *shared;

	for (struct entry *entry = cones->newest; entry; entry = entry->older)
		if (entry->shared && entry->shared->cone != cone && equal(entry->shared->cone, cone)) {
			cone_free(cone);
			entry->shared->users++;
			return entry->shared;
		}
	shared = mem_new(sizeof *shared);
	shared->cone = cone;
	shared->users = 1;
	shared->bytes = cone_bytes(cone) + sizeof *shared;
	cones->size.cones++;
	cones->size.bytes += shared->bytes;
	return shared;
}

static const struct cone *
make_cone(struct cones *cones, const struct fset *on, const bool *keep, bool spans, const struct signatures *sig)
{
	const struct cone *near[NEIGHBOURS_MAX];
	struct shared *shared;
	int64_t *row;
	size_t width;

	row = select_columns(sig, keep, &width);
	shared = share(
		cones, cone_grow(near, find_neighbours(cones, on, keep, near), width, sig->n, row, &cones->limits));
	free(row);
	cones_add(cones, on, keep, spans, 0)->shared = shared;
	cones_trim(cones);
	return shared->cone;
}

const struct cone *
cones_get(struct cones *cones, const struct fset *on, const bool *keep)
{
	struct entry *entry = cones_find(cones, on, keep, false);
	const struct signatures *sig;
	char *error = NULL;

	if (entry)
		return entry->shared->cone;
	sig = cones_signatures(cones, on, &error);
	if (!sig)
		panic("a cone was asked for a choice of features without signatures: %s", error);
	return make_cone(cones, on, keep, false, sig);
}

const struct cone *
cones_span(struct cones *cones, const struct fset *on, const bool *keep, char **error)
{
	struct entry *entry = cones_find(cones, on, keep, false);
	const struct cone *cone = NULL;
	struct signatures *sig;

	entry = entry ? entry : cones_find(cones, on, keep, true);
	if (entry)
		return entry->shared->cone;
	sig = make_signatures(cones, on, true, error);
	if (sig)
		cone = make_cone(cones, on, keep, true, sig);
	signatures_free(sig);
	return cone;
}

struct cones_size
cones_size(const struct cones *c)
{
	return c->size;
}
