#!/bin/sh
# hecate stack and hecate record on a stack, live, with events that any user may count.
. "$HECATE_TESTS/lib/tap.sh"
programs=$(dirname "$HECATE")/tests/programs
cd "$tmp" || exit 1
cat >faults.stack <<'END'
stack faults "page faults" per task;
counter faults = "page-faults:u" per task unit requests;
counter minor = "no-such-event-here" or "minor-faults:u" per task unit requests;
counter major = "no-such-event-here" + "major-faults:u" or "nor-this" or "major-faults:u" per task unit requests;
counter clock = "task-clock:u" per task unit ns;
whole all = faults;
figure "ns a fault" = clock / faults;
part memory "from memory" key "m" = minor;
part disk "from the disk" key "M" = major;
END
cat >other.stack <<'END'
stack other per task;
counter faults = "page-faults:u" per task unit requests;
counter seconds = "task-clock:u" per task unit ns;
counter run = source "stall:run" per task unit ns;
counter code = unresolved per task unit ns "no code is known";
whole time = seconds;
part runs key "r" = run;
part coded key "c" = code;
part per_fault key "f" = faults * 1 ns/requests;
END
status 0 "$HECATE" stack faults.stack --json -- "$programs/touch" 200
is "the command that ran" "$(json out 'd["command"]["argv"][1:], d["command"]["exit"], d["sampling"]')" "(['200'], 0, None)"
is "a bar, from the alternatives that can be counted" "$(json out 'd["observations"][0]["samples"], d["observations"][0]["bars"][0]["whole"] >= 200, d["observations"][0]["bars"][0]["missing"]')" "(1, True, [])"
is "its parts add up to the whole" "$(json out 'sum(p["value"] for p in d["observations"][0]["bars"][0]["parts"] if p["name"] in ("memory", "disk")) == d["observations"][0]["bars"][0]["whole"], d["observations"][0]["bars"][0]["figure"] > 0')" "(True, True)"
is "no event was refused" "$(json out 'd["warnings"]')" "[]"
status 0 "$HECATE" stack faults.stack -r 3 -I 5 -- sleep 0.05
is "three runs in text" "$(printf '%s\n' "$out" | grep -cE '^sleep(#[23])?  [0-9]+ rows? of sleep')" 3
status 0 "$HECATE" stack faults.stack,other.stack --json -- true
is "two stacks, one run" "$(json out '[b["stack"] for b in d["observations"][0]["bars"]], d["observations"][0]["bars"][1]["whole"] > 0')" "(['faults', 'other'], True)"
is "a counter without an event" "$(json out '[(m["counter"], m["why"]) for m in d["observations"][0]["bars"][1]["missing"]]')" "[('run', 'not in the data'), ('code', 'no event is known')]"
is "  is reported" "$(json out '[(w["code"], w["text"].split(":")[1]) for w in d["warnings"]]')" "[('not-open', ' run'), ('not-open', ' code')]"
sleep 60 &
pid=$!
status 0 "$HECATE" stack other.stack -p $pid -I 2 --samples 5 --json
is "a running process" "$(json out 'd["target"]["ids"], d["observations"][0]["samples"], d["sampling"]["ended_by"]')" "([$pid], 5, 'samples')"
kill $pid

# A session file of a stack has the stack in it.
status 0 "$HECATE" record -q -o s.hecate -m faults.stack -r 2 -- "$programs/touch" 300
status 0 "$HECATE" record -q -o s.hecate -I 5 -- sleep 0.05
status 0 "$HECATE" stack s.hecate --json
is "three observations" "$(json out 'd["stacks"][0]["name"], d["stacks"][0]["file"], [o["name"] for o in d["observations"]]')" "('faults', 'faults.stack', ['touch', 'touch#2', 'sleep'])"
sed 's/stack faults/stack again/; s/"from memory"/"not from the disk"/' faults.stack >again.stack
status 0 "$HECATE" stack again.stack s.hecate --observations touch
has "by another stack" "$out" 'memory .*not from the disk'
status 0 "$HECATE" stack s.hecate --check
has "--check needs the stack only" "$out" 'faults'
"$HECATE" export s.hecate --json -o export.json
is "export names what the file has" "$(json export.json 'd["model"], d["kind"], d["counters"]')" "('faults', 'stack', ['faults', 'minor', 'major', 'clock'])"
status 2 "$HECATE" net s.hecate
has "no network" "$err" 's.hecate holds data of the stack faults, and no network; hecate stack s.hecate'
status 2 "$HECATE" check s.hecate
has "no model" "$err" 'the stack faults, and no model'

# Bad input.
sed 's/page-faults:u/minor-faults:u/; s/stack other/stack more/' other.stack >more.stack
status 2 "$HECATE" stack faults.stack,more.stack -- true
has "one name for two counts" "$err" 'the stack more counts other events by the name faults'
status 2 "$HECATE" stack faults.stack -- no-such-program-here
has "not found" "$err" 'no-such-program-here'
status 2 "$HECATE" stack naive-nosuch -- true
status 2 "$HECATE" stack linux-page-faults -- true
has "a model is no stack" "$err" 'linux-page-faults is a model, but a stack is needed'
status 2 "$HECATE" stack faults.stack --check -- true
has "--check counts nothing" "$err" 'leave out the data, and what is to be counted'
printf 'stack n per task; counter c = unresolved per task unit ns "no code"; whole w = c; part p key "p" = c;\n' >nothing.stack
status 2 "$HECATE" stack nothing.stack -- true
has "no counter has a known event" "$err" 'nothing of the stack n can be opened.*hecate doctor'
printf 'stack n per task; counter c = "no-such-event-here" or "nor-this" per task unit ns; whole w = c; part p key "p" = c;\n' >nothing.stack
status 2 "$HECATE" stack nothing.stack -- true
has "no counter can be counted here" "$err" 'none of the 1 counters can be counted here; c: no such event: no-such-event-here.*hecate doctor'
status 2 "$HECATE" stack faults.stack -p $$ -r 2
has "a running process cannot be repeated" "$err" '-r repeats a command'
done_testing
