#include "sim/program/parameters.h"

#include "base/err.h"
#include "base/str.h"
#include "sim/parameter_table.h"

static const struct sim_table_row row[SIM_N_PROGRAM_PARAMETERS] = {
#define X(id, ...) [SIM_P_##id] = SIM_TABLE_ROW(__VA_ARGS__),
	SIM_PROGRAM_PARAMETERS(X)
#undef X
};
_Static_assert(SIM_N_PROGRAM_PARAMETERS < 64, "one bit each");
static const struct sim_table table = {row, SIM_N_PROGRAM_PARAMETERS};

const char *
sim_parameter_about(enum sim_program_parameter i)
{
	return row[i].text;
}

void
sim_parameters_preset(struct sim_parameters *p)
{
	sim_table_preset(&table, p->value);
	p->given = 0;
}

void
sim_parameters_print(const struct sim_parameters *p, sim_parameter_set set, struct str *out)
{
	sim_table_print(&table, p->value, set, out);
}

bool
sim_parameters_parse(
	struct sim_parameters *p, const char *whose, sim_parameter_set may, const char *text, struct err *e)
{
	return sim_table_parse(&table, p->value, &p->given, whose, may, text, e);
}

/* Shares of one thing. Their sum must leave the rest for what `left` names. */
static const struct whole {
	const char *left;
	sim_parameter_set part;
	int64_t most;
} whole[] = {
	{"simple arithmetic",
		SIM_P_BIT(BRANCHES) | SIM_P_BIT(LOADS) | SIM_P_BIT(STORES) | SIM_P_BIT(MUL) | SIM_P_BIT(DIV) |
			SIM_P_BIT(MOVES) | SIM_P_BIT(FP),
		980000},
	{"floating-point additions and multiplications", SIM_P_BIT(FMA) | SIM_P_BIT(FDIV), SHARE_ONE},
	{"conditional branches", SIM_P_BIT(LOOPS) | SIM_P_BIT(CALLS) | SIM_P_BIT(INDIRECT), 950000},
	{"biased branches", SIM_P_BIT(HARD) | SIM_P_BIT(PERIODIC) | SIM_P_BIT(CORRELATED), SHARE_ONE},
	{"other loads", SIM_P_BIT(CHASE) | SIM_P_BIT(FIELDS) | SIM_P_BIT(GATHER), SHARE_ONE},
	{"the hot region", SIM_P_BIT(STACK) | SIM_P_BIT(SEQUENTIAL) | SIM_P_BIT(TO_WARM) | SIM_P_BIT(TO_FAR),
		SHARE_ONE},
};

static bool
refuse_sum(
	const struct sim_parameters *parameters, const struct whole *w, int64_t sum, const char *whose, struct err *e)
{
	struct str names = {0}, values[2] = {{0}, {0}};

	for (int i = 0; i < SIM_N_PROGRAM_PARAMETERS; i++)
		if (w->part >> i & 1 && parameters->value[i])
			str_addf(&names, "%s%s", names.n ? ", " : "", row[i].name);
	notation_print(NOTATION_SHARE, sum, &values[0]);
	notation_print(NOTATION_SHARE, w->most, &values[1]);
	err_set(e, "%s: %s are %s together", whose, str_text(&names), str_text(&values[0]));
	err_hint(e, "at most %s; the rest is for %s", str_text(&values[1]), w->left);
	str_free(&names);
	str_free(&values[0]);
	str_free(&values[1]);
	return false;
}

bool
sim_parameters_check(const struct sim_parameters *parameters, const char *whose, struct err *e)
{
	for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
		int64_t sum = 0;

		for (int i = 0; i < SIM_N_PROGRAM_PARAMETERS; i++)
			if (whole[k].part >> i & 1)
				sum += parameters->value[i];
		if (sum > whole[k].most)
			return refuse_sum(parameters, &whole[k], sum, whose, e);
	}
	return true;
}
