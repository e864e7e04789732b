/* A growing string and checked number parsing. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise it, add text, free it with str_free(). `s` is NUL-terminated once something was added. str_text() is
 * never NULL. */
struct str {
	char *s;
	size_t n, cap;
};

void str_free(struct str *);
void str_clear(struct str *); /* keeps the memory */
void str_addn(struct str *, const char *s, size_t n);
void str_add(struct str *, const char *s);
void str_addc(struct str *, char c);
void str_addf(struct str *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_addv(struct str *, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* Returns room for n more bytes, which the caller fills. str_grown() then makes the n bytes that were filled part of
 * the string. */
char *str_room(struct str *, size_t n);
void str_grown(struct str *, size_t n);
const char *str_text(const struct str *);
char *str_take(struct str *); /* the caller frees the result; the str is empty again */
char *str_format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* the caller frees */

bool str_eq(const char *a, const char *b);
bool str_starts(const char *s, const char *prefix);
bool str_ends(const char *s, const char *suffix);

/* Each reads a base-10 number that takes up the whole string. They return false on an empty string, other characters,
 * or overflow. */
bool str_to_i64(const char *s, int64_t *out);
bool str_to_u64(const char *s, uint64_t *out);
bool str_to_double(const char *s, double *out); /* finite numbers only; the decimal point is '.' in every locale */

/* Cuts "a,b,,c" at `sep` into a NULL-terminated array of strings and keeps empty pieces. The caller frees with
 * str_split_free(). */
char **str_split(const char *s, char sep, size_t *n);
void str_split_free(char **);

#endif
