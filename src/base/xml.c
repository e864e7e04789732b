#include "base/xml.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

void
xml_addn(struct str *out, const char *s, size_t n)
{
	struct str safe = {0};

	utf8_add_visible(&safe, s, n);
	for (size_t i = 0; i < safe.n; i++) {
		char c = safe.s[i];

		if (c == '&')
			str_add(out, "&amp;");
		else if (c == '<')
			str_add(out, "&lt;");
		else if (c == '>')
			str_add(out, "&gt;");
		else if (c == '"')
			str_add(out, "&quot;");
		else
			str_addc(out, c);
	}
	str_free(&safe);
}

void
xml_add(struct str *out, const char *s)
{
	xml_addn(out, s, strlen(s));
}
