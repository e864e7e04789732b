check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/csv
check_PROGRAMS += tests/unit/perf_names
check_PROGRAMS += tests/unit/perf_lies
check_PROGRAMS += tests/unit/perf_source
EXTRA_DIST += tests/data/sysfs
