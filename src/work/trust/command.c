#include "work/trust/command.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "base/json.h"
#include "base/mem.h"
#include "collect/source.h"
#include "work/trust/instrumented.h"

struct trust_command {
	struct instrumented compared;
};

struct trust_command *
trust_command_new(const struct trust_command_options *o, struct err *e)
{
	const struct instrumented_options how = {.argv = o->argv, .during = o->during, .interrupted = o->interrupted,
		.runs = o->runs, .seconds = o->seconds, .source = &source_all, .progress = o->progress, .ctx = o->ctx};
	struct trust_command *c = mem_new(sizeof *c);

	if (instrumented_run(&c->compared, &how, e))
		return c;
	trust_command_free(c);
	return NULL;
}

void
trust_command_free(struct trust_command *c)
{
	if (!c)
		return;
	instrumented_free(&c->compared);
	free(c);
}

void
trust_command_text(const struct trust_command *c, struct str *out)
{
	instrumented_text(&c->compared, out);
}

void
trust_command_json(const struct trust_command *c, struct json_writer *w)
{
	struct utsname here = {0};

	uname(&here);
	json_open(w, NULL, '{');
	json_str(w, "schema", "hecate.determinism/1");
	json_open(w, "notes", '[');
	json_close(w, ']');
	json_open(w, "results", '[');
	instrumented_json(&c->compared, here.nodename, w);
	json_close(w, ']');
	json_close(w, '}');
}

void
trust_command_expected(const struct trust_command *c, struct str *out)
{
	instrumented_expected(&c->compared, out);
}
