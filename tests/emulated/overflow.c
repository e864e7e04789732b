#include "overflow.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "exercise.h"
#include "test.h"

#define PAGES 64

/* Counts the records of the ring that are samples. */
static uint64_t
count_samples(const struct perf_event_mmap_page *ring)
{
	const char *data = (const char *)ring + EXERCISE_PAGE;
	uint64_t n = 0;

	for (uint64_t at = 0; at < ring->data_head;) {
		struct perf_event_header h;

		memcpy(&h, data + at, sizeof h); /* records of one period fill the ring evenly, and it is not full */
		n += h.type == PERF_RECORD_SAMPLE;
		at += h.size;
	}
	return n;
}

void
overflow_report(uint64_t period, uint64_t n)
{
	struct perf_event_attr a = {.type = PERF_TYPE_HARDWARE, .size = sizeof a,
		.config = PERF_COUNT_HW_INSTRUCTIONS, .sample_period = period, .sample_type = PERF_SAMPLE_IP,
		.disabled = 1, .exclude_kernel = 1, .exclude_hv = 1};
	int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
	void *ring;
	uint64_t got;

	if (fd < 0) {
		printf("# overflows: refused: %s\n", strerror(errno));
		return;
	}
	ring = mmap(NULL, (PAGES + 1) * EXERCISE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (CHECK(ring != MAP_FAILED)) {
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		exercise_loop(n);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		got = count_samples(ring);
		printf("# overflows: %llu arrived of %llu\n", (unsigned long long)got,
			(unsigned long long)(2 * n / period));
		munmap(ring, (PAGES + 1) * EXERCISE_PAGE);
	}
	close(fd);
}
