#!/bin/sh
# hecate probe --export: which files it writes, or why not, and curves of its programs that come back.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# What a curve is of.
awk 'BEGIN { print "# probe: rob\nx,min,mean,max"; for (i = 4; i <= 60; i++) { y = i <= 24 ? 100 : 250; print i "," y - 1 "," y "," y + 2 } }' >queue.csv
status 0 "$HECATE" probe --on import:queue.csv
has "the probe's own instructions count" "$out" '^rob +26 entries \(26 to 27\) '
has "  what it says" "$out" 'instructions from a load that missed to the youngest'
status 0 "$HECATE" probe load_pipes --on import:queue.csv
has "a probe that is named comes first" "$out" '^load_pipes '
sed 's/: rob/: ..\/rob/' queue.csv >odd.csv
status 0 "$HECATE" probe --on import:odd.csv
has "a name in a file is no path" "$err" 'odd.csv is a curve of the probe ../rob, which is not installed'
mkdir -p own/models/probes
echo 'probe broken "x" { knee 4 .. 9 step 1; }' >own/models/probes/broken.probe
sed 's/: rob/: broken/' queue.csv >broken.csv
status 0 env HECATE_MODELS="$tmp/own:$HECATE_MODELS" "$HECATE" probe --on import:broken.csv
has "a probe with an error" "$err" 'broken.csv is a curve of the probe broken, which has an error: the probe has no instructions'
status 2 "$HECATE" probe rob load_queue --on import:queue.csv
has "two names" "$err" "a curve is of one probe, and 2 are named; leave out 'load_queue'"
status 2 "$HECATE" probe no-such --on import:queue.csv
has "an unknown name" "$err" 'none of the installed probes has that name'

# What cannot be.
status 2 "$HECATE" probe rob --export dir --isa sparc
has "an unknown instruction set" "$err" "riscv64, aarch64 or x86_64|riscv64.*aarch64.*x86_64"
status 2 "$HECATE" probe rob --export dir
has "none" "$err" 'needs an instruction set; --isa riscv64, --isa aarch64 or --isa x86_64'
status 2 "$HECATE" probe rob --isa riscv64 --on sim:core
has "no folder" "$err" '--isa is for probes that are exported; --export DIR'
status 2 "$HECATE" probe rob --on sim:core --export dir --isa riscv64
has "nothing is measured" "$err" 'leave out --on'
: >file
status 2 "$HECATE" probe rob --export file --isa riscv64
has "a file instead of a folder" "$err" 'file is no folder; --export takes a folder'
status 2 "$HECATE" probe rob --export none/dir --isa riscv64
has "a folder in none" "$err" 'cannot make the folder none/dir: No such file or directory'
status 2 "$HECATE" probe rob --export /proc/self/fd --isa riscv64
has "a folder that takes no files" "$err" 'cannot write /proc/self/fd/.*: '
printf 'probe num "numbers" { slope 4 .. 40 step 2; fill fload, fadd chained; }' >num.probe
status 0 "$HECATE" probe rob ./num.probe --export dir --isa aarch64
has "what an instruction set has no way for" "$err" "aarch64 cannot express 'fload' of the probe num: what it loads is an address"
is "  the others are written" "$(ls dir)" "Makefile
bare.ld
bare.s
machine.h
rob.s
rules.mk
runner.c
runner.h"
status 2 "$HECATE" probe ./num.probe --export none --isa aarch64
has "  none is left" "$err" 'no probe can be exported for aarch64'
is "  no folder" "$(ls none 2>&1 >/dev/null | wc -l)" 1
printf 'probe "../up" "x" { slope 4 .. 40 step 2; fill add; }' >up.probe
status 2 "$HECATE" probe ./up.probe --export dir --isa aarch64
has "a name that leads elsewhere" "$err" "the probe '../up' gives no names of files"
sed 's/"..\/up"/runner/' up.probe >runner.probe
status 2 "$HECATE" probe ./runner.probe --export dir --isa aarch64
has "the runner's name" "$err" "the probe 'runner' gives no names of files; .*not runner and bare"
status 0 "$HECATE" probe rob --export dir --isa riscv64
has "an export replaces an export" "$(cat dir/rob.s)" 'for riscv64'
echo mine >dir/rob.s
status 2 "$HECATE" probe rob --export dir --isa aarch64
has "and no other file" "$err" 'dir/rob.s exists, and no export wrote it; choose another folder'
has "  nothing is written" "$(cat dir/Makefile)" riscv64
status 2 sh -c 'trap "" XFSZ; ulimit -f 8; exec "$1" probe --export full --isa riscv64' sh "$HECATE"
has "a file that cannot grow" "$err" 'cannot write full/.*: File too large'
is "  no half file" "$(find full -name '*.??????' | wc -l)" 0
done_testing
