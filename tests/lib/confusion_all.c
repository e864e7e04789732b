#include "tests/lib/confusion_all.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "tests/lib/confusion.h"
#include "tests/lib/test.h"
#include "text/diag.h"
#include "work/calibrate/calibrate.h"
#include "work/calibrate/candidate.h"
#include "work/calibrate/knob_machine.h"
#include "work/calibrate/machine_text.h"
#include "work/calibrate/staged.h"

#define HIDDEN_MOST 2
#define UOPS 20000u /* of a program */

/* Ports of a drawn core whose kinds share them otherwise; those of loads and stores, which are drawn, follow. */
static const struct { const char *text; bool has_fmul; } grouped[] = {
	{"ports 3 alu, nop; ports 3 branch, move, nop; ports 2 mul, div; ports 4 fadd, fma, fdiv", false},
	{"ports 6 alu, branch, move, nop; ports 2 mul, div, fadd; ports 4 fma, fdiv", false},
	{"ports 6 alu, branch, move, nop; ports 2 mul, div, fma; ports 4 fadd, fdiv", false},
	{"ports 6 alu, branch, move, nop; ports 2 mul, div; ports 4 fadd, fmul, fma, fdiv", true},
	{"ports 6 alu, branch, move, nop; ports 2 mul, div, fmul; ports 4 fadd, fma, fdiv", true},
};
#define GROUPED (sizeof grouped / sizeof *grouped)

struct hiding {
	const struct knob *knob[HIDDEN_MOST];
	size_t n;
	const struct candidate *core;
	struct candidate *truth;
};

const char *
confusion_outcome_name(enum confusion_outcome o)
{
	static const char *const name[N_CONFUSION_OUTCOMES] = {
		"right", "tie", "alike", "remains", "not probed", "doubted", "refused", "wrong"};

	return name[o];
}

static bool
is_hidden(const struct hiding *h, const struct knob *k)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->knob[i] == k)
			return true;
	return false;
}

/* A change that no item can express: which kinds share ports, or bytes of a line. Other numbers stay. */
static void
change_oddly(struct str *with, const struct candidate *core, uint64_t *seed, struct str *what)
{
	const struct sim_machine *m = &candidate_machine(core)->m;
	const struct sim_ports *last = m->pipe.ports + m->pipe.n_ports - 3; /* of fmul, load and store */
	size_t one = test_random(seed) % (GROUPED + 2);
	struct str odd = {0};

	if (one < GROUPED && !grouped[one].has_fmul)
		str_addf(&odd, "ports %u fmul; ", last[0].n);
	if (one < GROUPED)
		str_addf(&odd, "%s; ports %u load, atomic; ports %u store", grouped[one].text, last[1].n, last[2].n);
	else if (one == GROUPED)
		str_addf(&odd, "l2 %" PRIu64 " KiB, 8 ways, %u cycles, 128 bytes", m->l2.bytes / 1024, m->l2.latency);
	else
		str_addf(&odd, "l3 %" PRIu64 " KiB, 16 ways, 60 cycles, 256 bytes", m->l3.bytes / 1024);
	machine_text_set(with, one < GROUPED ? "ports" : one == GROUPED ? "l2" : "l3", str_text(&odd));
	str_addf(what, "hidden: '%s'", str_text(&odd));
	str_free(&odd);
}

/* Turns items of the core that is the truth, each to a value that calibration would try. */
static bool
hide(struct hiding *h, size_t n, uint64_t *seed, struct str *what, struct err *e)
{
	const struct candidate *core = h->core;
	struct str with = {0};

	str_add(&with, candidate_changes(core));
	if (!n)
		change_oddly(&with, core, seed, what);
	h->truth = candidate_new(candidate_on(core), str_text(&with), &(struct probe_list){0}, e);
	str_free(&with);
	while (h->truth && h->n < n) {
		const struct knob *k = knob_at(test_random(seed) % knob_count());
		double other[KNOB_OTHERS];
		size_t others = is_hidden(h, k) ? 0 : knob_others(k, candidate_machine(core), other);
		double v = others ? other[test_random(seed) % others] : 0;
		struct err refused = {0};
		struct candidate *next = others ? candidate_turn(h->truth, k,
			knob_choices(k) ? v : knob_round(k, candidate_machine(core), v), &refused) : NULL;

		if (!next || knob_get(k, candidate_machine(next)) == knob_get(k, candidate_machine(core))) {
			candidate_free(next);
			continue;
		}
		candidate_free(h->truth);
		h->truth = next;
		h->knob[h->n++] = k;
		str_addf(what, "%s%s ", h->n > 1 ? "and " : "hidden: ", knob_name(k));
		knob_text(k, candidate_machine(core), what);
		str_add(what, " to ");
		knob_text(k, candidate_machine(next), what);
		str_addc(what, ' ');
	}
	return h->truth != NULL;
}

static bool
has_value(const struct candidate *truth, const struct knob *k, const char *text)
{
	struct str s = {0};
	bool same;

	knob_text(k, candidate_machine(truth), &s);
	same = strcmp(str_text(&s), text) == 0;
	str_free(&s);
	return same;
}

/* True if the truth has this value, and the core has another one. */
static bool
is_changed(const struct hiding *h, const struct knob *k, const char *text)
{
	return has_value(h->truth, k, text) && !has_value(h->core, k, text);
}

/* 2: the fault is a hidden item, or one that came with it; 1: a tie is; 0: neither. */
static int
how_right(const struct hiding *h, const struct calibration_fault *f)
{
	if (is_hidden(h, f->knob) || is_changed(h, f->knob, f->after))
		return 2;
	for (size_t i = 0; i < f->n_ties; i++)
		if (is_changed(h, f->tie[i].knob, f->tie[i].after))
			return 1;
	return 0;
}

/* True if the fault, or a tie of it, is the knob. */
static bool
names(const struct hiding *h, const struct calibration_fault *f, const struct knob *k)
{
	bool some = f->knob == k;

	for (size_t i = 0; i < f->n_ties; i++)
		some |= f->tie[i].knob == k && has_value(h->truth, k, f->tie[i].after);
	return some;
}

/* True if no hidden item that was not named is passed over in silence: its value is listed as unseen. */
static bool
all_listed(const struct hiding *h, const struct calibration *c)
{
	for (size_t i = 0; i < h->n; i++) {
		bool said = false;

		for (size_t j = 0; j < c->n_faults && !said; j++)
			said = names(h, &c->fault[j], h->knob[i]);
		for (size_t j = 0; j < c->coverage.n && !said; j++)
			for (size_t v = 0; v < c->coverage.item[j].n && !said; v++)
				said = c->coverage.item[j].knob == h->knob[i] &&
					has_value(h->truth, h->knob[i], c->coverage.item[j].unseen[v]);
		if (!said)
			return false;
	}
	return true; /* the list of what is never turned has what no item can express */
}

/* What programs say of the fit, as the command does. */
static void
run_programs(struct hiding *h, const struct calibration *c, bool *refuse, bool *doubt, struct err *e)
{
	struct staged *p = staged_new(true);
	bool good = staged_add_suite(p, "specint-like", e) && staged_add_suite(p, "specfp-like", e) &&
		staged_run_against(p, c, h->truth, UOPS, e);

	*refuse = good && staged_got_worse(p);
	*doubt = good && staged_worst(p);
	staged_free(p);
}

static enum confusion_outcome
judge(struct hiding *h, const struct calibration *c, struct err *e)
{
	int least = 2;
	bool refuse = false, doubt = false, doubted = true;

	for (size_t i = 0; i < c->n_faults; i++) {
		int right = how_right(h, &c->fault[i]);

		least = right < least ? right : least;
		doubted &= right > 0 || c->fault[i].doubt < c->list->n;
	}
	if (c->remaining && doubted)
		return CONFUSION_REMAINS;
	if (c->n_faults && least == 0) {
		run_programs(h, c, &refuse, &doubt, e);
		return refuse ? CONFUSION_REFUSED : doubt ? CONFUSION_DOUBTED
			: !h->n && !c->remaining ? CONFUSION_ALIKE : CONFUSION_WRONG;
	}
	if (!all_listed(h, c))
		return CONFUSION_WRONG;
	return !c->n_faults ? CONFUSION_NOT_PROBED : least == 2 ? CONFUSION_RIGHT : CONFUSION_TIE;
}

static void
tell(const struct calibration *c, struct str *what)
{
	if (c->remaining)
		str_addf(what, "; %zu remain", c->remaining);
	for (size_t i = 0; i < c->n_faults; i++) {
		const struct calibration_fault *f = &c->fault[i];

		if (f->doubt < c->list->n)
			str_addf(what, "; in doubt by %s", c->list->probe[f->doubt]->name);
		str_addf(what, "; named: %s %s", knob_name(f->knob), f->after);
		for (size_t j = 0; j < f->n_ties; j++)
			str_addf(what, " or %s %s", knob_name(f->tie[j].knob), f->tie[j].after);
	}
}

/* What the probes answer on the truth, which was made without them. */
static bool
ask(const struct candidate *truth, const struct probe_list *l, struct known_answer *out, struct err *e)
{
	struct candidate *m = candidate_new(candidate_on(truth), candidate_changes(truth), l, e);
	bool good = m != NULL;

	for (size_t i = 0; i < l->n && good; i++)
		good = out[i].known = candidate_answer(m, i, NULL, &out[i].answer, e);
	candidate_free(m);
	return good;
}

bool
confusion_judge(uint64_t seed, size_t hidden, enum confusion_outcome *outcome, struct str *what)
{
	struct probe_list l = {0};
	struct hiding h = {0};
	struct str on = {0}, changes = {0};
	struct diags d = {0};
	struct err e = {0};
	struct calibration *c = NULL;
	struct known_answer *truth = NULL;
	struct candidate *core = NULL;

	confusion_draw(&seed, &on, &changes);
	if (probe_list_load(&l, NULL, 0, &d, &e))
		core = candidate_new(str_text(&on), str_text(&changes), &l, &e);
	truth = mem_new_array(l.n + 1, sizeof *truth);
	h.core = core;
	if (core && hide(&h, hidden, &seed, what, &e) && ask(h.truth, &l, truth, &e))
		c = calibrate(str_text(&on), str_text(&changes), &l, truth, NULL, &e);
	if (c && calibrate_cover(c, truth, &l, h.knob, h.n, NULL, &e))
		*outcome = judge(&h, c, &e);
	if (c)
		tell(c, what);
	str_add(what, e.what);
	calibrate_free(c);
	candidate_free(core);
	candidate_free(h.truth);
	free(truth);
	probe_list_free(&l);
	diags_free(&d);
	str_free(&on);
	str_free(&changes);
	return !*e.what;
}
