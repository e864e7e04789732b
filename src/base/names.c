#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static uint64_t
hash_bytes(const char *s, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	return h ^ h >> 29;
}

static size_t *
find_slot(const struct names *t, const char *s, size_t len)
{
	for (size_t i = hash_bytes(s, len) & (t->slots - 1);; i = (i + 1) & (t->slots - 1)) {
		size_t k = t->slot[i];

		if (!k || (strncmp(t->name[k - 1], s, len) == 0 && t->name[k - 1][len] == '\0'))
			return &t->slot[i];
	}
}

static void
rehash(struct names *t)
{
	free(t->slot);
	t->slots = t->slots ? t->slots * 2 : 16;
	t->slot = mem_new_array(t->slots, sizeof *t->slot);
	for (size_t i = 0; i < t->n; i++)
		*find_slot(t, t->name[i], strlen(t->name[i])) = i + 1;
}

size_t
names_add(struct names *names, const char *s, size_t len)
{
	size_t *slot;

	if (names->n * 2 >= names->slots)
		rehash(names);
	slot = find_slot(names, s, len);
	if (!*slot) {
		mem_grow(&names->name, &names->cap, names->n + 1, sizeof *names->name);
		names->name[names->n++] = mem_strn(s, len);
		*slot = names->n;
	}
	return *slot - 1;
}

size_t
names_find(const struct names *t, const char *s, size_t len)
{
	size_t k = t->slots ? *find_slot(t, s, len) : 0;

	return k ? k - 1 : NAMES_NONE;
}

void
names_free(struct names *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->name[i]);
	free(t->name);
	free(t->slot);
	*t = (struct names){0};
}
