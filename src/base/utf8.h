/* UTF-8 as hecate needs it: decoding, widths in columns, and text from outside made safe to show. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Decodes one code point at s (n bytes, n > 0) and returns its length in bytes. A broken byte gives U+FFFD and length
 * 1. */
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
size_t utf8_encode(uint32_t cp, char out[4]);

/* Returns the number of columns of a code point: 0 for combining marks, 2 for East Asian wide ones, else 1. A control
 * character counts 1, because it is shown as one sign. */
int utf8_columns(uint32_t cp);
size_t utf8_width(const char *s); /* columns of a string */

/* Returns how many bytes of `s` fit into `columns` without splitting a code point. */
size_t utf8_fit(const char *s, size_t columns);

/* Returns whether a terminal could obey the code point, or shows nothing for it, so that two names look alike: C0, DEL,
 * C1, soft hyphen, bidirectional controls, zero-width characters, line and paragraph separators. Combining marks are
 * none of them. */
bool utf8_is_control(uint32_t cp);

/* Appends text from outside. Control characters become \xNN or \u{NNNN} (tab and newline become \t and \n). Broken
 * bytes become \xNN. */
void utf8_add_visible(struct str *out, const char *s, size_t n);
char *utf8_visible(const char *s); /* the same as a new string, which the caller frees */

/* Appends text from outside, with U+FFFD for each broken byte. All else stays. */
void utf8_add_valid(struct str *out, const char *s, size_t n);

/* Returns whether the bytes look like text: valid UTF-8 without NUL. If not, *offset is the first bad byte. */
bool utf8_valid(const char *s, size_t n, size_t *offset);

#endif
