/* A calibration, as text and as JSON (docs/json.md). */
#ifndef CLI_PRINT_PRINT_CALIBRATE_H
#define CLI_PRINT_PRINT_CALIBRATE_H

struct calibration;
struct json_writer;
struct options;
struct staged;
struct str;

/* Names of the two machines, as they were given. */
struct calibration_names {
	const char *a, *truth;
};

void print_calibration(
	const struct options *, const struct calibration_names *, const struct calibration *, struct str *out);
/* Opens the document. The caller adds further members and closes it. */
void print_calibration_json(const struct calibration_names *, const struct calibration *, struct json_writer *);

/* Programs in stages. `gain`: the feature whose gain is compared, or NULL. */
void print_calibrated_programs(const struct options *, const struct staged *, const struct calibration *,
	const char *gain, struct str *out);
void print_calibrated_programs_json(const struct staged *, const char *gain, struct json_writer *);

#endif
