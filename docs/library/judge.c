/* judge MODEL DATA: prints the verdict on each observation, and the constraint that it violates most. The exit status
 * is 1 if one refutes the model.
 * cc judge.c $(pkg-config --cflags --libs hecate) */
#include <stdio.h>

#include <hecate/verdict.h>

int
main(int argc, char **argv)
{
	char *message = NULL;
	struct hecate_model *model = argc == 3 ? hecate_model_load(argv[1], &message) : NULL;
	struct hecate_data *data = model ? hecate_data_load(argv[2], false, &message) : NULL;
	struct hecate_verdicts *verdicts = data ? hecate_check(model, NULL, data, 0.99, &message) : NULL;
	int status = verdicts ? 0 : 2;

	for (size_t i = 0; verdicts && i < hecate_verdicts_observations(verdicts); i++) {
		enum hecate_verdict kind = hecate_verdicts_kind(verdicts, i);

		printf("%s %s", hecate_verdicts_name(verdicts, i), hecate_verdicts_word(kind));
		if (hecate_verdicts_violations(verdicts, i))
			printf(" not %s", hecate_verdicts_violation(verdicts, i, 0));
		putchar('\n');
		if (kind == HECATE_INFEASIBLE)
			status = 1;
	}
	if (!verdicts)
		fprintf(stderr, "%s\n", message ? message : "usage: judge MODEL DATA");
	hecate_free(message);
	hecate_verdicts_free(verdicts);
	hecate_data_free(data);
	hecate_model_free(model);
	return status;
}
