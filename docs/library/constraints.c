/* constraints MODEL [FEATURES]: prints what a model implies: every constraint of its cone.
 * cc constraints.c $(pkg-config --cflags --libs hecate) */
#include <stdio.h>

#include <hecate/cone.h>

int
main(int argc, char **argv)
{
	char *message = NULL;
	struct hecate_model *model = hecate_model_load(argc > 1 ? argv[1] : "linux-page-faults", &message);
	struct hecate_choice choice = {.plus = argc > 2 ? argv[2] : NULL};
	struct hecate_cone *cone = model ? hecate_cone_new(model, &choice, 0, &message) : NULL;

	for (size_t i = 0; cone && i < hecate_cone_constraints(cone); i++) {
		char *text = hecate_cone_text(cone, i);

		puts(text);
		hecate_free(text);
	}
	if (!cone)
		fprintf(stderr, "%s\n", message);
	hecate_free(message);
	hecate_cone_free(cone);
	hecate_model_free(model);
	return cone ? 0 : 2;
}
