/* Mouse reports in both encodings (xterm's SGR and the older three bytes): what terminals send, and what none would.
 * Each row's meaning is from xterm's documentation of control sequences. */
#include "ui/mouse_report.h"

#include <stddef.h>

#include "test.h"

static void
sgr_reports(void)
{
	static const struct { const char *text; bool good; enum mouse_what what; int x, y; } row[] = {
		{"0;1;1M", true, REPORT_LEFT, 0, 0},          {"0;1;1m", true, REPORT_RELEASE, 0, 0},
		{"0;500;300M", true, REPORT_LEFT, 499, 299},  {"16;3;4M", true, REPORT_LEFT, 2, 3},
		{"1;3;4M", true, REPORT_OTHER, 2, 3},         {"1;3;4m", true, REPORT_OTHER, 2, 3},
		{"33;3;4M", true, REPORT_OTHER, 2, 3},        {"2;3;4M", true, REPORT_OTHER, 2, 3},
		{"32;3;4M", true, REPORT_DRAG, 2, 3},         {"35;3;4M", true, REPORT_OTHER, 2, 3},
		{"64;3;4M", true, REPORT_WHEEL_UP, 2, 3},     {"65;3;4M", true, REPORT_WHEEL_DOWN, 2, 3},
		{"68;3;4M", true, REPORT_WHEEL_UP, 2, 3},     {"66;3;4M", true, REPORT_OTHER, 2, 3},
		{"128;3;4M", true, REPORT_OTHER, 2, 3},       {"", false, 0, 0, 0},
		{"0;1M", false, 0, 0, 0},                     {"0;1;M", false, 0, 0, 0},
		{"0;0;1M", false, 0, 0, 0},                   {"0;1;0M", false, 0, 0, 0},
		{"0;1;1", false, 0, 0, 0},                    {"0;1;1X", false, 0, 0, 0},
		{"0;1;1Mx", false, 0, 0, 0},                  {"-1;1;1M", false, 0, 0, 0},
		{"0;1;99999999999999999999M", false, 0, 0, 0}, {";;M", false, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct mouse_report m = {0};
		bool good = mouse_report_sgr(row[i].text, &m);

		test_label("%s", row[i].text);
		if (!CHECK_INT(good, row[i].good) || !good)
			continue;
		CHECK_INT(m.what, row[i].what);
		CHECK_INT(m.x, row[i].x);
		CHECK_INT(m.y, row[i].y);
	}
}

static void
x10_reports(void)
{
	static const struct { unsigned char byte[3]; bool good; enum mouse_what what; int x, y; } row[] = {
		{{32, 33, 33}, true, REPORT_LEFT, 0, 0},       {{35, 33, 33}, true, REPORT_RELEASE, 0, 0},
		{{32, 255, 200}, true, REPORT_LEFT, 222, 167}, {{96, 40, 41}, true, REPORT_WHEEL_UP, 7, 8},
		{{97, 40, 41}, true, REPORT_WHEEL_DOWN, 7, 8}, {{64, 40, 41}, true, REPORT_DRAG, 7, 8},
		{{31, 33, 33}, false, 0, 0, 0},                {{32, 32, 33}, false, 0, 0, 0},
		{{32, 33, 0}, false, 0, 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct mouse_report m = {0};
		bool good = mouse_report_x10(row[i].byte, &m);

		test_label("row %zu", i);
		if (!CHECK_INT(good, row[i].good) || !good)
			continue;
		CHECK_INT(m.what, row[i].what);
		CHECK_INT(m.x, row[i].x);
		CHECK_INT(m.y, row[i].y);
	}
}

TEST_MAIN(CASE(sgr_reports), CASE(x10_reports))
