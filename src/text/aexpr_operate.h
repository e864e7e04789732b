/* What an operation of an expression makes of known values. Private to text/aexpr. */
#ifndef TEXT_AEXPR_OPERATE_H
#define TEXT_AEXPR_OPERATE_H

#include <math.h>

#include "text/aexpr.h"

static inline double
aexpr_operate(enum aexpr_op op, double a, double b)
{
	switch (op) {
	case AEXPR_NEGATE:
		return -a;
	case AEXPR_ADD:
		return a + b;
	case AEXPR_SUBTRACT:
		return a - b;
	case AEXPR_TIMES:
		return a * b;
	case AEXPR_DIVIDE:
		return b != 0 ? a / b : NAN;
	case AEXPR_RATIO:
		return isnan(a) || isnan(b) ? NAN : b != 0 ? a / b : 0;
	case AEXPR_MIN:
		return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
	case AEXPR_MAX:
		return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
	case AEXPR_LESS:
		return isnan(a) || isnan(b) ? NAN : a < b;
	case AEXPR_COUNTED:
		return !isnan(a);
	case AEXPR_NUMBER:
	case AEXPR_NAME:
	case AEXPR_OWNERS:
	case AEXPR_IF:
	case AEXPR_EITHER:
		break;
	}
	return NAN;
}

#endif
