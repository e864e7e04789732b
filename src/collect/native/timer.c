#include "collect/native/timer.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "core/probe/probe.h"

#define CHAIN 128    /* multiplications in a round */
#define LATENCY 3    /* cycles of each */
#define ROUNDS 12
#define OPEN_TIMES 200
#define AGREE 0.01   /* two times of the chain differ by less if nothing disturbed them */
#define FLUSH_DENORMALS 0x8040u
#define WIDE_ROUNDS 32
#define ALONE 1.15   /* copies take less than this share more where no other thread uses the core */

static uint64_t
ticks(void)
{
#ifdef __x86_64__
	uint64_t t;

	__builtin_ia32_lfence();
	t = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return t;
#else
	return clock_ns();
#endif
}

/* Denormal numbers count as zero meanwhile: they would take a hundred cycles more. */
static double
ticks_of(native_function *f, struct native_frame *frame)
{
	uint64_t begin, end;
#ifdef __x86_64__
	unsigned control = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(control | FLUSH_DENORMALS);
#endif
	begin = ticks();
	f(frame);
	end = ticks();
#ifdef __x86_64__
	__builtin_ia32_ldmxcsr(control);
#endif
	return (double)(end - begin);
}

static bool
make_code(struct native_map *map, enum probe_op op, unsigned chain, struct err *e)
{
	struct probe_insn insn[CHAIN];
	struct probe_code code = {.insn = insn, .n = CHAIN};
	struct native_style style = {.unroll = 1};
	struct native_lines lines;
	struct native_text text = {0};
	bool good;

	for (int i = 0; i < CHAIN; i++)
		insn[i] = (struct probe_insn){.op = op, .from = chain, .chain = chain};
	good = native_encode(&text, &code, &style, &lines, e) && native_map_code(map, text.byte, text.n, e);
	free(text.byte);
	return good;
}

static double
ticks_of_chain(const struct native_timer *t, uint64_t rounds)
{
	struct native_frame frame = {.rounds = rounds};

	return ticks_of(native_map_function(&t->code, 0), &frame);
}

/* Ticks in a cycle now; above 0 even if the counter stood still (an emulated one). */
static double
ticks_per_cycle(const struct native_timer *t)
{
	return fmax(1, ticks_of_chain(t, ROUNDS) - t->overhead) / (ROUNDS * CHAIN * LATENCY);
}

/* What a time of nothing takes, from the least times of one and of two chains. */
static double
overhead_of(const struct native_timer *t)
{
	double once = INFINITY, twice = INFINITY;

	for (int i = 0; i < OPEN_TIMES; i++) {
		once = fmin(once, ticks_of_chain(t, ROUNDS));
		twice = fmin(twice, ticks_of_chain(t, (uint64_t)2 * ROUNDS));
	}
	return fmax(0, 2 * once - twice);
}

bool
native_timer_open(struct native_timer *t, struct err *e)
{
	bool good;

	*t = (struct native_timer){.fastest = INFINITY, .wide_least = INFINITY};
	good = make_code(&t->code, PROBE_MUL, PROBE_FILL_CHAIN, e) && make_code(&t->wide, PROBE_MOVE, 0, e);
	if (good)
		t->overhead = overhead_of(t);
	return good;
}

void
native_timer_close(struct native_timer *t)
{
	native_unmap(&t->code);
	native_unmap(&t->wide);
}

void
native_timer_begin(struct native_timer *t)
{
	t->fastest = INFINITY;
	t->slowest = 0;
}

/* Returns whether the thread was switched out or took a page fault since the last call. */
static bool
was_interrupted(struct native_timer *timer)
{
	struct rusage u;
	long switches, faults;
	bool interrupted;

	if (getrusage(RUSAGE_THREAD, &u) != 0)
		return false;
	switches = u.ru_nvcsw + u.ru_nivcsw;
	faults = u.ru_minflt + u.ru_majflt;
	interrupted = switches != timer->switches || faults != timer->faults;
	timer->switches = switches;
	timer->faults = faults;
	return interrupted;
}

/* Returns whether this many ticks in a cycle are about the least of the last times. If the frequency falls for good,
 * the new value is accepted after NATIVE_RECENT times. */
static bool
is_usual(struct native_timer *t, double ticks_in_cycle)
{
	double least = ticks_in_cycle;

	t->recent[t->n_recent++ % NATIVE_RECENT] = ticks_in_cycle;
	for (size_t i = 0; i < t->n_recent && i < NATIVE_RECENT; i++)
		least = fmin(least, t->recent[i]);
	return ticks_in_cycle <= (1 + AGREE) * least;
}

static double
ticks_of_copies(const struct native_timer *t)
{
	struct native_frame frame = {.rounds = WIDE_ROUNDS};

	return ticks_of(native_map_function(&t->wide, 0), &frame) - t->overhead;
}

/* Returns whether the core has its whole width, that is, whether this number of cycles of copies is about the least so
 * far. The other thread of a core, perhaps of another virtual machine, takes a part of it, and on many cores half of
 * each queue. */
static bool
timer_is_alone(struct native_timer *t, double cycles)
{
	t->wide_least = fmin(t->wide_least, cycles);
	return cycles <= ALONE * t->wide_least;
}

struct native_time
native_timer_judge(struct native_timer *t, const struct native_sample *s)
{
	double least = fmin(s->before, s->after);
	bool disturbed = !is_usual(t, least) || fabs(s->before - s->after) > AGREE * least || s->interrupted;

	if (!disturbed) {
		t->fastest = fmin(t->fastest, least);
		t->slowest = fmax(t->slowest, least);
		disturbed = !timer_is_alone(t, fmax(s->copies[0], s->copies[1]) / least);
	}
	return (struct native_time){s->time / least, disturbed};
}

struct native_time
native_time_of(
	struct native_timer *timer, native_function *f, struct native_frame *frame, uint64_t warm, uint64_t rounds)
{
	struct native_sample s;

	was_interrupted(timer);
	s.copies[0] = ticks_of_copies(timer);
	s.before = ticks_per_cycle(timer);
	frame->rounds = warm;
	ticks_of(f, frame);
	frame->rounds = rounds;
	s.time = ticks_of(f, frame) - timer->overhead;
	s.after = ticks_per_cycle(timer);
	s.copies[1] = ticks_of_copies(timer);
	s.interrupted = was_interrupted(timer);
	return native_timer_judge(timer, &s);
}
