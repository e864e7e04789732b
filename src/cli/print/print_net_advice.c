/* What would make a run faster, below the report on the network linux-vm: the answers of views 5 to 7. */
#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/own_options.h"
#include "cli/print/print.h"
#include "cli/print/print_net_page.h"
#include "core/network/queues.h"
#include "core/obs/obs.h"
#include "work/timeline/network_data.h"
#include "work/timeline/run_advice.h"
#include "work/timeline/run_load.h"

/* Returns the advice for the snapshot that `data` and the state hold; NULL: the network cannot tell, or a snapshot is
 * only a row, which is too short for that. The caller frees it. */
static struct run_advices *
advices_of(const struct net_report *report, const struct network_data *data, const struct net_state *state, bool ascii)
{
	struct net_queues *queues = net_queues_new(state);
	const struct run_counts counts = {
		state, queues, data->counter, data->first_place, data->count, data->owners};
	struct run_answer *own = !report->answer && data->n == 1 && run_answer_serves(data->table)
		? run_answer_recorded("", data->table) : NULL;
	struct run_advices *advices = NULL;
	struct run_load load = {0};

	if (!data->each_row && run_load_of(&counts, report->answer ? report->answer : own, &load))
		advices = run_advices_new(&load, ascii);
	run_load_clear(&load);
	run_answer_free(own);
	net_queues_free(queues);
	return advices;
}

void
print_net_add_advice(struct print_net_page *page, const struct network_data *data)
{
	struct run_advices *advices = advices_of(page->r, data, page->state, page->ascii);

	if (advices && (advices->disk || advices->n))
		str_add(page->out, "\nwhat to try, largest part of the tasks' time first\n");
	for (size_t i = 0; advices && i < advices->n; i++) {
		str_add(page->out, "  ");
		print_visible(page->out, advices->list[i].evidence);
		str_add(page->out, ": ");
		print_visible(page->out, advices->list[i].change);
		str_addc(page->out, '\n');
	}
	if (advices && advices->disk) {
		str_add(page->out, advices->n ? "  " : "  nothing stands out; ");
		print_visible(page->out, advices->disk);
		str_addc(page->out, '\n');
	}
	run_advices_free(advices);
}

void
print_net_write_advice(
	const struct net_report *report, const struct network_data *data, const struct net_state *state)
{
	struct run_advices *advices = advices_of(report, data, state, false);
	struct json_writer *writer = report->json;

	if (!advices)
		return;
	json_str(writer, "disk", advices->disk);
	json_open(writer, "advice", '[');
	for (size_t i = 0; i < advices->n; i++) {
		json_open(writer, NULL, '{');
		json_str(writer, "about", run_advice_name(advices->list[i].about));
		json_num(writer, "weight", advices->list[i].weight);
		json_str(writer, "evidence", advices->list[i].evidence);
		json_str(writer, "change", advices->list[i].change);
		json_close(writer, '}');
	}
	json_close(writer, ']');
	run_advices_free(advices);
}
