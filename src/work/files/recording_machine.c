#include "work/files/recording_machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "core/obs/obs.h"

enum field_kind { FIELD_TEXT, FIELD_INTEGER, FIELD_TRUTH };

struct field {
	const char *name;
	enum field_kind kind;
};

static const struct field MACHINE[] = {{"hecate", FIELD_TEXT}, {"hypervisor", FIELD_TEXT}, {"kernel", FIELD_TEXT},
	{"build", FIELD_TEXT}, {"architecture", FIELD_TEXT}, {"processor", FIELD_TEXT}, {"stepping", FIELD_TEXT},
	{"microcode", FIELD_TEXT}, {"processors", FIELD_INTEGER}};
static const struct field EVENT[] = {{"counter", FIELD_TEXT}, {"event", FIELD_TEXT}, {"filter", FIELD_TEXT},
	{"pmu", FIELD_TEXT}, {"type", FIELD_INTEGER}, {"config", FIELD_TEXT}, {"config1", FIELD_TEXT},
	{"config2", FIELD_TEXT}, {"user", FIELD_TRUTH}, {"kernel", FIELD_TRUTH}};

#define FIELDS(array) array, sizeof array / sizeof *array

/* A missing field, or one of another kind, becomes null. */
static void
write_fields(struct json_writer *writer, const struct json *object, const struct field *field, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct json *value = json_get(object, field[i].name);
		enum json_kind kind = value ? value->kind : JSON_NULL;

		if (field[i].kind == FIELD_TEXT && kind == JSON_STRING)
			json_str(writer, field[i].name, value->text);
		else if (field[i].kind == FIELD_TRUTH && kind == JSON_BOOL)
			json_bool(writer, field[i].name, value->truth);
		else if (field[i].kind == FIELD_INTEGER && kind == JSON_NUMBER)
			json_int(writer, field[i].name, strtoll(value->text, NULL, 10));
		else
			json_null(writer, field[i].name);
	}
}

void
recording_machine_json(struct json_writer *writer, const char *machine)
{
	struct json *object = machine ? json_parse(machine, strlen(machine), NULL) : NULL;
	const struct json *events = json_get(object, "events");

	json_open(writer, NULL, '{');
	write_fields(writer, object, FIELDS(MACHINE));
	json_open(writer, "events", '[');
	for (const struct json *event = events && events->kind == JSON_ARRAY ? events->first : NULL; event;
		event = event->next) {
		json_open(writer, NULL, '{');
		write_fields(writer, event, FIELDS(EVENT));
		json_close(writer, '}');
	}
	json_close(writer, ']');
	json_close(writer, '}');
	json_free(object);
}

static void
add_field(struct str *out, const struct json *machine, const char *key, const char *before, const char *after)
{
	const struct json *value = json_get(machine, key);

	if (value && value->kind != JSON_NULL && value->text && *value->text)
		str_addf(out, "%s%s%s%s", out->n ? ", " : "", before, value->text, after);
}

/* Two runs on one machine differ by their events. */
static char *
machine_sentence(const char *text)
{
	struct json *machine = text ? json_parse(text, strlen(text), NULL) : NULL;
	struct str out = {0};

	add_field(&out, machine, "hypervisor", "", "");
	add_field(&out, machine, "processor", "", "");
	add_field(&out, machine, "microcode", "microcode ", "");
	add_field(&out, machine, "processors", "", " processors");
	add_field(&out, machine, "kernel", "Linux ", "");
	json_free(machine);
	return str_take(&out);
}

void
recording_machine_text(struct obs_table *const *table, size_t n, struct str *out)
{
	const char *before = NULL;
	struct str all = {0};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < table[i]->n; k++) {
			const char *machine = table[i]->obs[k]->origin.machine;
			char *sentence;

			if (!machine || (before && str_eq(machine, before)))
				continue;
			before = machine;
			sentence = machine_sentence(machine);
			if (*sentence && !strstr(str_text(&all), sentence))
				str_addf(&all, "%s%s", all.n ? "; " : "", sentence);
			free(sentence);
		}
	str_add(out, str_text(&all));
	str_free(&all);
}
