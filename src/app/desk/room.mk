libhecate_a_SOURCES += \
	src/app/desk/desk.c src/app/desk/desk.h \
	src/app/desk/desk_command.c src/app/desk/desk_command.h \
	src/app/desk/desk_flows.c src/app/desk/desk_flows.h \
	src/app/desk/desk_profile.c src/app/desk/desk_profile.h \
	src/app/desk/desk_recorded.c src/app/desk/desk_recorded.h \
	src/app/desk/desk_spec.c src/app/desk/desk_spec.h
