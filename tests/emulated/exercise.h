/* Work with known counts, for programs on an emulated machine and for the tests there that count themselves. */
#ifndef EMULATED_EXERCISE_H
#define EMULATED_EXERCISE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXERCISE_PAGE 4096

/* Executes exactly two instructions a round, n ≥ 1 rounds, without memory. */
static inline void
exercise_loop(uint64_t n)
{
#ifdef __aarch64__
	__asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(n) : : "cc");
#else
	__asm__ volatile("1: addi %0, %0, -1\n bnez %0, 1b" : "+r"(n));
#endif
}

/* Maps pages that are touched for the first time later. */
static inline char *
exercise_pages(size_t pages)
{
	void *at = mmap(NULL, pages * EXERCISE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	return at;
}

static inline void
exercise_read(const volatile char *at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		(void)at[i * EXERCISE_PAGE];
}

static inline void
exercise_write(volatile char *at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		at[i * EXERCISE_PAGE] = 1;
}

#endif
