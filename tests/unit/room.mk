check_PROGRAMS += tests/unit/base
