libhecate_a_SOURCES += src/core/doctor/doctor_items.h
