/* One time at a point:
 *
 *     lines that no cache may have are flushed | passes to warm up | passes that are timed
 *
 * Of a footprint the chain is laid anew, and walked before it is timed. Of a pair both fills are timed, and the point
 * is made of a low time of each. */
#include "collect/native/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"
#include "collect/native/counters.h"
#include "collect/native/encode.h"
#include "collect/native/uses.h"
#include "collect/native/workbench.h"
#include "core/curve/curve.h"
#include "core/probe/probe.h"

#define KEPT 96             /* times of a point; newer ones replace the oldest */
#define LOW 0.1             /* the least tenth of them is averaged */
#define TRIES 4             /* of a time that is disturbed */
#define TIMED_CYCLES 24000  /* of a time, about */
#define PASSES_FEWEST 8
#define PASSES_MOST 2048
#define COIN_ROUNDS 3000    /* in which a branch predictor learns what a random branch means for others */
#define SITE_ROUNDS 40      /* in which it learns branches that always do the same */
#define CHASE_LOADS 16384   /* that are timed */
#define WARM_LINES 1024     /* of a small footprint */
#define WARM_TOURS 128      /* of it */
#define WARM_FEWEST 32768   /* loads */
#define CHASE_UNROLL 16
#define COUNT_TIMES 5       /* of which the median is taken */
#define CODE_MAX ((size_t)1 << 28) /* bytes */

/* The machine code of one fill at one x, and its times. */
struct version {
	size_t begin;              /* within the code */
	struct native_lines lines; /* of a round */
	unsigned rounds;           /* that are timed; 0: not known */
	double time[KEPT];
	size_t n;                  /* times so far */
	bool disturbed;            /* all of them were: they are kept until there is one that was not */
};

struct point {
	uint64_t x;
	struct version version[2]; /* n_versions: the fill, and the other one of a pair */
};

struct native_points {
	struct native_bench *bench;
	const struct probe *probe;
	size_t n;
	struct point *point;       /* n, ascending by x */
	unsigned n_versions, unroll;
	unsigned learning;         /* rounds in which branches must be learnt first */
	struct native_map code, chase;
	struct native_chain chain;
};

/* --- Code -------------------------------------------------------------------------------------------------------- */

/* Returns whether a part of the fill has the instruction. */
static bool
has_op(const struct probe_fill *f, enum probe_op op)
{
	const struct probe_part *part[] = {&f->head, &f->body, &f->tail};

	for (size_t k = 0; k < sizeof part / sizeof *part; k++)
		for (unsigned i = 0; i < part[k]->n; i++)
			if (part[k]->step[i].op == op)
				return true;
	return false;
}

/* Code whose size is what matters is there once. */
static unsigned
unroll_of(const struct probe *p)
{
	if (p->footprint)
		return CHASE_UNROLL;
	return has_op(&p->fill, PROBE_SITE) || has_op(&p->fill, PROBE_JUMP) ? 1 : 2;
}

static unsigned
learning_rounds(const struct probe *p)
{
	return has_op(&p->fill, PROBE_COIN) ? COIN_ROUNDS : has_op(&p->fill, PROBE_SITE) ? SITE_ROUNDS : 0;
}

static bool
encode_version(struct native_points *points, struct native_text *text, const struct probe_fill *fill, uint64_t x,
	struct version *version, struct err *e)
{
	struct native_style style = {.unroll = points->unroll,
		.moves_as_nops = points->bench->moves_as_nops,
		.sites = x,
		.lacks = native_lacks()};
	struct probe_code c = {0};
	bool good;

	probe_code_write(&c, points->probe, fill, x);
	version->begin = text->n;
	good = native_encode(text, &c, &style, &version->lines, e);
	if (good && text->n > CODE_MAX) {
		err_set(e, "the probe %s has more than %zu MiB of code", points->probe->name, CODE_MAX >> 20);
		good = err_hint(e, "give it fewer points, or a smaller stride");
	}
	if (good && version->lines.fresh * PASSES_FEWEST > NATIVE_FRESH) {
		err_set(e, "the probe %s needs %zu lines at once that no cache has, and there are %zu",
			points->probe->name, version->lines.fresh * PASSES_FEWEST, NATIVE_FRESH);
		good = err_hint(e, "end its range earlier");
	}
	while (text->n % NATIVE_LINE) {
		mem_grow(&text->byte, &text->cap, text->n + 1, 1);
		text->byte[text->n++] = 0;
	}
	probe_code_free(&c);
	return good;
}

static bool
encode_points(struct native_points *points, struct err *e)
{
	const struct probe *probe = points->probe;
	const struct probe_fill *fill = probe->native.body.n ? &probe->native : &probe->fill;
	struct native_text t = {0};
	bool good = true;

	for (size_t i = 0; i < points->n && good; i++) {
		struct point *at = &points->point[i];

		for (unsigned k = 0; k < points->n_versions && good; k++)
			good = encode_version(points, &t, k ? &probe->against : fill, at->x, &at->version[k], e);
	}
	good = good && native_map_code(&points->code, t.byte, t.n, e);
	free(t.byte);
	return good;
}

static size_t
footprint_lines(const struct probe *p, uint64_t x)
{
	uint64_t n = p->stride_is_x ? PROBE_STRIDED : x / p->stride;

	return n > 1 ? n : 1;
}

struct native_points *
native_points_new(struct native_bench *bench, const struct probe *probe, struct err *e)
{
	struct native_points *points = mem_new(sizeof *points);
	bool good;

	*points = (struct native_points){.bench = bench, .probe = probe, .n_versions = probe_is_pair(probe) ? 2 : 1,
		.unroll = unroll_of(probe), .learning = learning_rounds(probe)};
	for (uint64_t x = probe->first; x <= probe->last; x = probe_next_x(probe, x))
		points->n++;
	points->point = mem_new_array(points->n, sizeof *points->point);
	for (uint64_t x = probe->first, i = 0; x <= probe->last; x = probe_next_x(probe, x))
		points->point[i++].x = x;
	good = encode_points(points, e);
	if (good && probe->footprint)
		good = native_map_data(&points->chase,
			probe->last * (probe->stride_is_x ? PROBE_STRIDED : 1) + NATIVE_PAGE,
			probe->small_pages ? NATIVE_SMALL : NATIVE_HUGE, e);
	if (good)
		return points;
	native_points_free(points);
	return NULL;
}

void
native_points_free(struct native_points *s)
{
	if (!s)
		return;
	native_unmap(&s->code);
	native_unmap(&s->chase);
	native_chain_free(&s->chain);
	free(s->point);
	free(s);
}

size_t
native_points_n(const struct native_points *s)
{
	return s->n;
}

bool
native_points_small(const struct native_points *s)
{
	return s->probe->footprint && !s->probe->small_pages && !s->chase.huge;
}

size_t
native_points_disturbed(const struct native_points *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->point[i].version[0].disturbed || s->point[i].version[1].disturbed;
	return n;
}

/* --- Times ------------------------------------------------------------------------------------------------------- */

/* Lines of so many rounds. */
static struct native_lines
lines_of(const struct version *v, size_t rounds)
{
	struct native_lines l = {.fresh = v->lines.fresh * rounds};

	for (unsigned c = 0; c < NATIVE_FAR; c++)
		l.far[c] = v->lines.far[c] * rounds;
	return l;
}

static struct native_time
run_rounds(struct native_points *s, const struct version *v, size_t warm, size_t rounds, struct native_frame *frame)
{
	return native_time_of(&s->bench->timer, native_map_function(&s->code, v->begin), frame, warm, rounds);
}

/* How many rounds take TIMED_CYCLES, by a short run. */
static unsigned
rounds_of(struct native_points *points, const struct version *version)
{
	struct native_frame frame = {.random = version->begin};
	struct native_lines lines = lines_of(version, PASSES_FEWEST);
	double passes;

	native_bench_lay(points->bench, &lines, &frame);
	passes = TIMED_CYCLES / fmax(1, run_rounds(points, version, 2, PASSES_FEWEST - 2, &frame).cycles) *
		(PASSES_FEWEST - 2);
	passes = fmin(fmax(passes, PASSES_FEWEST), PASSES_MOST);
	if (version->lines.fresh)
		passes = fmin(passes, floor((double)NATIVE_FRESH / 2 / (double)version->lines.fresh));
	return passes < 1 ? 1 : (unsigned)passes;
}

/* Rounds before those that are timed. Of fresh lines there are no more than the bench has. */
static size_t
warm_rounds(const struct native_points *s, const struct version *v)
{
	size_t warm = s->learning ? s->learning : v->rounds / 4 + 2;
	size_t most = v->lines.fresh ? NATIVE_FRESH / v->lines.fresh - v->rounds : warm;

	return warm < most ? warm : most;
}

/* Cycles of a pass. */
static struct native_time
time_passes(struct native_points *points, struct version *version)
{
	struct native_frame frame = {.random = version->begin};
	struct native_lines lines;
	struct native_time t;
	size_t warm;

	if (version->rounds == 0)
		version->rounds = rounds_of(points, version);
	warm = warm_rounds(points, version);
	lines = lines_of(version, version->rounds + warm);
	native_bench_lay(points->bench, &lines, &frame);
	t = run_rounds(points, version, warm, version->rounds, &frame);
	t.cycles /= (double)version->rounds * points->unroll;
	return t;
}

/* How many loads come before those that are timed. Where all lines of a small footprint just fit, a core needs many
 * tours until each is where it stays: lines of others must go, and replacement is no strict order of age. */
static size_t
chase_warm(size_t n)
{
	if (n <= WARM_LINES)
		return WARM_TOURS * n;
	return 2 * n > WARM_FEWEST ? 2 * n : WARM_FEWEST;
}

/* Lays the chain of the footprint anew. Returns how many loads come before those that are timed, and in *timed how many
 * are. Of lines that no cache has, there is one tour alone. */
static size_t
lay_chase(struct native_points *points, const struct point *at, struct native_frame *frame, size_t *timed)
{
	const struct probe *probe = points->probe;
	size_t n = footprint_lines(probe, at->x);

	native_chain_make(&points->chain, points->chase.at, n, probe->stride_is_x ? at->x : probe->stride,
		probe->small_pages, probe->sequential, at->version[0].n + 1);
	*frame = (struct native_frame){.near = points->bench->data.at, .chase = points->chain.line[0]};
	*timed = CHASE_LOADS;
	if (!probe->stride_is_x)
		return chase_warm(n);
	native_chain_flush(&points->chain, 0, n);
	*timed = n - 2 * CHASE_UNROLL;
	return CHASE_UNROLL;
}

/* Cycles of a load of the footprint. */
static struct native_time
time_chase(struct native_points *s, struct point *at)
{
	struct native_frame frame;
	size_t timed, warm = lay_chase(s, at, &frame, &timed);
	struct native_time t = run_rounds(s, &at->version[0], warm / CHASE_UNROLL + 1, timed / CHASE_UNROLL, &frame);

	t.cycles /= (double)(timed / CHASE_UNROLL * CHASE_UNROLL);
	return t;
}

static bool
measure_version(struct native_points *points, struct point *at, unsigned k)
{
	struct version *version = &at->version[k];

	for (int i = 0; i < TRIES; i++) {
		struct native_time t = points->probe->footprint ? time_chase(points, at) : time_passes(points, version);

		if (t.disturbed && version->n > 0 && !version->disturbed)
			continue;
		if (version->disturbed && !t.disturbed)
			version->n = 0;
		version->disturbed = t.disturbed;
		version->time[version->n++ % KEPT] = t.cycles;
		if (!t.disturbed)
			return true;
	}
	return false;
}

bool
native_points_measure(struct native_points *s, size_t i)
{
	bool good = true;

	for (unsigned k = 0; k < s->n_versions; k++)
		good = measure_version(s, &s->point[i], k) && good;
	return good;
}

/* The least, a low and the longest of the times. What disturbs a time makes it longer, so the low ones are right; the
 * very lowest may be a case of luck. If all were disturbed, their clock may have changed, too: the median is taken. */
static struct curve_point
summary_of(const struct version *v)
{
	double time[KEPT], sum = 0;
	size_t n = v->n < KEPT ? v->n : KEPT, low = (size_t)(LOW * (double)n) + 1;

	memcpy(time, v->time, n * sizeof *time);
	sort_doubles(time, n);
	for (size_t i = 0; i < low; i++)
		sum += time[i];
	return (struct curve_point){.min = time[0], .mean = v->disturbed ? time[n / 2] : sum / (double)low,
		.max = time[n - 1]};
}

/* --- Counts ------------------------------------------------------------------------------------------------------ */

/* Adds `sign` times what so many rounds count. */
static void
count_rounds(struct native_points *points, struct point *at, size_t rounds, const struct native_counters *counters,
	double sign, double *count)
{
	struct version *version = &at->version[0];
	native_function *f = native_map_function(&points->code, version->begin);
	struct native_frame frame = {.random = version->begin};
	size_t timed, warm;

	if (points->probe->footprint) {
		warm = lay_chase(points, at, &frame, &timed) / CHASE_UNROLL + 1;
	} else {
		struct native_lines lines;

		warm = warm_rounds(points, version);
		lines = lines_of(version, rounds + warm);
		native_bench_lay(points->bench, &lines, &frame);
	}
	frame.rounds = warm;
	f(&frame);
	frame.rounds = rounds;
	native_counters_add(counters, -sign, count);
	f(&frame);
	native_counters_add(counters, sign, count);
}

/* Two runs differ by half of the rounds, and by nothing else: what reading the counters adds is in both. */
void
native_points_count(struct native_points *points, size_t i, const struct native_counters *counters, double *per_pass)
{
	struct point *at = &points->point[i];
	struct version *version = &at->version[0];
	double time[COUNT_TIMES], *count = mem_new_array(counters->n * COUNT_TIMES, sizeof *count);
	size_t rounds, few;

	if (version->rounds == 0 && !points->probe->footprint)
		version->rounds = rounds_of(points, version);
	rounds = points->probe->stride_is_x ? footprint_lines(points->probe, at->x) / CHASE_UNROLL - 2 :
		points->probe->footprint ? CHASE_LOADS / CHASE_UNROLL : version->rounds;
	few = rounds / 2;
	for (size_t k = 0; k < COUNT_TIMES; k++) {
		count_rounds(points, at, rounds, counters, 1, count + k * counters->n);
		if (few)
			count_rounds(points, at, few, counters, -1, count + k * counters->n);
	}
	for (size_t c = 0; c < counters->n; c++) {
		for (size_t k = 0; k < COUNT_TIMES; k++)
			time[k] = count[k * counters->n + c];
		sort_doubles(time, COUNT_TIMES);
		per_pass[c] = time[COUNT_TIMES / 2] / (double)((rounds - few) * points->unroll);
	}
	free(count);
}

/* --- The curve --------------------------------------------------------------------------------------------------- */

void
native_points_curve(const struct native_points *points, struct curve *curve)
{
	for (size_t i = 0; i < points->n; i++) {
		const struct version *version = points->point[i].version;
		struct curve_point p, q;

		if (version[0].n == 0 || (points->n_versions == 2 && version[1].n == 0))
			continue;
		p = summary_of(&version[0]);
		if (points->n_versions == 2) {
			q = summary_of(&version[1]);
			p.min = probe_pair_value(points->probe, p.min, q.max);
			p.mean = probe_pair_value(points->probe, p.mean, q.mean);
			p.max = probe_pair_value(points->probe, p.max, q.min);
		}
		p.x = (double)points->point[i].x;
		curve_add(curve, &p);
	}
}
