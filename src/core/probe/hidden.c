/* Of two limits the smaller one shows. A probe's fill takes entries of other resources, too: every sixth instruction of
 * the probe of the reorder buffer is a load. Where the answer of another probe says that its resource is as full there,
 * that one may be the limit, and what was found is a lower bound:
 *
 *     entries of the load queue that the fill takes
 *       ▁▁▂▂▃▃▄▄▅▅▆▆▇▇│           │: the knee; here it takes what the other probe found
 *     instructions in the fill ──►
 */
#include <math.h>

#include "base/str.h"
#include "core/probe/probe.h"

#define REORDER_BUFFER "rob"
#define LINE 64.0

/* Items of a .machine file of which an instruction holds an entry, from its dispatch to its end. */
enum { LOADS = 1, STORES = 2, BRANCHES = 4, INTS = 8, FPS = 16 };
static const struct {
	const char *parameter;
	unsigned bit;
} item[] = {{"load_queue", LOADS}, {"store_queue", STORES}, {"branches", BRANCHES}, {"int_registers", INTS},
	{"fp_registers", FPS}};

static unsigned
held_by(enum probe_op op)
{
	switch (op) {
	case PROBE_NOP: return 0;
	case PROBE_ADD:
	case PROBE_MUL:
	case PROBE_DIV:
	case PROBE_MOVE: return INTS;
	case PROBE_FADD:
	case PROBE_FMUL:
	case PROBE_FDIV:
	case PROBE_FMA: return FPS;
	case PROBE_LOAD: return LOADS | INTS;
	case PROBE_FLOAD: return LOADS | FPS;
	case PROBE_STORE: return STORES;
	case PROBE_BRANCH:
	case PROBE_JUMP:
	case PROBE_COIN:
	case PROBE_ECHO:
	case PROBE_SITE:
	case PROBE_CALL:
	case PROBE_RETURN: return BRANCHES;
	case PROBE_ATOMIC: return LOADS | STORES | INTS;
	case PROBE_PREFETCH: return LOADS;
	case PROBE_N_OPS: break;
	}
	return 0;
}

static bool
hidden_holds(const struct probe_insn *i, const char *parameter)
{
	if (str_eq(parameter, REORDER_BUFFER))
		return true;
	if (str_eq(parameter, "fill_buffers"))
		return i->place == PROBE_FAR || i->place == PROBE_FRESH;
	for (size_t k = 0; k < sizeof item / sizeof *item; k++)
		if (str_eq(parameter, item[k].parameter))
			return held_by(i->op) & item[k].bit;
	return false;
}

/* The most that the fill of `p` takes of what `r` measures at pressure x: entries; of a cache or TLB, bytes. */
static double
most_taken(const struct probe *p, const struct probe *r, bool native, double x)
{
	const struct probe_fill *fill = native && p->native.body.n ? &p->native : &p->fill;
	bool at_once = p->block || fill->link == PROBE_WAVES; /* in flight */
	struct probe filled = *p;
	struct probe_code code = {0};
	double n = p->block ? r->counts : 0; /* by the loads that block */

	if (r->footprint && r->small_pages)
		return p->small_pages ? x : 0;
	if (r->footprint)
		return !p->footprint ? 0 : p->small_pages ? x / p->stride * LINE : x;
	if (p->footprint || !at_once)
		return 0;
	filled.block = false;
	probe_code_write(&code, &filled, fill, (uint64_t)fmax(0, x));
	for (size_t i = 0; i < code.n; i++)
		n += hidden_holds(&code.insn[i], r->parameter);
	probe_code_free(&code);
	return n;
}

/* The least. Any instructions may share entries of the reorder buffer. */
static double
least_taken(const struct probe *p, const struct probe *r, bool native, double x)
{
	return str_eq(r->parameter, REORDER_BUFFER) ? 0 : most_taken(p, r, native, x);
}

/* An answer's x, before it was scaled. */
static double
unscaled(const struct probe *p, double answer)
{
	return (answer - p->counts) * p->over / p->times;
}

/* How much there is of something. */
static bool
is_capacity(const struct probe *p)
{
	return p->value == PROBE_KNEE && !probe_is_pair(p) && !p->stride_is_x &&
		(str_eq(p->unit, "entries") || (p->footprint && str_eq(p->unit, "bytes")));
}

/* Returns whether what `r` measures may be full at the knee of `p`: it still fits before, and may not after. */
static bool
hides(const struct probe_finding *r, const struct probe_finding *p, bool native)
{
	double low = r->answer->low, high = r->answer->high, before, after;

	if (!r->answer->found || !*r->probe->parameter || str_eq(r->probe->parameter, p->probe->parameter) ||
		!is_capacity(r->probe))
		return false;
	/* Code goes through caches and a TLB of its own. */
	if (r->probe->of_code || p->probe->of_code)
		return false;
	/* The first knee of a footprint is that of the cache that is asked first, which is the smaller one. */
	if (r->probe->footprint && r->probe->first >= p->probe->first)
		return false;
	if (r->probe->footprint) {
		low = unscaled(r->probe, low);
		high = unscaled(r->probe, high);
	}
	before = least_taken(p->probe, r->probe, native, unscaled(p->probe, p->answer->low));
	after = most_taken(p->probe, r->probe, native, unscaled(p->probe, p->high));
	return after > low && before <= high;
}

/* Marks an answer as a lower bound. Returns true if it was none before. */
static bool
mark_if_hidden(struct probe_finding *all, size_t n, struct probe_finding *finding, bool native)
{
	if (!finding->answer->found || !is_capacity(finding->probe) || probe_answer_at_least(finding->answer))
		return false;
	for (size_t i = 0; i < n; i++)
		if (hides(&all[i], finding, native)) {
			finding->answer->hidden_by = all[i].probe->name;
			finding->answer->value = finding->answer->low;
			finding->answer->high = INFINITY;
			return true;
		}
	return false;
}

void
probe_answers_compare(struct probe_finding *all, size_t n, bool native)
{
	bool more = true;

	for (size_t i = 0; i < n; i++)
		all[i].high = all[i].answer->high;
	/* A resource of which only a lower bound is known may hide more: this goes on until nothing changes. */
	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++)
			more |= mark_if_hidden(all, n, &all[i], native);
	}
}
