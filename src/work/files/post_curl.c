#include "work/files/post.h"

#include <curl/curl.h>
#include <string.h>

#include "base/err.h"
#include "base/library.h"
#include "base/str.h"

#define SAID 200 /* bytes that are kept of an answer */
#define MOST_SECONDS 30L

static struct {
	void *library;
	CURL *(*init)(void);
	CURLcode (*set)(CURL *, CURLoption, ...);
	CURLcode (*perform)(CURL *);
	CURLcode (*info)(CURL *, CURLINFO, ...);
	void (*cleanup)(CURL *);
	const char *(*error)(CURLcode);
} curl;

bool
post_is_address(const char *to)
{
	return str_starts(to, "http://") || str_starts(to, "https://");
}

static bool
load(struct err *e)
{
	if (curl.library)
		return true;
	curl.library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
	if (!curl.library || !library_find(curl.library, "curl_easy_init", &curl.init) ||
		!library_find(curl.library, "curl_easy_setopt", &curl.set) ||
		!library_find(curl.library, "curl_easy_perform", &curl.perform) ||
		!library_find(curl.library, "curl_easy_getinfo", &curl.info) ||
		!library_find(curl.library, "curl_easy_cleanup", &curl.cleanup) ||
		!library_find(curl.library, "curl_easy_strerror", &curl.error)) {
		curl.library = NULL;
		err_set(e, "libcurl, which sends to a server, is missing");
		return err_hint(e, "on Debian: apt-get install libcurl4; or write to a file");
	}
	return true;
}

static size_t
keep_answer(char *data, size_t size, size_t n, void *to)
{
	struct str *said = to;

	if (said->n < SAID)
		str_addn(said, data, size * n < SAID - said->n ? size * n : SAID - said->n);
	return size * n;
}

enum post_answer
post_text(const char *to, const char *text, size_t n, struct err *e)
{
	struct str said = {0};
	long status = 0;
	CURLcode code;
	CURL *c;

	if (!load(e))
		return POST_REFUSED;
	c = curl.init();
	curl.set(c, CURLOPT_URL, to);
	curl.set(c, CURLOPT_POST, 1L);
	curl.set(c, CURLOPT_POSTFIELDS, text);
	curl.set(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)n);
	curl.set(c, CURLOPT_TIMEOUT, MOST_SECONDS);
	curl.set(c, CURLOPT_NOSIGNAL, 1L);
	curl.set(c, CURLOPT_WRITEFUNCTION, keep_answer);
	curl.set(c, CURLOPT_WRITEDATA, &said);
	code = curl.perform(c);
	curl.info(c, CURLINFO_RESPONSE_CODE, &status);
	curl.cleanup(c);
	if (code != CURLE_OK)
		err_set(e, "%s: %s", to, curl.error(code));
	else if (status / 100 != 2)
		err_set(e, "%s answers %ld: %.*s", to, status, (int)strcspn(str_text(&said), "\r\n"), str_text(&said));
	str_free(&said);
	if (code == CURLE_OK && status / 100 == 2)
		return POST_TAKEN;
	if (code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL)
		return POST_REFUSED;
	return code != CURLE_OK || status / 100 == 5 || status == 408 || status == 429 ? POST_AWAY : POST_REFUSED;
}
