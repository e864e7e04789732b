#include "event/list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "event/name.h"

/* The end of a name, or of a group's modifiers: at a comma or brace outside of slashes. */
static const char *
name_end(const char *s)
{
	bool inside = false;

	for (; *s && (inside || !strchr(",{}", *s)); s++)
		inside ^= *s == '/';
	return s;
}

static void
add_modifiers(char **name, const char *mods, size_t n)
{
	struct str all = {0};
	struct event_name e;

	event_name_read(*name, &e);
	str_add(&all, *name);
	if (e.form != EVENT_FORM_TERMS && !e.modifiers.set)
		str_addc(&all, ':');
	str_addn(&all, mods, n);
	event_name_free(&e);
	free(*name);
	*name = str_take(&all);
}

char **
event_list_split(const char *list, size_t *n)
{
	char **name = NULL;
	size_t cap = 0, count = 0, group = 0;
	bool grouped = false;

	for (const char *s = list;;) {
		const char *end;

		if (*s == '{') {
			grouped = true;
			group = count;
			s++;
		}
		end = name_end(s);
		mem_grow(&name, &cap, count + 2, sizeof *name);
		name[count++] = mem_strn(s, (size_t)(end - s));
		if (grouped && *end == '}') {
			s = end + 1;
			end = name_end(s);
			for (size_t i = group; i < count && *s == ':' && end > s + 1; i++)
				add_modifiers(&name[i], s + 1, (size_t)(end - s - 1));
			grouped = false;
		}
		if (!*end)
			break;
		s = end + 1;
	}
	name[count] = NULL;
	if (n)
		*n = count;
	return name;
}
