libhecate_a_SOURCES += \
	src/collect/perf/barrier.c src/collect/perf/barrier.h \
	src/collect/perf/cpu_constants.c \
	src/collect/perf/fault_item.c src/collect/perf/fault_item.h \
	src/collect/perf/fault_measure.c src/collect/perf/fault_measure.h \
	src/collect/perf/filter.c src/collect/perf/filter.h \
	src/collect/perf/flow_lane.c src/collect/perf/flow_lane.h \
	src/collect/perf/flow_records.c src/collect/perf/flow_records_open.c src/collect/perf/flow_records_state.h src/collect/flow_records.h \
	src/collect/perf/flow_tasks.c src/collect/perf/flow_tasks.h \
	src/collect/perf/keeper.c src/collect/perf/keeper.h \
	src/collect/perf/names.c src/collect/perf/names.h \
	src/collect/perf/near_events.c \
	src/collect/perf/open.c src/collect/perf/open.h \
	src/collect/perf/overflow.c src/collect/perf/overflow.h \
	src/collect/perf/perf_words.c \
	src/collect/perf/pacer.c src/collect/perf/pacer.h \
	src/collect/perf/pfm_names.c \
	src/collect/perf/pmu_family.c src/collect/perf/pmu_family.h \
	src/collect/perf/pmu_terms.c \
	src/collect/perf/source_open.c \
	src/collect/perf/source_perf.c src/collect/perf/source_perf.h \
	src/collect/perf/source_read.c \
	src/collect/perf/source_state.h \
	src/collect/perf/sampler.c src/collect/perf/sampler.h \
	src/collect/perf/places.c src/collect/perf/places.h \
	src/collect/perf/world.c src/collect/perf/world.h \
	src/collect/perf/kernel_causes.c src/collect/perf/kernel_causes.h \
	src/collect/perf/known_events.c src/collect/perf/known_events.h \
	src/collect/perf/merge.c src/collect/perf/merge.h \
	src/collect/perf/record_bytes.h \
	src/collect/perf/remedies.h \
	src/collect/perf/record_reader.c src/collect/perf/record_reader.h \
	src/collect/perf/records.c src/collect/perf/records.h \
	src/collect/perf/records_health.c \
	src/collect/perf/records_open.c \
	src/collect/perf/records_state.h \
	src/collect/perf/rotator.c src/collect/perf/rotator.h \
	src/collect/perf/ring.c src/collect/perf/ring.h \
	src/collect/perf/table_names.c \
	src/collect/perf/tasktime_source.c src/collect/perf/tasktime_source_state.h src/collect/perf/tasktime_source_window.c src/collect/tasktime_source.h \
	src/collect/perf/core_kinds.c src/collect/perf/trial.c src/collect/perf/turns.c src/collect/perf/turns.h \
	src/collect/perf/timers.c src/collect/perf/timers.h
