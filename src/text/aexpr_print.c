#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "text/aexpr.h"
#include "text/lex.h"

/* Precedence of an operation. */
static int
strength(const struct aexpr *aexpr)
{
	switch (aexpr->op) {
	case AEXPR_ADD:
	case AEXPR_SUBTRACT:
		return 1;
	case AEXPR_TIMES:
	case AEXPR_DIVIDE:
		return 2;
	case AEXPR_NEGATE:
		return 3;
	case AEXPR_NUMBER:
	case AEXPR_NAME:
	case AEXPR_OWNERS:
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_RATIO:
	case AEXPR_IF:
	case AEXPR_EITHER:
	case AEXPR_COUNTED:
		break;
	case AEXPR_LESS:
		return 0;
	}
	return 4;
}

/* Returns whether the name needs no quotes. */
static bool
is_bare(const char *s)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", more[] = "0123456789.$";
	size_t n = strlen(s);

	if (!n || !strchr(letters, *s) || s[n - 1] == '.' || strcmp(s, "min") == 0 || strcmp(s, "max") == 0 ||
		strcmp(s, "if") == 0 || strcmp(s, "ratio") == 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!strchr(letters, s[i]) && !strchr(more, s[i]))
			return false;
	return true;
}

static void
print_name(const char *s, struct str *out)
{
	if (is_bare(s))
		str_add(out, s);
	else
		lex_add_string(s, out);
}

/* Writes the fewest digits that read back as the same number, without an exponent: the lexer would read that as
 * something else. */
static void
print_number(const struct aexpr *aexpr, struct str *out)
{
	static const struct unit none = {{0}};
	char text[400];
	int precision = 1;
	double back;

	do
		snprintf(text, sizeof text, "%.*g", precision, aexpr->value);
	while (str_to_double(text, &back) && (back < aexpr->value || back > aexpr->value) && ++precision <= 17);
	if (strchr(text, 'e')) {
		int places = 0;

		do
			snprintf(text, sizeof text, "%.*f", places, aexpr->value);
		while (str_to_double(text, &back) && (back < aexpr->value || back > aexpr->value) && ++places < 340);
	}
	str_add(out, text);
	if (!unit_equal(aexpr->unit, none)) {
		str_addc(out, ' ');
		unit_text(aexpr->unit, out);
	}
}

static void
print_operand(const struct aexpr *e, bool closed, struct str *out)
{
	if (closed)
		str_addc(out, '(');
	aexpr_print(e, out);
	if (closed)
		str_addc(out, ')');
}

void
aexpr_print(const struct aexpr *aexpr, struct str *out)
{
	static const char *const sign[] = {
		[AEXPR_ADD] = " + ", [AEXPR_SUBTRACT] = " - ", [AEXPR_TIMES] = " * ", [AEXPR_DIVIDE] = " / ",
		[AEXPR_LESS] = " < ",
	};

	switch (aexpr->op) {
	case AEXPR_NUMBER:
		print_number(aexpr, out);
		return;
	case AEXPR_NAME:
		print_name(aexpr->name, out);
		return;
	case AEXPR_OWNERS:
		str_add(out, aexpr->name);
		return;
	case AEXPR_NEGATE:
		str_addc(out, '-');
		print_operand(aexpr->arg[0], strength(aexpr->arg[0]) < strength(aexpr), out);
		return;
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_RATIO:
	case AEXPR_IF:
		str_add(out,
			aexpr->op == AEXPR_MIN             ? "min("
				: aexpr->op == AEXPR_MAX   ? "max("
				: aexpr->op == AEXPR_RATIO ? "ratio("
							   : "if(");
		aexpr_print(aexpr->arg[0], out);
		str_add(out, ", ");
		aexpr_print(aexpr->arg[1], out);
		str_addc(out, ')');
		return;
	case AEXPR_EITHER:
		aexpr_print(aexpr->arg[0], out);
		str_add(out, ", ");
		aexpr_print(aexpr->arg[1], out);
		return;
	case AEXPR_COUNTED:
		str_add(out, "counted(");
		aexpr_print(aexpr->arg[0], out);
		str_addc(out, ')');
		return;
	case AEXPR_ADD:
	case AEXPR_SUBTRACT:
	case AEXPR_TIMES:
	case AEXPR_DIVIDE:
	case AEXPR_LESS:
		/* The right operand keeps its parentheses at equal precedence, so rounding stays as written. */
		print_operand(aexpr->arg[0], strength(aexpr->arg[0]) < strength(aexpr), out);
		str_add(out, sign[aexpr->op]);
		print_operand(aexpr->arg[1], strength(aexpr->arg[1]) <= strength(aexpr), out);
		return;
	}
}
