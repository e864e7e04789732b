#include "machine_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sim/machine.h"
#include "test.h"
#include "text/diag.h"

char *
machine_text(const char *const *item, const char *which, const char *with)
{
	struct str t = {0};

	for (size_t i = 0; item[i]; i++)
		str_addf(&t, "%s\n", which && str_starts(item[i], which) ? with : item[i]);
	if (!which)
		str_addf(&t, "%s\n", with);
	return str_take(&t);
}

void
machine_text_refused(
	const char *const *item, const char *which, const char *with, const char *says, const char *hint, int line)
{
	char *text = machine_text(item, which, with);
	struct diags d = {0};
	struct sim_machine *m = sim_machine_parse("t.machine", text, strlen(text), NULL, &d);
	bool found = false;

	for (size_t i = 0; i < d.n; i++)
		found = found || (strstr(d.item[i].text, says) && d.item[i].line > 0 &&
			(!line || d.item[i].line == line) &&
			(!*hint || (d.item[i].hint && strstr(d.item[i].hint, hint))));
	test_label("%s: %s", which ? which : "more", with);
	test_check(found && !m, __FILE__, __LINE__,
		"'%s' and '%s' in line %d are expected; the first is: %s (%s), line %d", says, hint, line,
		d.n ? d.item[0].text : "none", d.n && d.item[0].hint ? d.item[0].hint : "", d.n ? d.item[0].line : 0);
	sim_machine_free(m);
	diags_free(&d);
	free(text);
}
