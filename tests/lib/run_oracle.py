#!/usr/bin/env python3
"""run_oracle.py FILE: who was busiest in a recorded run, with what, and how it ended, from the session file alone.

Prints one line: WHO WHAT SHARE END, for instance "cc1 wait-cpu 91.6 exited:0". It shares no code with hecate: it reads
SQLite, undoes the cells (docs/session-file.md), and sums the finest classes of docs/stall-sources.md, where hecate
uses the sums that the recording has.
"""
import re, sqlite3, sys

# Each kind of busy time, by the classes that belong to it; every other class is sleep, or unknown.
KINDS = {
    "cpu": {"on-cpu", "fault-service", "switch-cost"},
    "wait-cpu": {"preempted", "woken"},
    "disk": {"block-io"},
    "pages": {"fault-io", "fault-blocked"},
    "kernel": {"blocked", "blocked-untold"},
    "lock": {"futex"},
}


def counts(blob):
    """The counts of a row of cells; None: not counted."""
    at = 0
    while at < len(blob):
        flags, at = blob[at], at + 1
        value = None
        if flags & 1:
            raw = shift = 0
            while True:
                byte, at = blob[at], at + 1
                raw |= (byte & 0x7f) << shift
                shift += 7
                if byte < 0x80:
                    break
            value = -(raw + 1) // 2 if raw & 1 else raw // 2
        at += 8 * bool(flags & 2) + 8 * bool(flags & 4)
        yield value


def tasks(db):
    """Yields each task's program and its nanoseconds by class."""
    for number, name in db.execute("SELECT id, name FROM observation"):
        names = [n for n, in db.execute("SELECT k.name FROM observation_counter c JOIN counter k ON k.id = c.counter"
                                        " WHERE c.observation = ? ORDER BY c.at", (number,))]
        total = dict.fromkeys(names, 0)
        for blob, in db.execute("SELECT cells FROM sample WHERE observation = ?", (number,)):
            for key, value in zip(names, counts(blob)):
                total[key] += value or 0
        yield re.sub(r"-\d+(#\d+)?$", "", name), {k[len("stall:"):]: v for k, v in total.items()}


def main():
    db = sqlite3.connect(sys.argv[1])
    how, code, seconds, _ = db.execute("SELECT value FROM value WHERE key = 'end'").fetchone()[0].split()
    programs = {}
    for program, ns in tasks(db):
        busy = {kind: sum(ns.get(c, 0) for c in classes) for kind, classes in KINDS.items()}
        if sum(v for k, v in busy.items() if k != "lock") * 200 < busy["lock"]:
            busy["lock"] = 0  # a parked thread
        for kind, value in busy.items():
            programs.setdefault(program, dict.fromkeys(KINDS, 0))[kind] += value
    order = sorted(programs, key=lambda p: -sum(programs[p].values()))
    everything = sum(sum(p.values()) for p in programs.values())
    end = f"{how}:{code}"
    if everything < float(seconds) * 1e9 / 100:
        print(order[0], "sleep", "-", end)
        return
    main_kind = lambda p: max(programs[p], key=programs[p].get)
    who = order[:1]
    if len(order) > 1 and main_kind(order[1]) == main_kind(order[0]) and \
            sum(programs[order[1]].values()) >= 0.8 * sum(programs[order[0]].values()):
        who = order[:2]
    kind = main_kind(who[0])
    share = sum(programs[p][kind] for p in who) / sum(sum(programs[p].values()) for p in who)
    print("+".join(who), kind, f"{100 * share:.1f}", end)


main()
