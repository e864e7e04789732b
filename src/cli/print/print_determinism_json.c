#include <math.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/print/print_determinism.h"
#include "core/trust/judge.h"
#include "core/trust/runs.h"

static void
part_json(struct json_writer *w, const struct trust_part *p)
{
	json_open(w, NULL, '{');
	json_str(w, "by", p->by);
	json_num(w, "slope", p->slope);
	json_num(w, "low", p->low);
	json_num(w, "high", p->high);
	json_str(w, "per", p->per_run ? "run" : "occurrence");
	json_num(w, "occurrences", p->occurrences);
	json_bool(w, "upper_bound", p->bound);
	json_bool(w, "assumed", p->assumed);
	json_bool(w, "subtracted", p->subtracted);
	json_close(w, '}');
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
group_json(struct json_writer *w, const struct trust_group *g, const struct trust_judged *r)
{
	json_open(w, NULL, '{');
	json_str(w, "machine", g->machine);
	json_str(w, "event", g->event);
	json_str(w, "test", g->test);
	json_str(w, "counter", g->counter);
	json_int(w, "runs", (int64_t)(g->stated_runs ? g->stated_runs : g->n));
	json_num(w, "expected", g->expected);
	json_num(w, "expected_each_rep", g->expected + g->rep);
	json_num(w, "mean", r->mean);
	json_num(w, "spread", r->spread);
	json_num(w, "adjusted", r->adjusted);
	json_num(w, "adjusted_spread", r->adjusted_spread);
	json_num(w, "middle", r->middle);
	json_num(w, "middle_distance", r->distance);
	json_num(w, "offset", r->offset);
	json_num(w, "adjusted_offset", r->adjusted - g->expected);
	letters_json(w, "letters", r->letters);
	letters_json(w, "measured_letters", r->measured);
	json_str(w, "verdict", trust_verdict_name(r->verdict));
	json_open(w, "explained", '[');
	for (size_t i = 0; i < r->n_parts; i++)
		part_json(w, &r->part[i]);
	json_close(w, ']');
	json_str(w, "note", r->note);
	json_str(w, "known", r->known);
	json_close(w, '}');
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
