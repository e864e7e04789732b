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
keep_message(struct instrument_lines *l, const char *line)
{
	static const char *const banner[] = {"Lackey, ", "Copyright (C)", "Using Valgrind", "Command: "};

	if (line[0] == '=' || line[0] == '-') {
		const char *end = strchr(line, ' ');

		line = end ? end + 1 : "";
	}
	for (size_t i = 0; i < sizeof banner / sizeof *banner; i++)
		if (str_starts(line, banner[i]))
			return;
	if (l->messages.n < MESSAGES_MAX && *line)
		str_addf(&l->messages, "%s\n", line);
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
instrument_lines_end_run(struct instrument_lines *l)
{
	bool rep = l->run > 1 && l->run_loads + l->run_stores > 0;

	if (!l->run)
		return;
	l->count[INSTRUMENT_LOADS].raw += l->run_loads;
	l->count[INSTRUMENT_STORES].raw += l->run_stores;
	if (rep) {
		l->reps++;
		l->count[INSTRUMENT_INSTRUCTIONS].extra += l->run - 1;
		l->count[INSTRUMENT_LOADS].extra += l->run_loads - (l->run_loads ? 1 : 0);
		l->count[INSTRUMENT_STORES].extra += l->run_stores - (l->run_stores ? 1 : 0);
	}
	l->run = l->run_loads = l->run_stores = 0;
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
take_lackey(struct instrument_lines *l, const char *line)
{
	bool record = line[0] && line[1] && line[2] == ' ' && (line[0] == 'I' || line[0] == ' ');
	uint64_t at;

	if (!record || !strchr("LSM ", line[1])) {
		look_for_unknown(l, line);
		keep_message(l, line);
		return;
	}
	if (line[0] == ' ') {
		l->load |= line[1] == 'L' || line[1] == 'M';
		l->store |= line[1] == 'S' || line[1] == 'M';
		return;
	}
	at = strtoull(line + 3, NULL, 16);
	end_instruction(l);
	if (l->run && at != l->at)
		instrument_lines_end_run(l);
	l->at = at;
	l->run++;
	l->count[INSTRUMENT_INSTRUCTIONS].raw++;
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
learn_code(struct instrument_lines *l, uint64_t pc, struct x86_code code)
{
	struct place *p;

	if (2 * (l->n_places + 1) > l->cap) {
		struct place *more = mem_new_array(2 * l->cap, sizeof *more);

		for (size_t i = 0; i < l->cap; i++)
			if (l->place[i].used)
				*find_place(more, 2 * l->cap, l->place[i].pc) = l->place[i];
		free(l->place);
		l->place = more;
		l->cap *= 2;
	}
	p = find_place(l->place, l->cap, pc);
	l->n_places += !p->used;
	*p = (struct place){pc, code, true};
}

/* "0x00401000:  b9 e8 03 00 00           movl     $0x3e8, %ecx" */
static void
take_code(struct instrument_lines *l, const char *line)
{
	unsigned char byte[X86_CODE_MAX];
	char *end;
	uint64_t pc = strtoull(line, &end, 16);
	size_t n = 0;

	if (*end != ':' || l->kind == INSTRUMENT_CODE_OTHER)
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
		learn_code(l, pc, x86_code_of(byte, n, l->kind == INSTRUMENT_CODE_X86_64));
}

/* Counts, or takes back, an execution of the instruction at pc by a thread. */
static void
count_block(struct instrument_lines *l, unsigned thread, uint64_t pc)
{
	struct place *p = find_place(l->place, l->cap, pc);
	struct x86_code code = p->used ? p->code : (struct x86_code){0};
	bool again = l->any[thread] && l->last[thread] == pc && code.rep;

	memcpy(l->before, l->count, sizeof l->before);
	l->reps_before = l->reps;
	l->classless |= !p->used;
	l->count[INSTRUMENT_INSTRUCTIONS].raw++;
	l->count[INSTRUMENT_INSTRUCTIONS].extra += again;
	l->reps += code.rep && !again;
	l->count[INSTRUMENT_BRANCHES].raw += code.branch;
	l->count[INSTRUMENT_CONDITIONAL].raw += code.conditional;
	l->last[thread] = pc;
	l->any[thread] = true;
}

/* "Trace 0: 0x7f8db0000100 [0000000000000000/0000000000401000/1040c0b3/00000201] main" */
static void
take_qemu(struct instrument_lines *l, const char *line)
{
	const char *at;

	if (str_starts(line, "Trace ")) {
		unsigned long thread = strtoul(line + 6, NULL, 10);

		at = strchr(line, '[');
		at = at ? strchr(at, '/') : NULL;
		if (at)
			count_block(l, (unsigned)(thread % THREADS), strtoull(at + 1, NULL, 16));
		l->threads = thread > l->threads ? thread : l->threads;
	} else if (str_starts(line, "0x")) {
		take_code(l, line);
	} else if (str_starts(line, "Stopped execution of TB chain")) {
		/* a signal came first, so that the last block did not run */
		memcpy(l->count, l->before, sizeof l->count);
		l->reps = l->reps_before;
	} else if (!str_starts(line, "----") && !str_starts(line, "IN:")) {
		keep_message(l, line);
	}
}

void
instrument_lines_take(struct instrument_lines *l, const char *text, size_t n)
{
	char line[512];

	n = n < sizeof line ? n : sizeof line - 1;
	memcpy(line, text, n);
	line[n] = '\0';
	switch (l->method) {
	case INSTRUMENT_VALGRIND:
		take_lackey(l, line);
		break;
	case INSTRUMENT_QEMU:
		take_qemu(l, line);
		break;
	case INSTRUMENT_STEP:
	case INSTRUMENT_METHODS:
		break;
	}
}

void
instrument_lines_result(const struct instrument_lines *l, struct instrument_result *out)
{
	struct instrument_lines last = *l;
	bool some;

	if (l->method == INSTRUMENT_VALGRIND) {
		end_instruction(&last);
		instrument_lines_end_run(&last);
	}
	some = last.count[INSTRUMENT_INSTRUCTIONS].raw > 0;
	for (int i = 0; i < INSTRUMENT_EVENTS; i++) {
		out->count[i] = last.count[i];
		out->count[i].known = some && instrument_knows(l->method, (enum instrument_event)i);
	}
	if (l->method == INSTRUMENT_QEMU && (l->classless || l->kind == INSTRUMENT_CODE_OTHER))
		out->count[INSTRUMENT_BRANCHES].known = out->count[INSTRUMENT_CONDITIONAL].known = false;
	out->reps = last.reps;
	out->threads = last.threads;
	memcpy(out->unknown, l->unknown, sizeof out->unknown);
}

const char *
instrument_lines_messages(const struct instrument_lines *l)
{
	return str_text(&l->messages);
}
