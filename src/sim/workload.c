/* Workloads: parses their texts into parts, lets the parts take turns, and inserts wrong paths and machine clears into
 * the generators' streams. */
#include "sim/workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "sim/generate.h"
#include "sim/orders.h"
#include "sim/trace.h"
#include "text/diag.h"
#include "text/word_list.h"

#define BUFFER 2048 /* µops generated ahead, so that a wrong path can be copied from those that follow */
#define MEMORY (SIM_SET(PAGE) | SIM_SET(TOUCHED) | SIM_SET(REFRESH))
#define SQUASHES (SIM_SET(WRONG) | SIM_SET(WRONG_LENGTH) | SIM_SET(AWAY) | SIM_SET(CLEARS))
#define COMMON (SIM_SET(FOOTPRINT) | MEMORY | SIM_SET(OTHER) | SQUASHES | SIM_SET(TURN))
#define BASE ((uint64_t)1 << 40)

struct part {
	const struct sim_kind *kind;
	struct sim_settings set;
	struct sim_generator *generator;
	uint64_t base, bytes;
	uint64_t left;            /* right-path µops until the next part's turn */
	bool first;               /* first µop of its turn */
	bool plain;               /* nothing is inserted */
	uint64_t random, wrong, clears, away; /* probabilities times 2^32 */
	size_t wrong_left, peek;  /* wrong path: µops left, position in the buffer */
	bool elsewhere;           /* the wrong path goes to random places */
	size_t at, n;             /* position and µops in the buffer */
	struct sim_uop buffer[BUFFER];
};

struct sim_workload {
	struct sim_memory memory;
	char *text;
	struct sim_trace *trace; /* NULL: the parts make the stream */
	struct part *part;
	size_t parts, now;
};

static sim_setting_set
settings_of(const struct sim_kind *k)
{
	return k->own | (COMMON & ~k->lacks);
}

static bool
unknown_workload(const char *name, struct err *e)
{
	size_t n;
	const struct sim_kind *kind = sim_kinds(&n);

	if (*name)
		err_set(e, "there is no workload '%.40s'", name);
	else
		err_set(e, "no workload is given");
	return word_list_hint(e, name, "there are", kind, n, sizeof *kind);
}

/* Parses "name:parameters". */
static bool
workload_parse_part(struct part *part, const char *text, struct err *e)
{
	size_t length = strcspn(text, ":,"), kinds;
	const struct sim_kind *kind = sim_kinds(&kinds);
	char *name;
	bool good;

	name = mem_strn(text, length);
	for (size_t i = 0; i < kinds && !part->kind; i++)
		if (str_eq(kind[i].name, name))
			part->kind = &kind[i];
	sim_settings_preset(&part->set);
	good = part->kind || unknown_workload(name, e) || err_within(e, text, 0, length);
	if (good && *part->kind->preset) {
		good = sim_settings_parse(&part->set, name, settings_of(part->kind), part->kind->preset, e);
		part->set.said = 0;
	}
	if (good && text[length])
		good = sim_settings_parse(&part->set, name, settings_of(part->kind), text + length + 1, e) ||
			err_within(e, text, length + 1, strlen(text + length + 1));
	free(name);
	return good;
}

/* Refuses settings that are valid by themselves, but not in this combination. False and *e then. */
static bool
check_part(const struct sim_workload *workload, size_t i, struct err *e)
{
	const struct part *part = &workload->part[i];
	sim_setting_set wrong = i ? part->set.said & MEMORY : 0;

	if (workload->parts == 1 && part->set.said & SIM_SET(TURN)) {
		err_set(e, "%s: turn has no meaning with a single workload", part->kind->name);
		return err_hint(e, "join workloads by '+', or remove turn");
	}
	for (int s = 0; s < SIM_N_SETTINGS; s++)
		if (wrong >> s & 1) {
			err_set(e, "%s: %s applies to the whole memory", part->kind->name,
				sim_setting_name((enum sim_setting)s));
			return err_hint(e, "give it with the first workload, %s", workload->part[0].kind->name);
		}
	if (part->set.value[SIM_SET_WRONG] + part->set.value[SIM_SET_CLEARS] > SHARE_ONE) {
		err_set(e, "%s: wrong and clears together exceed 1", part->kind->name);
		return err_hint(e, "each µop is followed by a mispredicted branch, or clears the machine, or neither");
	}
	return true;
}

static bool
parse_parts(struct sim_workload *workload, const char *text, struct err *e)
{
	struct word_list list = word_list_of(text, '+');
	size_t i = 0;
	bool good;

	workload->parts = 1;
	for (const char *c = text; *c; c++)
		workload->parts += *c == '+';
	good = workload->parts <= SIM_PARTS_MAX;
	if (!good) {
		err_set(e, "%zu workloads are joined by '+'; at most %d can be", workload->parts, SIM_PARTS_MAX);
		err_hint(e, "remove some");
		workload->parts = 0;
	}
	workload->part = mem_new_array(workload->parts, sizeof *workload->part);
	for (; good && word_list_next(&list); i++)
		good = workload_parse_part(&workload->part[i], list.word, e) && check_part(workload, i, e);
	return word_list_end(&list, good, e);
}

static struct sim_memory
memory_of(const struct sim_settings *s)
{
	return (struct sim_memory){
		.page = (enum sim_page)s->value[SIM_SET_PAGE], .touched = s->value[SIM_SET_TOUCHED] != 0,
		.refresh = (uint64_t)s->value[SIM_SET_REFRESH],
	};
}

/* Places the memory of the parts one after the other, in whole pages. False and *e when it exceeds the address space.
 */
static bool
workload_place(struct sim_workload *workload, struct err *e)
{
	uint64_t page, at = 0;

	workload->memory = memory_of(&workload->part[0].set);
	page = (uint64_t)1 << sim_page_shift(workload->memory.page);
	for (size_t i = 0; i < workload->parts; i++) {
		struct part *part = &workload->part[i];

		part->base = at;
		part->bytes = (uint64_t)part->set.value[SIM_SET_FOOTPRINT];
		at += (part->bytes + page - 1) & ~(page - 1);
	}
	if (at > (uint64_t)SIM_REACH) {
		err_set(e, "the footprints of all workloads together exceed 2^48 bytes");
		return err_hint(e, "addresses have 48 bits: give smaller footprints");
	}
	workload->memory.bytes = at;
	workload->memory.base = at <= (uint64_t)SIM_REACH - BASE ? BASE : 0;
	for (size_t i = 0; i < workload->parts; i++)
		workload->part[i].base += workload->memory.base;
	return true;
}

static void
begin_turn(struct sim_workload *w, size_t i)
{
	w->now = i;
	w->part[i].left = w->parts == 1 ? UINT64_MAX : (uint64_t)w->part[i].set.value[SIM_SET_TURN];
	w->part[i].first = w->parts > 1;
}

static bool
make(struct part *p, uint64_t seed, struct err *e)
{
	const struct sim_plan plan = {.set = &p->set, .base = p->base, .seed = seed};

	p->random = random_scatter(seed + 3);
	p->wrong = p->kind->branches ? 0 : sim_share_of_bits(p->set.value[SIM_SET_WRONG]);
	p->clears = sim_share_of_bits(p->set.value[SIM_SET_CLEARS]);
	p->away = sim_share_of_bits(p->set.value[SIM_SET_AWAY]);
	p->plain = !p->wrong && !p->clears && !p->kind->branches;
	p->generator = p->kind->make(&plan, e);
	return p->generator != NULL;
}

static char *
workload_text_of(const struct sim_workload *workload)
{
	struct str t = {0};

	for (size_t i = 0; i < workload->parts; i++) {
		sim_setting_set set = settings_of(workload->part[i].kind);

		if (workload->parts == 1)
			set &= ~SIM_SET(TURN);
		if (i)
			set &= ~MEMORY;
		str_addf(&t, "%s%s:", i ? "+" : "", workload->part[i].kind->name);
		sim_settings_print(&workload->part[i].set, set, &t);
	}
	return str_take(&t);
}

struct sim_workload *
sim_workload_new(const char *text, uint64_t seed, struct err *e)
{
	struct sim_workload *workload = mem_new(sizeof *workload);
	bool good = parse_parts(workload, text, e) && workload_place(workload, e);

	for (size_t i = 0; i < workload->parts && good; i++)
		good = make(&workload->part[i], random_scatter(seed + i), e);
	if (!good) {
		sim_workload_free(workload);
		return NULL;
	}
	workload->text = workload_text_of(workload);
	begin_turn(workload, 0);
	return workload;
}

struct sim_workload *
sim_workload_trace(int fd, const char *parameters, struct err *e)
{
	struct sim_workload *workload;
	struct sim_settings set;
	struct str text = {0};

	sim_settings_preset(&set);
	if (parameters && *parameters && !sim_settings_parse(&set, "a trace", MEMORY, parameters, e))
		return NULL;
	workload = mem_new(sizeof *workload);
	workload->memory = memory_of(&set);
	workload->memory.bytes = (uint64_t)SIM_REACH;
	workload->trace = sim_trace_new(fd);
	str_add(&text, "trace:");
	sim_settings_print(&set, MEMORY, &text);
	workload->text = str_take(&text);
	return workload;
}

void
sim_workload_free(struct sim_workload *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->parts; i++)
		free(w->part[i].generator);
	sim_trace_free(w->trace);
	free(w->part);
	free(w->text);
	free(w);
}

const struct sim_memory *
sim_workload_memory(const struct sim_workload *w)
{
	return &w->memory;
}

const char *
sim_workload_text(const struct sim_workload *w)
{
	return w->text;
}

/* Fills the buffer. When and how far depends on the stream alone, not on how much the caller takes each time. */
static void
refill(struct part *p)
{
	memmove(p->buffer, p->buffer + p->at, (p->n - p->at) * sizeof *p->buffer);
	p->n -= p->at;
	p->at = 0;
	while (BUFFER - p->n >= SIM_BURST)
		p->n += p->generator->fill(p->generator, p->buffer + p->n, BUFFER - p->n);
}

static size_t
fill_plain(struct part *part, struct sim_uop *out, size_t n)
{
	if (part->kind->by_clock) {
		n = part->generator->fill(part->generator, out, n < part->left ? n : (size_t)part->left);
		part->left -= n;
		return n;
	}
	if (part->at == part->n)
		refill(part);
	if (n > part->n - part->at)
		n = part->n - part->at;
	if (n > part->left)
		n = (size_t)part->left;
	memcpy(out, part->buffer + part->at, n * sizeof *out);
	part->at += n;
	part->left -= n;
	return n;
}

/* Decides whether a mispredicted branch follows this µop, or a machine clear. */
static void
maybe_squash(struct part *p, struct sim_uop *u)
{
	uint64_t r = random_next(&p->random);
	bool wrong = (uint32_t)r < p->wrong;

	if (u->flags & SIM_MISPREDICT || (uint32_t)r >= p->wrong + p->clears)
		return;
	u->flags |= wrong ? SIM_MISPREDICT : SIM_CLEAR;
	p->elsewhere = wrong && r >> 32 < p->away;
	p->wrong_left = (size_t)p->set.value[SIM_SET_WRONG_LENGTH];
	p->peek = p->at;
}

/* Writes the next µop of a wrong path; false at its end. A wrong path is a copy of what the right path will do, or as
 * many accesses to other places. After a machine clear it is always the copy, because it is the first try of the same
 * µops. */
static bool
next_wrong(struct part *part, struct sim_uop *out)
{
	while (part->peek < part->n && part->buffer[part->peek].flags & SIM_WRONG)
		part->peek++;
	if (part->peek == part->n) { /* the µops after the buffer are unknown */
		part->wrong_left = 0;
		return false;
	}
	*out = part->buffer[part->peek++];
	out->flags = (out->flags & SIM_DEPENDS) | SIM_WRONG;
	if (part->elsewhere) {
		out->at = part->base + random_below(&part->random, part->bytes / 8) * 8;
		out->flags = SIM_WRONG;
	}
	part->wrong_left--;
	return true;
}

static size_t
fill_squashed(struct part *part, struct sim_uop *out, size_t n)
{
	size_t k = 0;

	while (k < n) {
		struct sim_uop *uop;

		if (part->wrong_left) {
			k += next_wrong(part, &out[k]);
			continue;
		}
		if (part->n - part->at <= SIM_WRONG_MAX)
			refill(part);
		uop = &part->buffer[part->at];
		if (!part->left && !(uop->flags & SIM_WRONG))
			break;
		part->at++;
		out[k] = *uop;
		if (!(uop->flags & SIM_WRONG)) {
			part->left--;
			maybe_squash(part, &out[k]);
		}
		k++;
	}
	return k;
}

size_t
sim_workload_fill(struct sim_workload *workload, struct sim_uop *out, size_t n, struct err *e)
{
	size_t k = 0;

	if (workload->trace)
		return sim_trace_fill(workload->trace, out, n, e);
	while (k < n) {
		struct part *part = &workload->part[workload->now];
		size_t got = part->plain ? fill_plain(part, out + k, n - k) : fill_squashed(part, out + k, n - k);

		if (got && part->first) { /* the load before belongs to another part */
			out[k].flags &= (uint8_t)~SIM_DEPENDS;
			part->first = false;
		}
		k += got;
		if (k < n && !part->left)
			begin_turn(workload, (workload->now + 1) % workload->parts);
	}
	return k;
}

bool
sim_workload_by_clock(const struct sim_workload *w)
{
	for (size_t i = 0; i < w->parts; i++)
		if (w->part[i].kind->by_clock)
			return true;
	return false;
}

void
sim_workload_clock(struct sim_workload *w, uint64_t now_ns)
{
	for (size_t i = 0; i < w->parts; i++)
		w->part[i].generator->now_ns = now_ns;
}

size_t
sim_workload_kinds(void)
{
	size_t n;

	sim_kinds(&n);
	return n;
}

const char *
sim_workload_kind_name(size_t i)
{
	size_t n;

	return sim_kinds(&n)[i].name;
}

const char *
sim_workload_kind_text(size_t i)
{
	size_t n;

	return sim_kinds(&n)[i].text;
}

bool
sim_workload_parameter(size_t kind, size_t i, struct sim_parameter *out)
{
	size_t n;
	const struct sim_kind *sim_kind = &sim_kinds(&n)[kind];
	sim_setting_set set[2] = {sim_kind->own, COMMON & ~sim_kind->lacks};

	for (int common = 0; common < 2; common++)
		for (int s = 0; s < SIM_N_SETTINGS; s++)
			if (set[common] >> s & 1 && i-- == 0) {
				*out = (struct sim_parameter){sim_setting_name((enum sim_setting)s),
					sim_setting_text((enum sim_setting)s), common != 0};
				return true;
			}
	return false;
}
