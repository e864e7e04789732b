#include "cli/print/print_net_tiering.h"

#include <math.h>

#include "base/json.h"
#include "base/str.h"
#include "work/timeline/tiering.h"

static void
add_memory(struct str *out, const struct tiering_memory *memory)
{
	if (isnan(memory->delay))
		str_addf(out, "%12.0f%10s", memory->misses, "·");
	else
		str_addf(out, "%12.0f%10.1f", memory->misses, memory->delay);
}

static const char *
where(enum tiering_move move)
{
	static const char *const text[] = {"somewhere unknown, because one memory answered none",
		"where they are, because both delays are alike", "in local memory", "in CXL memory"};

	return text[move];
}

void
print_net_tiering(const struct network_data *data, struct str *out)
{
	struct tiering t;

	str_add(out, "\ntiering by latency: misses of the last-level cache, and their delay in cycles of the uncore\n");
	if (!tiering_of(data, &t)) {
		str_add(out, "  no miss went to local DDR or CXL memory\n");
		return;
	}
	str_addf(out, "  %-6s%12s%10s%12s%10s\n", "", "local DDR", "delay", "CXL memory", "delay");
	for (int k = 0; k < TIERING_KINDS; k++) {
		str_addf(out, "  %-6s", tiering_kind_name((enum tiering_kind)k));
		add_memory(out, &t.local[k]);
		add_memory(out, &t.cxl[k]);
		str_addc(out, '\n');
	}
	str_addf(out, "  balance by %s, which misses most. Used pages belong %s", tiering_kind_name(t.by),
		where(t.move));
	if (t.move == TIERING_TO_LOCAL || t.move == TIERING_TO_CXL)
		str_addf(out, "; gain at most %.2f times, if no delay rose", t.gain_most);
	str_addc(out, '\n');
	if (t.fixed != t.move)
		str_addf(out, "  by demand reads alone: %s\n", where(t.fixed));
}

void
print_net_tiering_json(const struct network_data *data, struct json_writer *json)
{
	struct tiering t;
	bool some = tiering_of(data, &t);

	json_open(json, "tiering", '{');
	json_open(json, "kinds", '[');
	for (int k = 0; k < TIERING_KINDS; k++) {
		json_open(json, NULL, '{');
		json_str(json, "kind", tiering_kind_name((enum tiering_kind)k));
		json_num(json, "local_misses", t.local[k].misses);
		json_num(json, "local_delay", t.local[k].delay);
		json_num(json, "cxl_misses", t.cxl[k].misses);
		json_num(json, "cxl_delay", t.cxl[k].delay);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_str(json, "by", some ? tiering_kind_name(t.by) : NULL);
	json_str(json, "move", tiering_move_name(t.move));
	json_str(json, "by_demand_reads", tiering_move_name(t.fixed));
	json_num(json, "gain_most", some ? t.gain_most : NAN);
	json_close(json, '}');
}
