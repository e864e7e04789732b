libhecate_a_SOURCES += src/core/doctor/doctor_items.h src/core/doctor/health.c src/core/doctor/health.h
