libhecate_a_SOURCES += src/core/machine/doctor_items.h
