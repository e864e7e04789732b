#include "work/timeline/run_advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/str.h"
#include "work/timeline/run_load.h"

/* Parts of the tasks' busy time, or of the time that passed: below it nothing is said. A tenth is what run_answer.c
 * finds worth a word. */
#define WORTH 0.1
#define HOST_TAKES 0.05 /* of all CPUs' time: steal is counted in ticks, and 1 or 2 % are usual */
#define CPUS_USED 0.6   /* of the CPUs, by these tasks: below it, others have them */
#define MOST 0.5        /* of requests, or of a time: what the sentence is about */
#define DISK_BUSY 0.8   /* of the time that passed: above it the disk has none left */
#define DEEP 4          /* requests at the disk on average: more at once would only queue */
#define FEW_FLUSHES 5   /* fewer are what closing files costs */
#define FEW_FAULTS 10   /* that waited for I/O: fewer start a program */
#define LARGE_READ 1e6  /* bytes: larger read-ahead would not help */
#define AGAIN 0.2       /* of the bytes read */
#define PAGE 4096
#define FRESH_LEAST 1024 /* fresh pages of a task: two huge pages */
#define COPY_LEAST 64e6  /* bytes read */
#define COPY_RATE 200e6  /* bytes read per s of CPU time: a program that reads less fast does more than copy */
#define COMPUTES 0.7     /* of the busy time */

struct advising {
	const struct run_load *load;
	double busy; /* ns of all classes but sleep */
	bool ascii;
	struct run_advices *out;
};

const char *
run_advice_name(enum run_advice_about about)
{
	static const char *const name[ADVICE_KINDS] = {"crowded", "others", "steal", "flushes", "writes", "direct",
		"scattered", "readahead", "disk", "mapped", "again", "memory", "fresh", "copy", "locks", "code"};

	return name[about];
}

/* Adds advice in the order of its weight, if it has some. Takes the words over. */
static void
advise(struct advising *a, enum run_advice_about about, double weight, struct str *evidence, struct str *change)
{
	struct run_advices *out = a->out;
	size_t at = out->n;

	if (!(weight > 0)) {
		str_free(evidence);
		str_free(change);
		return;
	}
	weight = fmin(weight, 1);
	for (out->n++; at && out->list[at - 1].weight < weight; at--)
		out->list[at] = out->list[at - 1];
	out->list[at] = (struct run_advice){about, weight, str_take(evidence), str_take(change)};
}

/* --- numbers in words -------------------------------------------------------------------------------------------- */

static void
add_count(const struct advising *a, struct str *out, double n, const char *what)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s %s", number_count(number, n, a->ascii), what);
	if (n >= 1.5 || n < 0.5)
		str_addc(out, 's');
}

static void
add_flushes(const struct advising *a, struct str *out)
{
	double n = a->load->disk.flushes;
	char number[NUMBER_TEXT];

	str_addf(out, "%s flush%s", number_count(number, n, a->ascii), n >= 0.5 && n < 1.5 ? "" : "es");
}

static void
add_bytes(const struct advising *a, struct str *out, double bytes, const char *after)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s%s", number_bytes(number, bytes, a->ascii), after);
}

static void
add_ns(const struct advising *a, struct str *out, double ns, const char *after)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s%s", number_seconds(number, ns / 1e9, a->ascii), after);
}

static void
add_part(struct str *out, double part, const char *after)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s %%%s", number_share(number, part), after);
}

static void
add_number(const struct advising *a, struct str *out, double v, const char *after)
{
	char number[NUMBER_TEXT];

	str_addf(out, "%s%s", number_digits(number, v, 2, a->ascii), after);
}

/* --- CPUs -------------------------------------------------------------------------------------------------------- */

static void
advise_cpus(struct advising *a)
{
	const struct run_load *load = a->load;
	double run = load->ns[RUN_ON_CPU], wait = load->ns[RUN_FOR_CPU], second = 1e9 * load->seconds;
	double used = run / second, ready = (run + wait) / second;
	struct str evidence = {0}, change = {0};

	if (load->cpus && load->steal_ns >= HOST_TAKES * load->cpus * second) {
		str_add(&evidence, "the host took ");
		add_part(&evidence, load->steal_ns / second / load->cpus, " of the CPU time");
		str_add(&change, "CPUs that the host gives to no other guest");
		advise(a, ADVICE_STEAL, load->steal_ns / second / load->cpus, &evidence, &change);
	}
	if (!load->cpus || !(wait >= WORTH * a->busy) || !(wait > 0))
		return;
	if (ready > load->cpus && used >= CPUS_USED * load->cpus) {
		add_number(a, &evidence, ready, " tasks were ready for ");
		str_addf(&evidence, "%u CPU%s, and waited ", load->cpus, load->cpus == 1 ? "" : "s");
		add_part(&evidence, wait / (run + wait), " of that time");
		str_addf(&change, "%u at once (make -j%u), or more CPUs", load->cpus, load->cpus);
		advise(a, ADVICE_CROWDED, wait / a->busy, &evidence, &change);
		return;
	}
	add_number(a, &evidence, used, " of ");
	str_addf(&evidence, "%u CPU%s used here, yet ", load->cpus, load->cpus == 1 ? "" : "s");
	add_part(&evidence, wait / (run + wait), " of the ready time waiting for one");
	str_add(&change, "stop or nice other programs: hecate stall-sources -a shows them");
	advise(a, ADVICE_OTHERS, wait / a->busy, &evidence, &change);
}

/* --- disks ------------------------------------------------------------------------------------------------------- */

/* "vda: 402 reads of 519 kB, 26 ms each" */
static void
add_reads(const struct advising *a, struct str *out)
{
	const struct run_disk *disk = &a->load->disk;

	str_addf(out, "%s: ", disk->name);
	add_count(a, out, disk->reads, "read");
	if (disk->read_bytes > 0) {
		str_add(out, " of ");
		add_bytes(a, out, disk->read_bytes / disk->reads, "");
	}
	str_add(out, ", ");
	add_ns(a, out, disk->read_ns / disk->reads, " each");
}

static void
add_busy(const struct advising *a, struct str *out)
{
	const struct run_disk *disk = &a->load->disk;

	str_add(out, ", busy ");
	add_part(out, fmin(disk->busy_ns / 1e9 / a->load->seconds, 1), "");
}

/* Reads by the part of them that read-ahead foresaw, and by what the disk has left. */
static void
advise_reads(struct advising *a, double weight)
{
	const struct run_disk *disk = &a->load->disk;
	const struct run_reads *reads = &a->load->reads;
	double all = reads->needed + reads->ahead, busy = disk->busy_ns / 1e9 / a->load->seconds;
	double at_once = disk->read_ns / 1e9 / a->load->seconds / fmax(busy, 1e-9);
	struct str evidence = {0}, change = {0};
	enum run_advice_about about;

	if (!(all >= 1) || !(disk->reads >= 1) || isnan(reads->direct))
		return;
	add_reads(a, &evidence);
	if (reads->direct >= MOST * all && reads->lookups < reads->direct && at_once < DEEP) {
		about = ADVICE_DIRECT;
		str_add(&evidence, ", ");
		add_number(a, &evidence, at_once, " at a time, past the page cache");
		str_add(&change, "several at once (io_uring, threads), or larger ones");
	} else if (reads->ahead >= MOST * all && busy < DISK_BUSY && !(disk->read_bytes >= LARGE_READ * disk->reads)) {
		about = ADVICE_READAHEAD;
		str_add(&evidence, ", ");
		add_part(&evidence, reads->ahead / all, " ahead of need");
		add_busy(a, &evidence);
		str_addf(&change, "a larger read-ahead: blockdev --setra 8192 /dev/%s", disk->name);
	} else if (reads->ahead < MOST * all && busy < DISK_BUSY) {
		about = ADVICE_SCATTERED;
		str_add(&evidence, ", ");
		add_part(&evidence, reads->ahead / all, " ahead of need");
		str_add(&change, "ask ahead (posix_fadvise(2) WILLNEED), or read in order");
	} else {
		about = ADVICE_DISK;
		add_busy(a, &evidence);
		if (disk->read_bytes > 0) {
			str_add(&evidence, ", ");
			add_bytes(a, &evidence, disk->read_bytes / a->load->seconds, "/s");
		}
		str_add(&change, "read less, keep it in the page cache, or a faster disk");
	}
	advise(a, about, weight, &evidence, &change);
}

static void
advise_writes(struct advising *a, double weight)
{
	const struct run_load *load = a->load;
	const struct run_disk *disk = &load->disk;
	struct str evidence = {0}, change = {0};
	char number[NUMBER_TEXT];

	if (disk->flushes >= FEW_FLUSHES) {
		add_flushes(a, &evidence);
		str_addf(&evidence, " of %s, one every ", disk->name);
		add_ns(a, &evidence, load->seconds * 1e9 / disk->flushes, "");
		if (load->writeback_waits >= 1) {
			str_add(&evidence, ", ");
			add_count(a, &evidence, load->writeback_waits, "wait");
			str_add(&evidence, " for writeback");
		}
		str_add(&change, "commit more at once (one transaction), with fewer calls of fsync(2)");
		advise(a, ADVICE_FLUSHES, weight, &evidence, &change);
		return;
	}
	str_addf(&evidence, "%s: ", disk->name);
	add_count(a, &evidence, disk->writes, "write");
	str_add(&evidence, ", ");
	add_ns(a, &evidence, disk->write_ns / disk->writes, " each, ");
	if (load->writes_own >= 1) {
		str_addf(&evidence, "%s by the tasks themselves", number_count(number, load->writes_own, a->ascii));
	} else {
		add_count(a, &evidence, load->writeback_waits, "wait");
		str_add(&evidence, " for writeback");
	}
	str_add(&change, "larger writes, several at once, or leave them to writeback");
	advise(a, ADVICE_WRITES, weight, &evidence, &change);
}

static void
advise_disk(struct advising *a)
{
	const struct run_load *load = a->load;
	const struct run_disk *disk = &load->disk;
	double weight = load->ns[RUN_FOR_DISK] / a->busy, part;

	if (!(weight >= WORTH) || !disk->name || !(disk->reads + disk->writes >= 1))
		return;
	part = disk->write_ns / (disk->read_ns + disk->write_ns);
	if (disk->writes >= 1 && part >= WORTH && (load->writes_own >= 1 || load->writeback_waits >= 1))
		advise_writes(a, weight * part);
	if (disk->reads >= 1 && 1 - part >= WORTH)
		advise_reads(a, weight * (1 - part));
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

static void
advise_pages(struct advising *a)
{
	const struct run_load *load = a->load;
	double weight = load->ns[RUN_FOR_PAGES] / a->busy, pressure = load->memory_wait_ns / 1e9 / load->seconds,
	       reading;
	struct str evidence = {0}, change = {0};

	if (load->swap_ins + load->swap_outs >= FEW_FAULTS && (weight >= WORTH || pressure >= WORTH)) {
		add_count(a, &evidence, load->swap_outs, "page");
		str_add(&evidence, " swapped out, ");
		add_count(a, &evidence, load->swap_ins, "page");
		str_add(&evidence, " back in");
		if (!isnan(pressure)) {
			str_add(&evidence, "; memory pressure ");
			add_part(&evidence, fmin(pressure, 1), "");
		}
		str_add(&change, "more memory (or a higher memory.max), or a smaller working set");
		advise(a, ADVICE_MEMORY, fmax(weight, pressure), &evidence, &change);
	} else if (load->major_faults >= FEW_FAULTS && weight >= WORTH) {
		add_count(a, &evidence, load->major_faults, "fault");
		str_add(&evidence, " waited for a file's pages, ");
		add_ns(a, &evidence, load->ns[RUN_FOR_PAGES] / load->major_faults, " each");
		str_add(&change, "madvise(2) WILLNEED or POPULATE_READ, or read(2) in large pieces");
		advise(a, ADVICE_MAPPED, weight, &evidence, &change);
	}
	/* of the waits for the disk, those for reads */
	reading = load->disk.read_ns / (load->disk.read_ns + load->disk.write_ns);
	weight = (load->ns[RUN_FOR_DISK] * (isnan(reading) ? 1 : reading) + load->ns[RUN_FOR_PAGES]) / a->busy;
	if (weight >= WORTH && load->refaults * PAGE >= AGAIN * load->disk.read_bytes && load->refaults >= 1) {
		add_count(a, &evidence, load->refaults, "page");
		str_add(&evidence, " came back soon after they were given up, of ");
		add_bytes(a, &evidence, load->disk.read_bytes, " read");
		str_add(&change, "more memory, or O_DIRECT for data that is read once");
		advise(a, ADVICE_AGAIN, weight * fmin(load->refaults * PAGE / load->disk.read_bytes, 1), &evidence,
			&change);
	}
}

/* Faults on fresh memory, where huge pages would save them: in tasks that use much. */
static void
advise_faults(struct advising *a)
{
	const struct run_load *load = a->load;
	double part = load->fault_ns / load->ns[RUN_ON_CPU];
	struct str evidence = {0}, change = {0};

	if (!(part >= WORTH) || !(load->fresh_pages >= FRESH_LEAST * (double)(load->n_tasks ? load->n_tasks : 1)))
		return;
	add_count(a, &evidence, load->fresh_pages, "fresh page");
	str_add(&evidence, ", ");
	add_part(&evidence, fmin(part, 1), " of the CPU time in page faults");
	str_add(&change, "huge pages (madvise(2) HUGEPAGE), or reuse memory instead of freeing it");
	advise(a, ADVICE_FRESH, fmin(part, 1) * load->ns[RUN_ON_CPU] / a->busy, &evidence, &change);
}

/* --- what the CPUs did ------------------------------------------------------------------------------------------- */

static void
advise_code(struct advising *a)
{
	const struct run_load *load = a->load;
	double run = load->ns[RUN_ON_CPU], part = run / a->busy, locks = load->ns[RUN_FOR_LOCK] / a->busy;
	double rate = load->asked_bytes / (run / 1e9), faults = fmin(load->fault_ns / run, 1);
	struct str evidence = {0}, change = {0};

	if (locks >= WORTH) {
		add_part(&evidence, locks, " of the busy time waiting for locks (futexes)");
		str_add(&change, "shorter critical sections, or fewer threads");
		advise(a, ADVICE_LOCKS, locks, &evidence, &change);
	}
	if (part < MOST)
		return;
	if (load->asked_bytes >= COPY_LEAST && rate >= COPY_RATE) {
		bool cold = load->fetched_bytes >= MOST * load->asked_bytes;

		add_bytes(a, &evidence, load->asked_bytes, " read through the page cache, ");
		add_bytes(a, &evidence, rate, " per s of CPU time");
		str_add(&change,
			cold ? "O_DIRECT with large requests, which spares the copy"
			     : "mmap(2) or copy_file_range(2), which spare the copy");
		advise(a, ADVICE_COPY, part, &evidence, &change);
	} else if (part >= COMPUTES) {
		add_part(&evidence, part, " of the busy time on a CPU");
		if (load->fault_ns >= 0.01 * run) {
			str_add(&evidence, ", ");
			add_part(&evidence, faults, " of that in page faults");
		}
		str_add(&change, "a profiler: perf record shows which code runs");
		advise(a, ADVICE_CODE, part * (isnan(load->fault_ns) ? 1 : 1 - faults), &evidence, &change);
	}
}

/* "vda 402 reads of 519 kB, 26 ms each, 293 MB/s, 92 % ahead of need" */
static char *
disk_words(const struct advising *a)
{
	const struct run_disk *disk = &a->load->disk;
	const struct run_reads *reads = &a->load->reads;
	struct str out = {0};

	if (!disk->name || !(disk->reads + disk->writes >= 1))
		return NULL;
	if (disk->reads >= 1) {
		add_reads(a, &out);
		if (disk->read_bytes > 0) {
			str_add(&out, ", ");
			add_bytes(a, &out, disk->read_bytes / a->load->seconds, "/s");
		}
		if (reads->needed + reads->ahead >= 1) {
			str_add(&out, ", ");
			add_part(&out, reads->ahead / (reads->needed + reads->ahead), " ahead of need");
		}
	} else {
		str_addf(&out, "%s: ", disk->name);
	}
	if (disk->writes >= 1) {
		str_add(&out, disk->reads >= 1 ? "; " : "");
		add_count(a, &out, disk->writes, "write");
		str_add(&out, ", ");
		add_ns(a, &out, disk->write_ns / disk->writes, " each");
	}
	if (disk->flushes >= 1) {
		str_add(&out, ", ");
		add_flushes(a, &out);
	}
	return str_take(&out);
}

struct run_advices *
run_advices_new(const struct run_load *load, bool ascii)
{
	struct advising a = {.load = load, .ascii = ascii, .out = mem_new(sizeof *a.out)};

	*a.out = (struct run_advices){0};
	for (int c = 0; c < RUN_ASLEEP; c++)
		a.busy += load->ns[c];
	a.out->disk = disk_words(&a);
	if (!(a.busy >= 0.01 * load->seconds * 1e9))
		return a.out;
	advise_cpus(&a);
	advise_disk(&a);
	advise_pages(&a);
	advise_faults(&a);
	advise_code(&a);
	return a.out;
}

void
run_advices_free(struct run_advices *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n; i++) {
		free(a->list[i].evidence);
		free(a->list[i].change);
	}
	free(a->disk);
	free(a);
}
