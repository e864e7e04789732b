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
trust_command_json(const struct trust_command *command, struct json_writer *writer)
{
	struct utsname here = {0};

	uname(&here);
	json_open(writer, NULL, '{');
	json_str(writer, "schema", "hecate.determinism/1");
	json_open(writer, "notes", '[');
	json_close(writer, ']');
	json_open(writer, "results", '[');
	instrumented_json(&command->compared, here.nodename, writer);
	json_close(writer, ']');
	json_close(writer, '}');
}

void
trust_command_expected(const struct trust_command *c, struct str *out)
{
	instrumented_expected(&c->compared, out);
}
