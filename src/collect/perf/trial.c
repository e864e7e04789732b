/* Tries whether an event that opens counts: in this thread, while it does work of many kinds. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "collect/perf/names.h"
#include "collect/perf/open.h"
#include "collect/perf/world.h"

#define TRIAL_SECONDS 0.01 /* of processor time */
/* more pages than a first TLB holds, and than a second cache; STEPS between two looks at the clock */
enum { PAGE = 4096, PAGES = 2048, STEPS = 256 };

/* Loads and stores in random pages, branches without a pattern, divisions, system calls and page faults. */
static void
work(unsigned char *at)
{
	double end = clock_thread_seconds() + TRIAL_SECONDS;
	uint64_t seed = 1, round = 0;
	volatile double quotient = 1;
	volatile uint64_t rest = 1;

	for (; clock_thread_seconds() < end; round++) {
		for (size_t i = 0; i < STEPS; i++) {
			uint64_t random = random_next(&seed);
			volatile unsigned char *byte = at + random % PAGES * PAGE + (random >> 20) % PAGE;

			if (random >> 40 & 1)
				*byte += 1;
			else if (random >> 41 & 1)
				rest = *byte + (random >> 8) / (rest | 1);
			else
				quotient = (double)*byte / (quotient + 1);
		}
		syscall(SYS_getppid);
		if (round % 16 == 0)
			madvise(at + round / 16 % PAGES * PAGE, PAGE, MADV_DONTNEED);
	}
}

/* Opens the event for this thread, or on the first of the CPUs that its PMU counts for. */
static int
trial_open(const struct event_code *code, const struct perf_world *world, struct source_status *status)
{
	int *cpu = NULL, fd = -1;
	size_t n = 0;

	if (!code->per_cpu)
		return perf_open_event(code, NULL, 0, OPEN_SELF, world, status);
	if (pmu_cpus(code, world, &cpu, &n) && n)
		fd = perf_open_event(code, NULL, cpu[0], OPEN_CPU, world, status);
	else
		source_status_refuse(status, 0, NULL, "the cpumask of PMU %s cannot be read", code->pmu);
	free(cpu);
	return fd;
}

void
event_try(const char *name, const struct perf_world *given, struct event_trial *trial)
{
	struct source_status *status = &trial->status, none = {0};
	struct perf_world world = *given;
	struct perf_reading second = {0};
	struct event_code code;
	void *room;
	int fd[2] = {-1, -1};

	*trial = (struct event_trial){.health = OBS_UNSUPPORTED};
	world.machine = true;
	if (!event_by_name(name, &world, &code, status) || (fd[0] = trial_open(&code, &world, status)) < 0)
		return;
	if (code.kind == EVENT_HARDWARE)
		fd[1] = trial_open(&code, &world, &none);
	room = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < 2; i++)
		if (fd[i] >= 0)
			perf_enable(fd[i], true);
	if (room != MAP_FAILED)
		work(room);
	if (perf_read(fd[0], &trial->reading)) {
		trial->health = perf_health(&code, &trial->reading, OBS_LIVE);
		trial->second_is_blind = fd[1] >= 0 && trial->reading.value && perf_read(fd[1], &second) &&
			second.running_ns && second.running_ns == second.enabled_ns && !second.value;
	} else {
		trial->health = OBS_DEAD; /* pinned, and without a counter */
	}
	if (room != MAP_FAILED)
		munmap(room, PAGES * PAGE);
	for (size_t i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}
