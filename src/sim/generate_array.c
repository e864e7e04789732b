/* Workloads that go through arrays; and `periodic`, which touches much memory and little memory in turns, by the clock.
 * A program that a timer wakes behaves like that, and its period may equal that of the PMU's rotation. */
#include "sim/generate.h"

#include "base/mem.h"
#include "sim/orders.h"

#define WORD 8u

/* Decides which µops are stores, and which take their address from the load before. */
struct mix {
	uint64_t random, stores, depends[2]; /* probabilities times 2^32; depends by kind */
};

static struct mix
mix_of(const struct sim_plan *p)
{
	const int64_t *v = p->set->value;

	return (struct mix){
		.random = random_scatter(p->seed + 1),
		.stores = sim_share_of_bits(SHARE_ONE - v[SIM_SET_LOADS]),
		.depends = {[SIM_LOAD] = sim_share_of_bits(v[SIM_SET_DEPENDS]),
			[SIM_STORE] = sim_share_of_bits(v[SIM_SET_STORE_DEPENDS])},
	};
}

static void
mix(struct mix *m, struct sim_uop *out, size_t n)
{
	const uint64_t all = (uint64_t)1 << 32;
	uint64_t random = m->random;

	if ((m->stores == 0 || m->stores == all) && !m->depends[m->stores != 0]) { /* no random numbers are needed */
		for (size_t i = 0; m->stores && i < n; i++)
			out[i].kind = SIM_STORE;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t r = random_next(&random);
		unsigned kind = (uint32_t)r < m->stores;

		out[i].kind = (uint8_t)kind;
		out[i].flags = r >> 32 < m->depends[kind] ? SIM_DEPENDS : 0;
	}
	m->random = random;
}

struct linear {
	struct sim_generator g;
	uint64_t from, step, at; /* step: modulo 2^64 */
	uint64_t passes, left;   /* accesses from one end to the other */
	struct sim_uop uop;
	struct mix mix;
};

static size_t
linear_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct linear *l = (struct linear *)g;
	struct sim_uop u = l->uop;

	if (n > l->left)
		n = l->left;
	u.at = l->at;
	for (size_t i = 0; i < n; i++) {
		out[i] = u;
		u.at += l->step;
	}
	l->left -= n;
	l->at = u.at;
	if (!l->left) {
		l->left = l->passes;
		l->at = l->from;
	}
	mix(&l->mix, out, n);
	return n;
}

struct sim_generator *
sim_linear_new(const struct sim_plan *p, struct err *e)
{
	int64_t stride = p->set->value[SIM_SET_STRIDE];
	uint64_t size = (uint64_t)(stride < 0 ? -stride : stride), bytes = (uint64_t)p->set->value[SIM_SET_FOOTPRINT];
	struct linear *l;

	if (!sim_plan_holds(p, "linear, by its stride,", size, e))
		return NULL;
	l = mem_new(sizeof *l);
	l->g.fill = linear_fill;
	l->passes = l->left = bytes / size;
	l->step = (uint64_t)stride;
	l->at = l->from = p->base + (stride < 0 ? (l->passes - 1) * size : 0);
	/* so that no access crosses a line */
	l->uop = sim_plan_uop(p, size % WORD == 0 ? WORD : (unsigned)(size & -size));
	l->mix = mix_of(p);
	return &l->g;
}

/* Touches two lines of a page one after the other, page after page. This finds by trial which pairs trigger a prefetch.
 */
struct lines {
	struct sim_generator g;
	uint64_t base, page, step, pages;
	uint64_t line[2];
	struct sim_uop uop;
	struct mix mix;
};

static size_t
lines_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct lines *l = (struct lines *)g;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		struct sim_uop u = l->uop;

		/* both of one kind: only neighbouring accesses of the same kind trigger a prefetch */
		mix(&l->mix, &u, 1);
		u.at = l->base + (l->page << 12) + l->line[0];
		out[i] = u;
		u.at += l->line[1] - l->line[0];
		out[i + 1] = u;
		l->page += l->step;
		if (l->page >= l->pages)
			l->page -= l->pages;
	}
	return i;
}

struct sim_generator *
sim_lines_new(const struct sim_plan *p, struct err *e)
{
	const int64_t *v = p->set->value;
	uint64_t pages = (uint64_t)v[SIM_SET_FOOTPRINT] >> 12,
		step = (uint64_t)(v[SIM_SET_STEP] < 0 ? -v[SIM_SET_STEP] : v[SIM_SET_STEP]);
	struct lines *l;

	if (!sim_plan_holds(p, "lines, by its step,", step << 12, e))
		return NULL;
	l = mem_new(sizeof *l);
	l->g.fill = lines_fill;
	l->base = p->base;
	l->pages = pages;
	l->page = v[SIM_SET_STEP] < 0 ? pages - 1 : 0;
	l->step = v[SIM_SET_STEP] < 0 ? pages - step : step == pages ? 0 : step;
	l->line[0] = (uint64_t)v[SIM_SET_FIRST] * 64;
	l->line[1] = (uint64_t)v[SIM_SET_SECOND] * 64;
	l->uop = sim_plan_uop(p, WORD);
	l->mix = mix_of(p);
	return &l->g;
}

struct everywhere {
	struct sim_generator g;
	uint64_t base, words, random;
	struct sim_uop uop;
	struct mix mix;
};

static size_t
random_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct everywhere *r = (struct everywhere *)g;
	uint64_t random = r->random, base = r->base, words = r->words;
	struct sim_uop u = r->uop;

	for (size_t i = 0; i < n; i++) {
		u.at = base + random_below(&random, words) * WORD;
		out[i] = u;
	}
	r->random = random;
	mix(&r->mix, out, n);
	return n;
}

static struct everywhere *
everywhere_new(const struct sim_plan *p)
{
	struct everywhere *r = mem_new(sizeof *r);

	r->base = p->base;
	r->words = (uint64_t)p->set->value[SIM_SET_FOOTPRINT] / WORD;
	r->random = random_scatter(p->seed);
	r->uop = sim_plan_uop(p, WORD);
	r->mix = mix_of(p);
	return r;
}

struct sim_generator *
sim_random_new(const struct sim_plan *p, struct err *e)
{
	struct everywhere *r;

	(void)e; /* even the smallest footprint holds a word */
	r = everywhere_new(p);
	r->g.fill = random_fill;
	return &r->g;
}

/* Updates of random words (GUPS of the HPC Challenge): load, change, store. */
static size_t
gups_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct everywhere *r = (struct everywhere *)g;
	struct sim_uop u = r->uop;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		u.at = r->base + random_below(&r->random, r->words) * WORD;
		out[i] = u;
		out[i + 1] = u;
		out[i + 1].kind = SIM_STORE;
		out[i + 1].other = 1; /* the change of the word */
	}
	return i;
}

struct sim_generator *
sim_gups_new(const struct sim_plan *p, struct err *e)
{
	struct everywhere *r;

	(void)e;
	r = everywhere_new(p);
	r->g.fill = gups_fill;
	return &r->g;
}

/* STREAM's kernels (McCalpin, 1995): reads one or two arrays, writes another. */
struct stream {
	struct sim_generator g;
	uint64_t base, array, i, n;
	unsigned reads;
	struct sim_uop uop;
};

static size_t
stream_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct stream *s = (struct stream *)g;
	struct sim_uop u = s->uop;
	size_t k = 0;

	while (k + s->reads < n) {
		u.at = s->base + s->i * WORD;
		u.kind = SIM_LOAD;
		for (unsigned a = 0; a < s->reads; a++, u.at += s->array)
			out[k++] = u;
		u.kind = SIM_STORE;
		out[k++] = u;
		s->i = s->i + 1 == s->n ? 0 : s->i + 1;
	}
	return k;
}

struct sim_generator *
sim_stream_new(const struct sim_plan *p, struct err *e)
{
	unsigned reads = p->set->value[SIM_SET_KERNEL] < 2 ? 1 : 2;
	struct stream *s;

	(void)e; /* even the smallest footprint holds a word of each array */
	s = mem_new(sizeof *s);
	s->g.fill = stream_fill;
	s->base = p->base;
	s->n = (uint64_t)p->set->value[SIM_SET_FOOTPRINT] / (WORD * (reads + 1));
	s->array = s->n * WORD;
	s->reads = reads;
	s->uop = sim_plan_uop(p, WORD);
	return &s->g;
}

/* Code with many instructions and little data: a stack on which frames come and go. */
#define FRAME 256u

struct code {
	struct sim_generator g;
	uint64_t base, frames, frame, random;
	struct sim_uop uop;
	struct mix mix;
};

static size_t
code_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct code *c = (struct code *)g;
	struct sim_uop u = c->uop;

	for (size_t i = 0; i < n; i++) {
		uint64_t r = random_next(&c->random);

		if (r >> 60 == 0 && c->frame + 1 < c->frames) /* one access in 16 calls, one in 16 returns */
			c->frame++;
		else if (r >> 60 == 1 && c->frame > 0)
			c->frame--;
		u.at = c->base + c->frame * FRAME + r % (FRAME / WORD) * WORD;
		out[i] = u;
	}
	mix(&c->mix, out, n);
	return n;
}

struct sim_generator *
sim_code_new(const struct sim_plan *p, struct err *e)
{
	struct code *c;

	if (!sim_plan_holds(p, "code", FRAME, e))
		return NULL;
	c = mem_new(sizeof *c);
	c->g.fill = code_fill;
	c->base = p->base;
	c->frames = (uint64_t)p->set->value[SIM_SET_FOOTPRINT] / FRAME;
	c->random = random_scatter(p->seed);
	c->uop = sim_plan_uop(p, WORD);
	c->mix = mix_of(p);
	return &c->g;
}

struct periodic {
	struct sim_generator g;
	uint64_t base, words, few; /* words of its memory, and of the part that the quiet phase goes through */
	uint64_t period_ns, busy_ns, offset_ns;
	uint64_t random, stores;   /* stores: probability times 2^32 */
	struct sim_uop uop;
};

static size_t
periodic_fill(struct sim_generator *g, struct sim_uop *out, size_t n)
{
	struct periodic *p = (struct periodic *)g;
	bool busy = (g->now_ns + p->offset_ns) % p->period_ns < p->busy_ns;

	for (size_t i = 0; i < n; i++) {
		struct sim_uop u = p->uop;

		u.at = p->base + random_below(&p->random, busy ? p->words : p->few) * WORD;
		u.kind = p->stores && (uint32_t)random_next(&p->random) < p->stores ? SIM_STORE : SIM_LOAD;
		out[i] = u;
	}
	return n;
}

/* Makes a generator whose phase at the beginning is random. */
struct sim_generator *
sim_periodic_new(const struct sim_plan *plan, struct err *e)
{
	const int64_t *v = plan->set->value;
	struct periodic *p;

	if (!sim_plan_holds(plan, "periodic, by its quiet part,", (uint64_t)v[SIM_SET_QUIET], e))
		return NULL;
	p = mem_new(sizeof *p);
	p->g.fill = periodic_fill;
	p->base = plan->base;
	p->words = (uint64_t)v[SIM_SET_FOOTPRINT] / WORD;
	p->few = (uint64_t)v[SIM_SET_QUIET] / WORD;
	p->period_ns = (uint64_t)v[SIM_SET_PERIOD];
	p->busy_ns = (uint64_t)((u128)p->period_ns * (uint64_t)v[SIM_SET_BUSY] / SHARE_ONE);
	p->random = random_scatter(plan->seed);
	p->offset_ns = random_below(&p->random, p->period_ns);
	p->stores = sim_share_of_bits(SHARE_ONE - v[SIM_SET_LOADS]);
	p->uop = (struct sim_uop){.kind = SIM_LOAD, .other = (uint16_t)v[SIM_SET_OTHER], .size = WORD};
	return &p->g;
}
