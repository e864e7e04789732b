/* What is shown of a thing that can be opened. */
#include "work/files/openable.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "collect/store/session_summary.h"
#include "convert/fdl/fdl.h"
#include "core/network/network.h"
#include "core/probe/probe.h"
#include "core/stack/stack.h"
#include "core/udd/model.h"
#include "sim/machine.h"
#include "text/diag.h"
#include "work/files/files.h"
#include "work/files/simulation.h"
#include "work/files/texts.h"

#define PROBE_MAX ((size_t)1 << 20)
#define DOES_NOT_LOAD "does not load; open it to see why"

/* "today 14:02", "yesterday", "Mon 14:02" within a week, "2026-11-20". The caller frees. */
static char *
when_words(time_t then, time_t now)
{
	struct tm a, b;
	char text[32];
	long days;

	localtime_r(&then, &a);
	localtime_r(&now, &b);
	a.tm_hour = b.tm_hour = 12; /* so that a change of the clock adds no day */
	a.tm_min = a.tm_sec = b.tm_min = b.tm_sec = 0;
	days = (long)(difftime(mktime(&b), mktime(&a)) / 86400 + 0.5);
	localtime_r(&then, &a);
	if (days == 0)
		strftime(text, sizeof text, "today %H:%M", &a);
	else if (days == 1)
		strftime(text, sizeof text, "yesterday", &a);
	else
		strftime(text, sizeof text, "%Y-%m-%d", &a);
	return mem_str(text);
}

static void
describe_session(struct openable *item, const char *path)
{
	struct session_summary s;
	struct err e = {0};

	item->damaged = !session_summary_read(path, &s, &e);
	if (item->damaged) {
		const char *why = e.what;

		if (str_starts(why, path)) /* its name stands beside it */
			why += strlen(path) + (why[strlen(path)] == ':') + 1;
		item->text = mem_str(why);
	} else {
		if (s.name)
			item->of = s.others ? str_format("%s +%zu", s.name, s.others) : mem_str(s.name);
		item->infeasible = s.infeasible;
		item->ran = s.command;
		s.command = NULL;
		if (s.judged && s.undecided == s.judged)
			item->verdict = str_format("%zu undecided", s.judged);
		else if (s.judged)
			item->verdict = str_format("%zu of %zu", s.infeasible, s.judged);
		if (!s.observations && s.curves)
			item->text = str_format("%zu curve%s of probes", s.curves, s.curves == 1 ? "" : "s");
		else
			item->text = str_format("%zu observation%s", s.observations, s.observations == 1 ? "" : "s");
	}
	session_summary_clear(&s);
}

/* The title of a model, network or stack. */
static char *
title_of(const char *name, enum text_kind kind)
{
	struct bundle b = {0};
	struct udd_loader loader = bundle_disk_loader(&b);
	struct diags d = {0};
	struct err e = {0};
	struct text text = {0};
	char *path = kind == TEXT_MODEL ? file_find_model(name, &e) : NULL, *title = NULL;
	struct udd_model *model = path ? model_read(path, &loader, &d) : NULL;
	bool there = kind != TEXT_MODEL && text_load(name, kind, &text, &e);
	struct network *net = there && kind == TEXT_NETWORK ? text_network(&text, &d) : NULL;
	struct stack *stack = there && kind == TEXT_STACK ? text_stack(&text, &d) : NULL;

	if (model)
		title = mem_str(model->text);
	else if (net)
		title = mem_str(net->text);
	else if (stack)
		title = mem_str(stack->text);
	udd_free(model);
	network_free(net);
	stack_free(stack);
	text_free(&text);
	diags_free(&d);
	bundle_free(&b);
	free(path);
	return title;
}

static char *
describe_machine(struct openable *item, const char *name)
{
	struct simulation how;
	struct err e = {0};
	char *title = NULL;

	if (simulation_load(name, NULL, &how, &e)) {
		title = mem_str(how.machine->text);
		item->stackless = how.machine->n_stacks == 0;
	}
	simulation_free(&how);
	return title;
}

static char *
describe_probe(const char *name)
{
	struct diags d = {0};
	struct err e = {0};
	char *path = file_find(name, PROBE_FOLDERS, ".probe", &e), *title = NULL;
	size_t n = 0;
	char *text = path ? file_read(path, PROBE_MAX, &n, &e) : NULL;
	struct probe *probe = text ? probe_parse(path, text, n, &d) : NULL; /* it owns both */

	if (!text)
		free(path);
	if (probe)
		title = mem_str(probe->text);

	probe_free(probe);
	diags_free(&d);
	return title;
}

/* A folder of FDL files is a family of models. */
static char *
describe_folder(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	size_t n = 0;

	for (size_t i = 0; d && i < 4096 && (entry = readdir(d)); i++)
		n += fdl_is_file(entry->d_name);
	if (d)
		closedir(d);
	return n ? str_format("%zu FDL model%s", n, n == 1 ? "" : "s") : mem_str("");
}

void
openable_describe(struct openable *item)
{
	char *path = openable_expand(item->name);

	free(item->text);
	item->text = NULL;
	if (item->time && !item->when)
		item->when = when_words((time_t)item->time, time(NULL));
	switch (item->kind) {
	case OPENABLE_SESSION:
		describe_session(item, path);
		break;
	case OPENABLE_MODEL:
		item->text = title_of(path, TEXT_MODEL);
		break;
	case OPENABLE_NETWORK:
		item->text = title_of(path, TEXT_NETWORK);
		break;
	case OPENABLE_STACK:
		item->text = title_of(path, TEXT_STACK);
		break;
	case OPENABLE_MACHINE:
		item->text = describe_machine(item, path);
		break;
	case OPENABLE_PROBE:
		item->text = describe_probe(path);
		break;
	case OPENABLE_FOLDER:
		item->text = describe_folder(path);
		break;
	case OPENABLE_DATA:
	case OPENABLE_LESSON:
		item->text = mem_str("");
		break;
	case OPENABLE_RUNS:
		item->text = mem_str("repeated runs of a program whose counts are known");
		break;
	case OPENABLE_KINDS:
		break;
	}
	if (!item->text)
		item->text = mem_str(DOES_NOT_LOAD);
	free(path);
}
