/* Places of addresses: symbols of this program, mappings without one, and files whose headers lie. */
#include "collect/workload/code_place.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "test.h"

static char *
place(const void *at)
{
	struct str s = {0};

	code_place(getpid(), (uint64_t)(uintptr_t)at, &s);
	return str_take(&s);
}

static void
mappings_without_a_symbol(void)
{
	/* Between pages that cannot be used, so that the kernel does not join it to a neighbour. */
	char *all = mmap(NULL, 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at = all + 4096, *got;

	CHECK_INT(mprotect(at, 8192, PROT_READ | PROT_WRITE), 0);
	got = place(at + 18);
	CHECK_STR(got, "[anonymous]+0x12");
	free(got);
	munmap(at + 4096, 8192);
	got = place(at + 4096);
	CHECK(!strstr(got, "+0x12"));
	free(got);
	got = place(NULL);
	CHECK_STR(got, "");
	free(got);
	munmap(all, 8192);
}

/* An ELF file with one segment of 4 KB from its beginning, linked at 0x10000, and symbols: first (0x10100, 16 bytes),
 * second (0x10200, no size), far (0x20000). */
struct made {
	Elf64_Ehdr h;
	Elf64_Phdr p;
	Elf64_Shdr s[3];
	Elf64_Sym y[4];
	char names[32];
	char rest[4096];
};

static struct made
make_file(void)
{
	static const char names[] = "\0first\0second\0far";
	struct made m = {
		.h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64}, .e_phnum = 1, .e_shnum = 3,
			.e_phoff = offsetof(struct made, p), .e_shoff = offsetof(struct made, s)},
		.p = {.p_type = PT_LOAD, .p_vaddr = 0x10000, .p_filesz = 4096},
		.s = {{0}, {.sh_type = SHT_SYMTAB, .sh_link = 2, .sh_offset = offsetof(struct made, y),
			.sh_size = sizeof m.y}, {.sh_type = SHT_STRTAB, .sh_offset = offsetof(struct made, names),
			.sh_size = sizeof names}},
		.y = {{0}, {.st_name = 1, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x10100, .st_size = 16},
			{.st_name = 7, .st_info = STT_NOTYPE, .st_shndx = 1, .st_value = 0x10200},
			{.st_name = 14, .st_info = STT_FUNC, .st_shndx = 1, .st_value = 0x20000}},
	};

	memcpy(m.names, names, sizeof names);
	return m;
}

/* The place of an offset in a file of this content, without the folder. */
static char *
place_in(const char *path, const struct made *m, size_t size, size_t offset)
{
	FILE *f = fopen(path, "w");
	char *at, *got;

	if (!f || fwrite(m, 1, size, f) != size || fclose(f) != 0)
		exit(1);
	f = fopen(path, "r");
	at = f ? mmap(NULL, sizeof *m, PROT_READ, MAP_PRIVATE, fileno(f), 0) : MAP_FAILED;
	if (at == MAP_FAILED)
		exit(1);
	fclose(f);
	got = place(at + offset);
	munmap(at, sizeof *m);
	return got;
}

static void
symbols_contain_the_address(void)
{
	static const struct { size_t offset; const char *want; } row[] = {
		{0x100, "first+0x0 (made)"}, {0x10f, "first+0xf (made)"}, {0x110, "made+0x110"}, {0xff, "made+0xff"},
		{0x200, "second+0x0 (made)"}, {0x345, "second+0x145 (made)"}, {0x1000, "made+0x1000"},
	};
	char folder[] = "/tmp/hecate-place-XXXXXX";
	char *path = str_format("%s/made", mkdtemp(folder));
	const struct made m = make_file();

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *got = place_in(path, &m, sizeof m, row[i].offset);

		test_label("offset %zx", row[i].offset);
		CHECK_STR(got, row[i].want);
		free(got);
	}
	unlink(path);
	rmdir(folder);
	free(path);
}

/* Whatever the headers say, there is a place and no crash. */
static void
headers_that_lie(void)
{
	static const unsigned char bytes[] = {0, 1, 2, 0x7f, 0x80, 0xff};
	char folder[] = "/tmp/hecate-place-XXXXXX";
	char *path = str_format("%s/made", mkdtemp(folder));
	uint64_t seed = 1;

	for (unsigned i = 0; i < test_rounds(1000, 20000); i++) {
		struct made m = make_file();
		size_t size = i % 5 ? sizeof m : test_random(&seed) % sizeof m + 1;
		char *got;

		for (unsigned k = 0; k < 1 + i % 4; k++) {
			size_t at = test_random(&seed) % offsetof(struct made, rest);

			memcpy((char *)&m + at, &bytes[test_random(&seed) % sizeof bytes], 1);
		}
		got = place_in(path, &m, size, 0x100);
		test_label("round %u", i);
		CHECK(strstr(got, "+0x") != NULL && strstr(got, "made"));
		free(got);
	}
	unlink(path);
	rmdir(folder);
	free(path);
}

TEST_MAIN(CASE(mappings_without_a_symbol), CASE(symbols_contain_the_address), CASE(headers_that_lie))
