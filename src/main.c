/* argv to a subcommand or the explorer, nothing else. */
#include "config.h"

#include <locale.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/work.h"

static int
print_text(const char *text)
{
	return fputs(text, stdout) == EOF || fflush(stdout) ? 2 : 0;
}

int
main(int argc, char **argv)
{
	struct options o;
	struct str text = {0};
	struct err e = {0};
	int status;

	setlocale(LC_CTYPE, "");
	if (!options_parse(argc, argv, &o, &e)) {
		status = work_fail(&e);
	} else if (o.version) {
		status = print_text(PACKAGE_STRING "\nLicence GPL-3.0-or-later. There is no warranty.\n");
	} else if (o.help) {
		options_help(o.command, &text);
		status = print_text(str_text(&text));
	} else {
		status = o.command->run(&o);
	}
	str_free(&text);
	options_free(&o);
	return status;
}
