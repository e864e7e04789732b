/* Measures an exported probe of hecate and prints its curve: for each x the time of a pass, of as many repetitions as
 * are wanted. What a measurement costs beyond its passes is the same for few and for many, and is taken away.
 *
 * Arguments, all optional; -D gives other defaults (PASSES, REPEATS, LINES, X):
 *
 *     passes=N     passes of a measurement (of a footprint: of 16 loads each)
 *     repeats=N    measurements of each x
 *     lines=N      lines of 64 bytes of each chain of loads that miss; a power of two, more than any cache holds
 *     x=N          this x alone
 *     counter=cycles | time
 *
 * docs/probe-export.md of hecate describes the output. */
#include "runner.h"

#include "machine.h"

#ifndef PASSES
#define PASSES 400
#endif
#ifndef REPEATS
#define REPEATS 9
#endif
#ifndef LINES
#define LINES 1048576
#endif

#ifndef X
#define X 0
#endif

#define MILLI 1000u
#define TICKS_FEWEST 2000  /* of a measurement by a counter that is not of cycles */
#define PASSES_MOST (UINT64_C(1) << 24)
#define REPEATS_MOST 1000
#define PAGE 4096
#define COIN_WARM 300      /* passes before those of a probe with random branches, */
#define COIN_PASSES 400    /* and least number of those */
#define SCALE_REPEATS 5
#define ADDS 64            /* additions of one turn of the yardstick */

struct run {
	uint64_t passes, repeats, lines, x; /* x 0: all */
	int time;                           /* 1: by the second counter, though the first may work */
	enum counter counter;
	int scaled;                         /* ticks are not cycles */
	uint64_t adds, ticks;               /* so many additions, each of one cycle, took so many ticks */
	uint64_t done[3];                   /* passes so far: of chains 1 and 2, and of the footprint at hand */
	struct probe_state state;
};

/* The near region, and a line before it for atomic operations. */
static uint64_t near[(LINE + NEAR_BYTES + LINE) / 8] __attribute__((aligned(4096)));
static char *chain[4], *footprint;
static uint64_t footprint_lines;

static void
put(int fd, const char *text)
{
	uint64_t n = 0;

	while (text[n])
		n++;
	machine_write(fd, text, n);
}

static void
put_number(uint64_t v)
{
	char digits[24], *p = digits + sizeof digits;

	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	machine_write(1, p, (uint64_t)(digits + sizeof digits - p));
}

static void
put_milli(int64_t signed_v)
{
	uint64_t v = signed_v < 0 ? (uint64_t)-signed_v : (uint64_t)signed_v;
	char rest[4] = {'.', (char)('0' + v / 100 % 10), (char)('0' + v / 10 % 10), (char)('0' + v % 10)};

	if (signed_v < 0)
		put(1, "-");
	put_number(v / MILLI);
	machine_write(1, rest, sizeof rest);
}

static void __attribute__((noreturn))
fail(const char *what)
{
	put(2, hecate_probe.name);
	put(2, ": ");
	put(2, what);
	put(2, "\n");
	machine_end(2);
}

/* Place i of an order of the numbers below n that no prefetcher knows. Each step permutes the numbers below a power of
 * two; a result of n or more goes through again. */
static uint64_t
order_at(uint64_t i, uint64_t n)
{
	unsigned bits = 1;
	uint64_t mask;

	while (UINT64_C(1) << bits < n)
		bits++;
	mask = (UINT64_C(1) << bits) - 1;
	do {
		i = (i * UINT64_C(0x9e3779b97f4a7c15) + 1) & mask;
		i ^= i >> (bits + 1) / 2;
		i = i * UINT64_C(0xbf58476d1ce4e5b9) & mask;
		i ^= i >> (bits + 1) / 2;
	} while (i >= n);
	return i;
}

/* Line i of a chain, as a pointer; and of the footprint at hand. In small pages each line of a footprint is at another
 * place of its page, so that they share no set of a cache. */
static char *
far_line(const struct run *r, unsigned k, uint64_t i)
{
	return chain[k] + order_at(i % r->lines, r->lines) * LINE;
}

static char *
footprint_line(uint64_t i)
{
	const struct probe *p = &hecate_probe;
	uint64_t at = p->sequential ? i % footprint_lines : order_at(i % footprint_lines, footprint_lines);

	return footprint + at * p->stride + (p->small_pages ? at * LINE % PAGE : 0);
}

static char *
memory(uint64_t bytes)
{
	char *at = machine_memory(bytes, !hecate_probe.small_pages);

	if (!at)
		fail("not enough memory; lines=N takes less");
	return at;
}

/* The state before the first pass. */
static void
set_up(struct run *r)
{
	const struct probe *p = &hecate_probe;
	struct probe_state *s = &r->state;

	s->near = (uint64_t)(near + LINE / 8) + p->bias;
	for (uint64_t i = 0; i < NEAR_BYTES / 8; i++)
		near[LINE / 8 + i] = s->near;
	s->one = 1;
	s->fp_one = s->fp_chain = 1;
	s->chain[1] = s->chain[2] = s->chain[3] = s->near;
	s->random = UINT64_C(0x853c49e6748fea9b);
	s->multiplier = UINT64_C(6364136223846793005);
	s->mask = r->lines * LINE - 1;
	s->step = (r->lines * 5 / 8 | 1) * LINE;
	s->base = s->near;
	if (p->fresh) {
		char *base = memory(r->lines * LINE);

		for (uint64_t i = 0; i < r->lines; i++) /* so that no page is missing */
			*(char **)(base + i * LINE) = base;
		s->base = (uint64_t)base;
	}
	for (unsigned k = 1; k <= 3; k++) {
		if (k <= 2 ? !p->block : !p->far)
			continue;
		chain[k] = memory(r->lines * LINE);
		for (uint64_t i = 0; i < r->lines; i++)
			*(char **)far_line(r, k, i) = far_line(r, k, i + 1);
		s->chain[k] = (uint64_t)far_line(r, k, 0);
	}
	if (p->footprint)
		footprint = memory(p->point[p->n - 1].x + p->stride + PAGE);
}

static uint64_t
ticks_of(struct run *r, void (*pass)(struct probe_state *), uint64_t passes)
{
	uint64_t before;

	r->state.passes = passes;
	before = counter_read(r->counter);
	pass(&r->state);
	before = counter_read(r->counter) - before;
	r->done[1] += passes;
	r->done[2] += passes * hecate_probe.unrolled;
	return before;
}

/* Ticks of additions that wait for each other: on nearly every core a cycle each. */
static uint64_t
ticks_of_adds(struct run *r, uint64_t turns)
{
	uint64_t before = counter_read(r->counter), sum = 0;

	for (uint64_t i = 0; i < turns; i++)
		__asm__ volatile(".rept 64\n\t" ADD_ONE ".endr" : "+r"(sum));
	return counter_read(r->counter) - before;
}

static void
find_scale(struct run *r)
{
	uint64_t turns = 64, least = UINT64_MAX, least_twice = UINT64_MAX;

	r->adds = r->ticks = 1;
	if (!r->scaled)
		return;
	while (ticks_of_adds(r, turns) < TICKS_FEWEST && turns < PASSES_MOST)
		turns *= 2;
	r->adds = turns * ADDS;
	for (int i = 0; i < SCALE_REPEATS; i++) {
		uint64_t once = ticks_of_adds(r, turns), twice = ticks_of_adds(r, 2 * turns);

		least = once < least ? once : least;
		least_twice = twice < least_twice ? twice : least_twice;
	}
	r->ticks = least_twice > least ? least_twice - least : 1;
}

/* Time of a pass in thousandths of a cycle. */
static int64_t
measure(struct run *r, void (*pass)(struct probe_state *), uint64_t passes)
{
	uint64_t few = passes / 8 + 1, short_time = ticks_of(r, pass, few), long_time = ticks_of(r, pass, few + passes);
	uint64_t time = long_time > short_time ? long_time - short_time : 0;

	passes *= hecate_probe.unrolled;
	return (int64_t)(r->scaled ? time * r->adds / passes * MILLI / r->ticks : time * MILLI / passes);
}

/* Passes that take long enough for the counter. */
static uint64_t
passes_for(struct run *r, void (*pass)(struct probe_state *))
{
	uint64_t passes = r->passes;

	if (hecate_probe.coins) {
		passes = passes > COIN_PASSES ? passes : COIN_PASSES;
		ticks_of(r, pass, COIN_WARM);
	}
	ticks_of(r, pass, 2);
	while (r->scaled && passes < PASSES_MOST && ticks_of(r, pass, passes) < TICKS_FEWEST)
		passes *= 2;
	return passes;
}

static void
lay_footprint(struct run *r, const struct probe_point *point)
{
	const struct probe *p = &hecate_probe;

	footprint_lines = point->x > p->stride ? point->x / p->stride : 1;
	for (uint64_t i = 0; i < footprint_lines; i++)
		*(char **)footprint_line(i) = footprint_line(i + 1);
	r->state.chain[3] = (uint64_t)footprint_line(0);
	r->done[2] = 0;
	ticks_of(r, point->pass, 2 * footprint_lines / p->unrolled + 1);
}

/* The mean of the middle third: an interrupt in one repetition says nothing of the code. */
static int64_t
mean_of(const int64_t *sorted, uint64_t n)
{
	uint64_t from = (n - 1) / 3;
	int64_t sum = 0;

	for (uint64_t i = from; i < n - from; i++)
		sum += sorted[i];
	return sum / (int64_t)(n - 2 * from);
}

/* One row of the curve. */
static void
run_point(struct run *r, const struct probe_point *point)
{
	static int64_t value[REPEATS_MOST]; /* ascending */
	uint64_t passes, other;

	if (hecate_probe.footprint)
		lay_footprint(r, point);
	find_scale(r);
	passes = passes_for(r, point->pass);
	other = point->against ? passes_for(r, point->against) : 0;
	for (uint64_t i = 0; i < r->repeats; i++) {
		int64_t v = measure(r, point->pass, passes);
		uint64_t k;

		if (point->against) {
			int64_t w = measure(r, point->against, other);

			v = !hecate_probe.ratio ? v - w : v * MILLI / (w ? w : 1);
		}
		for (k = i; k > 0 && value[k - 1] > v; k--)
			value[k] = value[k - 1];
		value[k] = v;
	}
	put_number(point->x);
	put(1, ",");
	put_milli(value[0]);
	put(1, ",");
	put_milli(mean_of(value, r->repeats));
	put(1, ",");
	put_milli(value[r->repeats - 1]);
	put(1, "\n");
}

/* The code is wrong, or was not built of this assembly, if a chain does not end where its passes lead. */
static void
check(const struct run *r)
{
	const struct probe *p = &hecate_probe;

	for (unsigned k = 1; k <= 2 && p->block; k++)
		if (r->state.chain[k] != (uint64_t)far_line(r, k, r->done[1]))
			fail("a chain of loads that miss does not end where it should");
	if (p->footprint && r->state.chain[3] != (uint64_t)footprint_line(r->done[2]))
		fail("the loads of the footprint do not end where they should");
	if (p->far && ((r->state.chain[3] - (uint64_t)chain[3]) % LINE ||
		(r->state.chain[3] - (uint64_t)chain[3]) / LINE >= r->lines))
		fail("the chain of the fill does not end at one of its lines");
	if (!p->far && !p->footprint && r->state.chain[3] != r->state.near)
		fail("the chain of the fill does not end where it should");
	for (uint64_t i = 0; i < NEAR_BYTES / 8 && !p->far; i++)
		if (near[LINE / 8 + i] != r->state.near)
			fail("the near lines were changed");
}

/* The number after "name=". 0: it is another argument. */
static int
takes(const char *arg, const char *name, uint64_t *out)
{
	uint64_t v = 0;

	while (*name && *arg == *name)
		arg++, name++;
	if (*name || *arg != '=' || !arg[1])
		return 0;
	while (*++arg) {
		if (*arg < '0' || *arg > '9' || v > UINT64_MAX / 10 - 1)
			return 0;
		v = v * 10 + (uint64_t)(*arg - '0');
	}
	if (v == 0)
		return 0;
	*out = v;
	return 1;
}

static int
is(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void
read_arguments(struct run *r, uint64_t argc, char **argv)
{
	for (uint64_t i = 1; i < argc; i++) {
		if (is(argv[i], "counter=time"))
			r->time = 1;
		else if (!is(argv[i], "counter=cycles") && !takes(argv[i], "passes", &r->passes) &&
			!takes(argv[i], "repeats", &r->repeats) && !takes(argv[i], "lines", &r->lines) &&
			!takes(argv[i], "x", &r->x))
			fail("arguments are passes=N, repeats=N, lines=N, x=N, counter=cycles or counter=time");
	}
	if (r->passes > PASSES_MOST || r->repeats > REPEATS_MOST)
		fail("passes are 16777216 at most, and repeats 1000");
	if (r->lines & (r->lines - 1) || r->lines < 2 || r->lines > UINT64_C(1) << 32)
		fail("lines is a power of two, such as 65536");
}

static void
put_head(const struct run *r)
{
	const struct probe *p = &hecate_probe;

	put(1, "# probe: ");
	put(1, p->name);
	put(1, "\n# measures: ");
	put(1, p->measures);
	put(1, "\n# isa: ");
	put(1, p->isa);
	put(1, "\n# unit: ");
	put(1, p->ratio ? "ratio of cycles" : p->footprint ? "cycles of a load" : "cycles of a pass");
	put(1, "\n# counter: ");
	put(1, r->counter == COUNTER_CYCLES ? CYCLES_NAME : TIME_NAME);
	put(1, r->scaled ? ", in cycles by a chain of additions\n# passes: " : "\n# passes: ");
	put_number(r->passes);
	put(1, ", repeats: ");
	put_number(r->repeats);
	put(1, ", lines: ");
	put_number(r->lines);
	put(1, "\nx,min,mean,max\n");
}

/* `stack` is as the system left it: the number of arguments, then pointers to them. */
void __attribute__((noreturn, used))
runner_start(uint64_t *stack)
{
	static struct run r = {.passes = PASSES, .repeats = REPEATS, .lines = LINES, .x = X};
	const struct probe *p = &hecate_probe;
	uint64_t printed = 0;

	read_arguments(&r, stack[0], (char **)(stack + 1));
	if (r.time || !machine_counts(COUNTER_CYCLES))
		r.counter = COUNTER_TIME;
	if (!machine_counts(r.counter))
		fail("no counter of cycles or time may be read here");
	r.scaled = r.counter == COUNTER_TIME || !CYCLES_ARE_CYCLES;
	set_up(&r);
	put_head(&r);
	for (uint64_t i = 0; i < p->n; i++) {
		if (r.x && p->point[i].x != r.x)
			continue;
		run_point(&r, &p->point[i]);
		printed++;
	}
	if (!printed)
		fail("the probe has no such x");
	check(&r);
	machine_end(0);
}
