/* A set of strings with numbers: each distinct string gets 0, 1, 2 … in the order of first use. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

#define NAMES_NONE ((size_t)-1)

struct names {
	char **name; /* owned; name[i] is the i-th distinct string */
	size_t n, cap;
	size_t *slot; /* open addressing: index + 1, 0 is free */
	size_t slots;
};

size_t names_add(struct names *, const char *s, size_t len);        /* the string's number, new or old */
size_t names_find(const struct names *, const char *s, size_t len); /* NAMES_NONE when the set lacks it */
void names_free(struct names *);

#endif
