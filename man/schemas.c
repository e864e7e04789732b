/* schemas: prints the JSON Schema of the document that `hecate check --json` writes. */
#include <stdio.h>

#include "base/json.h"
#include "base/str.h"
#include "cli/print/print.h"
#include "shape/shape.h"

int
main(void)
{
	struct str out = {0};
	struct json_writer w = {.out = &out};

	shape_schema(&w, NULL, &print_check_shape, "hecate.check/1");
	fwrite(str_text(&out), 1, out.n, stdout);
	str_free(&out);
	return fflush(stdout) || ferror(stdout);
}
