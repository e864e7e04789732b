#include "draw/view/view_network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "core/network/state.h"
#include "explorer/state/state_flows.h"
#include "work/timeline/timeline.h"

enum role
path_kind_role(size_t kind)
{
	return (enum role)(ROLE_PATH1 + kind % 4);
}

unsigned char
path_kind_attr(size_t kind)
{
	return kind >= 4 ? CELL_UNDERLINE : 0;
}

void
timeline_add_owner(const struct state *state, enum scope per, size_t owner, bool brief, struct str *out)
{
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	const struct net_shape *shape = analysis ? net_state_shape(analysis->state) : NULL;
	const char *name = timeline_owner(state->data.timeline, per, owner), *number = name;

	if (!*name || !shape || shape->n[SCOPE_SOCKET] > 1 || strncmp(name, "S0", 2) != 0) {
		str_add(out, name);
		return;
	}
	while (*number)
		number++;
	while (number > name && number[-1] >= '0' && number[-1] <= '9')
		number--;
	if (!brief)
		str_addf(out, "%s ", scope_name(per));
	str_add(out, number);
}

void
timeline_add_compared(const struct state *s, bool brief, struct str *out)
{
	str_addf(out, brief ? "in %zu" : "snapshot %zu",
		timeline_snapshot(s->data.timeline, s->view.timeline.compared).number);
}

char *
queue_length_text(char out[NUMBER_TEXT], double v)
{
	if (isnan(v))
		snprintf(out, NUMBER_TEXT, "?");
	else if (v > 0 && v < 0.005)
		snprintf(out, NUMBER_TEXT, "<0.01");
	else if (v >= 999.95)
		number_count(out, v, false);
	else
		snprintf(out, NUMBER_TEXT, v >= 0.095 ? "%.1f" : v > 0 ? "%.2f" : "0", v);
	return out;
}

bool
queue_in_cycles(const struct state *s, const struct net_queue *q)
{
	const struct aexpr *delay =
		timeline_network(s->data.timeline)->module[q->module].cell[q->kind].field[NET_DELAY];

	return delay && !unit_equal(unit_times(delay->unit, unit_of(UNIT_NS), -1), (struct unit){0}) &&
		delay->unit.power[UNIT_CYCLES] > 0;
}

char *
number_arrivals(char out[NUMBER_TEXT], const struct state *state, const struct net_queue *q, double rate, bool unit)
{
	bool cycles = queue_in_cycles(state, q);
	double v = cycles ? rate : rate * 1e6;

	int decimals = v >= 99.95 || !(v > 0) ? 0 : v >= 0.0995 ? 3 : v >= 0.00995 ? 4 : v >= 0.000995 ? 5 : 6;
	char size[NUMBER_TEXT];

	if (isnan(v))
		snprintf(out, NUMBER_TEXT, "?");
	else if (v >= 999.5 || (v > 0 && v < 0.0000095))
		snprintf(out, NUMBER_TEXT, "%.20s%s",
			v < 1 ? number_digits(size, v, 2, false) : number_count(size, v, false),
			!unit ? "" : cycles ? " /cycle" : " /ms");
	else
		snprintf(out, NUMBER_TEXT, "%.*f%s", decimals, v, !unit ? "" : cycles ? " /cycle" : " /ms");
	return out;
}

char *
number_wait(char out[NUMBER_TEXT], const struct state *state, const struct net_queue *queue, double wait, bool unit)
{
	char number[NUMBER_TEXT];

	if (isnan(wait))
		snprintf(out, NUMBER_TEXT, "?");
	else if (queue_in_cycles(state, queue))
		snprintf(out, NUMBER_TEXT, "%s%s", number_count(number, wait < 99.5 ? wait : round(wait), false),
			unit ? " cycles" : "");
	else
		number_seconds(out, wait * 1e-9, false);
	return out;
}

double
timeline_per(const struct state *state)
{
	const struct timeline_analysis *analysis = state_timeline_shown(state).analysis;
	double seconds = analysis ? net_state_seconds(analysis->state) : NAN;

	return state->view.timeline.rates && seconds > 0 ? seconds : 1;
}
