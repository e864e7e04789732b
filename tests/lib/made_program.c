#include "made_program.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "test.h"

static int
run(const char *command)
{
	return system(command); // NOLINT: the text is the test's own
}

bool
made_program(const char *folder, const char *name, const char *text)
{
	char *source = str_format("%s/%s.S", folder, name), *command;
	FILE *f;
	int status;

#ifndef __x86_64__
	test_skip("single steps are counted on x86-64 only");
	return false;
#endif
	if (run("command -v cc >/dev/null 2>&1") != 0) {
		test_skip("no C compiler is installed");
		free(source);
		return false;
	}
	f = fopen(source, "w");
	if (!CHECK(f != NULL))
		return false;
	fputs(text, f);
	fclose(f);
	command = str_format("cc -nostdlib -static -no-pie -o '%s/%s' '%s'", folder, name, source);
	status = run(command);
	free(command);
	free(source);
	return CHECK_INT(status, 0);
}

char *
made_folder(void)
{
	char *name = mem_str("/tmp/hecate-made-XXXXXX");

	CHECK(mkdtemp(name) != NULL);
	return name;
}

void
made_folder_remove(char *folder)
{
	char *command = str_format("rm -rf '%s'", folder);

	CHECK_INT(run(command), 0);
	free(command);
	free(folder);
}

char *
made_strings(unsigned loop, unsigned bytes)
{
	return str_format("\t.globl _start\n_start:\n\tmov $%u, %%ecx\n1:\tdec %%ecx\n\tjnz 1b\n"
		"\tlea from(%%rip), %%rsi\n\tlea to(%%rip), %%rdi\n\tmov $%u, %%ecx\n\trep movsb\n"
		"\txor %%ecx, %%ecx\n\trep stosb\n"
		"\tlea text(%%rip), %%rdi\n\tmov $1, %%al\n\tmov $100, %%ecx\n\trepne scasb\n"
		"\tjmp 2f\n2:\tcall 3f\n\txor %%edi, %%edi\n" MADE_EXIT "3:\tret\n"
		"\t.data\ntext:\t.zero 9\n\t.byte 1\n\t.zero 90\n\t.bss\nfrom:\t.zero 65536\nto:\t.zero 65536\n",
		loop, bytes);
}
