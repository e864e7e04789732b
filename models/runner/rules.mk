# Builds the probes of this folder: one program NAME.elf each, static, without a C library.
#
#     make CROSS=aarch64-linux-gnu-        with another compiler than the Makefile names
#     make curves RUN='qemu-riscv64'       runs each, and writes NAME.csv
#     make DEFINES='-DPASSES=16 -DREPEATS=1 -DLINES=65536'   for a slow simulator
#     make BARE=1                          RISC-V and AArch64 without a system (bare.ld says where memory is)

CC = $(CROSS)gcc
CFLAGS = -O2 -Wall -Wextra
DEFINES =
RUN =
ARGS =
FREE = -ffreestanding -fno-builtin -fno-pic -fno-pie -fno-stack-protector -fno-tree-loop-distribute-patterns
LINK = -nostdlib -static -no-pie
BARE_riscv64 = -mcmodel=medany
ifdef BARE
FREE += -DBARE $(BARE_$(ISA))
LINK += -T bare.ld -Wl,--build-id=none
BARE_FILES = bare.ld bare.o
BARE_OBJECTS = bare.o
endif

all: $(PROBES:=.elf)
%.o: %.s
	$(CC) $(CFLAGS) -c -o $@ $<
runner.o: runner.c runner.h machine.h Makefile rules.mk
	$(CC) $(CFLAGS) $(FREE) $(DEFINES) -c -o $@ $<
%.elf: %.o runner.o $(BARE_FILES)
	$(CC) $(CFLAGS) $(FREE) $(LINK) -o $@ $*.o runner.o $(BARE_OBJECTS)
curves: $(PROBES:=.csv)
%.csv: %.elf
	$(RUN) ./$< $(ARGS) >$@.part && mv $@.part $@
clean:
	rm -f $(PROBES:=.elf) $(PROBES:=.o) $(PROBES:=.csv) runner.o bare.o
.PHONY: all curves clean
.SECONDARY:
