#!/usr/bin/env python3
"""make-swapping.py FROM TO: turn a recorded run with one task into one that swaps, with known totals.

The numbers are made up: of 10 s, the task hog ran 1.0 s, waited 0.5 s for a CPU, 7.5 s for pages and 0.25 s for the
disk, and slept 0.75 s. FROM is a session file of one task with one row (sleep5.hct).
"""
import shutil, sqlite3, sys

S = 10**9
NS = {"on-cpu": 8 * S // 10, "fault-service": 2 * S // 10, "fault-io": 75 * S // 10, "block-io": S // 4,
      "sleep": 3 * S // 4, "preempted": S // 10, "woken": 4 * S // 10, "elapsed": 10 * S, "run": S, "wait": S // 2,
      "off": 85 * S // 10, "io": 775 * S // 100}


def cell(n):
    n *= 2  # zigzag of a count that is not negative
    out = b"\x01"
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


shutil.copy(sys.argv[1], sys.argv[2])
db = sqlite3.connect(sys.argv[2])
columns = db.execute("SELECT name FROM observation_counter c JOIN counter k ON k.id = c.counter"
                     " WHERE c.observation = 1 ORDER BY at").fetchall()
db.execute("UPDATE sample SET cells = ?", (b"".join(cell(NS.get(name[6:], 0)) for name, in columns),))
db.execute("UPDATE observation SET name = 'hog-4711', source = './hog 2G', command = '[\"./hog\",\"2G\"]'")
db.execute("UPDATE value SET value = 'exited 0 10.000000 2' WHERE key = 'end'")
db.execute("DELETE FROM note")
db.commit()
