#include "cli/commands.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/options.h"
#include "cli/print/print.h"
#include "cli/print/print_trust.h"
#include "cli/writing.h"
#include "draw/cell.h"
#include "work/files/files.h"
#include "work/machine.h"
#include "work/trust/facts.h"

static const char *
level_name(enum doctor_level l)
{
	return l == DOCTOR_GOOD ? "good" : l == DOCTOR_PARTLY ? "partly" : "no";
}

static enum glyph
level_glyph(enum doctor_level l)
{
	return l == DOCTOR_GOOD ? GLYPH_FEASIBLE : l == DOCTOR_PARTLY ? GLYPH_BORDERLINE : GLYPH_INFEASIBLE;
}

/* What is known of the events of this machine's processor. */
struct known {
	struct trust_cpuid id;
	struct trust_page *page; /* NULL: nothing */
};

static struct known
find_known(const struct options *o)
{
	struct known k = {0};
	struct str remarks = {0};
	struct trust_book *b = trust_facts_load(&remarks);

	trust_facts_cpu(&k.id);
	k.page = trust_facts_page(b, &k.id);
	print_remarks(o, &remarks);
	trust_book_free(b);
	return k;
}

static void
cmd_doctor_write_json(const struct doctor *doctor, const struct known *known, struct str *out)
{
	struct json_writer w = {.out = out};

	json_open(&w, NULL, '{');
	json_str(&w, "schema", "hecate.doctor/1");
	json_str(&w, "machine", doctor->machine);
	json_open(&w, "items", '[');
	for (size_t i = 0; i < doctor->n; i++) {
		json_open(&w, NULL, '{');
		json_str(&w, "what", doctor->item[i].what);
		json_str(&w, "level", level_name(doctor->item[i].level));
		json_str(&w, "amount", doctor->item[i].amount);
		json_str(&w, "why", doctor->item[i].why);
		json_str(&w, "remedy", doctor->item[i].remedy);
		json_close(&w, '}');
	}
	json_close(&w, ']');
	print_trust_doctor_json(&known->id, known->page, doctor->has_pmu, &w);
	json_close(&w, '}');
}

static void
cmd_doctor_write_text(const struct doctor *doctor, const struct known *known, bool ascii, struct str *out)
{
	char *machine = glyph_translate(doctor->machine, ascii);

	str_addf(out, "%s\n\n", machine);
	free(machine);
	for (size_t i = 0; i < doctor->n; i++) {
		char *why = glyph_translate(doctor->item[i].why, ascii);

		str_addf(out, "%s %-22s %-16s %s\n", glyph_text(level_glyph(doctor->item[i].level), ascii),
			doctor->item[i].what, doctor->item[i].amount, why);
		if (*doctor->item[i].remedy)
			str_addf(out, "    remedy  %s\n", doctor->item[i].remedy);
		free(why);
	}
	print_trust_doctor(&known->id, known->page, doctor->has_pmu, ascii, out);
}

int
cmd_doctor(const struct options *options)
{
	struct doctor d;
	struct known k = find_known(options);
	struct str out = {0};
	bool good;

	machine_probe(&d);
	file_offer_demo(&d);
	if (options->json)
		cmd_doctor_write_json(&d, &k, &out);
	else
		cmd_doctor_write_text(&d, &k, print_ascii(options), &out);
	good = writing_text(options, &out);
	trust_page_free(k.page);
	str_free(&out);
	return good ? 0 : 2;
}
