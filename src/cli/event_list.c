#include "cli/event_list.h"

#include "base/mem.h"
#include "base/str.h"

char **
event_list_split(const char *list, size_t *n)
{
	char **piece = str_split(list, ',', n), **name = mem_new_array(*n + 1, sizeof *name);
	struct str one = {0};
	size_t k = 0, slashes = 0;

	for (size_t i = 0; i < *n; i++) {
		for (const char *s = piece[i]; *s; s++)
			slashes += *s == '/';
		str_add(&one, piece[i]);
		if (slashes % 2 && i + 1 < *n)
			str_addc(&one, ',');
		else
			name[k++] = str_take(&one);
	}
	str_split_free(piece);
	*n = k;
	return name;
}
