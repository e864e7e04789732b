/* hecate slices: which parts of a core matter for a workload, so which probes to run next. */
#include "cli/commands.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/shell.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/reading.h"
#include "cli/signals.h"
#include "cli/sim_parts.h"
#include "cli/writing.h"
#include "core/obs/obs.h"
#include "core/stack/stack.h"
#include "draw/heat_map.h"
#include "draw/theme.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/simulation_text.h"
#include "work/files/texts.h"
#include "work/probe/probe_machine.h"
#include "work/slices/skp.h"

#define PROGRESS_SECONDS 3

/* True for an argument that is data, not a stack. */
static bool
is_data(const char *arg)
{
	return simulation_is(arg) || str_eq(arg, "-") || (access(arg, F_OK) == 0 && !file_has_ending(arg, ".stack"));
}

static struct stack *
cmd_slices_load_stack(const struct options *options, const char *name, struct err *e)
{
	struct text text = {0};
	struct diags d = {0};
	struct stack *stack = NULL;

	if (text_load(name, TEXT_STACK, &text, e)) {
		stack = text_stack(&text, &d);
		print_diagnostics(options, &d);
		if (!stack)
			err_set(e, "the stack %s has errors", name);
	}
	diags_free(&d);
	text_free(&text);
	return stack;
}

struct progress {
	const struct options *options;
	double said;
};

static void
cmd_slices_say_progress(void *ctx, size_t done)
{
	struct progress *p = ctx;
	double now = clock_seconds();

	if (!p->options->quiet && now - p->said >= PROGRESS_SECONDS) {
		log_line(NULL, "%zu program%s simulated; Ctrl-C ends it", done, plural_s(done));
		p->said = now;
	}
}

static bool
cmd_slices_stop(void *ctx)
{
	(void)ctx;
	return signals_interrupted();
}

static struct obs_table *
cmd_slices_simulate(const struct options *options, const char *on, bool *cut, struct err *e)
{
	char *changes = sim_changes(&options->changes);
	struct progress progress = {.options = options, .said = clock_seconds()};
	const struct slices_simulation how = {.on = on,
		.changes = changes,
		.program = options->programs.item,
		.n_programs = options->programs.n,
		.uops = options->accesses,
		.each = options->samples,
		.seed = options->seed,
		.progress = cmd_slices_say_progress,
		.stop = cmd_slices_stop,
		.ctx = &progress};
	struct signals signals;
	struct obs_table *table;

	signals_hold(&signals);
	table = slices_simulate(&how, cut, e);
	signals_let_go(&signals);
	free(changes);
	return table;
}

/* False and *e: an option that only a simulated core takes. */
static bool
options_fit(const struct options *o, const char *data, struct err *e)
{
	if (simulation_is(data) || !(o->programs.n || o->changes.n || o->accesses || o->samples || o->seed))
		return true;
	err_set(e, "--program, --set, --accesses, --samples and --seed are for a simulated core, and %s is data", data);
	return err_hint(e, "for instance: hecate slices sim:core --samples 8");
}

/* Adds the slices of one DATA argument. False after a message, or with *e. */
static bool
add_data(const struct options *options, struct slices *slices, const char *data, struct err *e)
{
	struct obs_table *table;
	bool good;

	if (!options_fit(options, data, e))
		return false;
	table = simulation_is(data) ? cmd_slices_simulate(options, data, &slices->cut, e)
				    : reading_table(options, data);
	good = table && slices_add(slices, table, options->observations, e);
	for (size_t i = 0; table && i < table->n_notes && !options->quiet; i++)
		log_line(NULL, "%s", table->note[i]);
	obs_table_free(table);
	return good;
}

/* Says so if the top parts are not the whole. */
static void
say_sums(const struct options *o, const struct slices *s)
{
	const struct slices_options *own = o->own;
	double minor = own->minor > 0 ? own->minor : SKP_MINOR;

	if (s->n && !o->quiet && (s->least < 1 - minor || s->most > 1 + minor))
		log_line(NULL, "the top parts of %s sum to %.3g to %.3g %% of the whole, not to 100 %%; hecate stack "
			"shows what is missing or counted twice", s->stack->name, 100 * s->least, 100 * s->most);
}

/* Says which rows were left out. False and *e if there is no other. */
static bool
are_there(const struct options *options, const struct slices *slices, const char *stack, struct err *e)
{
	if (slices->n && slices->left_out && !options->quiet)
		log_line(NULL, "%zu row%s left out: %s%s", slices->left_out, plural_s(slices->left_out),
			slices->missing ? "without " : "some share is unknown", slices->missing ? slices->missing : "");
	if (slices->cut && !options->quiet)
		log_line(NULL, "the simulation was stopped: these are the %zu slice%s that were complete", slices->n,
			plural_s(slices->n));
	if (slices->n)
		return true;
	if (!slices->left_out) {
		err_set(e, "the data have no rows");
		return err_hint(e, "does --observations match a name in the data?");
	}
	if (!slices->missing) {
		err_set(e, "no row has a share of every part: what they divide by is 0");
		return err_hint(e, "are these counts of a program that ran?");
	}
	err_set(e, "the stack %s needs counters that the data lack: %s", stack, slices->missing);
	return shell_hint(e, "hecate stack %s --check lists their events; another stack comes before the data", stack);
}

static bool
write_heat_map(const struct options *options, const struct skp *skp, struct err *e)
{
	const struct slices_options *own = options->own;
	struct str svg = {0};
	struct theme theme;
	bool good;

	theme_default(&theme);
	heat_map_svg_of_skp(skp, !options->verbose, &theme, &svg);
	good = writing_file(own->heat_map, &svg, e);
	str_free(&svg);
	return good;
}

static bool
cmd_slices_report(const struct options *options, const struct skp *skp, const char *on, struct err *e)
{
	const struct slices_options *own = options->own;
	struct writing out;

	if (own->heat_map && !write_heat_map(options, skp, e))
		return false;
	writing_begin(&out, options);
	if (options->json)
		print_slices_json(skp, &out.json);
	else
		print_slices_text(options, skp, on, &out.text);
	return writing_end(&out, true);
}

/* The machine of "sim:core:mcf-like:samples=8", as hecate probe takes it: "sim:core". NULL: it is no simulated one. The
 * caller frees it. */
static char *
probed_machine(const char *data)
{
	char *on = simulation_is(data) ? mem_str(data) : NULL, *end = on;

	while (on && end) {
		struct err e = {0};
		struct probe_machine *machine = probe_machine_new(on, NULL, &e);

		if (machine) {
			probe_machine_free(machine);
			return on;
		}
		end = strrchr(on, ':');
		if (end)
			*end = '\0';
	}
	free(on);
	return NULL;
}

int
cmd_slices(const struct options *options)
{
	const struct slices_options *own = options->own;
	struct err e = {0};
	struct slices s = {0};
	struct skp *skp = NULL;
	size_t first = options->n_args && !is_data(options->arg[0]);
	const char *name = first ? options->arg[0] : SLICES_STACK;
	struct stack *stack;
	char *on;
	bool good;

	if (options->n_args <= first) {
		err_set(&e, "slices needs data, or a simulated core");
		err_hint(&e, "for instance: hecate slices sim:core, or hecate slices topdown-l3-hsw DATA");
		return print_failure(&e);
	}
	stack = cmd_slices_load_stack(options, name, &e);
	good = stack != NULL && writing_can(options->output, &e) && writing_can(own->heat_map, &e);
	slices_init(&s, stack);
	for (size_t i = first; i < options->n_args && good && !s.cut; i++)
		good = add_data(options, &s, options->arg[i], &e);
	good = good && are_there(options, &s, name, &e);
	if (good) {
		say_sums(options, &s);
		skp = skp_new(
			&s, &(struct skp_how){.eps = own->eps, .min_points = own->min_points, .minor = own->minor}, &e);
	}
	on = skp && !options->json ? probed_machine(options->arg[first]) : NULL;
	good = skp && cmd_slices_report(options, skp, on, &e);
	free(on);
	if (!good && *e.what)
		print_failed(&e);
	skp_free(skp);
	slices_free(&s);
	stack_free(stack);
	signals_obey();
	return good ? 0 : 2;
}
