#!/bin/sh
# Short options as getopt(3) reads them: joined letters, a value in the same word or in the next argument.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
rows="$HECATE_TESTS/screens/expect/programs.csv"

# model_of FILE: the model that a session file keeps
model_of() { "$HECATE" export "$1" --json -o "$tmp/doc.json" 2>/dev/null && json "$tmp/doc.json" 'd["model"]'; }
status 0 "$HECATE" import -q -m linux-page-faults -o apart.hct "$rows" --exact
is "one by one: -q prints nothing" "$out$err" ""
model=$(model_of apart.hct)
has "the session file names its model" "$model" 'linux_pagefault'
status 0 "$HECATE" import -qm linux-page-faults -o joined.hct "$rows" --exact
is "-qm X is -q -m X" "$out$err$(model_of joined.hct)" "$model"
status 0 "$HECATE" import -mlinux-page-faults -qojoined2.hct "$rows" --exact
is "-mX is -m X, and -qoX is -q -o X" "$out$err$(model_of joined2.hct)" "$model"
status 0 "$HECATE" import -vqm linux-page-faults -o joined3.hct "$rows" --exact
is "three letters" "$(model_of joined3.hct)" "$model"
status 0 "$HECATE" check -qh
has "-qh prints the help" "$out" '^hecate check '

# The rest of the word is the value, whatever it looks like.
status 2 "$HECATE" import -mqv -o none.hct "$rows"
has "-mqv asks for the model qv" "$err" "qv"
status 2 "$HECATE" check linux-page-faults -qI5x "$rows"
has "-qI5x: the interval is 5x" "$err" '--interval takes .*, not .5x.'

# A first word that names nothing to open, and is nearly a subcommand. A file of that name is a file.
status 2 "$HECATE" chek m.udd x.csv
is "a mistyped subcommand" "$err" 'hecate: no subcommand or file "chek"; did you mean check?'
status 2 "$HECATE" serach --json linux-page-faults
has "its options do not matter" "$err" 'did you mean search?'
status 2 "$HECATE" linux-page-fault "$rows"
has "  it is named" "$err" 'nearest: linux-page-faults .hecate check linux-page-faults.'
status 2 "$HECATE" stalls -- true
has "a name that an installed stack nearly has" "$err" 'nearest: stall-sources .hecate stack stall-sources.'
status 2 "$HECATE" stall-sources -- true
has "  without a terminal its subcommand is named" "$err" 'needs a terminal; without one: hecate stack stall-sources -- CMD'
status 2 "$HECATE" linux-page-fault "$rows"
is "a mistyped model" "$(echo "$err" | grep -c 'did you mean')" 0
: >chek
status 2 "$HECATE" chek
is "a file that is called so" "$(echo "$err" | grep -c 'did you mean')" 0
rm chek

# A name that nothing has: the nearest, also without a terminal.
status 2 "$HECATE" stalls -- true
has "a mistyped stack" "$err" 'no model, network or stack has that name; nearest: stall-sources'
: >perf.csv
status 2 "$HECATE" perff.csv
has "a mistyped file" "$err" 'nearest: perf.csv'
status 2 "$HECATE" check nowhere/x
status 2 "$HECATE" check perff.csv
has "  of a subcommand" "$err" 'nearest: perf.csv'

# Help: `help` is --help; no line is wider than the terminal; no text is about other subcommands.
is "help" "$("$HECATE" help)" "$("$HECATE" --help)"
is "help of a subcommand" "$("$HECATE" help diff)" "$("$HECATE" diff --help)"
for command in "" $("$HECATE" help | grep -oE '^  hecate [a-z]+' | cut -c10-); do
	COLUMNS=80 "$HECATE" help $command >help.txt
	is "help $command: no line beyond 80 columns" "$([ "$(LC_ALL=C.UTF-8 wc -L <help.txt)" -le 80 ] || cat help.txt)" ""
done
is "an option's text leaves out other subcommands" "$("$HECATE" help diff | grep -A1 -- '--output')" \
	"  -o, --output FILE        write to FILE instead of standard output
  -q, --quiet              print no warnings and notes"
has "  and has its own" "$("$HECATE" help record | tr -s ' \n' ' ')" 'record, import and sim: the session file, to which data is appended -q'
: >help
has "a file of that name is a file" "$("$HECATE" help </dev/null 2>&1)" 'help is data|needs a terminal'
rm help

# An error names the letter that is wrong.
status 2 "$HECATE" import -qZ "$rows"
has "an unknown letter after others" "$err" 'unknown option -Z in -qZ'
status 2 "$HECATE" import -Zq "$rows"
has "an unknown first letter" "$err" 'unknown option -Zq'
status 2 "$HECATE" import "-q$(printf '\303\251')" "$rows"
has "a letter outside ASCII" "$err" 'unknown option -q'
status 2 "$HECATE" import -qm
has "a value is missing at the end" "$err" '--model needs a value: MODEL'
status 2 "$HECATE" import -qm -- "$rows"
has "a value is missing before --" "$err" '--model needs a value: MODEL'
status 2 "$HECATE" import -qr 3 "$rows"
has "a letter that the subcommand does not take" "$err" 'import does not take --repeat'
status 2 "$HECATE" check linux-page-faults "$rows" --quiet=1
has "a long flag takes no value" "$err" '--quiet takes no value'
status 2 "$HECATE" check linux-page-faults "$rows" --qm
has "long options are not joined" "$err" 'unknown option --qm'
done_testing
