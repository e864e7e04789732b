check_PROGRAMS += tests/unit/base
check_PROGRAMS += tests/unit/dag
check_PROGRAMS += tests/unit/cells
check_PROGRAMS += tests/unit/theme tests/unit/layout tests/unit/picture
