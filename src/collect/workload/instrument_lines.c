/* Each tool repeats the address of a rep-prefixed instruction, once for each iteration.
 *
 * lackey prints no code, only addresses and accesses. A run of lines "I" with one address is a rep if an access to
 * memory came with it; without accesses it is a jump to itself (`loop .`). qemu prints the code of each instruction
 * when it translates it, so that the class is known. */
#include "collect/workload/instrument_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "collect/workload/x86_code.h"

#define THREADS 64          /* of qemu; the addresses of further ones share places */
#define MESSAGES_MAX 4096

struct place {
	uint64_t pc;
	struct x86_code code;
	bool used;
};

struct instrument_lines {
	enum instrument_method method;
	enum instrument_code kind;
	struct instrument_count count[INSTRUMENT_EVENTS];
	uint64_t reps, threads;
	char unknown[48];
	struct str messages;
	/* lackey: the run of lines with one address */
	uint64_t at, run, run_loads, run_stores;
	bool load, store;    /* of the last line "I" */
	/* qemu: the code at each address, a hash table whose size is a power of 2 */
	struct place *place;
	size_t n_places, cap;
	uint64_t last[THREADS];
	struct instrument_count before[INSTRUMENT_EVENTS]; /* before the last block */
	uint64_t reps_before;
	bool any[THREADS], classless;
};

struct instrument_lines *
instrument_lines_new(enum instrument_method m, enum instrument_code kind)
{
	struct instrument_lines *l = mem_new(sizeof *l);

	l->method = m;
	l->kind = kind;
	l->cap = 1024;
	l->place = mem_new_array(l->cap, sizeof *l->place);
	return l;
}

void
instrument_lines_free(struct instrument_lines *l)
{
	if (!l)
		return;
	free(l->place);
	str_free(&l->messages);
	free(l);
}

/* Keeps a message without valgrind's "==887== ", and without its banner. */
static void
keep_message(struct instrument_lines *lines, const char *line)
{
	static const char *const banner[] = {"Lackey, ", "Copyright (C)", "Using Valgrind", "Command: "};

	if (line[0] == '=' || line[0] == '-') {
		const char *end = strchr(line, ' ');

		line = end ? end + 1 : "";
	}
	for (size_t i = 0; i < sizeof banner / sizeof *banner; i++)
		if (str_starts(line, banner[i]))
			return;
	if (lines->messages.n < MESSAGES_MAX && *line)
		str_addf(&lines->messages, "%s\n", line);
}

/* valgrind's report of an instruction that it cannot execute: "vex amd64->IR: unhandled instruction bytes: 0x62 …" */
static void
look_for_unknown(struct instrument_lines *l, const char *line)
{
	static const char sign[] = "unhandled instruction bytes: ";
	const char *at = strstr(line, sign);

	if (at && !*l->unknown)
		snprintf(l->unknown, sizeof l->unknown, "%s", at + sizeof sign - 1);
}

/* Adds a run of instructions of one address, of which the length and the accesses are known. */
static void
instrument_lines_end_run(struct instrument_lines *lines)
{
	bool rep = lines->run > 1 && lines->run_loads + lines->run_stores > 0;

	if (!lines->run)
		return;
	lines->count[INSTRUMENT_LOADS].raw += lines->run_loads;
	lines->count[INSTRUMENT_STORES].raw += lines->run_stores;
	if (rep) {
		lines->reps++;
		lines->count[INSTRUMENT_INSTRUCTIONS].extra += lines->run - 1;
		lines->count[INSTRUMENT_LOADS].extra += lines->run_loads - (lines->run_loads ? 1 : 0);
		lines->count[INSTRUMENT_STORES].extra += lines->run_stores - (lines->run_stores ? 1 : 0);
	}
	lines->run = lines->run_loads = lines->run_stores = 0;
}

static void
end_instruction(struct instrument_lines *l)
{
	l->run_loads += l->load;
	l->run_stores += l->store;
	l->load = l->store = false;
}

/* "I  00401000,5", " L 1fff000698,8", " S …", " M …" */
static void
take_lackey(struct instrument_lines *lines, const char *line)
{
	bool record = line[0] && line[1] && line[2] == ' ' && (line[0] == 'I' || line[0] == ' ');
	uint64_t at;

	if (!record || !strchr("LSM ", line[1])) {
		look_for_unknown(lines, line);
		keep_message(lines, line);
		return;
	}
	if (line[0] == ' ') {
		lines->load |= line[1] == 'L' || line[1] == 'M';
		lines->store |= line[1] == 'S' || line[1] == 'M';
		return;
	}
	at = strtoull(line + 3, NULL, 16);
	end_instruction(lines);
	if (lines->run && at != lines->at)
		instrument_lines_end_run(lines);
	lines->at = at;
	lines->run++;
	lines->count[INSTRUMENT_INSTRUCTIONS].raw++;
}

static struct place *
find_place(struct place *table, size_t cap, uint64_t pc)
{
	size_t i = (size_t)(pc * 0x9e3779b97f4a7c15u >> 20) & (cap - 1);

	while (table[i].used && table[i].pc != pc)
		i = (i + 1) & (cap - 1);
	return &table[i];
}

static void
learn_code(struct instrument_lines *lines, uint64_t pc, struct x86_code code)
{
	struct place *place;

	if (2 * (lines->n_places + 1) > lines->cap) {
		struct place *more = mem_new_array(2 * lines->cap, sizeof *more);

		for (size_t i = 0; i < lines->cap; i++)
			if (lines->place[i].used)
				*find_place(more, 2 * lines->cap, lines->place[i].pc) = lines->place[i];
		free(lines->place);
		lines->place = more;
		lines->cap *= 2;
	}
	place = find_place(lines->place, lines->cap, pc);
	lines->n_places += !place->used;
	*place = (struct place){pc, code, true};
}

/* "0x00401000:  b9 e8 03 00 00           movl     $0x3e8, %ecx" */
static void
take_code(struct instrument_lines *lines, const char *line)
{
	unsigned char byte[X86_CODE_MAX];
	char *end;
	uint64_t pc = strtoull(line, &end, 16);
	size_t n = 0;

	if (*end != ':' || lines->kind == INSTRUMENT_CODE_OTHER)
		return;
	for (end++; *end == ' ' && n < sizeof byte; n++) {
		char *from = end + strspn(end, " ");

		if (n > 0 && from != end + 1)
			break;
		if (strspn(from, "0123456789abcdef") != 2 || (from[2] && from[2] != ' '))
			break;
		byte[n] = (unsigned char)strtoul(from, NULL, 16);
		end = from + 2;
	}
	if (n > 0)
		learn_code(lines, pc, x86_code_of(byte, n, lines->kind == INSTRUMENT_CODE_X86_64));
}

/* Counts, or takes back, an execution of the instruction at pc by a thread. */
static void
count_block(struct instrument_lines *lines, unsigned thread, uint64_t pc)
{
	struct place *place = find_place(lines->place, lines->cap, pc);
	struct x86_code code = place->used ? place->code : (struct x86_code){0};
	bool again = lines->any[thread] && lines->last[thread] == pc && code.rep;

	memcpy(lines->before, lines->count, sizeof lines->before);
	lines->reps_before = lines->reps;
	lines->classless |= !place->used;
	lines->count[INSTRUMENT_INSTRUCTIONS].raw++;
	lines->count[INSTRUMENT_INSTRUCTIONS].extra += again;
	lines->reps += code.rep && !again;
	lines->count[INSTRUMENT_BRANCHES].raw += code.branch;
	lines->count[INSTRUMENT_CONDITIONAL].raw += code.conditional;
	lines->last[thread] = pc;
	lines->any[thread] = true;
}

/* "Trace 0: 0x7f8db0000100 [0000000000000000/0000000000401000/1040c0b3/00000201] main" */
static void
take_qemu(struct instrument_lines *lines, const char *line)
{
	const char *at;

	if (str_starts(line, "Trace ")) {
		unsigned long thread = strtoul(line + 6, NULL, 10);

		at = strchr(line, '[');
		at = at ? strchr(at, '/') : NULL;
		if (at)
			count_block(lines, (unsigned)(thread % THREADS), strtoull(at + 1, NULL, 16));
		lines->threads = thread > lines->threads ? thread : lines->threads;
	} else if (str_starts(line, "0x")) {
		take_code(lines, line);
	} else if (str_starts(line, "Stopped execution of TB chain")) {
		/* a signal came first, so that the last block did not run */
		memcpy(lines->count, lines->before, sizeof lines->count);
		lines->reps = lines->reps_before;
	} else if (!str_starts(line, "----") && !str_starts(line, "IN:")) {
		keep_message(lines, line);
	}
}

void
instrument_lines_take(struct instrument_lines *lines, const char *text, size_t n)
{
	char line[512];

	n = n < sizeof line ? n : sizeof line - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	switch (lines->method) {
	case INSTRUMENT_VALGRIND:
		take_lackey(lines, line);
		break;
	case INSTRUMENT_QEMU:
		take_qemu(lines, line);
		break;
	case INSTRUMENT_STEP:
	case INSTRUMENT_METHODS:
		break;
	}
}

void
instrument_lines_result(const struct instrument_lines *lines, struct instrument_result *out)
{
	struct instrument_lines last = *lines;
	bool some;

	if (lines->method == INSTRUMENT_VALGRIND) {
		end_instruction(&last);
		instrument_lines_end_run(&last);
	}
	some = last.count[INSTRUMENT_INSTRUCTIONS].raw > 0;
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		out->count[i] = last.count[i];
		out->count[i].known = some && instrument_knows(lines->method, (enum instrument_event)i);
	}
	if (lines->method == INSTRUMENT_QEMU && (lines->classless || lines->kind == INSTRUMENT_CODE_OTHER))
		out->count[INSTRUMENT_BRANCHES].known = out->count[INSTRUMENT_CONDITIONAL].known = false;
	out->reps = last.reps;
	out->threads = last.threads;
	memcpy(out->unknown, lines->unknown, sizeof out->unknown);
}

const char *
instrument_lines_messages(const struct instrument_lines *l)
{
	return str_text(&l->messages);
}
