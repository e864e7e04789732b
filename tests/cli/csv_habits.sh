#!/bin/sh
# Wide CSVs as spreadsheets, data frames and scripts write them, and figures that are no counts.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

# reads NAME TEXT TABLE [NOTE]: the text as it is exported after an import, and a note of the import.
reads() {
	# shellcheck disable=SC2059
	printf "$2" >h.csv
	rm -f h.hct
	"$HECATE" import -o h.hct h.csv >"$tmp/out" 2>"$tmp/err"
	is "$1" "$("$HECATE" export h.hct 2>&1 | tr '\n' ' ')" "observation,time,$3 "
	[ -z "$4" ] || has "  and the note" "$(cat "$tmp/err")" "$4"
}

# refuses NAME TEXT REASON
refuses() {
	# shellcheck disable=SC2059
	printf "$2" >h.csv
	rm -f h.hct
	status 2 "$HECATE" import -o h.hct h.csv
	has "$1" "$err" "$3"
}

reads "semicolons" 'a;b\n1000;2000\n' 'a,b h,,1000,2000'
reads "tabs" 'a\tb\n1000\t2000\n' 'a,b h,,1000,2000'
reads "the separator in the first line" 'sep=;\r\na;b\r\n1000;2000\r\n' 'a,b h,,1000,2000'
reads "a byte order mark" '\357\273\277a;b\n1000;2000\n' 'a,b h,,1000,2000'
reads "a first column without a name" ',a,b\n0,1000,2000\n1,1100,2100\n' 'a,b h,,1000,2000 h,,1100,2100' ':1: the first column counts the rows'
reads "a column called index" 'index,a\n1,1000\n2,1100\n3,1200\n' 'a h,,1000 h,,1100 h,,1200' 'counts the rows'
reads "one that does not count" 'index,a\n10,1000\n11,1100\n' 'index,a h,,10,1000 h,,11,1100'
reads "seconds since 1970" 'timestamp,a\n1700000000,1000\n1700000001,1100\n' 'a h,1.7e+09,1000 h,1700000001,1100'
reads "milliseconds since 1970" 'timestamp,a\n1700000001000,1000\n1700000002500,1100\n' 'a h,1700000001,1000 h,1700000002.5,1100'
reads "dates" 'time,a\n2024-01-01T10:00:01Z,1000\n2024-01-01 11:00:02.5+01:00,1100\n' 'a h,1704103201,1000 h,1704103202.5,1100'
reads "a column of numbers of rows" 'a,iteration\n1000,1\n1100,2\n1000,1\n1100,2\n' 'a h,,1000 h,,1100 h,,1000 h,,1100' ':1: iteration counts the rows'
reads "  that does not count" 'a,interval\n1000,10\n1100,20\n' 'a,interval h,,1000,10 h,,1100,20'
reads "CPUs are observations" 'time,cpu,a\n1,0,1000\n1,1,2000\n2,0,1001\n2,1,2001\n' 'a h:cpu0,1,1000 h:cpu0,2,1001 h:cpu1,1,2000 h:cpu1,2,2001' ':1: cpu says what each row was counted of'
reads "  of each host, and processes" 'host,pid,a\nx,7,1000\ny,7,2000\n' 'a x:pid7,,1000 y:pid7,,2000'
reads "  next to names" 'a,core,observation\n1000,S0-C1,w\n2000,,w\n' 'a w:S0-C1,,1000 w,,2000'
reads "a counter that looks like a CPU" 'observation,time,cpu\nh,,5\n' 'cpu h,,5'
reads "times of another name and unit" 'Time (ms),a\n100,1000\n200,1100\n' 'a h,0.1,1000 h,0.2,1100'
reads "  _us" 'time_us,a\n5,1000\n6,1100\n' 'a h,5e-06,1000 h,6e-06,1100'
reads "a time that falls is how long each row took" 'Time (s),a\n0.2,1000\n0.1,1100\n' '"Time (s)",a h,,0.2,1000 h,,0.1,1100'
reads "a second column of times" 'time,timestamp,a\n1,1700000000,5\n2,1700000001,6\n' 'a h,1,5 h,2,6' 'timestamp is a second column of times: left out'
reads "comments" '# made by me\n# 2024\na,b\n1000,2000\n' 'a,b h,,1000,2000'
reads "the header of numpy" '# 3 runs\n# a,b\n1000,2000\n1001,2001\n' 'a,b h,,1000,2000 h,,1001,2001'
reads "a separator at the end of each line" 'a,b,\n1000,2000,\n1100,2100,\n' 'a,b h,,1000,2000 h,,1100,2100'
reads "bars" 'a|b\n1000|2000\n' 'a,b h,,1000,2000'
reads "the separator in quotes" '"sep=;"\r\na;b\r\n1000;2000\r\n' 'a,b h,,1000,2000'
reads "what a spreadsheet lacks" 'a,b\n1000,#N/A\n1,2\n' 'a,b h,,1000, h,,1,2' 'stands for a missing count'
refuses "an error of a spreadsheet" 'a,b\n1000,#DIV/0!\n' ':2:6: b is not a number: "#DIV/0!"; this is an error of the spreadsheet'
refuses "a header of numbers" '1000,2000\n1100,2100\n' ':1:6: the first line has numbers where the names of counters belong; write a line of names'
refuses "two separators at the end" 'a,b,,\n1,2,,\n' 'column 3 has no name'
refuses "a cell below no name" 'a,b,\n1,2,3\n' 'column 3 has no name'
refuses "a row for each count" 'run,event,value\n1,a,1000\n1,b,2000\n' ':1: this table has a row for each count; .*pivot'
# All cells of a row may be wrong; it is not another header then.
refuses "blanks between digits" 'a,b\n1 000,2 000\n' ':2:1: a is not a number: "1 000"; write numbers without marks'
refuses "other marks" "a,b\n1'000,2_000\n" ":2:1: a is not a number: .*without marks"
refuses "rounded numbers throughout" 'a,b\n1.2M,2K\n' ':2:1: a is not a number: "1.2M"; a rounded number'
refuses "decimal commas throughout" 'a;b\n1000,0;2000,5\n' ':2:1: a is not a number: "1000,0"; numbers have a decimal point'
refuses "another header" 'a,b\n1,2\nc,d\n' ':3:1: the columns change here'
refuses "texts" 'a,note\n1000,fine\n' ':2:6: note is not a number: "fine"; if this column says what a row was counted of'
refuses "columns of blanks" 'a b\n1000 2000\n' 'cells are separated by a comma, a semicolon, a tab'
reads "names of observations" 'name,a,b\nx,1000,2000\ny,1100,2100\n' 'a,b x,,1000,2000 y,,1100,2100'
reads "groups of digits in quotes" 'a,b\n"1,234","2,345,678"\n' 'a,b h,,1234,2345678'
reads "what was not counted" 'a,b,c\n1000,NA,1\n-,2100,<not counted>\n' 'a,b,c h,,1000,,1 h,,,2100,' ':2: a word stands for a missing count.*3 of them'
reads "minus 0, 2^48 - 1, 2^53 + 1" 'a,b,c\n-0,281474976710655,9007199254740993\n' 'a,b,c h,,0,281474976710655,9007199254740993'
refuses "a percentage" 'a,b\n1,12%%\n' ':2:3: b is not a number: "12%".*a percentage is not a count'
refuses "a rounded number" 'a,b\n1,1.2K\n' ':2:3: b is not a number.*no exact count'
refuses "decimal commas" 'a;b\n1;2,5\n' ':2:3: b is not a number: "2,5".*decimal point'
refuses "a quoted decimal comma" 'a,b\n1,"2,5"\n' ':2:3: b is not a number'
refuses "1e300" 'a\n1e300\n' ':2:1: a is beyond 64 bits'
refuses "2^63" 'a\n9223372036854775808\n' ':2:1: a is beyond 64 bits'

reads "derived metrics by name" 'a,IPC,MB/s,a %%,miss ratio,GHz\n1000,1,2,3,4,5\n' 'a h,,1000' 'left out \(--counts keeps a column\): IPC, MB/s, a %, miss ratio, GHz'
reads "names that only look so" 'a,cpu/event=0x3c/s,mpkis,per-second\n1,2,3,4\n' 'a,"cpu/event=0x3c/s",mpkis,per-second h,,1,2,3,4'
reads "fractions" 'a,f\n1000,2.0\n1100,1.9\n' 'a h,,1000 h,,1100' 'not counts: left out .*: f$'
reads "times of perf are measured" 'a,task-clock\n1000,2.5\n1100,1.9\n' 'a,task-clock h,,1000,2.5 h,,1100,1.9'
reads "what hecate export wrote keeps its columns" "observation,time,a,f\nh,1,1000,2.5\nh,2,1100,1.5\n" "a,f h,1,1000,2.5 h,2,1100,1.5" "take part only where a model names them: f"
printf 'a,f\n1000,2.0\n1100,1.9\n' >h.csv
rm -f h.hct
status 0 "$HECATE" import -o h.hct h.csv --counts f
is "--counts keeps a column" "$("$HECATE" export h.hct | head -1)" "observation,time,a,f"
refuses "nothing but percentages" 'x %%,y %%\n1,2\n3,4\n' ': no column holds counts: these are derived metrics: x %, y %; give the raw counts'
refuses "PerfSpect's metrics" 'TS,SKT,CPU,CID,CPI\n5,,,,1.2\n' "this is PerfSpect's metrics.csv"
refuses "PerfSpect's summary" 'metric,mean,min,max,stddev\nCPI,1,1,1,0\n' "this is PerfSpect's summary.csv"
refuses "perf stat --metric-only" 'GHz,insn per cycle,branch-misses of all branches,\n3.2,0.9,1.1,\n' 'derived metrics of perf stat'
refuses "perf stat --topdown" 'time,retiring,bad speculation,frontend bound,backend bound,\n1.0,12.5%%,1%%,2%%,3%%,\n' 'perf stat --topdown.*, not counts'

# A model takes part in this: it may name a column that looks like a metric, but not in a known table of metrics.
cat >m.udd <<'M'
model m; counter cpi = "CPI"; counter fe = "FE(%)"; path c { count cpi; choose { case A: case B: count fe; } }
M
printf 'TS,SKT,CPU,CID,CPI,FE(%%)\n5,,,,1.2,22.1\n6,,,,1.2,22.1\n7,,,,1.2,22.1\n' >metrics.csv
status 2 "$HECATE" check m.udd metrics.csv
is "no verdict on PerfSpect's metrics" "$out" ""
printf 'CPI,FE(%%)\n1,22\n2,21\n3,23\n' >own.csv
"$HECATE" check m.udd own.csv >"$tmp/out" 2>"$tmp/err"
has "columns that the model names take part" "$(cat "$tmp/err")" 'take part only where a model names them: CPI, FE'

# Each kind of note has a code of its own.
# coded CODES TEXT: the codes of what an import of the text says
coded() {
	# shellcheck disable=SC2059
	printf "$2" >c.txt
	rm -f c.hct
	status 0 "$HECATE" import -o c.hct c.txt --json
	is "code: $1" "$(json out '" ".join(w["code"] for w in d["warnings"])')" "$1"
}
coded column-role ',a\n0,1000\n1,1100\n'
coded no-count 'a,IPC\n1000,1\n1100,2\n'
coded not-counted 'a,b\n1000,NA\n1100,2\n'
coded cut 'a,b\n1000,1\n1100,2'
coded blank-rows 'a,b\n1000,1\n,\n'
coded order 'time,a\n2,1000\n1,1100\n'
coded new-part 'a,b\n1000,1\na,b\n1000,1\n'
coded "scaled" '5,,a-b,10,50.00,,\n'
coded "not-supported" '5,,a-b,10,100.00,,\n<not supported>,,c-d,0,100.00,,\n'
coded "lost-lines" '5,,a-b,10,100.00,,\n5;;c-d;10;100.00;;\n'
coded "share not-counted" '5,,a-b,10,104.00,,\nnan,,c-d,10,100.00,,\n'
coded "overflow" '18446744073693.63,MiB,a-b,10,100.00,,\n5,,c-d,10,100.00,,\n'
coded "counted-twice" '5,,a-b,10,100.00,,\n6,,a-b,10,100.00,,\n'
coded "prefix" 'x | 5,,a-b,10,100.00,,\nx | 6,,c-d,10,100.00,,\n'
undocumented=$(sed -n 's/^NOTE([A-Z_]*, "\([^"]*\)".*/\1/p' "$HECATE_TESTS/../src/core/obs/notes.def" |
	while read -r code; do grep -q "^- .$code.: " "$HECATE_TESTS/../docs/json.md" || echo "$code"; done)
is "docs/json.md has all of them" "$undocumented" ""

# Bad tables: a short true message, at once.
"${HECATE_PYTHON:-python3}" -c 'print(",".join("c%d" % i for i in range(10000))); [print(",".join(["7"] * 10000)) for k in range(3)]' >wide.csv
rm -f h.hct
status 0 "$HECATE" import -o h.hct wide.csv
is "10 000 columns" "$("$HECATE" export h.hct --json | grep -c '"c[0-9]*"')" 10000
reads "one column" 'a\n1000\n' 'a h,,1000'
refuses "blanks" '   \n  \n\n' 'column 1 has no name'
done_testing
