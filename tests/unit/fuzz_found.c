/* What libFuzzer found once (tests/fuzz/found/TARGET/), and the inputs that are made for it: they do no harm. A rule
 * that is broken ends the program. */
#include <stdlib.h>

#include "../fuzz/targets.h"
#include "base/str.h"
#include "models.h"
#include "test.h"

static void
what_was_found_does_no_harm(void)
{
	size_t files = 0;

	for (size_t i = 0; i < n_fuzz_targets; i++) {
		char *folder = str_format("fuzz/found/%s", fuzz_targets[i].name);
		size_t n = 0;
		char **name = names_list(folder, "", &n);

		for (size_t k = 0; k < n; k++) {
			char *path = str_format("%s/%s", folder, name[k]), *text;
			unsigned long size;

			test_label("%s", path);
			text = *name[k] == '.' ? NULL : test_read(path, &size);
			if (text) {
				fuzz_targets[i].run(text, size);
				files++;
			}
			free(text);
			free(path);
		}
		names_list_free(name);
		free(folder);
	}
	CHECK(files > 0);
}

static void
made_inputs_do_no_harm(void)
{
	size_t inputs = 0;

	for (size_t i = 0; i < n_fuzz_targets; i++) {
		size_t n = 0;
		char *text;

		test_label("%s", fuzz_targets[i].name);
		for (size_t k = 0; fuzz_targets[i].seed && (text = fuzz_targets[i].seed(k, &n)); k++) {
			fuzz_targets[i].run(text, n);
			free(text);
			inputs++;
		}
		fuzz_targets[i].run("", 0);
	}
	CHECK(inputs > 80);
}

TEST_MAIN(CASE(what_was_found_does_no_harm), CASE(made_inputs_do_no_harm))
