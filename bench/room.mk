# Benchmarks print figures and ratios within one run; no test asserts a time. `make bench` runs them all, on an idle machine.
EXTRA_PROGRAMS = bench/core bench/draw bench/models
CLEANFILES = bench/core$(EXEEXT) bench/draw$(EXEEXT) bench/models$(EXEEXT)
BENCH_ENVIRONMENT = HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) HECATE=$(abs_top_builddir)/hecate$(EXEEXT)
.PHONY: bench bench-core bench-draw bench-models
bench: bench-models bench-core bench-draw
bench-core: bench/core$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/core$(EXEEXT)
bench-models: bench/models$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/models$(EXEEXT)
bench-draw: bench/draw$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/draw$(EXEEXT)
