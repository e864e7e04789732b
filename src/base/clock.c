#include "base/clock.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

uint64_t
clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

double
clock_seconds(void)
{
	return (double)clock_ns() * 1e-9;
}

double
clock_thread_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double
clock_process_seconds(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
		(double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

double
clock_process_memory(void)
{
	char text[128] = "";
	unsigned long all, resident, shared;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= 0 || sscanf(text, "%lu %lu %lu", &all, &resident, &shared) != 3 || shared > resident)
		return NAN;
	return (double)(resident - shared) * (double)sysconf(_SC_PAGESIZE);
}
