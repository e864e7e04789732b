/* The comparison as a table in the form of the paper's tables 9 and 10, and as JSON. */
#include "work/trust/instrumented.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "base/number.h"
#include "base/str.h"
#include "base/utf8.h"

#define CELL 80

/* "12 784 ± 0", "12 784.5 ± 0.5"; "-" if unknown */
static void
print_cell(char out[CELL], double v, double range)
{
	char mean[NUMBER_TEXT], far[NUMBER_TEXT];

	if (isnan(v))
		snprintf(out, CELL, "-");
	else
		snprintf(out, CELL, "%s ± %s", number_full(mean, v, true), number_full(far, range, true));
}

static void
add_padded(struct str *out, const char *text, int width)
{
	int have = (int)utf8_width(text);

	for (int i = have; i < width; i++)
		str_addc(out, ' ');
	str_add(out, text);
}

static void
instrumented_text_add_table(const struct instrumented *all, struct str *out)
{
	str_addf(out, "%-22s", all->test);
	add_padded(out, "Instrumented", 24);
	add_padded(out, "Counter, adjusted", 26);
	add_padded(out, "Difference", 16);
	str_addc(out, '\n');
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		struct instrumented_row row = instrumented_row(all, (enum instrument_event)i);
		char cell[CELL], off[NUMBER_TEXT];

		str_addf(out, "%-22s", instrument_event_name(row.event));
		print_cell(cell, row.expected, row.expected_range);
		add_padded(out, cell, 24);
		print_cell(cell, row.adjusted, row.adjusted_range);
		add_padded(out, cell, 26);
		add_padded(out, isnan(row.difference) ? "-" : number_off(off, row.difference, true), 16);
		str_addc(out, '\n');
	}
}

static double
expected_of(const struct instrument_result *r, enum instrument_event ev)
{
	return r->count[ev].known ? (double)(r->count[ev].raw - r->count[ev].extra) : NAN;
}

/* "valgrind   19 558 instructions − 79 of rep = 19 479; loads …" */
static void
add_method(const struct instrumented *all, enum instrument_method m, struct str *out)
{
	const struct instrumented_method *method = &all->method[m];
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];

	if (method->refused)
		str_addf(out, "%-9s has no count: %s%s%s\n", instrument_method_name(m), method->why.what,
			*method->why.hint ? "; " : "", method->why.hint);
	if (!method->n)
		return;
	str_addf(out, "%-9s %s\n", instrument_method_name(m), instrument_method_about(m));
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		const struct instrument_count *count = &method->run[0].count[i];

		if (count->known)
			str_addf(out, "%-9s %-22s %s met - %s of rep = %s\n", instrument_method_name(m),
				instrument_event_name((enum instrument_event)i),
				number_exact(a, (long long)count->raw, false, true),
				number_exact(b, (long long)count->extra, false, true),
				number_exact(c, (long long)(count->raw - count->extra), false, true));
	}
	if (*method->run[0].unknown)
		str_addf(out, "%-9s ended at an instruction that it does not know (%s), so its counts are of a part of "
			"the program\n", instrument_method_name(m), method->run[0].unknown);
	for (int i = 0; i < INSTRUMENT_EVENTS && method->n > 1; i++) {
		double one = expected_of(&method->run[0], (enum instrument_event)i);
		double two = expected_of(&method->run[1], (enum instrument_event)i);

		if (!(one < two || one > two))
			continue;
		str_addf(out, "%-9s differs from run to run: %s, %s %s. The program itself is not deterministic\n",
			instrument_method_name(m), number_full(a, one, true), number_full(b, two, true),
			instrument_event_name((enum instrument_event)i));
		break;
	}
}

/* Causes that are known of a method, for a program of this kind. */
static const char *
cause_of(enum instrument_method m)
{
	switch (m) {
	case INSTRUMENT_VALGRIND:
		return "valgrind shows the program another processor (CPUID) and no vDSO, and sets LD_PRELOAD: "
			"start-up and string functions differ. Its loads and stores are of that program, too";
	case INSTRUMENT_QEMU:
		return "qemu shows the program another processor (CPUID), and may have no vDSO: start-up and string "
			"functions differ";
	case INSTRUMENT_STEP:
	case INSTRUMENT_METHODS:
		break;
	}
	return "";
}

/* How far the methods agree on instructions, and what would be wrong without the correction. */
static void
add_comparison(const struct instrumented *all, struct str *out)
{
	struct instrumented_row row = instrumented_row(all, INSTRUMENT_INSTRUCTIONS);
	char a[NUMBER_TEXT], b[NUMBER_TEXT];

	for (int m = 0; m < INSTRUMENT_METHODS; m++) {
		const struct instrumented_method *method = &all->method[m];
		const struct instrument_count *count = &method->run[0].count[INSTRUMENT_INSTRUCTIONS];
		double off = method->n ? expected_of(&method->run[0], INSTRUMENT_INSTRUCTIONS) - row.expected : NAN;

		if (m == row.method || isnan(off) || *method->run[0].unknown)
			continue;
		str_addf(out, "%s: %s instructions against %s", instrument_method_name((enum instrument_method)m),
			number_off(a, off, true), instrument_method_name((enum instrument_method)row.method));
		if (count->extra)
			str_addf(out, ", and %s without the correction for rep",
				number_off(b, off + (double)count->extra, true));
		str_addf(out, "%s%s\n", fabs(off) > 0 ? ". " : "",
			fabs(off) > 0 ? cause_of((enum instrument_method)m) : "");
	}
}

static void
add_conditions(const struct instrumented *all, struct str *out)
{
	const struct instrument_result *step = &all->method[INSTRUMENT_STEP].run[0];

	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		const struct instrumented_counter *counter = &all->counter[i];

		if (!counter->n)
			str_addf(out, "%s cannot be counted here: %s\n",
				instrument_event_name((enum instrument_event)i),
				*counter->why ? counter->why : "not reached");
		else if (counter->running < 1)
			str_addf(out, "%s was multiplexed: it is an estimate\n", counter->event);
	}
	if (all->died)
		str_addf(out, "%s was ended by signal %d (%s); the counts are of what it did until then\n", all->test,
			all->signal, strsignal(all->signal));
	if (all->file.bits == 32)
		str_addf(out, "%s is a 32-bit program\n", all->test);
	if (step->threads)
		str_addf(out, "%s started threads: %" PRIu64 ". They are counted; how often they wait for each other "
			"differs from run to run\n", all->test, step->threads);
	if (step->programs)
		str_addf(out, "%s started processes: %" PRIu64 ". No method counts them, and counters do\n", all->test,
			step->programs);
	str_addf(out, "All runs: %s, ", all->fixed_addresses ? "addresses not randomised"
		: "addresses randomised (personality(2) is not permitted)");
	if (all->cpu >= 0)
		str_addf(out, "pinned to CPU %d", all->cpu);
	else
		str_add(out, "not pinned to a CPU");
	str_add(out, ", environment PATH HOME LD_LIBRARY_PATH LC_ALL=C TZ=UTC, input and output /dev/null\n");
	if (all->cut)
		str_add(out, "Interrupted: the runs that were done are above\n");
}

void
instrumented_text(const struct instrumented *all, struct str *out)
{
	instrumented_text_add_table(all, out);
	str_addc(out, '\n');
	for (int m = 0; m < INSTRUMENT_METHODS; m++)
		add_method(all, (enum instrument_method)m, out);
	add_comparison(all, out);
	str_addc(out, '\n');
	add_conditions(all, out);
}

/* What adjusting subtracted, if it was counted. */
static void
add_explained(const struct instrumented *all, const struct instrumented_row *row, struct json_writer *writer)
{
	static const char *const by[INSTRUMENTED_BESIDES] = {"page-faults", "interrupts"};
	const struct instrumented_counter *counter = &all->counter[row->event];

	for (int b = 0; b < INSTRUMENTED_BESIDES; b++) {
		double slope = all->slope[row->event][b];

		if (!counter->n || counter->beside[b][0] < 0 || !(fabs(slope) > 0))
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "by", by[b]);
		json_num(writer, "slope", slope);
		json_null(writer, "low");
		json_null(writer, "high");
		json_close(writer, '}');
	}
}

void
instrumented_json(const struct instrumented *all, const char *machine, struct json_writer *writer)
{
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		struct instrumented_row row = instrumented_row(all, (enum instrument_event)i);
		const struct instrumented_counter *counter = &all->counter[i];

		if (row.method < 0 && !counter->n)
			continue;
		json_open(writer, NULL, '{');
		json_str(writer, "machine", machine);
		json_str(writer, "event", instrument_event_name(row.event));
		json_str(writer, "test", all->test);
		json_str(writer, "counter", counter->event);
		json_int(writer, "runs", (int64_t)counter->n);
		json_num(writer, "expected", row.expected);
		json_str(writer, "method",
			row.method < 0 ? NULL : instrument_method_name((enum instrument_method)row.method));
		json_num(writer, "mean", row.mean);
		json_num(writer, "spread", row.range);
		json_num(writer, "adjusted", row.adjusted);
		json_num(writer, "adjusted_spread", row.adjusted_range);
		json_num(writer, "offset", row.mean - row.expected);
		json_num(writer, "adjusted_offset", row.difference);
		json_null(writer, "letters");
		json_null(writer, "measured_letters");
		json_null(writer, "verdict");
		json_open(writer, "explained", '[');
		add_explained(all, &row, writer);
		json_close(writer, ']');
		json_null(writer, "note");
		json_close(writer, '}');
	}
}

void
instrumented_expected(const struct instrumented *all, struct str *out)
{
	str_add(out, "event,test,expected\n");
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		struct instrumented_row row = instrumented_row(all, (enum instrument_event)i);

		if (!isnan(row.expected))
			str_addf(out, "%s,%s,%.0f\n", instrument_event_name(row.event), all->test, row.expected);
	}
}
