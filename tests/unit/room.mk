# The cases of tests/unit/x.c are in one program, tests/unit/all: a word here adds a test.
unit_tests = \
	tests/unit/account.c tests/unit/account_random.c tests/unit/aexpr.c tests/unit/alike.c tests/unit/app.c \
	tests/unit/attribute.c tests/unit/autosave.c tests/unit/autosave_timeline.c tests/unit/base.c tests/unit/beat.c \
	tests/unit/calibrate.c tests/unit/calibration.c tests/unit/cells.c tests/unit/certify.c tests/unit/changes.c \
	tests/unit/charts.c tests/unit/code_place.c tests/unit/columns.c tests/unit/compare.c tests/unit/cone.c tests/unit/cone_grow.c \
	tests/unit/cones.c tests/unit/constraints.c tests/unit/contest.c tests/unit/control.c tests/unit/core_calibration.c tests/unit/counter_list.c \
	tests/unit/counterpoint.c tests/unit/counters_run.c tests/unit/csv.c tests/unit/csv_plain.c tests/unit/dag.c \
	tests/unit/damage.c tests/unit/dbscan.c tests/unit/determinism.c tests/unit/engine.c tests/unit/engine_search.c \
	tests/unit/event.c tests/unit/event_tables.c tests/unit/events.c tests/unit/events_perf.c tests/unit/events_pfm.c tests/unit/explain.c tests/unit/explorer.c tests/unit/far_rows.c tests/unit/packed.c \
	tests/unit/diff.c \
	tests/unit/health.c tests/unit/fault_item.c tests/unit/fdl_corpus.c tests/unit/fdl_fuzz.c tests/unit/fdl_print.c tests/unit/fdl_public.c \
	tests/unit/diff_moved.c tests/unit/diff_stated.c \
	tests/unit/fit.c tests/unit/laws.c \
	tests/unit/flow.c tests/unit/flow_lane.c tests/unit/flow_live.c tests/unit/flow_rows.c tests/unit/fuzzy.c tests/unit/fuzz_found.c \
	tests/unit/gather.c tests/unit/gathered.c tests/unit/gem5_stats.c tests/unit/geometry.c tests/unit/haswell.c \
	tests/unit/haswell_study.c tests/unit/hands.c tests/unit/churn.c \
	tests/unit/haswell_study_paths.c tests/unit/import_fuzz.c tests/unit/ingest.c tests/unit/instruction_run.c tests/unit/instructions.c \
	tests/unit/instrument.c tests/unit/instrumented.c tests/unit/intervals.c tests/unit/kernel_files.c \
	tests/unit/key_meanings.c tests/unit/knee.c tests/unit/leave.c tests/unit/lang.c tests/unit/layout.c tests/unit/levels.c tests/unit/list.c tests/unit/lesson.c \
	tests/unit/liveness.c tests/unit/lp.c tests/unit/match.c tests/unit/metric.c tests/unit/metric_laws.c tests/unit/metric_perf.c tests/unit/metric_tree.c tests/unit/mouse_report.c tests/unit/native_code.c \
	tests/unit/native_world.c tests/unit/network.c tests/unit/network_layout.c tests/unit/network_files.c tests/unit/network_plain.c tests/unit/network_qos.c \
	tests/unit/network_stalls.c tests/unit/network_state.c tests/unit/noise.c tests/unit/notation.c tests/unit/obs.c \
	tests/unit/op_trace.c tests/unit/op_trace_damage.c tests/unit/overflow.c tests/unit/overflow_task.c tests/unit/owner_join.c tests/unit/owners.c \
	tests/unit/palette.c tests/unit/openable.c tests/unit/reload.c \
	tests/unit/parallel.c tests/unit/path_map.c tests/unit/perf_lies.c tests/unit/perf_names.c tests/unit/perf_owners.c \
	tests/unit/perf_repeat.c tests/unit/perf_sampling.c tests/unit/perf_source.c tests/unit/perf_stat.c tests/unit/perf_turns.c tests/unit/phases_parts.c \
	tests/unit/picture.c tests/unit/pipe_order.c tests/unit/pipe_parts.c tests/unit/pipe_run.c tests/unit/pipe_slots.c \
	tests/unit/pipeline.c tests/unit/pipeline_laws.c tests/unit/planted.c tests/unit/plot.c tests/unit/predict.c \
	tests/unit/prepare.c tests/unit/probe_asm.c tests/unit/probe_baselines.c tests/unit/probe_hidden.c tests/unit/probe_isolation.c \
	tests/unit/probe_language.c tests/unit/probe_sim.c tests/unit/prober.c tests/unit/programs.c tests/unit/propose.c \
	tests/unit/region.c tests/unit/region_noise.c tests/unit/relation.c tests/unit/report.c tests/unit/report_flows.c \
	tests/unit/rhythm.c tests/unit/rob_study.c tests/unit/rotation.c tests/unit/rotation_locks.c tests/unit/sets.c tests/unit/run_advice.c \
	tests/unit/run_answer.c tests/unit/run_table.c \
	tests/unit/runs.c tests/unit/sampler.c tests/unit/search.c tests/unit/sweep.c tests/unit/search_cones.c tests/unit/search_family.c \
	tests/unit/search_graph.c tests/unit/sentence.c tests/unit/sequence.c tests/unit/series_mean.c tests/unit/session_file.c \
	tests/unit/session_hostile.c tests/unit/session_versions.c tests/unit/snapshot_records.c \
	tests/unit/series_ratio.c \
	tests/unit/shape.c tests/unit/shell.c tests/unit/signatures.c tests/unit/sim_cache.c tests/unit/sim_core.c \
	tests/unit/sim_draw.c tests/unit/sim_server.c tests/unit/server_cases.c tests/unit/sim_machine.c tests/unit/sim_machine_pipe.c tests/unit/sim_mmu.c tests/unit/sim_model.c \
	tests/unit/sim_plants.c tests/unit/sim_pmu.c tests/unit/sim_prefetch.c tests/unit/sim_programs.c tests/unit/sim_suite.c \
	tests/unit/sim_trace.c tests/unit/sim_workload.c tests/unit/simulation.c tests/unit/slack.c tests/unit/sliced.c \
	tests/unit/slices.c tests/unit/sniper.c tests/unit/sniper_db.c tests/unit/source_all.c tests/unit/spanning.c \
	tests/unit/spec.c tests/unit/spec_run.c tests/unit/stack.c tests/unit/stack_count.c tests/unit/stack_files.c \
	tests/unit/state.c tests/unit/state_search.c tests/unit/state_undo.c tests/unit/supports.c tests/unit/suspects.c tests/unit/tails.c \
	tests/unit/tasktime.c tests/unit/tasktime_live.c tests/unit/tasktime_records.c tests/unit/tasktime_run.c tests/unit/term_curses.c \
	tests/unit/term_decode.c tests/unit/term_frame.c tests/unit/text_table.c tests/unit/theme.c tests/unit/timeline.c \
	tests/unit/timeline_flows.c \
	tests/unit/tools.c tests/unit/traffic.c tests/unit/trust_book.c tests/unit/trust_correct.c tests/unit/trust_facts.c \
	tests/unit/trust_files.c tests/unit/trust_judge.c tests/unit/udd_conformance.c tests/unit/udd_corpus.c tests/unit/udd_fuzz.c \
	tests/unit/udd_join.c tests/unit/udd_model.c tests/unit/uop_range.c tests/unit/uop_ranges.c tests/unit/uses.c \
	tests/unit/verdict.c tests/unit/verdict_m0.c tests/unit/verdict_oracle.c tests/unit/wire.c tests/unit/witness.c \
	tests/unit/catalogue.c tests/unit/word_list.c tests/unit/worked.c tests/unit/workload.c tests/unit/zeros.c
check_PROGRAMS += tests/unit/all
tests_unit_all_SOURCES = $(unit_tests)
tests_unit_all_LDADD = $(LDADD) $(PFM_LIBS)
case_tests += $(unit_tests)
# Tests that put something of their own in the place of a function that all others need.
own_tests += tests/unit/sim_run tests/unit/forgotten_steps
libtest_a_SOURCES += tests/lib/signature_file.c tests/lib/signature_file.h
libtest_a_SOURCES += tests/lib/stub_run.c tests/lib/stub_run.h tests/lib/lone_run.c tests/lib/lone_run.h
libtest_a_SOURCES += tests/lib/exact.c tests/lib/exact.h tests/lib/control_bed.c tests/lib/control_bed.h
libtest_a_SOURCES += tests/lib/mutate.c tests/lib/mutate.h tests/lib/table.c tests/lib/table.h tests/lib/parsed.c tests/lib/parsed.h
libtest_a_SOURCES += tests/lib/open_session.c tests/lib/open_session.h tests/lib/sql.c tests/lib/sql.h
libtest_a_SOURCES += tests/lib/session_tables.c tests/lib/session_tables.h tests/lib/session_place.c tests/lib/session_place.h tests/lib/killed.c tests/lib/killed.h
libtest_a_SOURCES += tests/lib/oracle_glpk.c tests/lib/oracle.h
libtest_a_SOURCES += tests/lib/synthetic.c tests/lib/synthetic.h
libtest_a_SOURCES += tests/lib/made_runs.c tests/lib/made_runs.h tests/lib/rivals.c tests/lib/rivals.h
libtest_a_SOURCES += tests/lib/hard.c tests/lib/hard.h tests/lib/hard_settings.c
libtest_a_SOURCES += tests/lib/confusion.c tests/lib/confusion.h tests/lib/confusion_all.c tests/lib/confusion_all.h
libtest_a_SOURCES += tests/lib/calibration.c tests/lib/calibration.h tests/lib/peeks.c tests/lib/peeks.h
libtest_a_SOURCES += tests/lib/cover.c tests/lib/sim_bed.c tests/lib/cover.h tests/lib/sim_bed.h
libtest_a_SOURCES += tests/lib/made_traces.c tests/lib/made_traces.h
libtest_a_SOURCES += tests/lib/machine_text.c tests/lib/machine_text.h
libtest_a_SOURCES += tests/lib/turning.c tests/lib/turning.h
libtest_a_SOURCES += tests/lib/fdl_files.c tests/lib/fdl_files.h
EXTRA_DIST += tests/fdl tests/data/gem5 tests/data/sniper tests/data/tools
EXTRA_DIST += tests/networks
EXTRA_DIST += tests/data/perfmon
libtest_a_SOURCES += tests/lib/probe_bed.c tests/lib/probe_bed.h
EXTRA_DIST += tests/cones/haswell-m0.txt tests/cones/page-faults.txt
EXTRA_DIST += tests/data/sysfs tests/data/sysfs-server
EXTRA_DIST += tests/models
EXTRA_DIST += tests/data/session
libtest_a_SOURCES += tests/lib/fake_source.c tests/lib/fake_source.h
libtest_a_SOURCES += tests/lib/haswell.c tests/lib/haswell.h
EXTRA_DIST += tests/data/perf-stat tests/data/perf-stat-6.1 tests/data/programs tests/data/pathfinder
tests_unit_sim_run_SOURCES = tests/unit/sim_run.c tests/lib/fake_core.c tests/lib/fake_workload.c tests/lib/fake_sim.h
EXTRA_DIST += tests/data/stalls tests/data/linux tests/data/determinism
libtest_a_SOURCES += tests/lib/pipe_bed.c tests/lib/pipe_bed.h
libtest_a_SOURCES += tests/lib/made_program.c tests/lib/made_program.h
libtest_a_SOURCES += tests/lib/stepper.c tests/lib/stepper.h
