/* Writes an FDL file in normal form. */
#include "convert/fdl/print.h"

#include "base/err.h"
#include "base/names.h"
#include "base/str.h"
#include "core/udd/ast.h"
#include "core/udd/model.h"

#include <string.h>

#define INDENT 4

static void
print_indent(struct str *out, int depth)
{
	str_addf(out, "%*s", depth * INDENT, "");
}

static void print_block(struct str *, const struct udd_stmt *, int depth);

/* Writes `{ cases };`. If each case of the switch is one statement, each gets one line. */
static void
print_cases(struct str *out, const struct udd_case *udd_case, int depth)
{
	for (; udd_case; udd_case = udd_case->next) {
		const struct udd_stmt *only = udd_case->body && !udd_case->body->next &&
				udd_case->body->kind != STMT_SWITCH
			? udd_case->body
			: NULL;

		print_indent(out, depth);
		str_addf(out, "%s =>", udd_case->value->text);
		if (!udd_case->body) {
			str_add(out, " pass;\n");
		} else if (only) {
			str_addc(out, ' ');
			print_block(out, only, 0);
		} else {
			str_addc(out, '\n');
			print_block(out, udd_case->body, depth + 1);
		}
	}
}

static void
print_block(struct str *out, const struct udd_stmt *stmt, int depth)
{
	for (; stmt; stmt = stmt->next) {
		if (stmt->kind == STMT_TARGET) {
			str_addf(out, "%s:\n", stmt->word[0].text);
			continue;
		}
		print_indent(out, depth);
		switch (stmt->kind) {
		case STMT_EVENT:
			str_addf(out, "do %s;\n", stmt->word[0].text);
			break;
		case STMT_COUNT:
			str_addf(out, "incr %s;\n", stmt->word[0].text);
			break;
		case STMT_JUMP:
			str_addf(out, "next %s;\n", stmt->word[0].text);
			break;
		case STMT_DONE:
			str_add(out, "done;\n");
			break;
		case STMT_SWITCH:
			str_addf(out, "switch %s {\n", stmt->word[0].text);
			print_cases(out, stmt->cases, depth + 1);
			print_indent(out, depth);
			str_add(out, "};\n");
			break;
		case STMT_TARGET:
		case STMT_CHOOSE: /* FDL files never contain the others */
		case STMT_WHEN:
		case STMT_BOTH:
		case STMT_CALL:
		case STMT_REPEAT:
		case STMT_RETURN:
		case STMT_IMPOSSIBLE:
		case STMT_BEFORE:
			break;
		}
	}
}

static void
find_actions(struct names *actions, const struct udd_stmt *s)
{
	for (; s; s = s->next) {
		if (s->kind == STMT_EVENT)
			names_add(actions, s->word[0].text, strlen(s->word[0].text));
		for (const struct udd_case *c = s->kind == STMT_SWITCH ? s->cases : NULL; c; c = c->next)
			find_actions(actions, c->body);
	}
}

static void
print_actions(struct str *out, const struct udd_stmt *body)
{
	struct names actions = {0};

	find_actions(&actions, body);
	if (actions.n)
		str_add(out, "ACTIONS {\n");
	for (size_t i = 0; i < actions.n; i++)
		str_addf(out, "%*s%s;\n", INDENT, "", actions.name[i]);
	if (actions.n)
		str_add(out, "}\n\n");
	names_free(&actions);
}

static void
print_sums(struct str *out, const struct udd_model *model)
{
	if (model->n_sums)
		str_add(out, "COUNTER_GROUPS {\n");
	for (size_t i = 0; i < model->n_sums; i++) {
		str_addf(out, "%*s%s :", INDENT, "", model->sum[i].total);
		for (size_t k = 0; k < model->sum[i].n_parts; k++)
			str_addf(out, "%s %s", k ? "," : "", model->sum[i].part[k]);
		str_add(out, ";\n");
	}
	if (model->n_sums)
		str_add(out, "}\n\n");
}

bool
model_print(const struct udd_model *model, struct str *out, struct err *e)
{
	switch (model->form) {
	case UDD_FORM_UDD:
		udd_print(model, out);
		return true;
	case UDD_FORM_FDL:
		print_actions(out, model->ast->root[0]->body);
		print_sums(out, model);
		str_add(out, "FLOW {\n");
		print_block(out, model->ast->root[0]->body, 1);
		str_add(out, "}\n");
		return true;
	case UDD_FORM_FDL_FOLDER:
		break;
	}
	err_set(e, "%s is a folder of models, and has no text of its own", model->file);
	return err_hint(e, "print one of its files, or all of them as one µDD family with --udd");
}
