#include "cli/print/print_stack.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/counting.h"
#include "cli/print/print.h"
#include "cli/print/print_stalls.h"
#include "core/obs/obs.h"
#include "core/stack/bounds.h"
#include "core/stack/errors.h"
#include "core/stack/tree.h"
#include "work/run/tasktime_run.h"
#include "work/timeline/tree_notes.h"

static void
write_unit(struct json_writer *w, struct unit u)
{
	struct str text = {0};

	unit_text(u, &text);
	json_str(w, "unit", str_text(&text));
	str_free(&text);
}

static void
write_expression(struct json_writer *w, const struct aexpr *e)
{
	struct str text = {0};

	if (!e) {
		json_null(w, "formula");
		return;
	}
	aexpr_print(e, &text);
	json_str(w, "formula", str_text(&text));
	str_free(&text);
}

static void
print_stack_json_write_counters(struct json_writer *writer, const struct stack *stack)
{
	json_open(writer, "counters", '[');
	for (size_t i = 0; i < stack->n_counters; i++) {
		const struct counter_item *item = &stack->counter[i];

		json_open(writer, NULL, '{');
		json_str(writer, "name", item->name);
		json_str(writer, "text", item->text);
		json_open(writer, "events", '[');
		for (size_t k = 0; k < item->n_choices; k++) {
			json_open(writer, NULL, '[');
			for (size_t v = 0; v < item->choice[k].n; v++)
				json_str(writer, NULL, item->choice[k].event[v].name);
			json_close(writer, ']');
		}
		json_close(writer, ']');
		json_str(writer, "unresolved", item->unresolved);
		json_str(writer, "per", scope_name(item->scope));
		write_unit(writer, item->unit);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_open(writer, "constants", '[');
	for (size_t i = 0; i < stack->n_constants; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "name", stack->constant[i].name);
		json_str(writer, "text", stack->constant[i].text);
		json_num(writer, "value", stack->constant[i].value);
		write_unit(writer, stack->constant[i].unit);
		json_close(writer, '}');
	}
	json_close(writer, ']');
}

static void
write_parent(struct json_writer *w, const struct stack *s, const struct stack_part *part)
{
	if (part->parent == STACK_TOP)
		json_null(w, "parent");
	else
		json_str(w, "parent", s->part[part->parent].name);
}

/* What a tree says about a node, in the description of the stack. */
static void
write_node(struct json_writer *w, const struct stack *s, const struct stack_part *p)
{
	const struct stack_limit *l = &p->limit;

	json_num(w, "above", l->above);
	json_bool(w, "alone", l->alone);
	json_str(w, "or", l->or_part == STACK_TOP ? NULL : s->part[l->or_part].name);
	json_str(w, "title", p->advice ? p->advice->title : NULL);
	json_str(w, "means", p->advice ? p->advice->means : NULL);
	json_str(w, "next", p->advice ? p->advice->next : NULL);
	json_str(w, "helps", p->advice ? p->advice->helps : NULL);
}

static void
write_tree(struct json_writer *w, const struct stack *s)
{
	if (!s->tree.family) {
		json_null(w, "tree");
		return;
	}
	json_open(w, "tree", '{');
	json_str(w, "family", s->tree.family);
	json_str(w, "source", s->tree.source);
	json_close(w, '}');
}

static void
write_stack(struct json_writer *writer, const struct stack *stack, const char *file)
{
	json_open(writer, NULL, '{');
	json_str(writer, "name", stack->name);
	json_str(writer, "text", stack->text);
	json_str(writer, "file", file);
	json_str(writer, "per", scope_name(stack->per));
	json_bool(writer, "reference", stack->reference);
	json_open(writer, "machines", '[');
	for (size_t i = 0; i < stack->n_machines; i++)
		json_str(writer, NULL, stack->machine[i]);
	json_close(writer, ']');
	json_open(writer, "whole", '{');
	json_str(writer, "name", stack->whole_name);
	json_str(writer, "text", stack->whole_text);
	write_unit(writer, stack->whole->unit);
	write_expression(writer, stack->whole);
	json_close(writer, '}');
	json_str(writer, "figure", stack->figure_text);
	write_tree(writer, stack);
	print_stack_json_write_counters(writer, stack);
	json_open(writer, "parts", '[');
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_part *part = &stack->part[i];
		char key[] = {part->key, 0};

		json_open(writer, NULL, '{');
		json_str(writer, "name", part->name);
		json_str(writer, "text", part->text);
		json_str(writer, "key", key);
		write_parent(writer, stack, part);
		json_bool(writer, "rest", part->rest);
		write_expression(writer, part->e);
		if (stack->tree.family)
			write_node(writer, stack, part);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
}

static void
write_worst(struct json_writer *w, const struct stack *s, const struct stack_errors *e)
{
	if (!e || e->worst == s->n_parts) {
		json_null(w, "worst");
		return;
	}
	json_open(w, "worst", '{');
	json_str(w, "part", s->part[e->worst].name);
	json_num(w, "error", e->error[e->worst]);
	json_close(w, '}');
}

/* What a tree's node is judged to be in one bar. */
static void
write_judgement(
	struct json_writer *writer, const struct stack_bar *bar, const struct stack_bounds *bounds, size_t part)
{
	const struct stack *stack = bar->stack;
	bool *lacks = mem_new_array(stack->n_counters, sizeof *lacks);
	struct str why = {0};

	json_bool(writer, "flagged", bar->account->amount[part].flagged);
	json_num(writer, "share_low", bounds[part].low);
	json_num(writer, "share_high", bounds[part].high);
	json_bool(writer, "enclosure", bounds[part].enclosure);
	json_str(writer, "widest",
		bounds[part].widest < stack->n_counters ? tree_event(stack, bounds[part].widest) : NULL);
	json_open(writer, "lacks", '[');
	if (isnan(bar->account->amount[part].value) && stack_lacking(stack, bar->counts->value, part, lacks))
		for (size_t i = 0; i < stack->n_counters; i++)
			if (lacks[i])
				json_str(writer, NULL, tree_event(stack, i));
	json_close(writer, ']');
	if (tree_add_contradiction(bar, part, &why))
		json_str(writer, "contradiction", str_text(&why));
	else
		json_null(writer, "contradiction");
	str_free(&why);
	free(lacks);
}

/* `truth`: the bar of the reference; NULL: there is none. */
static void
write_bar(struct json_writer *writer, const struct stack_bar *bar, const struct stack_bar *truth)
{
	const struct stack *stack = bar->stack;
	struct stack_errors *errors =
		truth && truth != bar ? stack_errors_new(stack, bar->account, truth->stack, truth->account) : NULL;
	struct stack_bounds *bounds = stack->tree.family ? tree_bounds_new(bar) : NULL;
	char **note = stack_notes(bar);

	json_open(writer, NULL, '{');
	json_str(writer, "stack", stack->name);
	json_num(writer, "whole", bar->account->whole);
	json_num(writer, "figure", bar->account->figure);
	json_open(writer, "parts", '[');
	for (size_t i = 0; i < stack->n_parts; i++) {
		const struct stack_amount *amount = &bar->account->amount[i];
		double share = bar->account->whole > 0 ? amount->lifted / bar->account->whole : NAN;

		json_open(writer, NULL, '{');
		json_str(writer, "name", stack->part[i].name);
		write_parent(writer, stack, &stack->part[i]);
		json_num(writer, "value", amount->lifted);
		json_num(writer, "raw", amount->value);
		json_num(writer, "share", share);
		json_num(writer, "figure", share * bar->account->figure);
		json_num(writer, "over", bar->account->fit[i].lifted_over);
		json_bool(writer, "negative", amount->negative);
		json_num(writer, "raw_share", amount->share);
		json_num(writer, "raw_figure", amount->figure);
		json_num(writer, "gain", stack_gain(bar->account, i));
		json_num(writer, "error", errors ? errors->error[i] : NAN);
		if (stack->tree.family)
			write_judgement(writer, bar, bounds, i);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_num(writer, "over", bar->account->fit[stack->n_parts].lifted_over);
	write_worst(writer, stack, errors);
	json_open(writer, "missing", '[');
	for (size_t i = 0; i < stack->n_counters; i++)
		if (bar->counts->lack[i] != STACK_COUNTED) {
			json_open(writer, NULL, '{');
			json_str(writer, "counter", stack->counter[i].name);
			json_str(writer, "why", stack_lack_text(bar->counts->lack[i]));
			json_close(writer, '}');
		}
	json_close(writer, ']');
	json_open(writer, "notes", '[');
	for (size_t i = 0; note[i]; i++)
		json_str(writer, NULL, note[i]);
	json_close(writer, ']');
	json_close(writer, '}');
	str_split_free(note);
	free(bounds);
	stack_errors_free(errors);
}

void
print_stack_json(const struct stack_report *r, const struct counting *counting, struct json_writer *writer)
{
	size_t truth = stack_reference(r->stack, r->n_stacks);

	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.stack/1");
	print_counting_json(counting, writer);
	json_open(writer, "stacks", '[');
	for (size_t i = 0; i < r->n_stacks; i++)
		write_stack(writer, r->stack[i], r->file[i]);
	json_close(writer, ']');
	json_open(writer, "observations", '[');
	for (size_t i = 0; i < r->n_observations; i++) {
		const struct stack_observation *observation = &r->observation[i];

		json_open(writer, NULL, '{');
		json_str(writer, "name", observation->name);
		json_str(writer, "source", observation->obs->source);
		json_int(writer, "samples", (int64_t)observation->obs->n_rows);
		json_open(writer, "bars", '[');
		for (size_t k = 0; k < r->n_stacks; k++)
			write_bar(writer, &observation->bar[k], truth < r->n_stacks ? &observation->bar[truth] : NULL);
		json_close(writer, ']');
		json_close(writer, '}');
	}
	json_close(writer, ']');
	if (counting->metrics.metrics) {
		json_open(writer, "metrics", '[');
		for (size_t i = 0; i < r->n_tables; i++)
			counting_metrics(
				counting, r->table[i], counting->wanted && i + 1 == r->n_tables, NULL, writer);
		json_close(writer, ']');
	}
	json_open(writer, "notes", '[');
	for (size_t i = 0; i < r->n_notes; i++)
		json_str(writer, NULL, r->note[i]);
	json_close(writer, ']');
	json_open(writer, "warnings", '[');
	print_counting_json_warnings(counting, writer);
	json_close(writer, ']');
	if (counting->run.tasks)
		print_stalls_json(writer, counting->options, run_as_tasktime(counting->run.tasks));
	json_close(writer, '}');
}
