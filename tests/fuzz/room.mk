# The readers of foreign text as functions of bytes. tools/fuzz runs them under libFuzzer, which clang has:
# tests/fuzz/fuzz is built by it alone. tests/unit/fuzz_found.c runs what it found in every build.
libtest_a_SOURCES += tests/fuzz/targets.c tests/fuzz/targets.h tests/fuzz/text_targets.c tests/fuzz/data_targets.c tests/fuzz/line_targets.c tests/fuzz/run_targets.c
EXTRA_PROGRAMS += tests/fuzz/fuzz
tests_fuzz_fuzz_SOURCES = tests/fuzz/fuzz.c
tests_fuzz_fuzz_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
EXTRA_DIST += tests/fuzz/found tests/fuzz/corpora.tar.xz tools/fuzz
fuzz:
	$(top_srcdir)/tools/fuzz
fuzz-long:
	$(top_srcdir)/tools/fuzz --long
.PHONY: fuzz fuzz-long
