/* How GLPK is kept quiet and alive: what it prints is swallowed, and where it would abort it jumps back to the caller's
 * setjmp(). */
#ifndef CORE_VERDICT_LP_HOOKS_H
#define CORE_VERDICT_LP_HOOKS_H

#include <setjmp.h>

static inline int
lp_swallow(void *info, const char *text)
{
	(void)info;
	(void)text;
	return 1;
}

/* For glp_error_hook(); `info` is a jmp_buf. */
static inline void
lp_jump(void *info)
{
	longjmp(*(jmp_buf *)info, 1);
}

#endif
