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
linear_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct linear *linear = (struct linear *)generator;
	struct sim_uop u = linear->uop;

	if (n > linear->left)
		n = linear->left;
	u.at = linear->at;
	for (size_t i = 0; i < n; i++) {
		out[i] = u;
		u.at += linear->step;
	}
	linear->left -= n;
	linear->at = u.at;
	if (!linear->left) {
		linear->left = linear->passes;
		linear->at = linear->from;
	}
	mix(&linear->mix, out, n);
	return n;
}

struct sim_generator *
sim_linear_new(const struct sim_plan *plan, struct err *e)
{
	int64_t stride = plan->set->value[SIM_SET_STRIDE];
	uint64_t size = (uint64_t)(stride < 0 ? -stride : stride),
		 bytes = (uint64_t)plan->set->value[SIM_SET_FOOTPRINT];
	struct linear *linear;

	if (!sim_plan_holds(plan, "linear, by its stride,", size, e))
		return NULL;
	linear = mem_new(sizeof *linear);
	linear->g.fill = linear_fill;
	linear->passes = linear->left = bytes / size;
	linear->step = (uint64_t)stride;
	linear->at = linear->from = plan->base + (stride < 0 ? (linear->passes - 1) * size : 0);
	/* so that no access crosses a line */
	linear->uop = sim_plan_uop(plan, size % WORD == 0 ? WORD : (unsigned)(size & -size));
	linear->mix = mix_of(plan);
	return &linear->g;
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
lines_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct lines *lines = (struct lines *)generator;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		struct sim_uop u = lines->uop;

		/* both of one kind: only neighbouring accesses of the same kind trigger a prefetch */
		mix(&lines->mix, &u, 1);
		u.at = lines->base + (lines->page << 12) + lines->line[0];
		out[i] = u;
		u.at += lines->line[1] - lines->line[0];
		out[i + 1] = u;
		lines->page += lines->step;
		if (lines->page >= lines->pages)
			lines->page -= lines->pages;
	}
	return i;
}

struct sim_generator *
sim_lines_new(const struct sim_plan *plan, struct err *e)
{
	const int64_t *v = plan->set->value;
	uint64_t pages = (uint64_t)v[SIM_SET_FOOTPRINT] >> 12,
		step = (uint64_t)(v[SIM_SET_STEP] < 0 ? -v[SIM_SET_STEP] : v[SIM_SET_STEP]);
	struct lines *lines;

	if (!sim_plan_holds(plan, "lines, by its step,", step << 12, e))
		return NULL;
	lines = mem_new(sizeof *lines);
	lines->g.fill = lines_fill;
	lines->base = plan->base;
	lines->pages = pages;
	lines->page = v[SIM_SET_STEP] < 0 ? pages - 1 : 0;
	lines->step = v[SIM_SET_STEP] < 0 ? pages - step : step == pages ? 0 : step;
	lines->line[0] = (uint64_t)v[SIM_SET_FIRST] * 64;
	lines->line[1] = (uint64_t)v[SIM_SET_SECOND] * 64;
	lines->uop = sim_plan_uop(plan, WORD);
	lines->mix = mix_of(plan);
	return &lines->g;
}

struct everywhere {
	struct sim_generator g;
	uint64_t base, words, random;
	struct sim_uop uop;
	struct mix mix;
};

static size_t
random_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct everywhere *everywhere = (struct everywhere *)generator;
	uint64_t random = everywhere->random, base = everywhere->base, words = everywhere->words;
	struct sim_uop u = everywhere->uop;

	for (size_t i = 0; i < n; i++) {
		u.at = base + random_below(&random, words) * WORD;
		out[i] = u;
	}
	everywhere->random = random;
	mix(&everywhere->mix, out, n);
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
gups_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct everywhere *everywhere = (struct everywhere *)generator;
	struct sim_uop u = everywhere->uop;
	size_t i = 0;

	for (; i + 2 <= n; i += 2) {
		u.at = everywhere->base + random_below(&everywhere->random, everywhere->words) * WORD;
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
stream_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct stream *stream = (struct stream *)generator;
	struct sim_uop u = stream->uop;
	size_t k = 0;

	while (k + stream->reads < n) {
		u.at = stream->base + stream->i * WORD;
		u.kind = SIM_LOAD;
		for (unsigned a = 0; a < stream->reads; a++, u.at += stream->array)
			out[k++] = u;
		u.kind = SIM_STORE;
		out[k++] = u;
		stream->i = stream->i + 1 == stream->n ? 0 : stream->i + 1;
	}
	return k;
}

struct sim_generator *
sim_stream_new(const struct sim_plan *plan, struct err *e)
{
	unsigned reads = plan->set->value[SIM_SET_KERNEL] < 2 ? 1 : 2;
	struct stream *stream;

	(void)e; /* even the smallest footprint holds a word of each array */
	stream = mem_new(sizeof *stream);
	stream->g.fill = stream_fill;
	stream->base = plan->base;
	stream->n = (uint64_t)plan->set->value[SIM_SET_FOOTPRINT] / (WORD * (reads + 1));
	stream->array = stream->n * WORD;
	stream->reads = reads;
	stream->uop = sim_plan_uop(plan, WORD);
	return &stream->g;
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
code_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct code *code = (struct code *)generator;
	struct sim_uop u = code->uop;

	for (size_t i = 0; i < n; i++) {
		uint64_t r = random_next(&code->random);

		if (r >> 60 == 0 && code->frame + 1 < code->frames) /* one access in 16 calls, one in 16 returns */
			code->frame++;
		else if (r >> 60 == 1 && code->frame > 0)
			code->frame--;
		u.at = code->base + code->frame * FRAME + r % (FRAME / WORD) * WORD;
		out[i] = u;
	}
	mix(&code->mix, out, n);
	return n;
}

struct sim_generator *
sim_code_new(const struct sim_plan *plan, struct err *e)
{
	struct code *code;

	if (!sim_plan_holds(plan, "code", FRAME, e))
		return NULL;
	code = mem_new(sizeof *code);
	code->g.fill = code_fill;
	code->base = plan->base;
	code->frames = (uint64_t)plan->set->value[SIM_SET_FOOTPRINT] / FRAME;
	code->random = random_scatter(plan->seed);
	code->uop = sim_plan_uop(plan, WORD);
	code->mix = mix_of(plan);
	return &code->g;
}

struct periodic {
	struct sim_generator g;
	uint64_t base, words, few; /* words of its memory, and of the part that the quiet phase goes through */
	uint64_t period_ns, busy_ns, offset_ns;
	uint64_t random, stores;   /* stores: probability times 2^32 */
	struct sim_uop uop;
};

static size_t
periodic_fill(struct sim_generator *generator, struct sim_uop *out, size_t n)
{
	struct periodic *periodic = (struct periodic *)generator;
	bool busy = (generator->now_ns + periodic->offset_ns) % periodic->period_ns < periodic->busy_ns;

	for (size_t i = 0; i < n; i++) {
		struct sim_uop u = periodic->uop;

		u.at = periodic->base + random_below(&periodic->random, busy ? periodic->words : periodic->few) * WORD;
		u.kind = periodic->stores && (uint32_t)random_next(&periodic->random) < periodic->stores ? SIM_STORE
													 : SIM_LOAD;
		out[i] = u;
	}
	return n;
}

/* Makes a generator whose phase at the beginning is random. */
struct sim_generator *
sim_periodic_new(const struct sim_plan *plan, struct err *e)
{
	const int64_t *v = plan->set->value;
	struct periodic *periodic;

	if (!sim_plan_holds(plan, "periodic, by its quiet part,", (uint64_t)v[SIM_SET_QUIET], e))
		return NULL;
	periodic = mem_new(sizeof *periodic);
	periodic->g.fill = periodic_fill;
	periodic->base = plan->base;
	periodic->words = (uint64_t)v[SIM_SET_FOOTPRINT] / WORD;
	periodic->few = (uint64_t)v[SIM_SET_QUIET] / WORD;
	periodic->period_ns = (uint64_t)v[SIM_SET_PERIOD];
	periodic->busy_ns = (uint64_t)((u128)periodic->period_ns * (uint64_t)v[SIM_SET_BUSY] / SHARE_ONE);
	periodic->random = random_scatter(plan->seed);
	periodic->offset_ns = random_below(&periodic->random, periodic->period_ns);
	periodic->stores = sim_share_of_bits(SHARE_ONE - v[SIM_SET_LOADS]);
	periodic->uop = (struct sim_uop){.kind = SIM_LOAD, .other = (uint16_t)v[SIM_SET_OTHER], .size = WORD};
	return &periodic->g;
}
