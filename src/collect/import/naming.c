#include "collect/import/naming.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

char *
naming_after_file(const char *file)
{
	const char *base = strrchr(file, '/'), *dot;

	base = base ? base + 1 : file;
	if (!*base || str_eq(base, "-"))
		return mem_str("stdin");
	dot = strrchr(base, '.');
	return mem_strn(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}
