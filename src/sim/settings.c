
#include "base/err.h"
#include "sim/generate.h"
#include "sim/parameter_table.h"

static const struct sim_table_row row[SIM_N_SETTINGS] = {
#define X(id, ...) [SIM_SET_##id] = SIM_TABLE_ROW(__VA_ARGS__),
	SIM_SETTINGS(X)
#undef X
};
static const struct sim_table table = {row, SIM_N_SETTINGS};

const char *
sim_setting_name(enum sim_setting s)
{
	return row[s].name;
}

const char *
sim_setting_text(enum sim_setting s)
{
	return row[s].text;
}

void
sim_settings_preset(struct sim_settings *s)
{
	sim_table_preset(&table, s->value);
	s->said = 0;
}

void
sim_settings_print(const struct sim_settings *s, sim_setting_set set, struct str *out)
{
	sim_table_print(&table, s->value, set, out);
}

bool
sim_settings_parse(struct sim_settings *s, const char *whose, sim_setting_set may, const char *text, struct err *e)
{
	return sim_table_parse(&table, s->value, &s->said, whose, may, text, e);
}

static const struct sim_kind kind[] = {
	{"linear", "goes through an array, up or down", "",
		SIM_SET(STRIDE) | SIM_SET(LOADS) | SIM_SET(DEPENDS) | SIM_SET(STORE_DEPENDS), 0, false, false,
		sim_linear_new},
	{"lines", "touches two cache lines of a page, page after page", "",
		SIM_SET(FIRST) | SIM_SET(SECOND) | SIM_SET(STEP) | SIM_SET(LOADS), 0, false, false, sim_lines_new},
	{"random", "touches words anywhere", "other=4", SIM_SET(LOADS) | SIM_SET(DEPENDS) | SIM_SET(STORE_DEPENDS), 0,
		false, false, sim_random_new},
	{"chase", "follows a list through all of its memory", "other=1", SIM_SET(NODE) | SIM_SET(LOADS), 0, false,
		false, sim_chase_new},
	{"stream", "copies, scales or adds arrays (STREAM)", "other=1", SIM_SET(KERNEL), 0, false, false,
		sim_stream_new},
	{"gups", "changes words anywhere (GUPS)", "other=5", 0, 0, false, false, sim_gups_new},
	{"zipf", "gets and puts values by key, some keys far more often than others", "loads=0.95,other=6",
		SIM_SET(VALUE) | SIM_SET(SKEW) | SIM_SET(LOADS), 0, false, false, sim_zipf_new},
	{"graph", "gathers from the neighbours of each vertex", "skew=0.6,other=2",
		SIM_SET(DEGREE) | SIM_SET(SKEW) | SIM_SET(FRONTIER), 0, false, false, sim_graph_new},
	{"branchy", "searches a sorted array; each comparison is an unpredictable branch",
		"footprint=16M,wrong=0.5,wrong_length=8,other=3", 0, SIM_SET(AWAY), true, false, sim_branchy_new},
	{"code", "many instructions, little data: a stack", "footprint=256K,loads=0.65,other=20", SIM_SET(LOADS), 0,
		false, false, sim_code_new},
	{"periodic", "touches random words of all its memory, then of a part of it, in each period", "other=4",
		SIM_SET(LOADS) | SIM_SET(PERIOD) | SIM_SET(BUSY) | SIM_SET(QUIET),
		SIM_SET(WRONG) | SIM_SET(WRONG_LENGTH) | SIM_SET(AWAY) | SIM_SET(CLEARS), false, true,
		sim_periodic_new},
};

const struct sim_kind *
sim_kinds(size_t *n)
{
	*n = sizeof kind / sizeof *kind;
	return kind;
}

bool
sim_plan_holds(const struct sim_plan *p, const char *whose, uint64_t bytes, struct err *e)
{
	if ((uint64_t)p->set->value[SIM_SET_FOOTPRINT] >= bytes)
		return true;
	err_set(e, "%s needs a footprint of at least %llu bytes", whose, (unsigned long long)bytes);
	return err_hint(e, "give a larger footprint");
}

bool
sim_plan_aligned(const struct sim_plan *p, const char *whose, enum sim_setting s, struct err *e)
{
	if (p->set->value[s] % 8 == 0)
		return true;
	err_set(e, "%s: %s cannot be %lld bytes", whose, sim_setting_name(s), (long long)p->set->value[s]);
	return err_hint(e, "it must be a multiple of 8, so that no access crosses a cache line");
}
