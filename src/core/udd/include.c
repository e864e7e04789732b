/* Loads files through the caller's loader, and refuses cycles, too many files, and too large ones. */
#include "core/udd/include.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/udd/parser.h"

static void
free_file(struct udd_file *f)
{
	free(f->name);
	free(f->text);
	*f = (struct udd_file){0};
}

void
include_text(struct parser *parser, struct udd_file *file, const char *shown)
{
	const struct lexer outer = parser->x;
	uint32_t outer_file = parser->file, i = (uint32_t)parser->ast->n_files++;

	parser->includes->file[i].dev = file->dev;
	parser->includes->file[i].ino = file->ino;
	parser->includes->file[i].open = true;
	parser->includes->bytes += file->n;
	source_init(&parser->ast->file[i], file->name ? file->name : mem_str(shown), file->text, file->n);
	parser->file = i;
	lex_begin(&parser->x, &parser->ast->file[i], parser->diags);
	parse_items(parser);
	parser->includes->file[i].open = false;
	parser->x = outer;
	parser->file = outer_file;
}

bool
include_first(struct parser *parser, const char *path)
{
	struct udd_file f = {0};
	struct err e = {0};
	struct str text = {0};

	if (parser->loader->load(parser->loader->ctx, NULL, path, &f, &e)) {
		if (f.n <= UDD_FILE_MAX) {
			include_text(parser, &f, path);
			return true;
		}
		free_file(&f);
		err_set(&e, "%s is larger than %zu MB", path, UDD_FILE_MAX >> 20);
	}
	err_text(&e, &text);
	diag_add(parser->diags, DIAG_ERROR, NULL, NULL, "%s", str_text(&text));
	str_free(&text);
	return false;
}

/* NULL if the file may be read, "" if it was read earlier, else the reason. */
static const char *
include_refuse(struct parser *p, const struct udd_file *f)
{
	for (size_t i = 0; i < p->ast->n_files; i++)
		if (p->includes->file[i].dev == f->dev && p->includes->file[i].ino == f->ino)
			return p->includes->file[i].open ? "the file includes itself, directly or through others" : "";
	if (p->ast->n_files == UDD_FILES_MAX)
		return "more than 1000 files in one model";
	if (f->n > UDD_FILE_MAX)
		return "the file is larger than 16 MB";
	return p->includes->bytes + f->n > UDD_TEXT_MAX ? "the files of this model are larger than 64 MB together"
							: NULL;
}

uint32_t
include_file(struct parser *parser, const struct udd_word *path)
{
	struct place at = udd_place(parser->ast, parser->file, path->at, path->len);
	struct udd_file f = {0};
	struct err e = {0};
	struct str text = {0};
	const char *why;

	if (parser->includes->depth == UDD_INCLUDE_DEPTH_MAX) {
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "files include each other deeper than %d",
			UDD_INCLUDE_DEPTH_MAX);
		return UDD_READ_BEFORE;
	}
	if (parser->includes->loads == UDD_FILES_MAX * 4) {
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "too many includes: more than %d", UDD_FILES_MAX * 4);
		return UDD_READ_BEFORE;
	}
	parser->includes->loads++;
	if (!parser->loader->load(parser->loader->ctx, parser->ast->file[parser->file].name, path->text, &f, &e)) {
		err_text(&e, &text);
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "%s", str_text(&text));
		str_free(&text);
		return UDD_READ_BEFORE;
	}
	why = include_refuse(parser, &f);
	if (!why) {
		uint32_t number = (uint32_t)parser->ast->n_files;

		parser->includes->depth++;
		include_text(parser, &f, path->text);
		parser->includes->depth--;
		return number;
	}
	if (*why)
		diag_add(parser->diags, DIAG_ERROR, &at, NULL, "%s", why);
	free_file(&f);
	return UDD_READ_BEFORE;
}
