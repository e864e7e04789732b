#include <math.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/print/print_determinism.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

static void
part_json(struct json_writer *writer, const struct trust_part *part)
{
	json_open(writer, NULL, '{');
	json_str(writer, "by", part->by);
	json_num(writer, "slope", part->slope);
	json_num(writer, "low", part->low);
	json_num(writer, "high", part->high);
	json_str(writer, "per", part->per_run ? "run" : "occurrence");
	json_num(writer, "occurrences", part->occurrences);
	json_bool(writer, "upper_bound", part->bound);
	json_bool(writer, "assumed", part->assumed);
	json_bool(writer, "subtracted", part->subtracted);
	json_close(writer, '}');
}

static void
letters_json(struct json_writer *w, const char *key, trust_letters letters)
{
	struct str s = {0};

	trust_letters_print(letters, &s);
	json_str(w, key, str_text(&s));
	str_free(&s);
}

static void
group_json(struct json_writer *writer, const struct trust_group *group, const struct trust_judged *judged)
{
	json_open(writer, NULL, '{');
	json_str(writer, "machine", group->machine);
	json_str(writer, "event", group->event);
	json_str(writer, "test", group->test);
	json_str(writer, "counter", group->counter);
	json_int(writer, "runs", (int64_t)(group->stated_runs ? group->stated_runs : group->n));
	json_num(writer, "expected", group->expected);
	json_num(writer, "expected_each_rep", group->expected + group->rep);
	json_num(writer, "mean", judged->mean);
	json_num(writer, "spread", judged->spread);
	json_num(writer, "adjusted", judged->adjusted);
	json_num(writer, "adjusted_spread", judged->adjusted_spread);
	json_num(writer, "middle", judged->middle);
	json_num(writer, "middle_distance", judged->distance);
	json_num(writer, "offset", judged->offset);
	json_num(writer, "adjusted_offset", judged->adjusted - group->expected);
	letters_json(writer, "letters", judged->letters);
	letters_json(writer, "measured_letters", judged->measured);
	json_str(writer, "verdict", trust_verdict_name(judged->verdict));
	json_open(writer, "explained", '[');
	for (size_t i = 0; i < judged->n_parts; i++)
		part_json(writer, &judged->part[i]);
	json_close(writer, ']');
	json_str(writer, "note", judged->note);
	json_str(writer, "known", judged->known);
	json_close(writer, '}');
}

void
print_determinism_members(const struct trust_runs *runs, const struct trust_judgement *j, struct json_writer *w)
{
	json_str(w, "schema", "hecate.determinism/1");
	json_open(w, "notes", '[');
	for (size_t i = 0; i < runs->n_notes; i++)
		json_str(w, NULL, runs->note[i]);
	json_close(w, ']');
	json_open(w, "results", '[');
	for (size_t i = 0; i < j->n; i++)
		group_json(w, &runs->group[i], &j->group[i]);
	json_close(w, ']');
}

void
print_determinism_json(const struct trust_runs *runs, const struct trust_judgement *j, struct json_writer *w)
{
	json_open(w, NULL, '{');
	print_determinism_members(runs, j, w);
	json_close(w, '}');
}
