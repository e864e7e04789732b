/* libFuzzer's entry. The target is the last part of the program's name, so a link of another name is another target:
 * fuzz-udd. With HECATE_FUZZ_SEEDS=FOLDER it writes the made inputs of its target there and ends; called as `fuzz` it
 * lists the targets with the patterns of their seeds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "targets.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

static void
write_seeds(const char *folder)
{
	size_t n = 0;
	char *bytes;

	for (size_t i = 0; target->seed && (bytes = target->seed(i, &n)); i++) {
		char *path = str_format("%s/made-%zu", folder, i);
		FILE *f = fopen(path, "w");

		if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
			fprintf(stderr, "cannot write %s\n", path);
			exit(2);
		}
		free(path);
		free(bytes);
	}
	exit(0);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *dash = strrchr((*argv)[0], '/'), *seeds = getenv("HECATE_FUZZ_SEEDS");
	const char *name = dash ? dash + 1 : (*argv)[0];

	(void)argc;
	name = strncmp(name, "fuzz-", 5) == 0 ? name + 5 : NULL;
	for (size_t i = 0; i < n_fuzz_targets; i++)
		if (!name)
			printf("%s %zu %s\n", fuzz_targets[i].name, fuzz_targets[i].longest, fuzz_targets[i].seeds);
		else if (str_eq(fuzz_targets[i].name, name))
			target = &fuzz_targets[i];
	if (!target)
		exit(name ? 2 : 0);
	if (seeds)
		write_seeds(seeds);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = mem_strn((const char *)data, size);

	target->run(copy, size);
	free(copy);
	return 0;
}
