/* The variance of a cosine coefficient is a sum over the autocovariances ρ_k. With a = π j / K for K rows:
 *
 *   g_j = 1 + (2/K) Σ_{k=1}^{K−1} ρ_k ((K − k) cos(ak) − sin(ak) / sin a)
 *
 * For ρ_k = ρ^k this is a geometric series in z = ρ e^{ia}. For fractional Gaussian noise it is added up term by term,
 * over at most 128 rows. That noise looks alike at all scales, so for more rows the variances follow from the frequency
 * to the power 1 − 2H. The variances of all K coefficients, the mean included, add up to K. */
#include "core/stats/spectra.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

#define PI 3.14159265358979323846
/* of the record: noise that forgets more slowly is a trend, which a record of that length cannot distinguish from
 * noise */
#define SLOWEST 0.6
/* rows: noise that forgets within so many is looked for in shorter records too, up to this multiple of the record */
#define EXPECTED 36.0
#define SLOWEST_FEW 1.25
#define FEW_SHARES 2     /* shares with long memory that are tested in fewer rows than SPECTRA_MANY */
#define EDGE_MEMORY 0.95 /* Hurst exponents from here on are those of noise that hardly has a mean */
#define SUMMED 128
#define ONE_BY_ONE 16
#define SPARE 4 /* forms that a book keeps although nobody holds them: the next observation may need them */
#define QUARTER_OCTAVE 1.189207115002721

static const double SHARES[] = {1, 0.95, 0.8, 0.55, 0.3, 0.1, 0.04};
static const double MEMORIES[] = {0.6, 0.7, 0.8, 0.9, 0.95};
static const double MEMORY_SHARES[] = {1, 0.6, 0.36};
#define LENGTH(a) (sizeof(a) / sizeof *(a))

size_t
spectra_waves(size_t rows, size_t j[SPECTRA_WAVES])
{
	size_t most = rows > 0 ? (rows - 1) / 3 : 0, n = 0;

	for (double at = 1; (size_t)at <= most && n < SPECTRA_WAVES;
		at = at < ONE_BY_ONE ? at + 1 : ceil(at * QUARTER_OCTAVE))
		j[n++] = (size_t)at;
	return n;
}

/* The spectrum of rows that forget within `time` rows, with all of their variance. */
static void
fill_autoregressive(struct spectrum *spectrum, const struct spectra *spectra, double time)
{
	double rho = exp(-1 / time), k = (double)spectra->rows, power = pow(rho, k);

	spectrum->zero = (1 + rho) / (1 - rho) - 2 * rho * (1 - power) / (k * (1 - rho) * (1 - rho));
	for (size_t w = 0; w < spectra->waves; w++) {
		double a = PI * (double)spectra->j[w] / k, last = spectra->j[w] % 2 ? -power : power; /* z^K */
		double x = rho * cos(a), y = rho * sin(a), size = 1 - 2 * x + rho * rho;  /* z = x + iy */
		double u = (1 - x) / size, v = y / size;                                  /* 1 / (1 − z) = u + iv */
		double sum = (x - last) * u - y * v, turned = (x - last) * v + y * u;     /* Σ z^k */
		/* Re Σ k z^k */
		double more = 1 + (k - 1) * last,
		       times = (x * more - k * last) * (u * u - v * v) - y * more * 2 * u * v;

		spectrum->wave[w] = 1 + 2 / k * (k * sum - times - turned / sin(a));
	}
}

/* The correlations of fractional Gaussian noise at the lags 1 … n − 1. */
static void
spectra_remember(double h, size_t n, double *correlation)
{
	double before = 0, now = 1;

	for (size_t lag = 1; lag < n; lag++) {
		double next = pow((double)lag + 1, 2 * h);

		correlation[lag] = 0.5 * (next - 2 * now + before);
		before = now;
		now = next;
	}
}

static void
fill_memory(struct spectrum *spectrum, const struct spectra *spectra, double h)
{
	size_t few = spectra->rows < SUMMED ? spectra->rows : SUMMED;
	double k = (double)few, rows = (double)spectra->rows, correlation[SUMMED];

	spectrum->zero = pow(rows, 2 * h - 1);
	spectra_remember(h, few, correlation);
	for (size_t w = 0; w < spectra->waves; w++) {
		/* A fast coefficient corresponds to one of the fewer rows with the same frequency. */
		double j = spectra->j[w] <= ONE_BY_ONE ? (double)spectra->j[w]
						       : fmax(ONE_BY_ONE, round((double)spectra->j[w] * k / rows));
		double a = PI * j / k, c = cos(a), d = sin(a), sum = 0;
		double x = c, y = d; /* cos and sin of a·lag */

		for (size_t lag = 1; lag < few; lag++) {
			double turned = c * x - d * y;

			sum += correlation[lag] * ((k - (double)lag) * x - y / d);
			y = d * x + c * y;
			x = turned;
		}
		spectrum->wave[w] = (1 + 2 / k * sum) * pow((double)spectra->j[w] / rows / (j / k), 1 - 2 * h);
	}
}

/* Computes what remains without the mean and the slow coefficients, and the constants of the likelihood. */
static void
complete(struct spectrum *spectrum, size_t rows, size_t waves)
{
	double left = (double)(rows - 1 - waves), all = (double)rows - spectrum->zero, product = 1;

	spectrum->log_all = 0;
	for (size_t j = 0; j < waves; j++) {
		all -= spectrum->wave[j];
		product *= spectrum->wave[j];
		if (j % 8 == 7 || j + 1 == waves) {
			spectrum->log_all += log(product);
			product = 1;
		}
	}
	spectrum->rest = fmax(all / left, 1e-3);
	spectrum->log_rest = log(spectrum->rest);
	spectrum->log_all += left * spectrum->log_rest;
	/* Relative to independent rows with the same sample variance; its expectation is (k − g_0) / (k − 1). */
	spectrum->form.factor = spectrum->zero * (double)(rows - 1) / ((double)rows - spectrum->zero);
}

static struct spectrum *
spectra_add(struct spectra *f)
{
	f->one = mem_resize(f->one, f->n + 1, sizeof *f->one);
	f->one[f->n] = (struct spectrum){
		.zero = 1, .rest = 1, .wave = mem_new_array(f->waves, sizeof *f->one->wave)};
	for (size_t j = 0; j < f->waves; j++)
		f->one[f->n].wave[j] = 1;
	return &f->one[f->n++];
}

/* Adds a form for each of the shares: that share of the noise is slow, the rest independent. */
static void
add_shares(struct spectra *f, const struct spectrum *slow, const double *share, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct spectrum *s = spectra_add(f);

		s->form = slow->form;
		s->form.share = share[i];
		s->zero = 1 + share[i] * (slow->zero - 1);
		for (size_t j = 0; j < f->waves; j++)
			s->wave[j] = 1 + share[i] * (slow->wave[j] - 1);
	}
}

static struct spectra *
spectra_begin(size_t rows)
{
	struct spectra *f = mem_new(sizeof *f);

	*f = (struct spectra){.rows = rows};
	f->waves = spectra_waves(rows, f->j);
	spectra_add(f);
	return f;
}

static struct spectra *
spectra_end(struct spectra *f)
{
	for (size_t i = 0; i < f->n; i++)
		complete(&f->one[i], f->rows, f->waves);
	return f;
}

static struct spectra *
spectra_make(size_t rows, double slowest)
{
	struct spectra *spectra = spectra_begin(rows);
	double k = (double)rows, wave[SPECTRA_WAVES];
	struct spectrum slow = {.wave = wave};

	spectra->slowest = slowest;
	slowest = slowest > 0 ? slowest : fmax(SLOWEST * k, fmin(EXPECTED, SLOWEST_FEW * k));
	for (double time = slowest; time >= 1; time /= 2) {
		fill_autoregressive(&slow, spectra, time);
		slow.form = (struct noise_form){.time = time, .edge = time >= slowest};
		add_shares(spectra, &slow, SHARES, LENGTH(SHARES));
	}
	for (size_t i = 0; i < LENGTH(MEMORIES); i++) {
		fill_memory(&slow, spectra, MEMORIES[i]);
		slow.form = (struct noise_form){.memory = MEMORIES[i], .edge = MEMORIES[i] >= EDGE_MEMORY};
		add_shares(spectra, &slow, MEMORY_SHARES,
			rows >= SPECTRA_MANY ? LENGTH(MEMORY_SHARES) : slow.form.edge ? 1 : FEW_SHARES);
	}
	return spectra_end(spectra);
}

static void
spectra_free(struct spectra *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->one[i].wave);
	free(f->one);
	free(f);
}

struct spectra_book {
	pthread_mutex_t lock;
	struct spectra *first;
};

struct spectra_book *
spectra_book_new(void)
{
	struct spectra_book *book = mem_new(sizeof *book);

	pthread_mutex_init(&book->lock, NULL);
	return book;
}

void
spectra_book_free(struct spectra_book *book)
{
	if (!book)
		return;
	for (struct spectra *spectra = book->first, *next; spectra; spectra = next) {
		next = spectra->next;
		spectra_free(spectra);
	}
	pthread_mutex_destroy(&book->lock);
	free(book);
}

/* Frees the oldest forms that nobody holds, beyond SPARE. */
static void
spectra_trim(struct spectra_book *book)
{
	size_t spare = 0;

	for (struct spectra **at = &book->first; *at;) {
		struct spectra *spectra = *at;

		if (spectra->holders || ++spare <= SPARE) {
			at = &spectra->next;
		} else {
			*at = spectra->next;
			spectra_free(spectra);
		}
	}
}

struct spectra *
spectra_hold(struct spectra_book *book, size_t rows, double slowest)
{
	struct spectra *spectra;

	if (!book)
		return spectra_make(rows, slowest);
	pthread_mutex_lock(&book->lock);
	spectra = book->first;
	while (spectra && (spectra->rows != rows || spectra->slowest != slowest))
		spectra = spectra->next;
	if (!spectra) {
		spectra = spectra_make(rows, slowest);
		spectra->next = book->first;
		book->first = spectra;
		spectra_trim(book);
	}
	spectra->holders++;
	pthread_mutex_unlock(&book->lock);
	return spectra;
}

void
spectra_drop(struct spectra_book *book, struct spectra *spectra)
{
	if (!spectra)
		return;
	if (!book) {
		spectra_free(spectra);
		return;
	}
	pthread_mutex_lock(&book->lock);
	spectra->holders--;
	pthread_mutex_unlock(&book->lock);
}
