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
print_stack_json_write_counters(struct json_writer *w, const struct stack *s)
{
	json_open(w, "counters", '[');
	for (size_t i = 0; i < s->n_counters; i++) {
		const struct counter_item *c = &s->counter[i];

		json_open(w, NULL, '{');
		json_str(w, "name", c->name);
		json_str(w, "text", c->text);
		json_open(w, "events", '[');
		for (size_t k = 0; k < c->n_choices; k++) {
			json_open(w, NULL, '[');
			for (size_t v = 0; v < c->choice[k].n; v++)
				json_str(w, NULL, c->choice[k].event[v]);
			json_close(w, ']');
		}
		json_close(w, ']');
		json_str(w, "unresolved", c->unresolved);
		json_str(w, "per", scope_name(c->scope));
		write_unit(w, c->unit);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "constants", '[');
	for (size_t i = 0; i < s->n_constants; i++) {
		json_open(w, NULL, '{');
		json_str(w, "name", s->constant[i].name);
		json_str(w, "text", s->constant[i].text);
		json_num(w, "value", s->constant[i].value);
		write_unit(w, s->constant[i].unit);
		json_close(w, '}');
	}
	json_close(w, ']');
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
write_stack(struct json_writer *w, const struct stack *s, const char *file)
{
	json_open(w, NULL, '{');
	json_str(w, "name", s->name);
	json_str(w, "text", s->text);
	json_str(w, "file", file);
	json_str(w, "per", scope_name(s->per));
	json_bool(w, "reference", s->reference);
	json_open(w, "machines", '[');
	for (size_t i = 0; i < s->n_machines; i++)
		json_str(w, NULL, s->machine[i]);
	json_close(w, ']');
	json_open(w, "whole", '{');
	json_str(w, "name", s->whole_name);
	json_str(w, "text", s->whole_text);
	write_unit(w, s->whole->unit);
	write_expression(w, s->whole);
	json_close(w, '}');
	json_str(w, "figure", s->figure_text);
	write_tree(w, s);
	print_stack_json_write_counters(w, s);
	json_open(w, "parts", '[');
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_part *part = &s->part[i];
		char key[] = {part->key, 0};

		json_open(w, NULL, '{');
		json_str(w, "name", part->name);
		json_str(w, "text", part->text);
		json_str(w, "key", key);
		write_parent(w, s, part);
		json_bool(w, "rest", part->rest);
		write_expression(w, part->e);
		if (s->tree.family)
			write_node(w, s, part);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_close(w, '}');
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
write_judgement(struct json_writer *w, const struct stack_bar *b, size_t part)
{
	const struct stack *s = b->stack;
	bool *lacks = mem_new_array(s->n_counters, sizeof *lacks);
	struct str why = {0};

	json_bool(w, "flagged", b->account->amount[part].flagged);
	json_open(w, "lacks", '[');
	if (isnan(b->account->amount[part].value) && stack_lacking(s, b->counts->value, part, lacks))
		for (size_t i = 0; i < s->n_counters; i++)
			if (lacks[i])
				json_str(w, NULL, tree_event(s, i));
	json_close(w, ']');
	if (tree_add_contradiction(b, part, &why))
		json_str(w, "contradiction", str_text(&why));
	else
		json_null(w, "contradiction");
	str_free(&why);
	free(lacks);
}

/* `truth`: the bar of the reference; NULL: there is none. */
static void
write_bar(struct json_writer *w, const struct stack_bar *b, const struct stack_bar *truth)
{
	const struct stack *s = b->stack;
	struct stack_errors *e =
		truth && truth != b ? stack_errors_new(s, b->account, truth->stack, truth->account) : NULL;
	char **note = stack_notes(b);

	json_open(w, NULL, '{');
	json_str(w, "stack", s->name);
	json_num(w, "whole", b->account->whole);
	json_num(w, "figure", b->account->figure);
	json_open(w, "parts", '[');
	for (size_t i = 0; i < s->n_parts; i++) {
		const struct stack_amount *m = &b->account->amount[i];
		double share = b->account->whole > 0 ? m->lifted / b->account->whole : NAN;

		json_open(w, NULL, '{');
		json_str(w, "name", s->part[i].name);
		write_parent(w, s, &s->part[i]);
		json_num(w, "value", m->lifted);
		json_num(w, "raw", m->value);
		json_num(w, "share", share);
		json_num(w, "figure", share * b->account->figure);
		json_num(w, "over", b->account->fit[i].lifted_over);
		json_bool(w, "negative", m->negative);
		json_num(w, "raw_share", m->share);
		json_num(w, "raw_figure", m->figure);
		json_num(w, "gain", stack_gain(b->account, i));
		json_num(w, "error", e ? e->error[i] : NAN);
		if (s->tree.family)
			write_judgement(w, b, i);
		json_close(w, '}');
	}
	json_close(w, ']');
	json_num(w, "over", b->account->fit[s->n_parts].lifted_over);
	write_worst(w, s, e);
	json_open(w, "missing", '[');
	for (size_t i = 0; i < s->n_counters; i++)
		if (b->counts->lack[i] != STACK_COUNTED) {
			json_open(w, NULL, '{');
			json_str(w, "counter", s->counter[i].name);
			json_str(w, "why", stack_lack_text(b->counts->lack[i]));
			json_close(w, '}');
		}
	json_close(w, ']');
	json_open(w, "notes", '[');
	for (size_t i = 0; note[i]; i++)
		json_str(w, NULL, note[i]);
	json_close(w, ']');
	json_close(w, '}');
	str_split_free(note);
	stack_errors_free(e);
}

void
print_stack_json(const struct stack_report *r, const struct counting *c, struct json_writer *w)
{
	size_t truth = stack_reference(r->stack, r->n_stacks);

	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.stack/1");
	print_counting_json(c, w);
	json_open(w, "stacks", '[');
	for (size_t i = 0; i < r->n_stacks; i++)
		write_stack(w, r->stack[i], r->file[i]);
	json_close(w, ']');
	json_open(w, "observations", '[');
	for (size_t i = 0; i < r->n_observations; i++) {
		const struct stack_observation *x = &r->observation[i];

		json_open(w, NULL, '{');
		json_str(w, "name", x->name);
		json_str(w, "source", x->obs->source);
		json_int(w, "samples", (int64_t)x->obs->n_rows);
		json_open(w, "bars", '[');
		for (size_t k = 0; k < r->n_stacks; k++)
			write_bar(w, &x->bar[k], truth < r->n_stacks ? &x->bar[truth] : NULL);
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
	json_open(w, "notes", '[');
	for (size_t i = 0; i < r->n_notes; i++)
		json_str(w, NULL, r->note[i]);
	json_close(w, ']');
	json_open(w, "warnings", '[');
	print_counting_json_warnings(c, w);
	json_close(w, ']');
	if (c->run.tasks)
		print_stalls_json(w, c->options, run_as_tasktime(c->run.tasks));
	json_close(w, '}');
}
