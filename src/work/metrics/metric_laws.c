#include "work/metrics/metric_laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/metric/metric.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"
#include "core/obs/tolerance.h"
#include "event/table.h"
#include "work/metrics/metric_data.h"

#define PIECES 32      /* of a box, as for metrics */
#define ROUNDING 1e-9
#define UNKNOWN 1e18   /* the most that an event may have counted of which nothing is known */
#define BLAMED_MOST 24 /* events that are tried */

/* --- the laws ----------------------------------------------------------------------------------------------------- */

/* A law that is being made: its expression, left minus right. */
struct made_law {
	struct metric_law law;
	struct str expr;
};

static void
add_escaped_name(const char *name, struct str *out)
{
	for (; *name; name++) {
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:", *name))
			str_addc(out, '\\');
		str_addc(out, *name);
	}
}

static struct made_law
made_law_begin(const struct table_metrics *metrics, const char *text, const char *source)
{
	struct made_law made = {.law = {.text = mem_str(text), .source = source}};

	made.law.names = mem_new_array(metrics->n + 1, sizeof *made.law.names);
	return made;
}

static void
made_law_metric(struct made_law *made, const struct table_metrics *metrics, double times, size_t metric)
{
	const struct event_metric *row = metrics->row[metric];

	str_addf(&made->expr, "%s%.17g * ", made->expr.n ? " + " : "", times * row->scale);
	add_escaped_name(row->name, &made->expr);
	made->law.scope = *row->pmu ? row->pmu : NULL;
	made->law.names[metric] = true;
}

/* Ends the law: the sum, plus a constant, is at most 0, or 0. Takes the relation over. */
static void
made_law_end(struct metric_laws *laws, struct made_law *made, double constant, bool equality, char *relation)
{
	str_addf(&made->expr, " + %.17g", constant);
	made->law.relation = relation;
	made->law.equality = equality;
	made->law.size = 1 + fabs(constant);
	made->law.name = str_format("law>%zu", laws->n); /* no metric's name has a '>' */
	made->law.expr = str_take(&made->expr);
	mem_grow(&laws->law, &laws->cap, laws->n + 1, sizeof *laws->law);
	laws->law[laws->n++] = made->law;
}

/* Returns what a share is a share of: 100 if the metric is in percent; 1 for nodes of a tree without a unit, as perf
 * had them up to 6.2; 0: it is no share. */
static double
share_whole(const struct event_metric *row)
{
	if (str_eq(row->unit, "%") || str_starts(row->unit, "percent"))
		return 100;
	for (char level[] = "TopdownL1"; level[9 - 1] <= '6' && !*row->unit; level[9 - 1]++)
		if (metric_in_group(row->groups, level))
			return 1;
	return 0;
}

/* Returns the metric of this name on this kind of cores, or else on any; METRIC_NONE: none. */
static size_t
metric_named(const struct table_metrics *metrics, const char *name, const char *pmu)
{
	size_t found = METRIC_NONE;

	for (size_t i = 0; i < metrics->n; i++)
		if (strcasecmp(metrics->row[i]->name, name) == 0 &&
			(found == METRIC_NONE || str_eq(metrics->row[i]->pmu, pmu)))
			found = i;
	return found;
}

/* Adds a law of a file, which names a metric, for one kind of cores. */
static void
add_law_of_cores(struct metric_laws *laws, const struct laws *file, const struct law *law, const char *pmu)
{
	const struct table_metrics *metrics = laws->metrics;
	struct made_law made = made_law_begin(metrics, law->text, law->source);

	made.law.metrics_alone = true;
	for (size_t i = 0; i < law->form.n; i++) {
		const struct law_term *term = &law->form.term[i];
		const char *name = file->event[term->event].name;
		size_t metric = metric_named(metrics, name, pmu);

		if (metric < metrics->n) {
			made_law_metric(&made, metrics, term->times, metric);
			continue;
		}
		str_addf(&made.expr, "%s%.17g * ", made.expr.n ? " + " : "", term->times);
		add_escaped_name(name, &made.expr);
		made.law.metrics_alone = false;
	}
	made_law_end(laws, &made, law->form.constant, law->form.equality, mem_str(law->relation));
}

/* Adds a law of a file, if it names a metric, for each kind of cores that has it. */
static void
add_law_of_file(struct metric_laws *laws, const struct laws *file, const struct law *law)
{
	const struct table_metrics *metrics = laws->metrics;
	const char *name = NULL;

	for (size_t i = 0; i < law->form.n; i++) {
		size_t metric = metric_named(metrics, file->event[law->form.term[i].event].name, "");

		if (metric < metrics->n && !name)
			name = file->event[law->form.term[i].event].name;
		/* the law is in percent, and the metric is not */
		if (metric < metrics->n && share_whole(metrics->row[metric]) < 100 && fabs(law->form.constant) >= 100)
			return;
	}
	for (size_t i = 0; i < metrics->n && name; i++)
		if (strcasecmp(metrics->row[i]->name, name) == 0)
			add_law_of_cores(laws, file, law, metrics->row[i]->pmu);
}

static void
add_shares(struct metric_laws *laws)
{
	for (size_t i = 0; i < laws->metrics->n; i++)
		for (int high = 0; high < 2 && share_whole(laws->metrics->row[i]) > 0; high++) {
			struct made_law made = made_law_begin(laws->metrics, LAW_OF_SHARES,
				"the metric's unit is percent, or it is a node of a tree");
			double whole = share_whole(laws->metrics->row[i]);
			const char *name = laws->metrics->set->metric[i].name;

			made_law_metric(&made, laws->metrics, high ? 1 : -1, i);
			made_law_end(laws, &made, high ? -whole : 0, false,
				high ? str_format("%s <= %g", name, whole) : str_format("0 <= %s", name));
		}
}

/* Does one of the first laws say what this metric is the sum of, or is a part of? */
static bool
has_sum(const struct metric_laws *laws, size_t metric, size_t first)
{
	for (size_t i = 0; i < first; i++)
		if (laws->law[i].equality && laws->law[i].metrics_alone && laws->law[i].names[metric])
			return true;
	return false;
}

/* Adds that the nodes of a group are all of their parent; METRIC_NONE: of all slots. They are of the same cores and in
 * the same unit as the metric `like`. */
static void
add_level(struct metric_laws *laws, const char *group, const char *level, size_t parent, size_t like,
	size_t n_of_files)
{
	const struct table_metrics *metrics = laws->metrics;
	struct made_law made = made_law_begin(
		metrics, "the nodes of a level are all of their parent", "Yasin, ISPASS 2014, section 3");
	struct str relation = {0};
	double whole = share_whole(metrics->row[like]);
	size_t n = 0;
	bool known = false;

	for (size_t i = 0; i < metrics->n; i++)
		if (str_eq(metrics->row[i]->pmu, metrics->row[like]->pmu) &&
			fabs(share_whole(metrics->row[i]) - whole) < 1 &&
			metric_in_group(metrics->row[i]->groups, group) &&
			metric_in_group(metrics->row[i]->groups, level)) {
			made_law_metric(&made, metrics, 1, i);
			str_addf(&relation, "%s%s", n++ ? " + " : "", metrics->set->metric[i].name);
			known |= has_sum(laws, parent == METRIC_NONE ? i : parent, n_of_files);
		}
	if (n > 1 && !known) {
		if (parent != METRIC_NONE) {
			made_law_metric(&made, metrics, -1, parent);
			str_addf(&relation, " = %s", metrics->set->metric[parent].name);
		} else {
			str_addf(&relation, " = %g", whole);
		}
		made.law.metrics_alone = true;
		made_law_end(laws, &made, parent == METRIC_NONE ? -whole : 0, true, str_take(&relation));
		return;
	}
	free(made.law.text);
	free(made.law.names);
	str_free(&made.expr);
	str_free(&relation);
}

static void
add_trees(struct metric_laws *laws)
{
	const struct table_metrics *metrics = laws->metrics;
	size_t of_files = laws->n;

	for (size_t i = 0; i < metrics->n; i++) {
		const struct event_metric *row = metrics->row[i];
		char *group;

		if (!metric_in_group(row->groups, "TopdownL1") || !(share_whole(row) > 0))
			continue;
		if (!has_sum(laws, i, laws->n)) /* the first node of its tree */
			add_level(laws, "TopdownL1", "TopdownL1", METRIC_NONE, i, of_files);
		group = str_format("%s_group", row->name);
		add_level(laws, group, "TopdownL2", i, i, of_files);
		free(group);
	}
}

struct metric_laws *
metric_laws_new(const struct table_metrics *metrics, struct laws *const *files, size_t n_files)
{
	struct metric_laws *laws = mem_new(sizeof *laws);
	struct metric_text *text;
	size_t n = metrics->n;

	laws->metrics = metrics;
	for (size_t f = 0; f < n_files; f++)
		for (size_t i = 0; i < files[f]->n; i++)
			add_law_of_file(laws, files[f], &files[f]->law[i]);
	add_trees(laws);
	add_shares(laws);
	text = mem_new_array(n + laws->n, sizeof *text);
	for (size_t i = 0; i < n; i++)
		text[i] = (struct metric_text){metrics->set->metric[i].name, metrics->set->metric[i].expr,
			metrics->set->metric[i].scope};
	for (size_t i = 0; i < laws->n; i++)
		text[n + i] = (struct metric_text){laws->law[i].name, laws->law[i].expr, laws->law[i].scope};
	laws->set = metric_set_new(text, n + laws->n);
	free(text);
	return laws;
}

void
metric_laws_free(struct metric_laws *laws)
{
	if (!laws)
		return;
	metric_set_free(laws->set);
	for (size_t i = 0; i < laws->n; i++) {
		free(laws->law[i].text);
		free(laws->law[i].relation);
		free(laws->law[i].name);
		free(laws->law[i].expr);
		free(laws->law[i].names);
	}
	free(laws->law);
	free(laws);
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* Counters of exact totals start and stop apart from each other. */
static void
add_tolerance(const struct metric_set *set, const struct columns_match *match, const struct obs *obs,
	struct metric_value *leaf)
{
	double seconds = obs_seconds(obs), largest = 0;

	if (isnan(seconds) && obs->exact)
		return;
	for (size_t i = 0; i < set->n_leaves; i++)
		largest = set->leaf[i].kind == METRIC_EVENT ? fmax(largest, leaf[i].value) : largest;
	for (size_t i = 0; i < set->n_leaves; i++) {
		size_t columns = match->first[i + 1] - match->first[i];
		double by;

		if (set->leaf[i].kind != METRIC_EVENT || !columns || isnan(leaf[i].value))
			continue;
		by = obs_tolerance((unsigned)columns, seconds, largest, leaf[i].value);
		leaf[i].low = fmax(0, leaf[i].low - by);
		leaf[i].high += by;
	}
}

static enum law_state
judge_metric_law(const struct metric_laws *laws, size_t number, const struct metric_value *leaf,
	struct metric_result *result)
{
	const struct metric_law *law = &laws->law[number];

	*result = metric_compute(laws->set, laws->metrics->n + number, leaf, PIECES);
	if (result->lack != METRIC_LACKS_NOTHING)
		return LAW_HOLDS;
	if (result->value.low > ROUNDING * law->size || (law->equality && result->value.high < -ROUNDING * law->size))
		return LAW_BROKEN;
	return result->value.value > ROUNDING * law->size ||
		(law->equality && result->value.value < -ROUNDING * law->size) ? LAW_STRAINED : LAW_HOLDS;
}

/* Is no law of the group broken if nothing is known of these events? */
static bool
is_mended(const struct metric_laws *laws, const struct metric_judgement *judgement, size_t group,
	struct metric_value *leaf, const size_t *event, size_t n)
{
	struct metric_value before[2];
	struct metric_result result;
	bool mended = true;

	for (size_t k = 0; k < n; k++) {
		before[k] = leaf[event[k]];
		leaf[event[k]].low = 0;
		leaf[event[k]].high = UNKNOWN;
	}
	for (size_t i = 0; i < judgement->n_broken && mended; i++)
		mended = judgement->finding[i].group != group ||
			judge_metric_law(laws, judgement->finding[i].law, leaf, &result) != LAW_BROKEN;
	for (size_t k = 0; k < n; k++)
		leaf[event[k]] = before[k];
	return mended;
}

static void
add_blamed(const struct metric_laws *laws, const struct event_table *table, const size_t *event, size_t n,
	struct str *out)
{
	str_add(out, out->n ? ", or " : "");
	for (size_t k = 0; k < n; k++) {
		const struct metric_leaf *leaf = &laws->set->leaf[event[k]];
		const struct event_row *row = table ? event_table_find(table, leaf->name, NULL) : NULL;

		str_add(out, k ? " and " : "");
		metric_leaf_print(leaf, out);
		if (row && *row->errata)
			str_addf(out, " (erratum %s)", row->errata);
	}
}

static const struct metric *
form_of(const struct metric_laws *laws, const struct metric_law_finding *finding)
{
	return &laws->set->metric[laws->metrics->n + finding->law];
}

static bool
share_event(const struct metric_laws *laws, const struct metric *a, const struct metric *b)
{
	for (size_t i = 0; i < a->n_uses; i++)
		for (size_t k = 0; k < b->n_uses; k++)
			if (a->use[i].leaf == b->use[k].leaf && laws->set->leaf[a->use[i].leaf].kind == METRIC_EVENT)
				return true;
	return false;
}

/* Laws that share an event, directly or through others, are one group. */
static void
group_laws(const struct metric_laws *laws, struct metric_judgement *judgement)
{
	struct metric_law_finding *finding = judgement->finding;

	for (size_t i = 0; i < judgement->n_broken; i++) {
		finding[i].group = i;
		for (size_t k = 0; k < i; k++)
			if (finding[k].group != i &&
				share_event(laws, form_of(laws, &finding[i]), form_of(laws, &finding[k])))
				for (size_t m = 0, old = finding[k].group; m < i; m++)
					if (finding[m].group == old)
						finding[m].group = i;
	}
}

/* Returns the events that a group is blamed on; NULL: none. */
static char *
find_blamed(const struct metric_laws *laws, const struct event_table *table, struct metric_value *leaf,
	const struct metric_judgement *judgement, size_t group)
{
	size_t event[BLAMED_MOST], n = 0;
	struct str out = {0}, pairs = {0};

	for (size_t i = 0; i < judgement->n_broken; i++) {
		const struct metric *form = form_of(laws, &judgement->finding[i]);

		for (size_t k = 0; judgement->finding[i].group == group && k < form->n_uses && n < BLAMED_MOST; k++) {
			size_t at = form->use[k].leaf, same = 0;

			while (same < n && event[same] != at)
				same++;
			if (same == n && laws->set->leaf[at].kind == METRIC_EVENT)
				event[n++] = at;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (is_mended(laws, judgement, group, leaf, &event[i], 1))
			add_blamed(laws, table, &event[i], 1, &out);
	for (size_t i = 0; i < n && !out.n; i++)
		for (size_t k = i + 1; k < n; k++) {
			const size_t pair[] = {event[i], event[k]};

			if (is_mended(laws, judgement, group, leaf, pair, 2))
				add_blamed(laws, table, pair, 2, &pairs);
		}
	if (!out.n) {
		str_free(&out);
		out = pairs;
	} else {
		str_free(&pairs);
	}
	return out.n ? str_take(&out) : NULL;
}

static int
broken_first(const void *a, const void *b)
{
	const struct metric_law_finding *x = a, *y = b;

	return x->state != y->state ? (x->state > y->state ? -1 : 1) : x->law < y->law ? -1 : x->law > y->law;
}

struct metric_judgement *
metric_laws_judge(const struct metric_laws *laws, const bool *chosen, const struct obs_table *table, size_t observation,
	const struct metric_constants *constants, double confidence)
{
	struct metric_judgement *judgement = mem_new(sizeof *judgement);
	struct columns_match *match = metric_columns(laws->set, table);
	struct metric_value *leaf;
	size_t events = 0;

	for (size_t i = 0; i < laws->set->n_leaves; i++)
		events += match->first[i + 1] > match->first[i];
	leaf = metric_values(laws->set, match, table, observation, constants,
		events ? 1 - (1 - confidence) / (double)events : confidence);
	add_tolerance(laws->set, match, table->obs[observation], leaf);
	judgement->finding = mem_new_array(laws->n, sizeof *judgement->finding);
	for (size_t i = 0; i < laws->n; i++) {
		const struct metric_law *law = &laws->law[i];
		struct metric_result result;
		enum law_state state;
		bool asked = false;

		for (size_t k = 0; k < laws->metrics->n && !asked; k++)
			asked = law->names[k] && chosen[k];
		if (!asked || laws->set->metric[laws->metrics->n + i].why)
			continue;
		state = judge_metric_law(laws, i, leaf, &result);
		judgement->judged += result.lack == METRIC_LACKS_NOTHING;
		if (state == LAW_HOLDS)
			continue;
		judgement->n_broken += state == LAW_BROKEN;
		judgement->finding[judgement->n++] = (struct metric_law_finding){.law = i, .state = state,
			.least = state != LAW_BROKEN    ? 0
				: result.value.low > 0 ? result.value.low : -result.value.high};
	}
	qsort(judgement->finding, judgement->n, sizeof *judgement->finding, broken_first);
	group_laws(laws, judgement);
	for (size_t i = 0; i < judgement->n_broken; i++)
		judgement->finding[i].blame =
			find_blamed(laws, constants->events, leaf, judgement, judgement->finding[i].group);
	columns_match_free(match);
	free(leaf);
	return judgement;
}

void
metric_judgement_free(struct metric_judgement *judgement)
{
	if (!judgement)
		return;
	for (size_t i = 0; i < judgement->n; i++)
		free(judgement->finding[i].blame);
	free(judgement->finding);
	free(judgement);
}
