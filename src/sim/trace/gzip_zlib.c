#include "sim/trace/gzip.h"

#define ZLIB_CONST /* zlib.h: input is const */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "base/err.h"
#include "base/mem.h"

#define GZIP_WINDOW (15 + 16)       /* zlib's manual: 16 more than the window's bits means gzip instead of zlib data */
#define PIECE ((size_t)1 << 16)
#define FAST 3                      /* of 1 to 9: the text of lackey shrinks to a tenth already */

bool
sim_is_gzip(const void *bytes, size_t n)
{
	const uint8_t *b = bytes;

	return n >= 2 && b[0] == 0x1f && b[1] == 0x8b;
}

struct sim_gunzip {
	z_stream z;
	uint64_t offset;  /* of the next byte in the compressed file */
	bool between;     /* a whole file has been read, and the next has not begun */
	bool begun;
	bool padded;      /* zeros followed the last file */
};

static voidpf
gzip_alloc(voidpf ctx, uInt n, uInt size)
{
	(void)ctx;
	return mem_new_array(n, size);
}

static void
gzip_free(voidpf ctx, voidpf p)
{
	(void)ctx;
	free(p);
}

struct sim_gunzip *
sim_gunzip_new(void)
{
	struct sim_gunzip *g = mem_new(sizeof *g);

	g->z.zalloc = gzip_alloc;
	g->z.zfree = gzip_free;
	inflateInit2(&g->z, GZIP_WINDOW); /* fails without memory only, and then mem_new_array() panics */
	return g;
}

void
sim_gunzip_free(struct sim_gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

static size_t
gunzip_fail(const struct sim_gunzip *g, const char *why, struct err *e)
{
	err_set(e, "byte %llu of the gzip data: %s", (unsigned long long)g->offset, why);
	err_hint(e, "copy or download the file again; gzip -t FILE tests it");
	return SIZE_MAX;
}

/* Skips what may be between two files. Returns the number of bytes skipped. */
static size_t
skip_padding(struct sim_gunzip *g, const uint8_t *in, size_t n)
{
	size_t k = 0;

	while (k < n && in[k] == 0)
		k++;
	g->padded |= k > 0;
	g->offset += k;
	return k;
}

size_t
sim_gunzip_step(struct sim_gunzip *gunzip, const uint8_t *in, size_t n_in, size_t *used, uint8_t *out, size_t n_out,
	struct err *e)
{
	size_t before = n_in < UINT32_MAX ? n_in : UINT32_MAX, room = n_out < UINT32_MAX ? n_out : UINT32_MAX;
	int got;

	*used = 0;
	if (gunzip->between) {
		*used = skip_padding(gunzip, in, n_in);
		if (*used == n_in)
			return 0;
		if (gunzip->padded || in[*used] != 0x1f)
			return gunzip_fail(gunzip, "something that is no gzip data follows the end", e);
		inflateReset(&gunzip->z);
		gunzip->between = false;
		before -= *used;
	}
	gunzip->begun |= n_in > 0;
	gunzip->z.next_in = in + *used;
	gunzip->z.avail_in = (uInt)before;
	gunzip->z.next_out = out;
	gunzip->z.avail_out = (uInt)room;
	got = inflate(&gunzip->z, Z_NO_FLUSH);
	*used += before - gunzip->z.avail_in;
	gunzip->offset += before - gunzip->z.avail_in;
	if (got == Z_STREAM_END)
		gunzip->between = true;
	else if (got != Z_OK && got != Z_BUF_ERROR)
		return gunzip_fail(gunzip, gunzip->z.msg ? gunzip->z.msg : "it is broken", e);
	return room - gunzip->z.avail_out;
}

bool
sim_gunzip_may_end(const struct sim_gunzip *g, struct err *e)
{
	if (g->between || !g->begun)
		return true;
	gunzip_fail(g, "they end too early", e);
	return false;
}

struct sim_gzip {
	z_stream z;
	int fd;
	uint8_t piece[PIECE];
};

struct sim_gzip *
sim_gzip_new(int fd)
{
	struct sim_gzip *g = mem_new(sizeof *g);

	g->fd = fd;
	g->z.zalloc = gzip_alloc;
	g->z.zfree = gzip_free;
	deflateInit2(&g->z, FAST, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY);
	return g;
}

void
sim_gzip_free(struct sim_gzip *g)
{
	if (!g)
		return;
	deflateEnd(&g->z);
	free(g);
}

static bool
gzip_zlib_write_all(int fd, const uint8_t *bytes, size_t n)
{
	while (n) {
		ssize_t wrote = write(fd, bytes, n);

		if (wrote < 0 && errno != EINTR)
			return false;
		if (wrote > 0) {
			bytes += wrote;
			n -= (size_t)wrote;
		}
	}
	return true;
}

/* Compresses the input and writes what comes of it. */
static bool
gzip_step(struct sim_gzip *gzip, int flush)
{
	int got;

	do {
		gzip->z.next_out = gzip->piece;
		gzip->z.avail_out = PIECE;
		got = deflate(&gzip->z, flush);
		if (!gzip_zlib_write_all(gzip->fd, gzip->piece, PIECE - gzip->z.avail_out))
			return false;
	} while (gzip->z.avail_out == 0 || (flush == Z_FINISH && got == Z_OK));
	return true;
}

bool
sim_gzip_add(struct sim_gzip *gzip, const void *bytes, size_t n)
{
	for (const uint8_t *b = bytes; n;) {
		size_t some = n < PIECE ? n : PIECE;

		gzip->z.next_in = b;
		gzip->z.avail_in = (uInt)some;
		if (!gzip_step(gzip, Z_NO_FLUSH))
			return false;
		b += some;
		n -= some;
	}
	return true;
}

bool
sim_gzip_end(struct sim_gzip *g)
{
	g->z.next_in = NULL;
	g->z.avail_in = 0;
	return gzip_step(g, Z_FINISH);
}
