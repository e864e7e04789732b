#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The one mutable global of base: panic() must reach the terminal without an argument. */
static void (*panic_hook)(void);

void
panic_set_hook(void (*hook)(void))
{
	panic_hook = hook;
}

void
panic(const char *fmt, ...)
{
	va_list ap;
	void (*hook)(void) = panic_hook;

	panic_hook = NULL;
	if (hook)
		hook();
	fputs("hecate: internal error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\nhecate: this is a defect of hecate; please report it with the command you ran\n", stderr);
	abort();
}
