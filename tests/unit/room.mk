check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/dag
