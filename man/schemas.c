/* Prints the JSON Schema of a document that the program writes:
 *
 *     schemas check > check.json */
#include <stdio.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/print/print_sweep.h"

#include "documents.h"

static const struct {
	const char *name;
	const struct shape *shape;
} document[] = {
	{"constraints", &document_constraints}, {"paths", &document_paths}, {"check", &document_check},
	{"sweep", &print_sweep_shape},
	{"search", &document_search}, {"compare", &document_compare}, {"order", &document_order},
	{"locate", &document_locate}, {"stack", &document_stack}, {"instructions", &document_instructions},
	{"export", &document_export}, {"import", &document_import}, {"net", &document_net},
	{"reveal", &document_reveal}, {"sim", &document_sim}, {"intervals", &document_intervals},
	{"determinism", &document_determinism}, {"overflow", &document_overflow}, {"probe", &document_probe},
	{"probes", &document_probes}, {"slices", &document_slices},
	{"phases", &document_phases}, {"metrics", &document_metrics}, {"calibration", &document_calibration},
	{"events", &document_events},
	{"diff", &document_diff}, {"laws", &document_laws}, {"fit", &document_fit},
	{"doctor", &document_doctor}, {"grade", &document_grade},
	{"rob_compression", &document_rob_compression}, {"trust", &document_trust},
};

static void
print_schema(const char *name, const struct shape *shape)
{
	struct str out = {0}, title = {0};
	struct json_writer w = {.out = &out};

	str_addf(&title, "hecate.%s/1", name);
	shape_schema(&w, shape, str_text(&title));
	fwrite(str_text(&out), 1, out.n, stdout);
	str_free(&title);
	str_free(&out);
}

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof document / sizeof *document; i++)
		if (str_eq(document[i].name, argv[1])) {
			print_schema(document[i].name, document[i].shape);
			return fflush(stdout) || ferror(stdout);
		}
	fprintf(stderr, "usage: schemas DOCUMENT\n");
	return 2;
}
