/* hecate net: a network's path map, queues and stalls from recorded data; or, with --check, what the network says of itself. */
#include "cli/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/files.h"
#include "app/network_data.h"
#include "app/owners.h"
#include "base/err.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/report_net.h"
#include "cli/work.h"
#include "core/lang/diag.h"
#include "core/obs/columns.h"
#include "core/obs/obs.h"

static struct network *
load(const struct options *o, char **path)
{
	struct diags d = {0};
	struct err e = {0};
	struct network *n;

	*path = NULL;
	if (!o->n_args) {
		err_set(&e, "net needs a network");
		err_hint(&e, "for instance: hecate net spr-cxl --check");
		work_fail(&e);
		return NULL;
	}
	/* A file of another name is data, whatever it holds. */
	if (!file_is_path(o->arg[0]) && access(o->arg[0], F_OK) == 0) {
		err_set(&e, "%s is data: which network is it to be drawn on?", o->arg[0]);
		err_hint(&e, "the network comes first: hecate net NETWORK %s; a network of this name is ./%s", o->arg[0], o->arg[0]);
		work_fail(&e);
		return NULL;
	}
	n = network_load(o->arg[0], path, &d, &e);
	work_say_diagnostics(o, &d);
	if (*e.what)
		work_fail(&e);
	diags_free(&d);
	return n;
}

/* The stage that --beyond names; n_stages without it. False when there is none of that name. */
static bool
find_stage(const struct options *o, const struct network *n, size_t *stage)
{
	struct err e = {0};
	const char **name, *near;

	*stage = n->n_stages;
	if (!o->beyond)
		return true;
	name = mem_new_array(n->n_stages, sizeof *name);
	for (size_t i = n->n_stages; i-- > 0;) {
		name[i] = n->stage[i].name;
		if (str_eq(name[i], o->beyond))
			*stage = i;
	}
	if (*stage == n->n_stages) {
		struct str list = {0};

		near = str_nearest(o->beyond, name, n->n_stages);
		for (size_t i = 0; i < n->n_stages; i++)
			str_addf(&list, "%s%s", i ? ", " : "", name[i]);
		err_set(&e, "--beyond: the network has no stage '%s'", o->beyond);
		err_hint(&e, near ? "nearest: %s" : "there are: %s", near ? near : str_text(&list));
		work_fail(&e);
		str_free(&list);
	}
	free(name);
	return *stage < n->n_stages;
}

/* Which columns nobody asked for, and which count less than was asked for. */
static void
say_columns(const struct recorded *data, const char *path)
{
	struct str extra = {0}, user = {0};

	for (size_t i = 0; i < data->n_extra; i++)
		str_addf(&extra, "%s%s", i ? ", " : "", data->extra[i]);
	for (size_t i = 0; i < data->net->n_counters; i++)
		if (data->match->user_only[i])
			str_addf(&user, "%s%s", user.n ? ", " : "", data->net->counter[i].name);
	if (extra.n)
		log_line(NULL, "%s: the network does not know %s", path, str_text(&extra));
	if (user.n)
		log_line(NULL, "%s: counted on the user side only (:u): %s", path, str_text(&user));
	str_free(&extra);
	str_free(&user);
}

/* One file's observations. Returns how many snapshots were told, or -1 when the file cannot be read. */
static long
report_file(struct net_report *r, const char *path, struct str *out)
{
	struct obs_table *t = work_read_data(r->options, path);
	struct recorded *data;
	struct net_state *state;
	long n;

	if (!t)
		return -1;
	for (size_t i = 0; i < t->n_notes && !r->options->quiet; i++)
		log_line(NULL, "%s", t->note[i]);
	data = recorded_new(r->net, t, r->options->observations, r->options->each_row);
	state = net_state_new(r->net, &data->owners->shape);
	for (size_t i = 0; i < data->n; i++) {
		recorded_take(data, i, state);
		if (r->options->json)
			report_net_json(r, data, i, state);
		else
			report_net_text(r, data, i, state, out);
	}
	if (data->n && !r->options->quiet && !r->options->json)
		say_columns(data, path);
	if (data->n && !data->n_matched) {
		struct err e = {0};

		err_set(&e, "%s has no column for any counter of the network", path);
		err_hint(&e, "hecate net NETWORK --check lists the counters and their events");
		work_fail(&e);
	}
	n = data->n_matched ? (long)data->n : data->n ? -1 : 0;
	net_state_free(state);
	recorded_free(data);
	obs_table_free(t);
	return n;
}

static int
report_data(struct net_report *r, struct str *out)
{
	const struct options *o = r->options;
	struct err e = {0};
	long snapshots = 0;

	if (o->n_args < 2) {
		err_set(&e, "net needs data");
		err_hint(&e, "hecate net %s DATA..., or --check to look at the network alone", o->arg[0]);
		return work_fail(&e);
	}
	if (o->json)
		report_net_json_begin(r);
	for (size_t i = 1; i < o->n_args; i++) {
		long n = report_file(r, o->arg[i], out);

		if (n < 0)
			return 2;
		snapshots += n;
	}
	if (o->json)
		report_net_json_end(r);
	if (snapshots)
		return work_write(o, out) ? 0 : 2;
	err_set(&e, "no observation to look at");
	err_hint(&e, "does --observations match a name in the data?");
	return work_fail(&e);
}

int
cmd_net(const struct options *o)
{
	struct str out = {0};
	struct json_writer json = {.out = &out};
	struct net_report r = {.options = o, .json = &json};
	char *path;
	struct network *n = load(o, &path);
	int status = 2;

	r.net = n;
	r.file = path;
	if (n && o->check && o->n_args > 1) {
		struct err e = {0};

		err_set(&e, "--check looks at the network alone, and there is data: %s", o->arg[1]);
		err_hint(&e, "leave one of them out");
		work_fail(&e);
	} else if (n && o->check) {
		report_net_check(&r, &out);
		status = work_write(o, &out) ? 0 : 2;
	} else if (n && find_stage(o, n, &r.beyond)) {
		status = report_data(&r, &out);
	}
	network_free(n);
	free(path);
	str_free(&out);
	return status;
}
