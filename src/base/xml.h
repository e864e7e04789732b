/* Text inside XML: escaped, and control characters made visible (XML 1.0 allows no others). */
#ifndef BASE_XML_H
#define BASE_XML_H

#include <stddef.h>

struct str;

void xml_addn(struct str *out, const char *s, size_t n);
void xml_add(struct str *out, const char *s);

#endif
