#include "draw/svg.h"

#include <math.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/xml.h"
#include "draw/theme.h"

unsigned
svg_color(const struct theme *theme, enum role role)
{
	return (unsigned)theme->role[role].rgb;
}

void
svg_begin(struct str *out, double w, double h, const struct theme *theme, const char *title)
{
	str_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		"role=\"img\">\n<title>",
		w, h, w, h);
	xml_add(out, title);
	str_addf(out, "</title>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#%06x\"/>\n", w, h,
		svg_color(theme, ROLE_BACKGROUND));
}

void
svg_end(struct str *out)
{
	str_add(out, "</svg>\n");
}

void
svg_text(struct str *out, double x, double y, unsigned color, const char *more, const char *text)
{
	str_addf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#%06x\"%s>", x, y, color, more);
	xml_add(out, text);
	str_add(out, "</text>\n");
}

void
svg_dot(struct str *out, double x, double y, double radius, unsigned color)
{
	str_addf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#%06x\"/>\n", x, y, radius, color);
}

double
svg_step(double span, int most)
{
	double rough = span / most, ten = pow(10, floor(log10(rough)));

	return ten * (rough <= ten ? 1 : rough <= 2 * ten ? 2 : rough <= 5 * ten ? 5 : 10);
}

char *
svg_fit(const char *text, size_t columns)
{
	if (utf8_width(text) <= columns)
		return mem_str(text);
	return str_format("%.*s…", (int)utf8_fit(text, columns - 1), text);
}
