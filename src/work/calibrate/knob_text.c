/* What a knob is now, as a machine file says it and as people read it. */
#include "work/calibrate/knob_table.h"

#include "base/str.h"
#include "work/calibrate/machine_text.h"

/* --- text -------------------------------------------------------------------------------------------------------- */

static const char *const kind_word[SIM_N_OP_KINDS] = {
#define X(id, name) name,
	SIM_OPS(X)
#undef X
};

static void
write_ports(const struct sim_pipeline *pipeline, struct str *text)
{
	struct str all = {0};

	for (unsigned i = 0; i < pipeline->n_ports; i++) {
		const char *before = " ";

		str_addf(&all, "%sports %u", i ? ";\n" : "", pipeline->ports[i].n);
		for (unsigned k = 0; k < SIM_N_OP_KINDS; k++)
			if (pipeline->ports[i].kinds >> k & 1) {
				str_addf(&all, "%s%s", before, kind_word[k]);
				before = ", ";
			}
	}
	machine_text_set(text, "ports", str_text(&all));
	str_free(&all);
}

static void
write_item(struct str *text, const char *key, unsigned value, const char *unit)
{
	char *item = str_format("%s %u%s%s", key, value, unit ? " " : "", unit ? unit : "");

	machine_text_set(text, key, item);
	str_free(&(struct str){.s = item});
}

static void
write_cache(const struct knob *k, const struct sim_cache *c, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "%s %llu %s, %u ways, %u cycles", k->key,
		(unsigned long long)(c->bytes % 1024 ? c->bytes : c->bytes / 1024), c->bytes % 1024 ? "B" : "KiB",
		c->ways, c->latency);
	if (c->line)
		str_addf(&s, ", %u bytes", c->line);
	machine_text_set(text, k->key, str_text(&s));
	str_free(&s);
}

/* The second level also has a latency, and pages that it holds. */
static void
write_ways(const struct knob *knob, const struct sim_machine *machine, struct str *text)
{
	static const char *const page[SIM_PAGES] = {"4k", "2m", "1g"};
	const struct sim_ways *ways = knob_ways_of(knob, machine);
	struct str s = {0};

	str_add(&s, knob->key);
	for (size_t i = 0; i < SIM_PAGES && ways == &machine->stlb; i++)
		if (machine->stlb_holds[i])
			str_addf(&s, " %s", page[i]);
	str_addf(&s, " %u entries, %u ways", ways->entries, ways->ways);
	if (ways == &machine->stlb)
		str_addf(&s, ", %u cycles", machine->stlb_latency);
	machine_text_set(text, knob->key, str_text(&s));
	str_free(&s);
}

static void
write_stride(const struct sim_pipeline *p, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "stride_prefetch %u entries, ahead %u", p->stride_entries, p->stride_ahead ? p->stride_ahead : 1);
	machine_text_set(text, "stride_prefetch", str_text(&s));
	str_free(&s);
}

static const char *const lookup_word[] = {"execution", "fetch"};

static const char *const predictor_word[] = {"perfect", "bimodal", "gshare", "hybrid", "tage"};

static void
write_predictor(const struct sim_predictor_size *p, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "predictor %s", predictor_word[p->kind]);
	if (p->entries)
		str_addf(&s, " %u %s", p->entries, p->kind == SIM_PREDICT_TAGE ? "KiB" : "entries");
	if (p->history)
		str_addf(&s, ", history %u", p->history);
	machine_text_set(text, "predictor", str_text(&s));
	str_free(&s);
}

static const char *const order_word[] = {[SIM_ORACLE] = "oracle", [SIM_WAIT] = "wait", [SIM_BLIND] = "blind"};

static void
write_order(enum sim_disambiguation order, struct str *text)
{
	struct str s = {0};

	str_addf(&s, "disambiguation %s", order_word[order]);
	machine_text_set(text, "disambiguation", str_text(&s));
	str_free(&s);
}

static void
write_set(const char *key, sim_plants set, struct str *text)
{
	char *names = sim_plants_text(set), *item = str_format("%s %s", key, names);
	struct str spaced = {0};

	for (const char *s = item; *s; s++)
		str_addf(&spaced, *s == ',' ? "%c " : "%c", *s);
	machine_text_set(text, key, set ? str_text(&spaced) : "");
	str_free(&spaced);
	str_free(&(struct str){.s = item});
	str_free(&(struct str){.s = names});
}

void
knob_write(const struct knob *knob, const struct knob_machine *machine, struct str *text)
{
	const struct sim_machine *sim_machine = &machine->m;
	char *word;

	switch (knob->form) {
	case FORM_ENTRIES_OF:
	case FORM_WAYS:
		write_ways(knob, sim_machine, text);
		return;
	case FORM_NUMBER:
	case FORM_BANKS:
		write_item(text, knob->key, *knob_number_of(knob, sim_machine), knob->unit);
		return;
	case FORM_WIDTH:
		write_item(text, "width", sim_machine->width, NULL);
		write_item(text, "fetch", sim_machine->pipe.fetch, NULL);
		write_item(text, "issue", sim_machine->pipe.issue, NULL);
		write_item(text, "commit", sim_machine->pipe.commit, NULL);
		return;
	case FORM_STRIDE:
		write_stride(&sim_machine->pipe, text);
		return;
	case FORM_STLB_CYCLES:
		write_ways(&(struct knob){.key = knob->key, .field = offsetof(struct sim_machine, stlb)}, sim_machine,
			text);
		return;
	case FORM_BLOCKING:
	case FORM_LATENCY:
		write_item(text, knob->key, sim_machine->pipe.latency[knob->field],
			sim_machine->pipe.blocking >> knob->field & 1 ? "cycles, blocking" : "cycles");
		return;
	case FORM_BYTES:
	case FORM_CYCLES:
	case FORM_ASSOCIATION:
		write_cache(knob, knob_cache_of(knob, sim_machine), text);
		return;
	case FORM_PORTS:
		write_ports(&sim_machine->pipe, text);
		return;
	case FORM_HISTORY:
	case FORM_ENTRIES:
	case FORM_PREDICTOR:
		write_predictor(&sim_machine->pipe.predictor, text);
		return;
	case FORM_ORDER:
		write_order(sim_machine->pipe.disambiguation, text);
		return;
	case FORM_REPLACEMENT:
		word = str_format("replacement %s", sim_replacement_name(sim_machine->pipe.replacement));
		machine_text_set(text, knob->key, word);
		str_free(&(struct str){.s = word});
		return;
	case FORM_LOOKUP:
		machine_text_set(
			text, knob->key, sim_machine->pipe.lookup_at_fetch ? "lookup at fetch" : "lookup at execution");
		return;
	case FORM_FEATURE:
		if (sim_machine->pipe.rob_pack)
			write_item(text, "rob_pack", sim_machine->pipe.rob_pack, NULL);
		write_set("has", machine->plants, text);
		write_set("may", sim_machine->may & ~machine->plants, text);
		return;
	}
}

void
knob_text(const struct knob *knob, const struct knob_machine *m, struct str *out)
{
	double v = knob_get(knob, m);

	if (knob->form == FORM_FEATURE || knob->form == FORM_BLOCKING)
		str_add(out, v != 0 ? "on" : "off");
	else if (knob->form == FORM_PREDICTOR)
		str_add(out, predictor_word[m->m.pipe.predictor.kind]);
	else if (knob->form == FORM_REPLACEMENT)
		str_add(out, sim_replacement_name(m->m.pipe.replacement));
	else if (knob->form == FORM_LOOKUP)
		str_addf(out, "at %s", lookup_word[m->m.pipe.lookup_at_fetch]);
	else if (knob->form == FORM_ORDER)
		str_add(out, order_word[m->m.pipe.disambiguation]);
	else if (v == 0 || (knob->unlimited && v >= knob->unlimited))
		str_add(out, knob->unlimited ? "no limit" : "none");
	else if (knob->form == FORM_BYTES)
		str_addf(out, "%g KiB", v / 1024);
	else
		str_addf(out, "%.0f%s", v, knob->form == FORM_LATENCY || knob->form == FORM_CYCLES ? " cycles" : "");
}
