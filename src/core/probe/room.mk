libhecate_a_SOURCES += \
	src/core/probe/asm.c src/core/probe/asm.h \
	src/core/probe/asm_aarch64.c \
	src/core/probe/asm_isa.h \
	src/core/probe/asm_lines.h \
	src/core/probe/asm_macro.c \
	src/core/probe/asm_pass.c \
	src/core/probe/asm_riscv64.c \
	src/core/probe/asm_x86_64.c \
	src/core/probe/code.c src/core/probe/hidden.c src/core/probe/parse.c src/core/probe/probe.h
