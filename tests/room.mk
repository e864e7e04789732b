# Every test program speaks TAP; the driver runs them in parallel and ./check adds the lines up.
TEST_EXTENSIONS = .sh .c
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
C_LOG_DRIVER = $(TAP_DRIVER)
# A test that hangs is killed and reported as an error, so that the others are reported, too.
LOG_COMPILER = timeout -k 10 900
SH_LOG_COMPILER = $(LOG_COMPILER)
C_LOG_COMPILER = $(LOG_COMPILER) $(SHELL) $(abs_top_srcdir)/tests/run-cases
AM_TESTS_ENVIRONMENT = \
	PATH=$(abs_top_builddir)/tests/python/bin:$$PATH; export PATH; \
	HECATE=$(abs_top_builddir)/hecate$(EXEEXT); export HECATE; \
	HECATE_TESTS=$(abs_top_srcdir)/tests; export HECATE_TESTS; \
	HECATE_MODELS=$(abs_top_srcdir); export HECATE_MODELS; \
	XDG_STATE_HOME=/dev/null/none; export XDG_STATE_HOME; \
	XDG_CONFIG_HOME=/dev/null/none; export XDG_CONFIG_HOME; \
	TOP_SRCDIR=$(abs_top_srcdir); export TOP_SRCDIR; \
	TOP_BUILDDIR=$(abs_top_builddir); export TOP_BUILDDIR;

# The python3 of $PATH can be a script that searches for the real one, and the real one can load packages at each start:
# both take longer than what tests start it for. Theirs is the real one, with its standard library alone. If it goes
# away, the link leads nowhere, so shells look further along $PATH, and make makes it anew.
check_DATA = tests/python/bin/python3
CLEANFILES += tests/python/bin/python3 tests/python/pyvenv.cfg
tests/python/bin/python3:
	@$(MKDIR_P) tests/python/bin
	@python=`python3 -c 'import os, sys; print(os.path.realpath(sys.executable))'` && ln -sf "$$python" $@ && \
		printf 'home = %s\ninclude-system-site-packages = false\n' "`dirname "$$python"`" >tests/python/pyvenv.cfg || :

# The C tests of a folder are one program, tests/FOLDER/all; each file is run by itself (tests/run-cases). The names in
# own_tests are programs of their own.
check_LIBRARIES = libtest.a
libtest_a_SOURCES = tests/lib/test.c tests/lib/test_files.c tests/lib/test.h tests/lib/models.c tests/lib/models.h
LDADD = libtest.a $(archives)
check_PROGRAMS = $(own_tests)
own_tests =
case_tests =
EXTRA_PROGRAMS =
TESTS = $(own_tests) $(case_tests) $(check_SCRIPTS)
# ./check --dist, ./check --sanitizers: what needs nothing of a distribution but its files, which are looked for
# besides; and all but what judges times and simulated statistics, which are another program's with sanitizers.
DIST_TESTS = $(own_tests) $(case_tests) $(filter tests/%.sh,$(filter-out tests/cli/% tests/e2e/%,$(check_SCRIPTS)))
SAN_TESTS = $(own_tests) $(filter-out $(judged_cases),$(case_tests)) $(filter-out $(judged_scripts),$(check_SCRIPTS))
judged_cases = $(patsubst %,tests/unit/%.c,core_calibration server_cases probe_isolation probe_sim probe_baselines \
	probe_hidden levels phases_parts rob_study)
# The longest are started first, so that none runs alone at the end. The others are in no order.
judged_scripts = \
	tests/cli/case_study.sh \
	tests/cli/suspects.sh \
	tests/cli/sim.sh \
	tests/cli/locate_places.sh \
	tests/cli/culprits.sh \
	tests/cli/io_waits.sh \
	tests/cli/fault_cost.sh \
	tests/cli/stall_sources.sh \
	tests/cli/stall_times.sh \
	tests/cli/run_sentence.sh \
	tests/cli/cpi_stacks.sh \
	tests/cli/long_session.sh \
	tests/cli/secrets.sh \
	tests/cli/case_study_seeds.sh \
	tests/cli/calibrate.sh \
	tests/cli/calibrate_ties.sh \
	tests/cli/calibrate_runs.sh \
	tests/cli/calibrated.sh
long_scripts = $(judged_scripts) tests/cli/import_resume.sh tests/e2e/tmux.sh
check_SCRIPTS = $(long_scripts) \
	tests/layers.sh \
	tests/cases.sh \
	tests/build.sh \
	tests/plurals.sh tests/cut_words.sh tests/library.sh \
	tests/prose.sh \
	tests/cli/fdl.sh \
	tests/cli/constraints.sh \
	tests/cli/check.sh \
	tests/cli/sweep.sh tests/cli/sweep_ranks.sh \
	tests/cli/schema.sh \
	tests/cli/lessons.sh \
	tests/cli/names.sh \
	tests/cli/nearest.sh \
	tests/cli/noise.sh \
	tests/cli/tolerance.sh \
	tests/cli/search.sh \
	tests/cli/search_steps.sh \
	tests/cli/csv_habits.sh tests/cli/damaged.sh tests/cli/import.sh \
	tests/cli/session.sh tests/cli/session_values.sh \
	tests/cli/tables.sh \
	tests/cli/options.sh \
	tests/cli/output.sh \
	tests/cli/sim_core.sh \
	tests/cli/trace.sh \
	tests/cli/trust.sh \
	tests/cli/probe.sh \
	tests/cli/probe_export.sh \
	tests/cli/probe_export_isa.sh \
	tests/cli/slices.sh \
	tests/cli/phases.sh tests/cli/metric_laws.sh tests/cli/metrics.sh \
	tests/cli/events.sh \
	tests/cli/diff.sh tests/cli/diff_bad_input.sh tests/cli/hostile_text.sh tests/cli/hostile_files.sh tests/cli/verify_certificate.sh tests/cli/laws_fit.sh tests/cli/laws_logs.sh tests/cli/laws_planted.sh tests/cli/stack_laws.sh \
	tests/cli/events_health.sh \
	tests/cli/events_bad_input.sh tests/cli/events_folder.sh \
	tests/cli/probe_counts.sh \
	tests/cli/probe_native.sh \
	tests/cli/bad_input.sh \
	tests/cli/report.sh \
	tests/cli/report_html.sh \
	tests/cli/flow.sh \
	tests/cli/grade.sh \
	tests/cli/compare.sh \
	tests/cli/counterpoint.sh \
	tests/cli/haswell_study.sh \
	tests/cli/locate.sh \
	tests/cli/explain.sh \
	tests/cli/net.sh \
	tests/cli/net_machines.sh \
	tests/cli/net_compare.sh \
	tests/cli/export_metrics.sh \
	tests/cli/owners.sh \
	tests/cli/net_bad_input.sh \
	tests/cli/net_stalls.sh \
	tests/cli/net_live.sh \
	tests/cli/net_cxl.sh \
	tests/cli/simulated_server.sh \
	tests/cli/flows.sh \
	tests/cli/bundle.sh \
	tests/cli/roundtrip.sh \
	tests/cli/version.sh \
	tests/cli/capabilities.sh \
	tests/cli/spec.sh \
	tests/cli/linux_vm.sh \
	tests/cli/stack.sh \
	tests/cli/stack_instructions.sh \
	tests/cli/stack_live.sh \
	tests/cli/stack_topdown.sh \
	tests/cli/stack_tree.sh \
	tests/e2e/search.sh \
	tests/e2e/profile.sh \
	tests/e2e/models.sh tests/e2e/goals.sh tests/e2e/people.sh tests/e2e/spec.sh \
	tests/e2e/flows.sh \
	tests/e2e/kills.sh tests/e2e/kill.sh \
	tests/e2e/sim.sh \
	tests/cli/rotation.sh \
	tests/cli/patience.sh \
	tests/e2e/mouse.sh \
	tests/e2e/lessons.sh \
	tests/e2e/probes.sh \
	tests/e2e/diff.sh \
	tests/e2e/config.sh \
	tests/e2e/edit.sh tests/e2e/export_follow.sh \
	tests/e2e/start.sh \
	tests/cli/stack_gem5_runs.sh \
	tests/cli/stack_simulators.sh \
	tests/cli/intervals.sh \
	tests/cli/determinism.sh \
	tests/cli/robustness.sh \
	tests/cli/determinism_doubts.sh \
	tests/cli/determinism_command.sh \
	tests/cli/determinism_overflow.sh \
	tests/cli/corrected.sh \
	tests/cli/retired.sh \
	tests/cli/zeros.sh \
	tests/cli/workload_arches.sh \
	tests/cli/determinism_here.sh \
	tests/cli/trust_here.sh
EXTRA_DIST += $(check_SCRIPTS) tests/run-cases tests/prose-exceptions tests/lib/tap.sh tests/lib/tmux.sh tests/lib/sweeps.sh tests/lib/kills.py tests/lib/stop.py tests/lib/asked.py tests/lib/hostile_files.py tests/lib/valid.py tests/lib/session_values.py tests/lib/published_tree.py tests/lib/run_oracle.py tests/lib/metric_oracle.py tests/lib/few.suite tools/check-layers
EXTRA_DIST += tests/data/libhecate.so.0.txt tests/data/haswell-study.tables tests/data/lessons tests/data/traces tests/data/runs tests/data/determinism tests/data/topdown tests/emulated tests/packages/run

# make t/NAME builds and runs one test, tests/…/NAME.c or NAME.sh (t/e2e/NAME if several have the name, or all run);
# CASE=PART runs the cases whose names contain PART. It fails if a case fails. make check TESTS=… builds all test
# programs first.
judged = awk '{ print; fflush() } /^not ok/ { bad = 1 } END { exit bad }'
t/%: all tests/python/bin/python3
	@found=`cd $(top_srcdir)/tests && ls $*.sh $*.c unit/$*.c screens/$*.c e2e/$*.c e2e/$*.sh cli/$*.sh 2>/dev/null`; \
	test -n "$$found" || { echo "no test tests/…/$*.c or .sh" >&2; exit 2; }; \
	$(AM_TESTS_ENVIRONMENT) \
	for test in $$found; do \
		echo "# tests/$$test"; \
		case $$test in \
		*.c) case " $(own_tests) " in \
			*" tests/$${test%.c} "*) $(MAKE) tests/$${test%.c} && { tests/$${test%.c} $(CASE) || echo "not ok - exit status $$?"; } | $(judged) || exit 1 ;; \
			*) $(MAKE) tests/$${test%/*}/all && { tests/$${test%/*}/all `basename $$test .c` $(CASE) || \
				echo "not ok - exit status $$?"; } | $(judged) || exit 1 ;; \
			esac ;; \
		*.sh) { $(SHELL) $(abs_top_srcdir)/tests/$$test || echo "not ok - exit status $$?"; } | $(judged) || exit 1 ;; \
		esac; \
	done

include tests/screens/room.mk
include tests/unit/room.mk
include tests/extension/room.mk
include tests/programs/room.mk
include tests/fuzz/room.mk
