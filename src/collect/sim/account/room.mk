libhecate_a_SOURCES += \
	src/collect/sim/account/account.c src/collect/sim/account/account.h \
	src/collect/sim/account/branches.c src/collect/sim/account/branches.h \
	src/collect/sim/account/fmt.c \
	src/collect/sim/account/instructions.c src/collect/sim/account/instructions.h \
	src/collect/sim/account/methods.h \
	src/collect/sim/account/power5.c \
	src/collect/sim/account/sfmt.c \
	src/collect/sim/account/tea.c
