#include "tests/lib/confusion_all.h"

#include <stdlib.h>
#include <string.h>

#include "app/calibrate/calibrate.h"
#include "app/calibrate/candidate.h"
#include "app/calibrate/machine_text.h"
#include "app/calibrate/staged.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/lang/diag.h"
#include "tests/lib/confusion.h"
#include "tests/lib/test.h"

#define HIDDEN_MOST 2
#define UOPS 20000u /* of a program */

/* Changes to a drawn core that no knob can make: how ports are grouped, and bytes of a line. */
static const struct { const char *key, *with; } odd[] = {
	{"ports", "ports 3 alu, nop; ports 3 branch, move, nop; ports 2 mul, div; ports 4 fadd, fmul, fma, fdiv; "
	"ports 2 load, atomic; ports 2 store"},
	{"ports", "ports 6 alu, branch, move, nop; ports 2 mul, div, fadd; ports 4 fmul, fma, fdiv; "
		"ports 2 load, store, atomic"},
	{"l2", "l2 512 KiB, 8 ways, 15 cycles, 128 bytes"},
	{"l3", "l3 8 MiB, 16 ways, 60 cycles, 256 bytes"},
};

struct hiding {
	const struct knob *knob[HIDDEN_MOST];
	size_t n;
	struct candidate *truth;
};

const char *
confusion_outcome_name(enum confusion_outcome o)
{
	static const char *const name[N_CONFUSION_OUTCOMES] = {
		"right", "tie that holds it", "remains", "not probed", "refused", "wrong"};

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

/* Turns items of the core that is the truth, each to a value that calibration would try. */
static bool
hide(struct hiding *h, const struct candidate *core, size_t n, uint64_t *seed, struct str *what, struct err *e)
{
	const char *changes = candidate_changes(core);
	struct str with = {0};

	str_addf(&with, "%s", changes);
	if (!n) {
		size_t one = test_random(seed) % (sizeof odd / sizeof *odd);

		machine_text_set(&with, odd[one].key, odd[one].with);
		str_addf(what, "hidden: '%s'", odd[one].with);
	}
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

/* 2: the fault is a hidden item; 1: a tie is; 0: neither. */
static int
how_right(const struct hiding *h, const struct calibration_fault *f)
{
	if (is_hidden(h, f->knob))
		return 2;
	for (size_t i = 0; i < f->n_ties; i++)
		if (is_hidden(h, f->tie[i].knob) && has_value(h->truth, f->tie[i].knob, f->tie[i].after))
			return 1;
	return 0;
}

/* True if no hidden item that was not named is passed over in silence: its value is listed as unseen. */
static bool
all_listed(const struct hiding *h, const struct calibration *c)
{
	for (size_t i = 0; i < h->n; i++) {
		bool said = false;

		for (size_t j = 0; j < c->n_faults && !said; j++)
			said = how_right(&(struct hiding){{h->knob[i]}, 1, h->truth}, &c->fault[j]) > 0;
		for (size_t j = 0; j < c->coverage.n && !said; j++)
			for (size_t v = 0; v < c->coverage.item[j].n && !said; v++)
				said = c->coverage.item[j].knob == h->knob[i] &&
					has_value(h->truth, h->knob[i], c->coverage.item[j].unseen[v]);
		if (!said)
			return false;
	}
	return h->n > 0;
}

static bool
programs_refuse(const struct calibration *c, const struct candidate *truth, struct err *e)
{
	struct staged *p = staged_new(true);
	bool refused = staged_add_suite(p, "specint-like", e) && staged_add_suite(p, "specfp-like", e) &&
		staged_run_against(p, c, truth, UOPS, e) && staged_got_worse(p);

	staged_free(p);
	return refused;
}

static enum confusion_outcome
judge(const struct hiding *h, const struct calibration *c, struct err *e)
{
	int least = 2;

	for (size_t i = 0; i < c->n_faults; i++) {
		int right = how_right(h, &c->fault[i]);

		least = right < least ? right : least;
	}
	if (c->remaining)
		return CONFUSION_REMAINS;
	if (c->n_faults && least == 0)
		return programs_refuse(c, h->truth, e) ? CONFUSION_REFUSED : CONFUSION_WRONG;
	if (!all_listed(h, c))
		return CONFUSION_WRONG;
	return !c->n_faults ? CONFUSION_NOT_PROBED : least == 2 ? CONFUSION_RIGHT : CONFUSION_TIE;
}

static void
tell(const struct calibration *c, struct str *what)
{
	for (size_t i = 0; i < c->n_faults; i++) {
		const struct calibration_fault *f = &c->fault[i];

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
	if (core && hide(&h, core, hidden, &seed, what, &e) && ask(h.truth, &l, truth, &e))
		c = calibrate(str_text(&on), str_text(&changes), &l, truth, NULL, &e);
	if (c && calibrate_cover(c, truth, h.knob, h.n, NULL, &e))
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
