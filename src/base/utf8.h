/* UTF-8 as hecate needs it: decode, columns, and text from outside made safe to show. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Decode one code point at s (n bytes, n > 0); returns its length in bytes. A broken byte gives U+FFFD and length 1. */
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
size_t utf8_encode(uint32_t cp, char out[4]);

/* Columns of a code point: 0 for combining marks, 2 for East Asian wide, else 1. Control characters count 1 (they are
 * shown as one sign). */
int utf8_columns(uint32_t cp);
size_t utf8_width(const char *s); /* columns of a string */

/* Bytes of `s` that fit into `columns`, never splitting a code point. */
size_t utf8_fit(const char *s, size_t columns);

/* True for what a terminal could obey: C0, DEL, C1, bidirectional controls, line and paragraph separators. */
bool utf8_is_control(uint32_t cp);

/* Append text from outside: control characters as \xNN or \u{NNNN} (tab and newline as \t and \n), broken bytes as
 * \xNN. */
void utf8_add_visible(struct str *out, const char *s, size_t n);

/* True when the bytes look like text: no NUL, valid UTF-8. *offset is the first bad byte otherwise. */
bool utf8_valid(const char *s, size_t n, size_t *offset);

#endif
