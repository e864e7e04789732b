/* Regions that PAPI's high-level interface counted. It writes a JSON document for each process, PAPI 6
 *
 *	{ "cpu in mhz":"1995", "threads":[ { "id":"0", "regions":[
 *	    { "computation":{ "region_count":"1", "cycles":"2080863768", "PAPI_TOT_INS":"2257797" } } ] } ] }
 *
 * and PAPI 7
 *
 *	{ "papi_version":"7.0.0.0", "threads":{ "0":{ "regions":{
 *	    "0":{ "name":"main", "parent_region_id":"-1", "real_time_nsec":"12345", "PAPI_TOT_INS":"100200" } } } } }
 *
 * Its script puts the processes together under "ranks". A region is an observation. Beside events it has what is none:
 * region_count, how often it was entered, and the time in cycles (of PAPI_get_real_cyc(), no event of that name) and
 * seconds. Where the program read counters inside a region, an event is an object with "region_value" and "read_1" ….
 *
 * Source: src/high-level/papi_hl.c and scripts/papi_hl_output_writer.py of PAPI 6 and 7. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "collect/import/tool_text.h"
#include "collect/import/tools.h"

#define CYCLES "it is time in cycles of the clock (PAPI_get_real_cyc), not the event of that name"

struct papi {
	struct tool_text t;
	const char *text, *seen; /* seen: the place whose line is known */
	size_t region;          /* regions so far */
	bool ranks, threads;    /* there are several of them */
};

/* Places notes at an offset of the text. Offsets mostly rise. */
static void
go_to(struct papi *p, size_t at)
{
	const char *to = p->text + at;

	if (to < p->seen || !p->t.line) {
		p->t.line = 1;
		p->seen = p->text;
	}
	for (; p->seen < to; p->seen++)
		p->t.line += *p->seen == '\n';
	p->t.sheet.line = (size_t)p->t.line;
}

/* Returns whether a key of a region holds no event. */
static bool
is_no_event(const char *key)
{
	static const char *const other[] = {"name", "parent_region_id", "region_count", "real_time_nsec", "real_time",
		"real_time_sec", "id", "region_id", "virt_time_nsec"};

	for (size_t i = 0; i < sizeof other / sizeof *other; i++)
		if (str_eq(key, other[i]))
			return true;
	return false;
}

/* Seconds that a region took; NAN: not said. */
static double
papi_json_seconds_of(const struct json *region)
{
	static const struct { const char *key; double unit; } name[] = {
		{"real_time_nsec", 1e-9}, {"real_time_sec", 1}, {"real_time", 1}};

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		const struct json *json = json_get(region, name[i].key);
		double seconds;

		if (json && json->text && str_to_double(json->text, &seconds) && seconds >= 0)
			return seconds * name[i].unit;
	}
	return NAN;
}

static bool
papi_json_add_event(struct papi *papi, const char *owner, const struct json *json, double seconds)
{
	struct tool_text *text = &papi->t;
	struct tool_count c = {.owner = owner, .run = papi->region, .event = json->key, .event_n = strlen(json->key),
		.time = seconds};
	const struct json *total = json->kind == JSON_OBJECT ? json_get(json, "region_value") : json;
	struct decimal value;

	if (json->kind == JSON_OBJECT && !total)
		total = json_get(json, "total");
	if (!total || !total->text || (total->kind != JSON_STRING && total->kind != JSON_NUMBER)) {
		tool_text_leave(text, "its value is no number", json->key, strlen(json->key));
		return true;
	}
	switch (tool_cell_value((struct tool_cell){total->text, strlen(total->text)}, &value)) {
	case TOOL_COUNTED:
		return tool_text_add(text, &c, &value);
	case TOOL_NOT_COUNTED:
		return tool_text_add(text, &c, NULL);
	case TOOL_NO_COUNT:
		break;
	}
	tool_text_leave(text, "its value is not a count below 2^63", json->key, strlen(json->key));
	return true;
}

static bool
take_region(struct papi *papi, const char *place, const char *name, const struct json *region)
{
	double seconds = papi_json_seconds_of(region);
	struct str owner = {0};
	bool good = true;

	papi->region++;
	str_addf(&owner, "%s%s", place, name);
	for (const struct json *json = region->first; json && good; json = json->next) {
		go_to(papi, json->key_at);
		if (str_eq(json->key, "cycles"))
			tool_text_leave(&papi->t, CYCLES, json->key, strlen(json->key));
		else if (!is_no_event(json->key))
			good = papi_json_add_event(papi, str_text(&owner), json, seconds);
	}
	str_free(&owner);
	return good;
}

/* Reads "regions": an object of regions with names, or an array of objects that each have a region by its name. */
static bool
take_regions(struct papi *papi, const char *place, const struct json *regions)
{
	bool good = true;

	for (const struct json *json = regions->first; json && good; json = json->next) {
		const struct json *name = json_get(json, "name");

		if (json->kind != JSON_OBJECT)
			continue;
		if (regions->kind == JSON_OBJECT || name)
			good = take_region(papi, place,
				name && name->text  ? name->text
					: json->key ? json->key
						    : "region",
				json);
		else
			for (const struct json *one = json->first; one && good; one = one->next)
				good = one->kind != JSON_OBJECT || take_region(papi, place, one->key, one);
	}
	return good;
}

/* Number of an element: its key, or its "id". */
static const char *
papi_json_number_of(const struct json *element)
{
	const struct json *id = json_get(element, "id");

	return id && id->text ? id->text : element->key ? element->key : "0";
}

static bool
take_threads(struct papi *papi, const char *place, const struct json *threads)
{
	bool good = true;

	papi->threads |= threads->n > 1;
	for (const struct json *thread = threads->first; thread && good; thread = thread->next) {
		const struct json *regions = json_get(thread, "regions");
		struct str at = {0};

		str_add(&at, place);
		if (papi->threads)
			str_addf(&at, "thread%s:", papi_json_number_of(thread));
		good = !regions || take_regions(papi, str_text(&at), regions);
		str_free(&at);
	}
	return good;
}

static bool
take_process(struct papi *p, const char *place, const struct json *process)
{
	const struct json *threads = json_get(process, "threads"), *regions = json_get(process, "regions");

	return threads ? take_threads(p, place, threads) : !regions || take_regions(p, place, regions);
}

static bool
take_document(struct papi *papi, const struct json *document)
{
	const struct json *ranks = json_get(document, "ranks");
	bool good = true;

	if (!ranks)
		return take_process(papi, "", document);
	for (const struct json *rank = ranks->first; rank && good; rank = rank->next) {
		char *place = ranks->n > 1 ? str_format("rank%s:", papi_json_number_of(rank)) : str_format("%s", "");

		good = take_process(papi, place, rank);
		free(place);
	}
	return good;
}

struct obs_table *
papi_json_read(const char *name, const char *text, size_t n, bool exact, struct err *e)
{
	struct papi p = {.text = text};
	struct obs_table *table = NULL;
	bool good = tool_text_begin(&p.t, name, text, n, exact, e);
	struct json *document = good ? json_parse(p.t.p, (size_t)(p.t.end - p.t.p), e) : NULL;

	if (good && !document && e) {
		err_place(e, name, e->line, e->col);
		err_hint(e, "import the file as PAPI wrote it; is the program still running?");
	}
	p.text = p.seen = p.t.p;
	if (document && take_document(&p, document))
		table = tool_text_finish(&p.t, TOOL_COUNTERS, "no region of this output of PAPI has an event",
			"name events in PAPI_EVENTS before you run the program");
	json_free(document);
	tool_text_free(&p.t);
	return table;
}
