# Benchmarks print figures and ratios within one run; no test asserts a time. `make bench` runs them all, on an idle machine.
EXTRA_PROGRAMS += bench/core bench/levels bench/draw bench/keys bench/models bench/calibration bench/peeking bench/scaling bench/sampling bench/search bench/toggle bench/flow bench/stalls bench/net bench/files bench/views bench/day bench/sim bench/workloads bench/study bench/regions bench/ingest bench/rotation bench/predict bench/traces bench/pipe bench/confusion bench/family bench/phases bench/metrics bench/sets bench/diff bench/diff_runs bench/diff_cost
EXTRA_DIST += bench/printed bench/soak.py bench/trust-rates.py bench/baseline.py bench/beside.py bench/events.py bench/explorer.py bench/bound.py bench/bound_unknown.py bench/laws-power.py bench/least_favourable.py bench/secrets.sh bench/case-study-common.sh bench/case-study.sh bench/case_study.py bench/case_study_odd.py bench/case_study_quantities.py bench/case_study_verdicts.py bench/case-study-seeds.sh bench/case_study_seeds.py bench/case-study-programs.sh bench/case_study_programs.py bench/case-study-figure.sh bench/trace-programs.sh bench/diff-builds.sh
bench_core_SOURCES = bench/core.c bench/mixed.c bench/mixed.h bench/python.c bench/bench.c bench/bench.h
bench_core_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=lp_solve
bench_ingest_SOURCES = bench/ingest.c bench/bench.c bench/bench.h
bench_files_SOURCES = bench/files.c bench/bench.c bench/bench.h
bench_stalls_SOURCES = bench/stalls.c bench/bench.c bench/bench.h
bench_net_SOURCES = bench/net.c bench/bench.c bench/bench.h
bench_views_SOURCES = bench/views.c
bench_phases_SOURCES = bench/phases.c bench/bench.c bench/bench.h
bench_metrics_SOURCES = bench/metrics.c bench/bench.c bench/bench.h
bench_sets_SOURCES = bench/sets.c bench/bench.c bench/bench.h
bench_diff_SOURCES = bench/diff.c bench/bench.c bench/bench.h
bench_diff_cost_SOURCES = bench/diff_cost.c bench/bench.c bench/bench.h
bench_diff_runs_SOURCES = bench/diff_runs.c bench/bench.c bench/bench.h
bench_day_SOURCES = bench/day.c bench/bench.c bench/bench.h
bench_draw_SOURCES = bench/draw.c bench/bench.c bench/bench.h
bench_keys_SOURCES = bench/keys.c bench/bench.c bench/bench.h
bench_toggle_SOURCES = bench/toggle.c bench/bench.c bench/bench.h
bench_search_SOURCES = bench/search.c bench/mixed.c bench/mixed.h bench/python.c bench/bench.c bench/bench.h
bench_flow_SOURCES = bench/flow.c bench/mixed.c bench/mixed.h bench/python.c bench/bench.c bench/bench.h
bench_models_SOURCES = bench/models.c bench/bench.c bench/bench.h
bench_scaling_SOURCES = bench/scaling.c bench/bench.c bench/bench.h
bench_sim_SOURCES = bench/sim.c bench/bench.c bench/bench.h
bench_predict_SOURCES = bench/predict.c bench/bench.c bench/bench.h
bench_workloads_SOURCES = bench/workloads.c bench/bench.c bench/bench.h
bench_traces_SOURCES = bench/traces.c bench/bench.c bench/bench.h
bench_study_SOURCES = bench/study.c bench/bench.c bench/bench.h
bench_regions_SOURCES = bench/regions.c bench/region_study.c bench/region_study.h bench/bench.c bench/bench.h
libtest_a_SOURCES += bench/plot.c bench/plot.h bench/heat.c bench/heat.h
CLEANFILES += $(EXTRA_PROGRAMS) scaling.svg bench/study.hct correlations.svg active-counters.svg
BENCH_ENVIRONMENT = HECATE_BENCH=$(abs_top_srcdir)/bench HECATE_TESTS=$(abs_top_srcdir)/tests HECATE_MODELS=$(abs_top_srcdir) HECATE=$(abs_top_builddir)/hecate$(EXEEXT)
.PHONY: bench bench-sets bench-beside bench-programs bench-flow bench-toggle bench-search bench-core bench-draw bench-keys bench-models bench-calibration bench-levels bench-family bench-rotation bench-bound bench-peeking bench-scaling bench-sampling bench-stalls bench-net bench-files bench-views bench-sim bench-workloads bench-regions bench-ingest bench-predict bench-traces bench-pipe bench-phases bench-events bench-metrics bench-diff bench-diff-runs bench-diff-builds bench-diff-cost
 # 100 000 short tasks; needs root, and takes a quarter of an hour. TASKS=N: so many.# 100 000 short tasks; needs root, and takes a quarter of an hour. TASKS=N: so many.
.PHONY: soak
soak: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) python3 $(top_srcdir)/bench/soak.py ./hecate$(EXEEXT) $(or $(TASKS),100000)
bench-programs: $(filter bench/% tests/extension/%,$(EXTRA_PROGRAMS))
bench: bench-models bench-core bench-toggle bench-search bench-flow bench-draw bench-keys bench-calibration bench-levels bench-family bench-rotation bench-sets bench-peeking bench-scaling bench-sampling bench-stalls bench-net bench-files bench-views bench-sim bench-workloads bench-regions bench-ingest bench-predict bench-traces bench-pipe bench-events bench-metrics bench-diff
bench-core: bench/core$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/core$(EXEEXT)
bench-models: bench/models$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/models$(EXEEXT)
bench-calibration: bench/calibration$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/calibration$(EXEEXT)
bench-levels: bench/levels$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/levels$(EXEEXT)
bench-family: bench/family$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/family$(EXEEXT)
bench-rotation: bench/rotation$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/rotation$(EXEEXT)
bench-sets: bench/sets$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/sets$(EXEEXT)
# The bound that no test can exceed, and the power of hecate laws; needs numpy and scipy.
bench-bound:
	python3 $(top_srcdir)/bench/bound.py
	python3 $(top_srcdir)/bench/bound.py 1
	python3 $(top_srcdir)/bench/bound_unknown.py
	python3 $(top_srcdir)/bench/laws-power.py
bench-peeking: bench/peeking$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/peeking$(EXEEXT)
# Writes scaling.svg into the build folder: the figure docs/scaling.svg of docs/numerics.md.
bench-scaling: bench/scaling$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/scaling$(EXEEXT) scaling.svg
bench-sampling: bench/sampling$(EXEEXT) hecate$(EXEEXT) tests/programs/touch$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/sampling$(EXEEXT)
bench-stalls: bench/stalls$(EXEEXT) hecate$(EXEEXT) tests/programs/stall$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/stalls$(EXEEXT)
bench-phases: bench/phases$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/phases$(EXEEXT)
bench-net: bench/net$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/net$(EXEEXT)
bench-files: bench/files$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/files$(EXEEXT)
# INGEST="MB MILLIONS" sets the amounts; its files, up to 5 GB, go to TMPDIR. OLD=TREE compares with TREE/build/hecate.
bench-ingest: bench/ingest$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) HECATE_OLD=$(OLD) bench/ingest$(EXEEXT) $(INGEST)
bench-views: bench/views$(EXEEXT) bench/day$(EXEEXT) hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) python3 $(srcdir)/bench/explorer.py ./hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/views$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/day$(EXEEXT)
bench-search: bench/search$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/search$(EXEEXT)
bench-flow: bench/flow$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/flow$(EXEEXT)
bench-draw: bench/draw$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/draw$(EXEEXT)
# OLD=TREE, TIMES=N: whole benchmarks and the explorer of TREE/build and of this build in turn, N times (3).
bench-beside: bench-programs hecate$(EXEEXT)
	$(top_srcdir)/bench/beside.py $(OLD)/build $(abs_top_builddir) $${TIMES:-3} explorer core search views toggle
# OLD=TREE compares with TREE/build/bench/keys.
bench-keys: bench/keys$(EXEEXT)
	$(BENCH_ENVIRONMENT) HECATE_OLD=$(OLD) bench/keys$(EXEEXT)
bench-toggle: bench/toggle$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/toggle$(EXEEXT)
bench-sim: bench/sim$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/sim$(EXEEXT)
bench-pipe: bench/pipe$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/pipe$(EXEEXT)
bench-predict: bench/predict$(EXEEXT)
	bench/predict$(EXEEXT)
bench-workloads: bench/workloads$(EXEEXT)
	bench/workloads$(EXEEXT)
# TRACES="FILE..." reads real traces too.
bench-traces: bench/traces$(EXEEXT)
	bench/traces$(EXEEXT) $(TRACES)
# Writes the two figures of docs/correlated-regions.md into the build folder.
bench-regions: bench/regions$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/regions$(EXEEXT) correlations.svg active-counters.svg
# Not in `make bench`: 96 machines take half an hour on two cores.
.PHONY: bench-secrets bench-trust
bench-trust: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) python3 $(srcdir)/bench/trust-rates.py $(abs_builddir)/hecate$(EXEEXT)
bench-secrets: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/secrets.sh
# The case study: prints bench/printed/case-study.txt, which docs/haswell-case-study.md sums up.
.PHONY: case-study
case-study: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/case-study.sh
# The same suite with 20 seeds and with exact totals: about twenty minutes on two processors.
.PHONY: case-study-seeds
case-study-seeds: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/case-study-seeds.sh
# Real programs by their traces; needs valgrind.
.PHONY: case-study-programs
case-study-programs: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/case-study-programs.sh
# docs/haswell-case-study.svg: the search over the suite as a graph of cones, like CounterPoint's Figure 10.
.PHONY: case-study-figure
case-study-figure: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/case-study-figure.sh haswell-case-study.svg
# Not in `make bench`: it simulates the suite first.
.PHONY: bench-study
bench-study: bench/study$(EXEEXT) hecate$(EXEEXT)
	rm -f bench/study.hct
	$(BENCH_ENVIRONMENT) ./hecate$(EXEEXT) sim -q -m haswell-study --suite mmu -o bench/study.hct
	$(BENCH_ENVIRONMENT) bench/study$(EXEEXT) bench/study.hct
bench_pipe_SOURCES = bench/pipe.c bench/bench.c bench/bench.h
bench_confusion_SOURCES = bench/confusion.c
.PHONY: bench-confusion
# Takes half an hour: 30 differences in 4 cores each.
bench-confusion: bench/confusion$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/confusion$(EXEEXT)
# Needs perf and python3.
bench-events: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) python3 $(srcdir)/bench/events.py ./hecate$(EXEEXT)
bench-metrics: bench/metrics$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/metrics$(EXEEXT)
bench-diff: bench/diff$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/diff$(EXEEXT)
# Not in `make bench`: half an hour. Needs gzip, xz, sqlite3, python3 and hyperfine.
bench-diff-runs: bench/diff_runs$(EXEEXT) tests/programs/work$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/diff_runs$(EXEEXT) same
	$(BENCH_ENVIRONMENT) bench/diff_runs$(EXEEXT) work
	$(BENCH_ENVIRONMENT) bench/diff_runs$(EXEEXT) equal
# On an idle machine: five minutes.
bench-diff-cost: bench/diff_cost$(EXEEXT) tests/programs/work$(EXEEXT)
	$(BENCH_ENVIRONMENT) bench/diff_cost$(EXEEXT)
# Two builds of zlib, from Debian's sources.
bench-diff-builds: hecate$(EXEEXT)
	$(BENCH_ENVIRONMENT) $(srcdir)/bench/diff-builds.sh
