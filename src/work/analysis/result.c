/* The fields of a result, described once: how they are sent to the explorer, freed, and written in `check --json`. */
#include "work/analysis/result.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "shape/shape.h"
#include "work/analysis/uop_ranges.h"
#include "work/analysis/zeros.h"

#define VERDICT_OF(record, field) SHAPE_ONE_OF(record, field, verdict_words)

static const struct shape_row CONSTRAINT_ROWS[] = {
	{SHAPE_FIELD(struct constraint, text), .named = true, .key = "text", .help = "the constraint"},
	{SHAPE_FIELD(struct constraint, equality), .key = "equality", .help = "it is Σ coef·v = 0, else Σ coef·v ≥ 0"},
	{SHAPE_ARRAY(struct constraint, coef, n), .key = "coef", .as = SHAPE_COEFFICIENTS},
	{SHAPE_FIELD(struct constraint, margin), .key = "margin",
		.help = "minus the largest Σ coef·v in the region, over Σ |coef|·mean: how far the best point fails"},
	{SHAPE_FIELD(struct constraint, excess), .key = "excess", .unit = "counts", .help = "Σ coef·v at the mean"},
	{SHAPE_FIELD(struct constraint, off)},
};
const struct shape constraint_shape = SHAPE(struct constraint, CONSTRAINT_ROWS);

static const struct shape_row UOPS_ROWS[] = {
	{SHAPE_ARRAY(struct witness_uops, coef, n), .key = "coef", .as = SHAPE_COEFFICIENTS, .help = "a signature"},
	{SHAPE_FIELD(struct witness_uops, uops), .key = "uops", .help = "how many µops have it"},
};
static const struct shape UOPS = SHAPE(struct witness_uops, UOPS_ROWS);

static const struct shape_row NOTE_ROWS[] = {
	{SHAPE_FIELD(struct result_note, code), .key = "code"},
	{SHAPE_FIELD(struct result_note, text), .named = true, .key = "text"},
};
static const struct shape NOTE = SHAPE(struct result_note, NOTE_ROWS);

static const struct shape_row TRUST_ROWS[] = {
	{SHAPE_FIELD(struct finding_trust, counter), .key = "counter", .as = SHAPE_COUNTER},
	{SHAPE_FIELD(struct finding_trust, subtracted), .key = "subtracted", .unit = "counts",
		.help = "how much its mean was lowered; below 0: raised"},
	{SHAPE_FIELD(struct finding_trust, widened), .key = "widened", .unit = "counts",
		.help = "how far the mean may be off; null: unbounded, and the counter is in no verdict"},
	{SHAPE_FIELD(struct finding_trust, because), .key = "because"},
};
static const struct shape TRUST = SHAPE(struct finding_trust, TRUST_ROWS);

static const struct shape_row TEST_ROWS[] = {
	{SHAPE_FIELD(struct cone_test, dimensions), .key = "dimensions",
		.help = "constraints that meet at the point of the cone nearest to the mean"},
	{SHAPE_FIELD(struct cone_test, distance2), .key = "distance2",
		.help = "squared distance of the mean from that point, by the covariance of the rows"},
	{SHAPE_FIELD(struct cone_test, threshold2), .key = "threshold2",
		.help = "threshold of T² for that many dimensions; null with too few rows"},
	{SHAPE_FIELD(struct cone_test, freedom), .key = "freedom", .help = "degrees of freedom of that covariance"},
	{SHAPE_FIELD(struct cone_test, p), .key = "p",
		.help = "P(T² ≥ `distance2`), or more where noise in time explains more"},
};
static const struct shape TEST = SHAPE(struct cone_test, TEST_ROWS);

/* The part of a verdict that is about noise in time. */
static const struct shape_row NOISE_ROWS[] = {
	{SHAPE_FIELD(struct verdict, doubt), .key = "p",
		.help = "the p-value with that noise; above 1 − `confidence` the verdict is `undecided`"},
	{SHAPE_FIELD(struct verdict, p_independent), .key = "p_independent",
		.help = "the p-value if rows were independent"},
	{SHAPE_FIELD(struct verdict, samples_needed), .key = "samples_needed",
		.help = "about how many samples of the same kind would refute despite that noise"},
	{SHAPE_FIELD(struct verdict, noise.share), .key = "share",
		.help = "the slow part of the variance; 0: rows are independent"},
	{SHAPE_FIELD(struct verdict, noise.time), .key = "rows",
		.help = "rows within which the noise decays by a factor of e; 0: memory is long"},
	{SHAPE_FIELD(struct verdict, noise.memory), .key = "memory", .help = "Hurst exponent; 0: memory is not long"},
	{SHAPE_FIELD(struct verdict, noise.factor), .key = "factor",
		.help = "variance of the mean, over that of independent rows"},
};
static const struct shape NOISE = SHAPE(struct verdict, NOISE_ROWS);

static bool
is_tested(const void *finding)
{
	return ((const struct finding *)finding)->own.test.dimensions > 0;
}

static bool
is_refuted_alone(const void *finding)
{
	return !isnan(((const struct finding *)finding)->own.doubt);
}

static bool
differs_without_trust(const void *finding)
{
	const struct finding *f = finding;

	return f->counter.without_trust != f->own.verdict;
}

static bool
differs_with_zeros(const void *finding)
{
	const struct finding *f = finding;

	return f->counter.with_zeros != f->own.verdict;
}

static bool
has_flow(const void *finding)
{
	return ((const struct finding *)finding)->witness.n > 0;
}

static const char EACH_REGION[] =
	"the verdict by each region and by the test of the cone";

/* What cli/print/print_check_json.c writes of a finding. */
#define BY_HAND(name, types) .type = SHAPE_HAND, .key = (name), .json = (types)
static const struct shape_row UNTESTED_ROWS[] = {
	{BY_HAND("constraints", "integer"), .help = "how many"},
	{BY_HAND("names", "string"), .help = "the shortest of them, equalities first"},
	{BY_HAND("because", "string"), .help = "the missing counters, and why each is missing"},
};
static const struct shape UNTESTED = SHAPE(struct finding, UNTESTED_ROWS);

static const struct shape_row VALUE_ROWS[] = {
	{BY_HAND("counter", "string")},
	{BY_HAND("mean", "number"), .help = "of its rows; of an exact total: the total"},
};
static const struct shape VALUE = SHAPE(struct finding, VALUE_ROWS);

static const struct shape_row CERTIFICATE_ROWS[] = {
	{BY_HAND("coef", "object(integer)")}, {BY_HAND("text", "string")},
	{BY_HAND("verified", "boolean"), .help = "both were checked in exact arithmetic"},
};
static const struct shape CERTIFICATE = SHAPE(struct finding, CERTIFICATE_ROWS);

static const struct shape_row SHARE_ROWS[] = {
	{BY_HAND("counter", "string|null"), .help = "null: all µops seen"},
	{BY_HAND("least greatest", "number"), .help = "from 0 to 1"},
	{BY_HAND("always", "boolean"), .help = "the model without the feature never raises it"},
};
static const struct shape SHARE = SHAPE(struct finding, SHARE_ROWS);

static const struct shape_row FLOWING_ROWS[] = {
	{BY_HAND("feature", "string")},
	{BY_HAND("with", "array(string)"), .help = "features that require it: their parts count as its own"},
	{BY_HAND("reason", "string|null"), .help = "why there is no answer: a limit was reached"},
	{BY_HAND("least greatest", "number|null"),
		.help = "µops through it that a counter sees; null: no answer, or no limit"},
	{BY_HAND("unseen", "boolean"), .help = "it has µpaths that raise no counter; any number of µops may take them"},
	{BY_HAND("shares", "array(object)"), .of = &SHARE,
		.help = "its share of all µops, then of each counter, narrowest first"},
};
static const struct shape FLOWING = SHAPE(struct finding, FLOWING_ROWS);

/* In the order of JSON; what only the explorer shows comes last. */
static const struct shape_row FINDING_ROWS[] = {
	{SHAPE_FIELD(struct finding, name), .named = true, .key = "name",
		.help = "the second with the same name gets `#2`"},
	{SHAPE_FIELD(struct finding, source), .key = "source", .help = "the file, or the command line"},
	{SHAPE_FIELD(struct finding, data.samples), .key = "samples", .help = "rows"},
	{SHAPE_FIELD(struct finding, data.effective), .key = "effective_samples",
		.help = "how many independent rows they are worth"},
	{.type = SHAPE_ZERO, .key = "batches", .help = "not used any more"},
	{SHAPE_FIELD(struct finding, time.lag), .key = "lag",
		.help = "the correlation of neighbouring rows; 0: no noise in time was seen"},
	{.type = SHAPE_ZERO, .key = "shrinkage", .help = "not used any more"},
	{SHAPE_ARRAY(struct finding, time.phase, time.n_phases), .key = "phases", .as = SHAPE_FROM_ONE,
		.help = "the first row, from 1, of each phase after the first"},
	{SHAPE_FIELD(struct finding, data.exact), .key = "exact", .help = "its rows are exact totals: no noise model"},
	{SHAPE_FIELD(struct finding, data.peeked), .key = "peeked",
		.help = "it was judged while it grew: `threshold2` and `p` hold at every look"},
	{SHAPE_FIELD(struct finding, data.random_turns), .key = "random_turns",
		.help = "its counters took turns in random order: rows are independent by design"},
	{VERDICT_OF(struct finding, own.verdict), .key = "verdict",
		.help = "by what `region` names, for this observation alone"},
	{SHAPE_FIELD(struct finding, reason), .key = "reason", .help = "why it is borderline or undecided"},
	{SHAPE_FIELD(struct finding, in_doubt), .key = "in_doubt",
		.help = "the code of the warning that puts this refutation in doubt"},
	{BY_HAND("untested", "object|null"), .of = &UNTESTED,
		.help = "constraints left out of the verdict because the observation lacks one of their counters"},
	{VERDICT_OF(struct finding, own.region[REGION_ELLIPSOID]), .key = "ellipsoid", .help = EACH_REGION},
	{VERDICT_OF(struct finding, own.region[REGION_BOX]), .key = "box", .help = EACH_REGION},
	{VERDICT_OF(struct finding, own.region[REGION_INDEPENDENT]), .key = "independent", .help = EACH_REGION},
	{VERDICT_OF(struct finding, own.region[REGION_CONE]), .key = "cone", .help = EACH_REGION},
	{VERDICT_OF(struct finding, own.family_wise), .key = "family_wise",
		.help = "by Holm's procedure: `feasible` if chance explains that many infeasible observations"},
	{SHAPE_FIELD(struct finding, own.distance2), .key = "distance2",
		.help = "squared distance d² of the mean from the cone, by the mean's covariance; null if not found"},
	{SHAPE_FIELD(struct finding, own.threshold2), .key = "threshold2",
		.help = "what d² is compared with: a χ² quantile; 0 for an exact total, null if undecided"},
	{SHAPE_FIELD(struct finding, own.p), .key = "p", .help = "P(χ² ≥ d²)"},
	{SHAPE_FIELD(struct finding, own.test), .key = "test", .of = &TEST, .shown = is_tested,
		.help = "the test of the cone; null for an exact total, with stated errors, or if undecided"},
	{SHAPE_FIELD(struct finding, own), .key = "noise", .of = &NOISE, .shown = is_refuted_alone,
		.help = "the noise in time that would explain a refutation best"},
	{SHAPE_ARRAY(struct finding, trust, n_trust), .key = "trust", .of = &TRUST,
		.help = "with `--trust`: what was corrected"},
	{VERDICT_OF(struct finding, counter.without_trust), .key = "without_trust", .shown = differs_without_trust,
		.help = "the verdict on the counts as they are; null: the same"},
	{VERDICT_OF(struct finding, counter.with_zeros), .key = "with_zeros", .shown = differs_with_zeros,
		.help = "the verdict with `--trust-zeros`; null: the same"},
	{SHAPE_ARRAY(struct finding, warning, n_warnings), .key = "warnings", .of = &NOTE,
		.help = "doubts about this observation"},
	{BY_HAND("values", "array(object)"), .of = &VALUE},
	{SHAPE_ARRAY(struct finding, proof.violated, proof.n_violated), .key = "violated", .of = &constraint_shape,
		.help = "constraints that the whole deciding region violates, worst first; may be none"},
	{SHAPE_ARRAY(struct finding, proof.suspected, proof.n_suspected), .key = "suspected", .as = SHAPE_FIRST,
		.of = &constraint_shape,
		.help = "if slow noise left it undecided: the constraint that independent rows would refute"},
	{BY_HAND("certificate", "object|null"), .of = &CERTIFICATE,
		.help = "if infeasible: Σ coef·v ≥ 0, which every signature keeps and the whole region violates"},
	{SHAPE_ARRAY(struct finding, witness.uops, witness.n), .key = "flow", .of = &UOPS, .shown = has_flow,
		.help = "with `--flow`, if feasible: a mix of µpaths whose counts lie in the region, largest first"},
	{BY_HAND("features", "array(object)|null"), .of = &FLOWING,
		.help = "with `--flow`, if feasible: how much may go through each feature that is on"},

	{SHAPE_FIELD(struct finding, data.table)},
	{SHAPE_FIELD(struct finding, data.place)},
	{SHAPE_FIELD(struct finding, data.row)},
	{SHAPE_FIELD(struct finding, data.rows)},
	{VERDICT_OF(struct finding, verdict)},
	{SHAPE_FIELD(struct finding, own.reach2)},
	{SHAPE_FIELD(struct finding, own.verified)},
	{SHAPE_RAW(struct finding, measure)},
	{SHAPE_ARRAY(struct finding, proof.certificate, proof.n_certificates), .of = &constraint_shape},
	{SHAPE_ARRAY(struct finding, proof.part, proof.n_parts), .of = &constraint_shape},
	{SHAPE_ARRAY(struct finding, proof.weight, proof.n_weights)},
	{SHAPE_FIELD(struct finding, proof.times)},
	{SHAPE_ARRAY(struct finding, counter.value, counter.n_values)},
	{SHAPE_ARRAY(struct finding, counter.total, counter.n_totals)},
	{SHAPE_ARRAY(struct finding, counter.dead, counter.n_dead)},
	{SHAPE_ARRAY(struct finding, counter.deviation, counter.n_deviations)},
	{SHAPE_ARRAY(struct finding, counter.running, counter.n_running)},
	{SHAPE_RAW_ARRAY(struct finding, slack, n_slacks)},
	{SHAPE_FIELD(struct finding, correlation.mean)},
	{SHAPE_FIELD(struct finding, correlation.most)},
	{SHAPE_EACH(struct finding, correlation.of)},
	{SHAPE_ARRAY(struct finding, time.series, time.n_series)},
};
const struct shape finding_shape = SHAPE(struct finding, FINDING_ROWS);

static const struct shape_row RESULT_ROWS[] = {
	{SHAPE_FIELD(struct result, request)}, {SHAPE_RAW(struct result, on)},
	{SHAPE_FIELD(struct result, error)}, {SHAPE_FIELD(struct result, paths)},
	{SHAPE_FIELD(struct result, signatures)}, {SHAPE_FIELD(struct result, rays)},
	{SHAPE_ARRAY(struct result, used, n_counters)}, {SHAPE_FIELD(struct result, cone)},
	{SHAPE_ARRAY(struct result, constraint, n_constraints), .of = &constraint_shape},
	{SHAPE_FIELD(struct result, n_equalities)}, {SHAPE_FIELD(struct result, complete)},
	{SHAPE_FIELD(struct result, reason)}, {SHAPE_FIELD(struct result, seconds)},
	{SHAPE_ARRAY(struct result, missing.counter, missing.n)},
	{SHAPE_ARRAY(struct result, missing.apart, missing.n_apart)},
	{SHAPE_ARRAY(struct result, missing.untested, missing.n_untested), .of = &constraint_shape},
	{SHAPE_ARRAY(struct result, extra, n_extra)},
	{SHAPE_ARRAY(struct result, note, n_notes), .of = &NOTE},
	{SHAPE_ARRAY(struct result, finding, n_findings), .of = &finding_shape},
	{SHAPE_EACH(struct result, count)},
	{SHAPE_FIELD(struct result, refuted.one_by_one)}, {SHAPE_FIELD(struct result, refuted.family_wise)},
	{SHAPE_FIELD(struct result, refuted.in_doubt)},
};
static const struct shape result_shape = SHAPE(struct result, RESULT_ROWS);

static const struct shape_row NEIGHBOUR_ROWS[] = {
	{SHAPE_FIELD(struct neighbour, legal)}, {SHAPE_FIELD(struct neighbour, why)},
	{SHAPE_FIELD(struct neighbour, paths)}, {SHAPE_FIELD(struct neighbour, more)},
	{SHAPE_FIELD(struct neighbour, infeasible)}, {SHAPE_FIELD(struct neighbour, undecided)},
	{SHAPE_FIELD(struct neighbour, frees)},
	{SHAPE_ARRAY(struct neighbour, relaxes, n_relaxes)},
};
static const struct shape NEIGHBOUR = SHAPE(struct neighbour, NEIGHBOUR_ROWS);

static const struct shape_row NEIGHBOURS_ROWS[] = {
	{SHAPE_FIELD(struct neighbours, request)},
	{SHAPE_ARRAY(struct neighbours, feature, n), .of = &NEIGHBOUR},
};
static const struct shape neighbours_shape = SHAPE(struct neighbours, NEIGHBOURS_ROWS);

void
result_wire(struct wire *w, struct result *r)
{
	shape_wire(w, &result_shape, r);
}

void
result_free(struct result *r)
{
	for (size_t i = 0; r && i < r->n_findings; i++)
		uop_ranges_free(r->finding[i].witness.ranges);
	shape_free(&result_shape, r);
}

void
neighbours_wire(struct wire *w, struct neighbours *t)
{
	shape_wire(w, &neighbours_shape, t);
}

void
neighbours_free(struct neighbours *t)
{
	shape_free(&neighbours_shape, t);
}

void
constraints_free(struct constraint *c, size_t n)
{
	shape_free_array(&constraint_shape, c, n);
}

size_t
constraint_counters(const struct constraint *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->coef[i] != 0;
	return n;
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

	for (size_t i = 0; i < r->n_notes; i++)
		if (str_eq(r->note[i].text, text) && str_eq(r->note[i].code, code)) {
			free(text);
			return;
		}
	mem_grow(&r->note, &cap, r->n_notes + 1, sizeof *r->note);
	r->note[r->n_notes++] = (struct result_note){.code = mem_str(code), .text = text};
}
