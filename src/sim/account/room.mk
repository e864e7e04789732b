libsim_a_SOURCES += \
	src/sim/account/account.c src/sim/account/account.h \
	src/sim/account/branches.c \
	src/sim/account/fmt.c \
	src/sim/account/instructions.c src/sim/account/instructions.h \
	src/sim/account/methods.h \
	src/sim/account/power5.c \
	src/sim/account/sfmt.c \
	src/sim/account/tea.c
