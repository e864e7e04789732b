#include "collect/workload/code_place.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

struct mapping {
	uint64_t start, end, offset;
	char path[512]; /* "": none */
};

static bool
find_mapping(pid_t pid, uint64_t address, struct mapping *mapping)
{
	char path[64], *line = NULL;
	size_t cap = 0;
	bool found = false;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &cap, f) > 0) {
		int at = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &mapping->start, &mapping->end,
			    &mapping->offset, &at) < 3)
			continue;
		line[strcspn(line, "\n")] = '\0';
		found = address >= mapping->start && address < mapping->end;
		if (found)
			snprintf(mapping->path, sizeof mapping->path, "%s", at ? line + at : "");
	}
	free(line);
	if (f)
		fclose(f);
	return found;
}

/* A file in memory. Its headers may say anything. */
struct image {
	const unsigned char *at;
	size_t size;
};

/* n × size bytes at an offset; NULL: not in the file. */
static const void *
part(const struct image *m, uint64_t offset, uint64_t n, uint64_t size)
{
	if (offset > m->size || (size && n > (m->size - offset) / size))
		return NULL;
	return m->at + offset;
}

/* The address, as linked, of an offset in the file; false if no segment is loaded from there. */
static bool
linked_address(const struct image *image, const Elf64_Ehdr *h, uint64_t offset, uint64_t *address)
{
	for (unsigned i = 0; i < h->e_phnum; i++) {
		const unsigned char *at = part(image, h->e_phoff, (uint64_t)i + 1, sizeof(Elf64_Phdr));
		Elf64_Phdr p;

		if (!at)
			return false;
		memcpy(&p, at + i * sizeof p, sizeof p);
		if (p.p_type == PT_LOAD && offset >= p.p_offset && offset - p.p_offset < p.p_filesz) {
			*address = p.p_vaddr + (offset - p.p_offset);
			return true;
		}
	}
	return false;
}

struct symbol {
	char name[128];
	uint64_t at;
};

/* Looks in one table for the function that contains the address, or the last one before it without a size. */
static bool
search_table(const struct image *image, const Elf64_Shdr *table, const Elf64_Shdr *names, uint64_t address,
	struct symbol *best)
{
	uint64_t n = table->sh_size / sizeof(Elf64_Sym);
	const unsigned char *at = part(image, table->sh_offset, n, sizeof(Elf64_Sym));
	const char *text = part(image, names->sh_offset, names->sh_size, 1);
	bool found = false;

	for (uint64_t i = 0; at && text && i < n; i++) {
		Elf64_Sym s;
		unsigned type;

		memcpy(&s, at + i * sizeof s, sizeof s);
		type = ELF64_ST_TYPE(s.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE) || s.st_shndx == SHN_UNDEF ||
			s.st_shndx == SHN_ABS || s.st_value > address || s.st_name >= names->sh_size ||
			(s.st_size && address - s.st_value >= s.st_size) || (found && s.st_value <= best->at))
			continue;
		if (!text[s.st_name] || !memchr(text + s.st_name, '\0', names->sh_size - s.st_name))
			continue;
		snprintf(best->name, sizeof best->name, "%s", text + s.st_name);
		best->at = s.st_value;
		found = true;
	}
	return found;
}

static bool
search_image(const struct image *image, uint64_t offset, uint64_t *address, struct symbol *best)
{
	static const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
	const unsigned char *sections;
	Elf64_Ehdr h;

	if (image->size < sizeof h)
		return false;
	memcpy(&h, image->at, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
		!linked_address(image, &h, offset, address))
		return false;
	sections = part(image, h.e_shoff, h.e_shnum, sizeof(Elf64_Shdr));
	for (size_t k = 0; sections && k < sizeof kinds / sizeof *kinds; k++)
		for (unsigned i = 0; i < h.e_shnum; i++) {
			Elf64_Shdr table, names;

			memcpy(&table, sections + i * sizeof table, sizeof table);
			if (table.sh_type != kinds[k] || table.sh_link >= h.e_shnum)
				continue;
			memcpy(&names, sections + table.sh_link * sizeof names, sizeof names);
			if (search_table(image, &table, &names, *address, best))
				return true;
		}
	return false;
}

/* Finds the symbol of an offset in a file. */
static bool
find_symbol(const char *path, uint64_t offset, uint64_t *address, struct symbol *best)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	bool found = false;
	void *p = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return false;
	found = search_image(&(struct image){p, (size_t)st.st_size}, offset, address, best);
	munmap(p, (size_t)st.st_size);
	return found;
}

void
code_place(pid_t pid, uint64_t address, struct str *out)
{
	struct mapping m = {.path = ""};
	struct symbol s = {.name = ""};
	uint64_t linked = 0;
	const char *name;

	if (!find_mapping(pid, address, &m))
		return;
	name = strrchr(m.path, '/');
	name = name ? name + 1 : *m.path ? m.path : "[anonymous]";
	if (m.path[0] == '/' && find_symbol(m.path, address - m.start + m.offset, &linked, &s))
		str_addf(out, "%s+0x%" PRIx64 " (%s)", s.name, linked - s.at, name);
	else
		str_addf(out, "%s+0x%" PRIx64, name, address - m.start + m.offset);
}
