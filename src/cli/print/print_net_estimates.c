#include "cli/print/print_net_estimates.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "work/timeline/estimates.h"

static void
add_cycles(struct str *out, double cycles)
{
	if (isnan(cycles))
		str_addf(out, "%12s", "?");
	else
		str_addf(out, "%12.4g", cycles);
}

static void
add_errors(const struct estimates *e, struct str *out)
{
	struct estimate_error error;

	if (!estimates_error(e, ESTIMATOR_DELAY, &error)) {
		str_add(out, "  the data do not have the truth: those of a simulated server do, as sim:spr-cxl\n");
		return;
	}
	str_addf(out, "  %-10s%12s", "off by", "");
	for (int by = 0; by < ESTIMATORS; by++) {
		estimates_error(e, (enum estimator)by, &error);
		str_addf(out, "%10.1f %%", 100 * error.worst);
	}
	str_addf(out, "   at worst, of all stalls\n  %-10s%12s", "culprit", estimate_place_name(error.true_culprit));
	for (int by = 0; by < ESTIMATORS; by++) {
		estimates_error(e, (enum estimator)by, &error);
		str_addf(out, "%12s", estimate_place_name(error.culprit));
	}
	if (error.margin < ESTIMATE_CLOSE)
		str_addf(out, "   too close: %.2f times the next", error.margin);
	str_addc(out, '\n');
}

static void
add_length(struct str *out, double length)
{
	if (isnan(length))
		str_addf(out, "%12s", "·");
	else
		str_addf(out, "%12.4g", length);
}

/* Lengths of queues next to the truth. */
static void
add_lengths(const struct network_data *data, size_t snapshot, const struct net_state *state,
	struct queue_errors_list *errors, struct str *out)
{
	size_t n;
	struct queue_length *length = queue_lengths_of(data, snapshot, state, &n);

	queue_errors_add(errors, length, n);
	if (n)
		str_addf(out, "\nlengths of queues, in requests, estimated in %d ways\n  %-10s%-6s%12s%12s%12s\n",
			QUEUE_WAYS, "", "", "truth", queue_way_name(QUEUE_RATE_WAIT), queue_way_name(QUEUE_OCCUPIED));
	for (size_t i = 0; i < n; i++) {
		if (length[i].truth < QUEUE_LEAST)
			continue;
		str_addf(out, "  %-10s%-6s", length[i].module, length[i].kind);
		add_length(out, length[i].truth);
		for (int way = 0; way < QUEUE_WAYS; way++)
			add_length(out, length[i].by[way]);
		str_addc(out, '\n');
	}
	free(length);
}

void
print_net_estimates(const struct network_data *data, size_t snapshot, const struct net_state *state,
	struct estimate_errors *errors, struct str *out)
{
	struct estimates e;

	estimates_of(data, snapshot, state, &e);
	estimate_errors_add(errors, &e);
	str_addf(out, "\nstalls by who answers, in cycles of the core, estimated in %d ways%s\n  %-10s%12s", ESTIMATORS,
		e.cores > 1 ? ", core by core" : " for all cores as one", "", "truth");
	for (int by = 0; by < ESTIMATORS; by++)
		str_addf(out, "%12s", estimator_name((enum estimator)by));
	str_addc(out, '\n');
	for (int p = 0; p < ESTIMATE_PLACES; p++) {
		str_addf(out, "  %-10s", estimate_place_name((enum estimate_place)p));
		add_cycles(out, e.truth[p]);
		for (int by = 0; by < ESTIMATORS; by++)
			add_cycles(out, e.by[by][p]);
		str_addc(out, '\n');
	}
	add_errors(&e, out);
	add_lengths(data, snapshot, state, &errors->queues, out);
}

static void
write_places(const double *of, const char *key, struct json_writer *json)
{
	json_open(json, key, '{');
	for (int p = 0; p < ESTIMATE_PLACES; p++)
		json_num(json, estimate_place_name((enum estimate_place)p), of[p]);
	json_close(json, '}');
}

void
print_net_estimates_json(const struct network_data *data, size_t snapshot, const struct net_state *state,
	struct estimate_errors *errors, struct json_writer *json)
{
	struct estimates e;
	struct estimate_error error = {0};
	size_t n;
	struct queue_length *length = queue_lengths_of(data, snapshot, state, &n);

	estimates_of(data, snapshot, state, &e);
	estimate_errors_add(errors, &e);
	json_open(json, "estimates", '{');
	json_num(json, "cores", e.cores);
	write_places(e.truth, "truth", json);
	json_open(json, "by", '[');
	for (int by = 0; by < ESTIMATORS; by++) {
		bool known = estimates_error(&e, (enum estimator)by, &error);

		json_open(json, NULL, '{');
		json_str(json, "estimator", estimator_name((enum estimator)by));
		write_places(e.by[by], "stalls", json);
		json_num(json, "worst", known ? error.worst : NAN);
		json_str(json, "culprit", known ? estimate_place_name(error.culprit) : NULL);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_num(json, "margin", error.margin > 0 ? error.margin : NAN);
	json_open(json, "queues", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(json, NULL, '{');
		json_str(json, "module", length[i].module);
		json_str(json, "kind", length[i].kind);
		json_num(json, "truth", length[i].truth);
		json_num(json, "rate_wait", length[i].by[QUEUE_RATE_WAIT]);
		json_num(json, "occupancy", length[i].by[QUEUE_OCCUPIED]);
		json_close(json, '}');
	}
	json_close(json, ']');
	queue_errors_add(&errors->queues, length, n);
	free(length);
	json_close(json, '}');
}

static void
add_error(struct str *out, double error)
{
	if (isnan(error))
		str_addf(out, "%11s", "·");
	else
		str_addf(out, "%9.1f %%", 100 * error);
}

static void
add_queue_errors(const struct queue_errors_list *list, struct str *out)
{
	str_addf(out,
		"\nerrors of lengths of queues from %g requests on, as parts of the length\n  %-16s%11s%22s%22s\n"
		"  %-16s%11s%11s%11s%11s%11s\n",
		QUEUE_LEAST, "", "", queue_way_name(QUEUE_RATE_WAIT), queue_way_name(QUEUE_OCCUPIED), "", "snapshots",
		"median", "95 %", "median", "95 %");
	for (size_t i = 0; i < list->n; i++) {
		const struct queue_errors *errors = &list->of[i];

		if (!errors->snapshots)
			continue;
		str_addf(out, "  %-10s%-6s%11zu", errors->queue.module, errors->queue.kind, errors->snapshots);
		for (int way = 0; way < QUEUE_WAYS; way++) {
			add_error(out, queue_errors_quantile(errors, (enum queue_way)way, 0.5));
			add_error(out, queue_errors_quantile(errors, (enum queue_way)way, 0.95));
		}
		str_addc(out, '\n');
	}
}

void
print_net_estimate_errors(const struct estimate_errors *errors, struct str *out)
{
	if (errors->snapshots < 2)
		return;
	str_addf(out, "\nerrors of %zu snapshots\n  %-10s%22s%22s%26s\n  %-10s%11s%11s%11s%11s%13s%13s\n",
		errors->snapshots, "", "part of all stalls", "part of its own", "culprit", "", "median", "95 %",
		"median", "95 %", "right", "too close");
	for (int by = 0; by < ESTIMATORS; by++) {
		str_addf(out, "  %-10s", estimator_name((enum estimator)by));
		for (int relative = 0; relative < 2; relative++)
			str_addf(out, "%9.1f %%%9.1f %%",
				100 * estimate_errors_quantile(errors, (enum estimator)by, relative, 0.5),
				100 * estimate_errors_quantile(errors, (enum estimator)by, relative, 0.95));
		str_addf(out, "%13zu%13zu\n", errors->right[by], errors->close[by]);
	}
	add_queue_errors(&errors->queues, out);
}

void
print_net_estimate_errors_json(const struct estimate_errors *errors, struct json_writer *json)
{
	json_open(json, "estimate_errors", '[');
	for (int by = 0; by < ESTIMATORS && errors->snapshots; by++) {
		json_open(json, NULL, '{');
		json_str(json, "estimator", estimator_name((enum estimator)by));
		json_int(json, "snapshots", (int64_t)errors->snapshots);
		json_num(json, "median", estimate_errors_quantile(errors, (enum estimator)by, false, 0.5));
		json_num(json, "p95", estimate_errors_quantile(errors, (enum estimator)by, false, 0.95));
		json_num(json, "relative_median", estimate_errors_quantile(errors, (enum estimator)by, true, 0.5));
		json_num(json, "relative_p95", estimate_errors_quantile(errors, (enum estimator)by, true, 0.95));
		json_int(json, "right", (int64_t)errors->right[by]);
		json_int(json, "close", (int64_t)errors->close[by]);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_open(json, "queue_errors", '[');
	for (size_t i = 0; i < errors->queues.n; i++)
		for (int way = 0; way < QUEUE_WAYS; way++) {
			const struct queue_errors *queue = &errors->queues.of[i];

			json_open(json, NULL, '{');
			json_str(json, "module", queue->queue.module);
			json_str(json, "kind", queue->queue.kind);
			json_str(json, "way", queue_way_name((enum queue_way)way));
			json_int(json, "snapshots", (int64_t)queue->snapshots);
			json_int(json, "known", (int64_t)queue->n[way]);
			json_num(json, "median", queue_errors_quantile(queue, (enum queue_way)way, 0.5));
			json_num(json, "p95", queue_errors_quantile(queue, (enum queue_way)way, 0.95));
			json_close(json, '}');
		}
	json_close(json, ']');
}
