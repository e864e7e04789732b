/* account STACK COUNTER=VALUE…: prints the parts of a stack for given counts, and their shares.
 * cc account.c $(pkg-config --cflags --libs hecate) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hecate/stack.h>

static double
count_of(const char *counter, int n, char **given)
{
	size_t length = strlen(counter);

	for (int i = 0; i < n; i++)
		if (strncmp(given[i], counter, length) == 0 && given[i][length] == '=')
			return atof(given[i] + length + 1);
	return NAN;
}

int
main(int argc, char **argv)
{
	char *message = NULL;
	struct hecate_stack *stack = argc > 1 ? hecate_stack_load(argv[1], &message) : NULL;
	struct hecate_account *account;
	double *count;

	if (!stack) {
		fprintf(stderr, "%s\n", message ? message : "usage: account STACK COUNTER=VALUE...");
		hecate_free(message);
		return 2;
	}
	count = calloc(hecate_stack_counters(stack), sizeof *count);
	for (size_t i = 0; i < hecate_stack_counters(stack); i++)
		count[i] = count_of(hecate_stack_counter(stack, i), argc - 2, argv + 2);
	account = hecate_account_new(stack, count);
	printf("whole %.17g\n", hecate_account_value(account, HECATE_WHOLE));
	for (size_t i = 0; i < hecate_stack_parts(stack); i++)
		printf("%s %.17g %.17g\n", hecate_stack_part(stack, i), hecate_account_value(account, i),
			hecate_account_share(account, i));
	hecate_account_free(account);
	hecate_stack_free(stack);
	free(count);
	return 0;
}
