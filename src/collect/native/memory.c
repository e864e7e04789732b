#include "collect/native/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/random.h"

#define HUGE_PAGE ((size_t)2 << 20)

static size_t
rounded(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* --- Code -------------------------------------------------------------------------------------------------------- */

static bool
no_memory(const char *what, size_t size, struct err *e)
{
	err_set(e, "no memory for the %s of a probe: %zu MiB: %s", what, (size >> 20) + 1, strerror(errno));
	return err_hint(e, "give the process more (ulimit -v), or name a probe that needs less");
}

static bool
refuse_code(int error, struct err *e)
{
	err_set(e, "this system refuses machine code that is made at run time: mprotect: %s", strerror(error));
	return err_hint(e, "SELinux (deny_execmem), a filter of a container (seccomp) or MemoryDenyWriteExecute= of "
		"systemd forbids it: allow it, or run probes on a simulated machine, as with --on sim:core");
}

bool
native_map_code(struct native_map *map, const unsigned char *byte, size_t n, struct err *e)
{
	size_t size = rounded(n, NATIVE_PAGE);
	void *code = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*map = (struct native_map){0};
	if (code == MAP_FAILED)
		return no_memory("code", size, e);
	memcpy(code, byte, n);
	if (mprotect(code, size, PROT_READ | PROT_EXEC) != 0) {
		refuse_code(errno, e);
		munmap(code, size);
		return false;
	}
	*map = (struct native_map){.at = code, .size = size};
	return true;
}

void
native_unmap(struct native_map *m)
{
	if (m->at)
		munmap(m->at, m->size);
	*m = (struct native_map){0};
}

native_function *
native_map_function(const struct native_map *m, size_t begin)
{
	union {
		unsigned char *at;
		native_function *f;
	} u = {.at = (unsigned char *)m->at + begin};

	return u.f;
}

/* --- Data -------------------------------------------------------------------------------------------------------- */

/* Bytes of huge pages in the mapping that begins at `at`, as /proc/self/smaps has them. */
static size_t
huge_bytes(const void *at)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char row[512];
	unsigned long long begin = 0, end = 0, kib;
	size_t bytes = 0;

	while (f && fgets(row, sizeof row, f)) {
		unsigned long long a, b;

		if (sscanf(row, "%llx-%llx ", &a, &b) == 2)
			begin = a, end = b;
		if ((uintptr_t)at >= begin && (uintptr_t)at < end && sscanf(row, "AnonHugePages: %llu kB", &kib) == 1)
			bytes = (size_t)kib << 10;
	}
	if (f)
		fclose(f);
	return bytes;
}

/* An aligned mapping: the parts before and after it are given back. */
static unsigned char *
map_aligned(size_t n)
{
	unsigned char *p = mmap(NULL, n + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t before, after;

	if (p == MAP_FAILED)
		return NULL;
	before = rounded((uintptr_t)p, HUGE_PAGE) - (uintptr_t)p;
	after = HUGE_PAGE - before;
	if (before)
		munmap(p, before);
	if (after)
		munmap(p + before + n, after);
	return p + before;
}

/* Writes each page once, in random order: so neighbours are not neighbours in physical memory, and a core that joins
 * the translations of neighbours (Zen: four pages) finds none. */
static void
touch_pages(unsigned char *p, size_t n)
{
	size_t pages = n / NATIVE_PAGE;
	uint32_t *order = mem_new_array(pages, sizeof *order);
	uint64_t seed = 1;

	for (size_t i = 0; i < pages; i++) {
		size_t k = random_below(&seed, i + 1);

		order[i] = order[k];
		order[k] = (uint32_t)i;
	}
	for (size_t i = 0; i < pages; i++)
		p[order[i] * (size_t)NATIVE_PAGE] = 1;
	free(order);
}

bool
native_map_data(struct native_map *map, size_t n, enum native_pages kind, struct err *e)
{
	size_t size = rounded(n, HUGE_PAGE);
	unsigned char *p = map_aligned(size);

	*map = (struct native_map){0};
	if (!p)
		return no_memory("data", size, e);
	madvise(p, size, kind == NATIVE_HUGE ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	touch_pages(p, size);
	*map = (struct native_map){.at = p, .size = size, .huge = huge_bytes(p) >= size};
	return true;
}

/* --- Chains ------------------------------------------------------------------------------------------------------ */

static void
memory_shuffle(void **line, size_t n, uint64_t seed)
{
	for (size_t i = n; i-- > 1;) {
		size_t k = random_below(&seed, i + 1);
		void *other = line[k];

		line[k] = line[i];
		line[i] = other;
	}
}

void
native_chain_make(struct native_chain *chain, void *at, size_t n, size_t stride, bool spread, bool sequential,
	uint64_t seed)
{
	unsigned char *byte = at;
	size_t lines = stride / NATIVE_LINE;

	chain->line = mem_resize(chain->line, n, sizeof *chain->line);
	chain->n = n;
	for (size_t i = 0; i < n; i++)
		chain->line[i] = byte + i * stride + (spread && lines ? i % lines * NATIVE_LINE : 0);
	if (!sequential)
		memory_shuffle(chain->line, n, seed);
	native_chain_link(chain);
}

void
native_chain_link(const struct native_chain *c)
{
	for (size_t i = 0; i < c->n; i++)
		*(void **)c->line[i] = c->line[i + 1 < c->n ? i + 1 : 0];
}

void
native_chain_free(struct native_chain *c)
{
	free(c->line);
	*c = (struct native_chain){0};
}

void
native_chain_flush(const struct native_chain *c, size_t first, size_t n)
{
#ifdef __x86_64__
	for (size_t i = 0; i < n && i < c->n; i++)
		__builtin_ia32_clflush(c->line[(first + i) % c->n]);
	__builtin_ia32_mfence();
#else
	(void)c, (void)first, (void)n;
#endif
}
