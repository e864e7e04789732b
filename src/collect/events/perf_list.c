/* `perf list --details`, as perf 5 and 6 print it:
 *
 *     cache:                                            a topic
 *       l1d.replacement                                 two blanks: the name of an event
 *            [Counts the number of cache lines …        seven blanks: the description, perhaps in several lines,
 *             … Unit: uncore_cha]                         at its end the PMU whose boxes count it
 *             cpu/event=0x51,period=0x186a3,umask=0x1/  eight blanks: PMU and code
 *       cycles OR cpu-cycles       [Hardware event]     known from elsewhere
 *     Metric Groups:
 *     Backend:
 *       ILP
 *            [description]
 *            [expression]
 *
 * Perf writes what it reads from the kernel's and the vendors' files, so a name can hold any character. */
#include "collect/events/perf_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/events/perf_json.h"
#include "event/table.h"

/* --- codes ------------------------------------------------------------------------------------------------------- */

static bool
is_box_of(const char *pmu, const char *family)
{
	size_t n = strlen(family);

	return n && strncmp(pmu, family, n) == 0 && (!pmu[n] || (pmu[n] == '_' && isdigit((unsigned char)pmu[n + 1])));
}

bool
perf_list_code(const char *encoding, const char *family, char **pmu, char **code)
{
	const char *slash = strchr(encoding, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	struct str out = {0};
	char *terms, *rest, *term;

	if (!end || slash == encoding || strcspn(encoding, " \t") < (size_t)(end - encoding))
		return false;
	*pmu = mem_strn(encoding, (size_t)(slash - encoding));
	if (is_box_of(*pmu, family)) {
		free(*pmu);
		*pmu = mem_str(family);
	}
	terms = mem_strn(slash + 1, (size_t)(end - slash - 1));
	rest = terms;
	while ((term = strsep(&rest, ","))) {
		if (!*term || str_starts(term, "period=") || str_starts(term, "name="))
			continue;
		if (out.n)
			str_addc(&out, ',');
		str_add(&out, term);
	}
	free(terms);
	*code = str_take(&out);
	return true;
}

/* --- perf list --details ----------------------------------------------------------------------------------------- */

struct list_reader {
	struct event_table *table;
	struct str name, text, more; /* of the event or metric that is being read; more: a metric's expression */
	char *topic;
	bool metrics, open;          /* open: a bracket has not been closed yet */
	bool known;                  /* something was recognised */
};

/* Cuts " Unit: uncore_cha" off the end of a description, and "Unit: …" that is all of it. The caller frees. */
static char *
cut_unit(struct str *text)
{
	char *at = NULL, *unit;

	for (char *s = text->s; s && (s = strstr(s, "Unit: ")); s++)
		if (s == text->s || s[-1] == ' ')
			at = s;
	if (!at || strchr(at + 6, ' '))
		return mem_str("");
	unit = mem_str(at + 6);
	text->n = (size_t)(at - text->s);
	while (text->n && isspace((unsigned char)text->s[text->n - 1]))
		text->n--;
	text->s[text->n] = '\0';
	return unit;
}

static void
list_take_event(struct list_reader *reader, const char *encoding)
{
	char *unit = cut_unit(&reader->text), *pmu, *code;

	if (reader->name.n && perf_list_code(encoding, unit, &pmu, &code)) {
		event_table_add(reader->table, &(struct event_row){
			.name = reader->name.s, .pmu = pmu, .topic = reader->topic, .code = code,
			.text = str_text(&reader->text), .source = EVENT_FROM_PERF,
			.deprecated = str_starts(str_text(&reader->text), "This event is deprecated")});
		reader->known = true;
		free(pmu);
		free(code);
	}
	free(unit);
	str_clear(&reader->name);
}

static void
list_take_metric(struct list_reader *reader)
{
	if (reader->metrics && reader->name.n && (reader->more.n || reader->text.n)) {
		bool two = reader->more.n;

		event_table_add_metric(reader->table,
			&(struct event_metric){.name = reader->name.s,
				.groups = reader->topic,
				.source = EVENT_FROM_PERF,
				.text = two ? str_text(&reader->text) : "",
				.expr = str_text(two ? &reader->more : &reader->text)});
		reader->known = true;
	}
	str_clear(&reader->name);
	str_clear(&reader->text);
	str_clear(&reader->more);
}

/* Adds a line of a description, without the brackets around it. `first`: it begins one. */
static void
list_take_text(struct list_reader *reader, const char *line, size_t n, bool first)
{
	struct str *into = reader->more.n || (first && reader->text.n) ? &reader->more : &reader->text;

	if (first) {
		line++;
		n--;
	} else {
		str_add(into, reader->open ? " " : "] ");
	}
	reader->open = !n || line[n - 1] != ']';
	str_addn(into, line, n - !reader->open);
}

static bool
is_code(const char *line)
{
	size_t n = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.");

	return n && line[n] == '/' && strchr(line + n + 1, '/');
}

static void
list_take_line(struct list_reader *reader, char *line, size_t n)
{
	size_t blanks = strspn(line, " ");

	while (n && isspace((unsigned char)line[n - 1]))
		line[--n] = '\0';
	if (n == 0)
		return;
	if (blanks == 0) {
		list_take_metric(reader);
		reader->open = false;
		if (str_eq(line, "Metric Groups:") || str_eq(line, "Metrics:"))
			reader->metrics = reader->known = true;
		free(reader->topic);
		reader->topic = str_eq(line, "Metrics:") ? mem_str("") : mem_strn(line, n - (line[n - 1] == ':'));
	} else if (blanks == 2) {
		list_take_metric(reader);
		reader->open = false;
		if (line[n - 1] != ']' || !strstr(line, " ["))
			str_addn(&reader->name, line + 2, n - 2);
		else
			reader->known = true;
	} else if (reader->name.n) {
		if (!reader->metrics && !reader->open && is_code(line + blanks))
			list_take_event(reader, line + blanks);
		else
			list_take_text(reader, line + blanks, n - blanks, blanks == 7 && line[blanks] == '[');
	}
}

bool
perf_list_read(const char *text, size_t n, struct event_table *table, struct err *e)
{
	struct list_reader reader = {.table = table};
	struct str line = {0};
	size_t blanks = strspn(text, " \t\r\n");

	if (blanks < n && text[blanks] == '[')
		return perf_json_read(text + blanks, n - blanks, table, e);
	for (const char *at = text, *end = text + n; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((newline ? newline : end) - at);

		str_clear(&line);
		str_addn(&line, at, length);
		if (!memchr(at, '\0', length))
			list_take_line(&reader, line.s, length);
		at += length + 1;
	}
	list_take_metric(&reader);
	event_table_sort(table);
	str_free(&line);
	str_free(&reader.name);
	str_free(&reader.text);
	str_free(&reader.more);
	free(reader.topic);
	return reader.known || err_set(e, "perf's list of events is not understood");
}
