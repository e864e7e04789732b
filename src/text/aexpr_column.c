/* Evaluates an expression for many owners at once: each operation goes over a column of values before the next. Both
 * branches of a condition are worked out, then chosen value by value. */
#include <math.h>

#include "text/aexpr.h"
#include "text/aexpr_operate.h"

size_t
aexpr_room(const struct aexpr *e)
{
	size_t room = e->op == AEXPR_NAME || e->op == AEXPR_OWNERS ? 0 : 1;

	for (size_t i = 0; i < 2; i++) {
		size_t arg = e->arg[i] ? i + aexpr_room(e->arg[i]) : 0;

		room = arg > room ? arg : room;
	}
	return room;
}

/* Each loop has one operation, so that the compiler can do it for several values at once. */
static void
apply_operation(enum aexpr_op op, const double *a, const double *b, size_t n, double *out)
{
	switch (op) {
	case AEXPR_NEGATE:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_NEGATE, a[i], b[i]);
		break;
	case AEXPR_ADD:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_ADD, a[i], b[i]);
		break;
	case AEXPR_SUBTRACT:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_SUBTRACT, a[i], b[i]);
		break;
	case AEXPR_TIMES:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_TIMES, a[i], b[i]);
		break;
	case AEXPR_DIVIDE:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_DIVIDE, a[i], b[i]);
		break;
	case AEXPR_RATIO:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_RATIO, a[i], b[i]);
		break;
	case AEXPR_MIN:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_MIN, a[i], b[i]);
		break;
	case AEXPR_MAX:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_MAX, a[i], b[i]);
		break;
	case AEXPR_LESS:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_LESS, a[i], b[i]);
		break;
	case AEXPR_COUNTED:
		for (size_t i = 0; i < n; i++)
			out[i] = aexpr_operate(AEXPR_COUNTED, a[i], b[i]);
		break;
	case AEXPR_NUMBER:
	case AEXPR_NAME:
	case AEXPR_OWNERS:
	case AEXPR_IF:
	case AEXPR_EITHER:
		break;
	}
}

const double *
aexpr_column(const struct aexpr *e, const double *const *column, size_t n, double *room)
{
	const double *a, *b;

	switch (e->op) {
	case AEXPR_NAME:
	case AEXPR_OWNERS:
		return column[e->index];
	case AEXPR_NUMBER:
		for (size_t i = 0; i < n; i++)
			room[i] = e->value;
		return room;
	case AEXPR_IF: {
		const struct aexpr *either = e->arg[1];
		const double *holds = aexpr_column(e->arg[0], column, n, room);

		a = aexpr_column(either->arg[0], column, n, room + n);
		b = aexpr_column(either->arg[1], column, n, room + 2 * n);
		for (size_t i = 0; i < n; i++)
			room[i] = isnan(holds[i]) ? NAN : holds[i] > 0 ? a[i] : b[i];
		return room;
	}
	case AEXPR_NEGATE:
	case AEXPR_ADD:
	case AEXPR_SUBTRACT:
	case AEXPR_TIMES:
	case AEXPR_DIVIDE:
	case AEXPR_RATIO:
	case AEXPR_MIN:
	case AEXPR_MAX:
	case AEXPR_LESS:
	case AEXPR_COUNTED:
	case AEXPR_EITHER:
		break;
	}
	a = aexpr_column(e->arg[0], column, n, room);
	b = e->arg[1] ? aexpr_column(e->arg[1], column, n, room + n) : a;
	apply_operation(e->op, a, b, n, room);
	return room;
}
