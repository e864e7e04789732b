#include "work/remarks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/model.h"

static const char *const names[REMARK_KINDS] = {
	"session", "features", "observation", "constraint", "module", "snapshot", "event"
};

const char *
remark_on_name(enum remark_on on)
{
	return names[on];
}

enum remark_on
remark_on_of(const char *name)
{
	int i = 0;

	while (i < REMARK_KINDS && !str_eq(names[i], name))
		i++;
	return (enum remark_on)i;
}

static void
remarks_clear(struct remark *r)
{
	free(r->id);
	free(r->what);
	free(r->text);
	free(r->written);
}

void
remarks_free(struct remarks *r)
{
	for (size_t i = 0; i < r->n; i++)
		remarks_clear(&r->remark[i]);
	for (size_t i = 0; i < r->n_gone; i++)
		free(r->gone[i]);
	free(r->remark);
	free(r->gone);
	*r = (struct remarks){0};
}

static size_t
remarks_find(const struct remarks *r, enum remark_on on, const char *what)
{
	size_t i = 0;

	while (i < r->n && !(r->remark[i].on == on && str_eq(r->remark[i].what, what)))
		i++;
	return i;
}

const struct remark *
remarks_on(const struct remarks *r, enum remark_on on, const char *what)
{
	size_t i = remarks_find(r, on, what);

	return i < r->n ? &r->remark[i] : NULL;
}

static char *
now_text(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return mem_str(text);
}

/* Returns a new id: the time in nanoseconds and the process's id, so that two explorers never make the same one. Ids
 * sort by time of writing. */
static char *
new_id(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return str_format("%010lld.%09ld-%ld", (long long)t.tv_sec, t.tv_nsec, (long)getpid());
}

static void
remarks_forget(struct remarks *r, size_t i)
{
	mem_grow(&r->gone, &r->gone_cap, r->n_gone + 1, sizeof *r->gone);
	r->gone[r->n_gone++] = mem_str(r->remark[i].id);
	remarks_clear(&r->remark[i]);
	memmove(&r->remark[i], &r->remark[i + 1], (r->n - i - 1) * sizeof *r->remark);
	r->n--;
}

bool
remarks_put(struct remarks *remarks, enum remark_on on, const char *what, const char *text)
{
	size_t i = remarks_find(remarks, on, what);

	if (i < remarks->n ? str_eq(remarks->remark[i].text, text) : !*text)
		return false;
	remarks->touched = true;
	if (!*text) {
		remarks_forget(remarks, i);
		return true;
	}
	if (i == remarks->n) {
		mem_grow(&remarks->remark, &remarks->cap, remarks->n + 1, sizeof *remarks->remark);
		remarks->remark[remarks->n++] = (struct remark){.id = new_id(), .on = on, .what = mem_str(what)};
	}
	free(remarks->remark[i].text);
	free(remarks->remark[i].written);
	remarks->remark[i].text = mem_str(text);
	remarks->remark[i].written = now_text();
	remarks->remark[i].unsaved = true;
	return true;
}

void
remarks_take(struct remarks *remarks, const char *id, enum remark_on on, const char *what, const char *text,
	const char *written)
{
	size_t at = remarks->n;

	for (size_t i = 0; i < remarks->n_gone; i++)
		if (str_eq(remarks->gone[i], id))
			return;
	for (size_t i = 0; i < remarks->n; i++)
		if (str_eq(remarks->remark[i].id, id))
			return;
	while (at > 0 && strcmp(remarks->remark[at - 1].id, id) > 0)
		at--;
	mem_grow(&remarks->remark, &remarks->cap, remarks->n + 1, sizeof *remarks->remark);
	memmove(&remarks->remark[at + 1], &remarks->remark[at], (remarks->n - at) * sizeof *remarks->remark);
	remarks->remark[at] = (struct remark){
		.id = mem_str(id), .on = on, .what = mem_str(what), .text = mem_str(text), .written = mem_str(written)};
	remarks->n++;
}

static void
add_text(const char *text, struct str *out)
{
	str_addn(out, text, strlen(text) + 1);
}

void
remarks_write(const struct remarks *remarks, struct str *out)
{
	for (size_t i = 0; i < remarks->n; i++) {
		const struct remark *remark = &remarks->remark[i];

		str_addc(out, (char)remark->on);
		add_text(remark->id, out);
		add_text(remark->what, out);
		add_text(remark->text, out);
		add_text(remark->written, out);
	}
}

/* A deleted note that comes back has its id again, so it is no longer one that files must lose. */
static void
forget_gone(struct remarks *remarks, const char *id)
{
	size_t n = 0;

	for (size_t i = 0; i < remarks->n_gone; i++)
		if (str_eq(remarks->gone[i], id))
			free(remarks->gone[i]);
		else
			remarks->gone[n++] = remarks->gone[i];
	remarks->n_gone = n;
}

void
remarks_restore(struct remarks *remarks, const char *bytes, size_t n)
{
	const char *field[4], *at = bytes, *end = n ? bytes + n : bytes; /* NULL if there are none */

	remarks->touched = true;
	while (remarks->n)
		remarks_forget(remarks, remarks->n - 1);
	while (at < end) {
		enum remark_on on = (enum remark_on)*at++;

		for (int i = 0; i < 4; i++) {
			field[i] = at;
			at += strlen(at) + 1;
		}
		forget_gone(remarks, field[0]);
		remarks_take(remarks, field[0], on, field[1], field[2], field[3]);
	}
	for (size_t i = 0; i < remarks->n; i++)
		remarks->remark[i].unsaved = true;
}

/* Texts in JSON contain no raw newline. So every newline, with the blanks after it, is between values, and is removed.
 */
void
json_on_one_line(struct str *str, size_t from)
{
	size_t n = from;

	for (size_t i = from; i < str->n; i++) {
		if (str->s[i] != '\n') {
			str->s[n++] = str->s[i];
			continue;
		}
		while (i + 1 < str->n && str->s[i + 1] == ' ')
			i++;
	}
	str->n = n;
	if (str->s)
		str->s[n] = '\0';
}

void
features_json(const struct udd_model *m, const struct fset *on, struct str *out)
{
	struct json_writer w = {.out = out};
	size_t from = out->n;

	json_open(&w, NULL, '[');
	for (size_t i = 0; i < m->n_features; i++)
		if (fset_has(on, i))
			json_str(&w, NULL, m->feature[i].name);
	json_close(&w, ']');
	json_on_one_line(out, from);
}

void
features_words(const char *text, struct str *out)
{
	struct json *list = json_parse(text, strlen(text), NULL);
	size_t n = 0;

	for (const struct json *x = list && list->kind == JSON_ARRAY ? list->first : NULL; x; x = x->next)
		if (x->kind == JSON_STRING)
			str_addf(out, "%s%s", n++ ? ", " : "", x->text);
	if (!n)
		str_add(out, "no features");
	json_free(list);
}
