libhecate_a_SOURCES += \
	src/draw/view/stalls/compared.c src/draw/view/stalls/compared.h \
	src/draw/view/stalls/course.c \
	src/draw/view/stalls/instructions.c \
	src/draw/view/stalls/method_parts.c \
	src/draw/view/stalls/stack_methods.c \
	src/draw/view/stalls/stack_parts.c \
	src/draw/view/stalls/stack_tree.c \
	src/draw/view/stalls/stall_components.c \
	src/draw/view/stalls/stall_rows.c \
	src/draw/view/stalls/stalls.c src/draw/view/stalls/stalls.h
