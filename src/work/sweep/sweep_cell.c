#include "work/sweep/sweep_cell.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "shape/shape.h"
#include "work/analysis/result.h"

#define COLUMNS_MOST 400 /* of a name or a constraint; with BYTES_MOST a cell is shorter than a message may be */
#define BYTES_MOST 1600

static const char *const WORDS[SWEEP_ANSWERS] = {[SWEEP_SURVIVES] = "survives",
	[SWEEP_REFUTED] = "refuted",
	[SWEEP_IN_DOUBT] = "in doubt",
	[SWEEP_UNDECIDED] = "undecided",
	[SWEEP_FAILED] = "failed"};

const char *
sweep_answer_word(enum sweep_answer answer)
{
	return WORDS[answer];
}

static const struct shape_row REFUTATION_ROWS[] = {
	{SHAPE_FIELD(struct sweep_refutation, observation), .key = "observation", .named = true},
	{SHAPE_FIELD(struct sweep_refutation, constraint), .key = "constraint", .named = true,
		.help = "the one that it breaks worst, or the certificate"},
	{SHAPE_FIELD(struct sweep_refutation, in_doubt), .key = "in_doubt", .help = "it rests on a doubtful premise"},
};
static const struct shape REFUTATION = SHAPE(struct sweep_refutation, REFUTATION_ROWS);

static const struct shape_row CELL_ROWS[] = {
	{.type = SHAPE_HAND, .key = "model", .json = "string", .help = "its name"},
	{.type = SHAPE_HAND, .key = "data", .json = "string", .help = "the path of the file"},
	{SHAPE_ONE_OF(struct sweep_cell, answer, WORDS), .key = "answer"},
	{SHAPE_FIELD(struct sweep_cell, observations), .key = "observations"},
	{SHAPE_FIELD(struct sweep_cell, infeasible), .key = "infeasible"},
	{SHAPE_FIELD(struct sweep_cell, feasible), .key = "feasible"},
	{SHAPE_FIELD(struct sweep_cell, borderline), .key = "borderline"},
	{SHAPE_FIELD(struct sweep_cell, undecided), .key = "undecided"},
	{SHAPE_FIELD(struct sweep_cell, in_doubt), .key = "in_doubt",
		.help = "how many infeasible ones rest on a doubtful premise"},
	{SHAPE_ARRAY(struct sweep_cell, refuted, n_refuted), .key = "refuted", .of = &REFUTATION,
		.help = "the first 16 observations that refute"},
	{SHAPE_FIELD(struct sweep_cell, reason), .key = "reason", .help = "why nothing was decided"},
};
const struct shape sweep_cell_shape = SHAPE(struct sweep_cell, CELL_ROWS);

/* Returns a copy of the first line, if that is not too long. */
static char *
shortened(const char *text)
{
	size_t n = utf8_fit(text, COLUMNS_MOST), line = strcspn(text, "\n");

	if (line < n)
		n = line;
	if (n > BYTES_MOST)
		for (n = BYTES_MOST; n && ((unsigned char)text[n] & 0xc0) == 0x80;)
			n--;
	return mem_strn(text, n);
}

static void
add_refutation(struct sweep_cell *cell, const struct finding *finding)
{
	const struct finding_proof *proof = &finding->proof;
	const struct constraint *worst = proof->n_violated ? proof->violated : proof->certificate;

	cell->refuted[cell->n_refuted++] = (struct sweep_refutation){.observation = shortened(finding->name),
		.constraint = shortened(worst ? worst->text : ""),
		.in_doubt = finding->in_doubt != NULL};
}

void
sweep_cell_take(struct sweep_cell *cell, const struct result *result)
{
	if (result->error) {
		sweep_cell_fail(cell, result->error);
		return;
	}
	cell->observations = result->n_findings;
	cell->infeasible = result->count[VERDICT_INFEASIBLE];
	cell->feasible = result->count[VERDICT_FEASIBLE];
	cell->borderline = result->count[VERDICT_BORDERLINE];
	cell->undecided = result->count[VERDICT_UNDECIDED];
	cell->in_doubt = result->refuted.in_doubt;
	cell->answer = cell->infeasible > cell->in_doubt ? SWEEP_REFUTED
		: cell->infeasible                       ? SWEEP_IN_DOUBT
		: cell->feasible || cell->borderline     ? SWEEP_SURVIVES
							 : SWEEP_UNDECIDED;
	cell->refuted = mem_new_array(SWEEP_REFUTED_MOST, sizeof *cell->refuted);
	for (size_t i = 0; i < result->n_findings && cell->n_refuted < SWEEP_REFUTED_MOST; i++)
		if (result->finding[i].verdict == VERDICT_INFEASIBLE)
			add_refutation(cell, &result->finding[i]);
	if (cell->answer != SWEEP_UNDECIDED)
		return;
	if (!result->n_findings)
		cell->reason = mem_str("no observation to judge");
	else if (result->finding[0].reason)
		cell->reason = shortened(result->finding[0].reason);
}

void
sweep_cell_fail(struct sweep_cell *cell, const char *reason)
{
	cell->answer = SWEEP_FAILED;
	cell->reason = shortened(reason);
}
