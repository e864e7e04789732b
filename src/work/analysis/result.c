#include "work/analysis/result.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "work/analysis/uop_ranges.h"
#include "work/analysis/zeros.h"
#include "work/wire.h"

static void
wire_verdict(struct wire *w, enum verdict_kind *v)
{
	int n = (int)*v;

	wire_int(w, &n);
	if (n < VERDICT_FEASIBLE || n > VERDICT_UNDECIDED) {
		w->bad = true;
		n = VERDICT_UNDECIDED;
	}
	*v = (enum verdict_kind)n;
}

static void
wire_bools(struct wire *w, bool **v, size_t *n)
{
	wire_array(w, v, n, sizeof **v, 1);
	for (size_t i = 0; i < *n; i++)
		wire_bool(w, &(*v)[i]);
}

void
constraints_wire(struct wire *w, struct constraint **c, size_t *n)
{
	wire_array(w, c, n, sizeof **c, 34);
	for (size_t i = 0; i < *n; i++) {
		struct constraint *k = &(*c)[i];

		wire_bool(w, &k->equality);
		wire_i64s(w, &k->coef, &k->n);
		wire_str(w, &k->text);
		wire_double(w, &k->margin);
		wire_double(w, &k->excess);
		wire_double(w, &k->off);
	}
}

static void
notes_wire(struct wire *w, struct result_note **note, size_t *n)
{
	wire_array(w, note, n, sizeof **note, 2);
	for (size_t i = 0; i < *n; i++) {
		wire_str(w, &(*note)[i].code);
		wire_str(w, &(*note)[i].text);
	}
}

static void
notes_free(struct result_note *note, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(note[i].code);
		free(note[i].text);
	}
	free(note);
}

static void
wire_finding(struct wire *w, struct finding *f)
{
	wire_str(w, &f->name);
	wire_str(w, &f->source);
	wire_size(w, &f->data.table);
	wire_size(w, &f->data.place);
	wire_size(w, &f->data.row);
	wire_size(w, &f->data.samples);
	wire_size(w, &f->data.rows);
	wire_double(w, &f->data.effective);
	wire_bool(w, &f->data.exact);
	wire_bool(w, &f->data.random_turns);
	wire_bool(w, &f->data.peeked);
	wire_verdict(w, &f->verdict);
	wire_verdict(w, &f->alone);
	wire_verdict(w, &f->family_wise);
	for (size_t k = 0; k < REGION_KINDS; k++)
		wire_verdict(w, &f->region[k]);
	wire_str(w, &f->reason);
	wire_double(w, &f->ellipsoid.distance2);
	wire_double(w, &f->ellipsoid.threshold2);
	wire_double(w, &f->ellipsoid.p);
	wire_double(w, &f->reach2);
	wire_size(w, &f->test.dimensions);
	wire_double(w, &f->test.distance2);
	wire_double(w, &f->test.threshold2);
	wire_double(w, &f->test.freedom);
	wire_double(w, &f->test.p);
	wire_double(w, &f->measure.distance2);
	wire_double(w, &f->measure.threshold2);
	wire_double(w, &f->measure.p);
	wire_size(w, &f->measure.dimensions);
	wire_double(w, &f->slow.noise.share);
	wire_double(w, &f->slow.noise.time);
	wire_double(w, &f->slow.noise.memory);
	wire_double(w, &f->slow.noise.factor);
	wire_double(w, &f->slow.p);
	wire_double(w, &f->slow.p_independent);
	wire_double(w, &f->slow.samples_needed);
	wire_str(w, &f->in_doubt);
	constraints_wire(w, &f->proof.violated, &f->proof.n_violated);
	constraints_wire(w, &f->proof.suspected, &f->proof.n_suspected);
	constraints_wire(w, &f->proof.certificate, &f->proof.n_certificates);
	constraints_wire(w, &f->proof.part, &f->proof.n_parts);
	wire_i64s(w, &f->proof.weight, &f->proof.n_weights);
	wire_i64(w, &f->proof.times);
	wire_bool(w, &f->proof.verified);
	wire_array(w, &f->witness.uops, &f->witness.n, sizeof *f->witness.uops, 16);
	for (size_t i = 0; i < f->witness.n; i++) {
		wire_i64s(w, &f->witness.uops[i].coef, &f->witness.uops[i].n);
		wire_double(w, &f->witness.uops[i].uops);
	}
	wire_doubles(w, &f->counter.value, &f->counter.n_values);
	wire_i64s(w, &f->counter.total, &f->counter.n_totals);
	wire_bools(w, &f->counter.dead, &f->counter.n_dead);
	wire_doubles(w, &f->counter.deviation, &f->counter.n_deviations);
	wire_doubles(w, &f->counter.running, &f->counter.n_running);
	wire_array(w, &f->slack, &f->n_slacks, sizeof *f->slack, 24);
	for (size_t i = 0; i < f->n_slacks; i++) {
		wire_double(w, &f->slack[i].at);
		wire_double(w, &f->slack[i].reach);
		wire_double(w, &f->slack[i].size);
	}
	wire_double(w, &f->correlation.mean);
	wire_double(w, &f->correlation.most);
	wire_size(w, &f->correlation.of[0]);
	wire_size(w, &f->correlation.of[1]);
	wire_doubles(w, &f->time.series, &f->time.n_series);
	wire_double(w, &f->time.lag);
	wire_array(w, &f->trust, &f->n_trust, sizeof *f->trust, 24);
	for (size_t i = 0; i < f->n_trust; i++) {
		wire_size(w, &f->trust[i].counter);
		wire_double(w, &f->trust[i].subtracted);
		wire_double(w, &f->trust[i].widened);
		wire_str(w, &f->trust[i].because);
	}
	wire_verdict(w, &f->counter.without_trust);
	wire_verdict(w, &f->counter.with_zeros);
	notes_wire(w, &f->warning, &f->n_warnings);
	wire_array(w, &f->time.phase, &f->time.n_phases, sizeof *f->time.phase, 8);
	for (size_t i = 0; i < f->time.n_phases; i++)
		wire_size(w, &f->time.phase[i]);
}

void
result_wire(struct wire *w, struct result *r)
{
	wire_u64(w, &r->request);
	wire_bytes(w, &r->on, sizeof r->on);
	wire_str(w, &r->error);
	wire_str(w, &r->paths);
	wire_size(w, &r->signatures);
	wire_size(w, &r->rays);
	wire_bools(w, &r->used, &r->n_counters);
	wire_u64(w, &r->cone);
	constraints_wire(w, &r->constraint, &r->n_constraints);
	wire_size(w, &r->n_equalities);
	wire_bool(w, &r->complete);
	wire_str(w, &r->reason);
	wire_double(w, &r->seconds);
	wire_bools(w, &r->missing.counter, &r->missing.n);
	wire_bools(w, &r->missing.apart, &r->missing.n_apart);
	constraints_wire(w, &r->missing.untested, &r->missing.n_untested);
	wire_array(w, &r->extra, &r->n_extra, sizeof *r->extra, 1);
	for (size_t i = 0; i < r->n_extra; i++)
		wire_str(w, &r->extra[i]);
	notes_wire(w, &r->note, &r->n_notes);
	wire_array(w, &r->finding, &r->n_findings, sizeof *r->finding, 100);
	for (size_t i = 0; i < r->n_findings; i++)
		wire_finding(w, &r->finding[i]);
	for (int k = 0; k < 4; k++)
		wire_size(w, &r->count[k]);
	wire_size(w, &r->refuted.one_by_one);
	wire_size(w, &r->refuted.family_wise);
	wire_size(w, &r->refuted.in_doubt);
}

void
constraints_free(struct constraint *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(c[i].coef);
		free(c[i].text);
	}
	free(c);
}

size_t
constraint_counters(const struct constraint *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->coef[i] != 0;
	return n;
}

void
result_free(struct result *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_findings; i++) {
		struct finding *f = &r->finding[i];

		free(f->name);
		free(f->source);
		free(f->reason);
		free(f->in_doubt);
		constraints_free(f->proof.violated, f->proof.n_violated);
		constraints_free(f->proof.suspected, f->proof.n_suspected);
		constraints_free(f->proof.certificate, f->proof.n_certificates);
		constraints_free(f->proof.part, f->proof.n_parts);
		free(f->proof.weight);
		free(f->time.series);
		for (size_t k = 0; k < f->witness.n; k++)
			free(f->witness.uops[k].coef);
		free(f->witness.uops);
		uop_ranges_free(f->witness.ranges);
		free(f->counter.value);
		free(f->counter.total);
		free(f->counter.dead);
		free(f->counter.deviation);
		free(f->counter.running);
		free(f->slack);
		free(f->time.phase);
		for (size_t k = 0; k < f->n_trust; k++)
			free(f->trust[k].because);
		free(f->trust);
		notes_free(f->warning, f->n_warnings);
	}
	free(r->finding);
	for (size_t i = 0; i < r->n_extra; i++)
		free(r->extra[i]);
	free(r->extra);
	notes_free(r->note, r->n_notes);
	constraints_free(r->constraint, r->n_constraints);
	free(r->error);
	free(r->paths);
	free(r->reason);
	free(r->used);
	free(r->missing.counter);
	free(r->missing.apart);
	constraints_free(r->missing.untested, r->missing.n_untested);
	free(r);
}

void
neighbours_wire(struct wire *w, struct neighbours *t)
{
	wire_u64(w, &t->request);
	wire_array(w, &t->feature, &t->n, sizeof *t->feature, 30);
	for (size_t i = 0; i < t->n; i++) {
		struct neighbour *k = &t->feature[i];

		wire_bool(w, &k->legal);
		wire_str(w, &k->why);
		wire_str(w, &k->paths);
		wire_i64(w, &k->more);
		wire_size(w, &k->infeasible);
		wire_size(w, &k->frees);
		wire_bools(w, &k->relaxes, &k->n_relaxes);
	}
}

void
neighbours_free(struct neighbours *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++) {
		free(t->feature[i].why);
		free(t->feature[i].paths);
		free(t->feature[i].relaxes);
	}
	free(t->feature);
	free(t);
}

size_t
finding_doubts(const struct finding *f)
{
	size_t n = 0;

	while (n < f->n_warnings && !str_eq(f->warning[n].code, ZEROS_CODE))
		n++;
	return n;
}

void
result_add_note(struct result *r, const char *code, char *text)
{
	size_t cap = r->n_notes;

	mem_grow(&r->note, &cap, r->n_notes + 1, sizeof *r->note);
	r->note[r->n_notes++] = (struct result_note){.code = mem_str(code), .text = text};
}
