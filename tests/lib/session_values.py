"""session_values.py HECATE FILE FOLDER SHARE SEED: puts each of 23 values into each column of each table of a session
file (all rows; also only the first), and runs each reading command on the result. Prints what ends by a signal, by
another exit status than 0, 1 or 2, without a message, or not within 20 s of processor time; last the number of runs.
SHARE: how many of 1000 combinations are run, drawn by SEED."""
import os, random, resource, shutil, sqlite3, subprocess, sys

hecate, good, folder, share, seed = sys.argv[1:4] + [int(a) for a in sys.argv[4:]]
SECONDS = 20
VALUES = [None, 0, 1, -1, 2, 63, 64, 255, 2**31, -2**31, 2**53 + 1, 2**62, 2**63 - 1, -2**63, 0.5, 1e308, -1e308,
          float("inf"), "", "x", "\x1b[31m\u202e\u200b", b"\xff\x00\xfe", "9" * 4000]
COMMANDS = (["export", "--csv"], ["report"], ["check"], ["import", "-q", "-o", "copy.hct"], ["print"], ["phases"])
os.chdir(folder)
base = sqlite3.connect(good)
tables = [table for (table,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
          if not table.startswith("sqlite_")]
columns = {table: [c[1:3] for c in base.execute('PRAGMA table_info("%s")' % table)] for table in tables}
places = [(table, name) for table in tables for name, _ in columns[table]]
for table in tables:  # a row in each table
    if base.execute('SELECT count(*) FROM "%s"' % table).fetchone() == (0,):
        row = [1 if "INT" in kind or "REAL" in kind else "features" if name == "key" else "x"
               for name, kind in columns[table]]
        base.execute("PRAGMA ignore_check_constraints = ON")
        base.execute('INSERT INTO "%s" VALUES (%s)' % (table, ",".join("?" * len(row))), row)
base.commit()
assert len(VALUES) == 23 and len(places) > 100, len(places)
random.seed(seed)
runs = 0


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


for table, column in places:
    for number, value in enumerate(VALUES):
        for where in ("", " WHERE rowid = (SELECT min(rowid) FROM \"%s\")" % table):
            if random.randrange(1000) >= share:
                continue
            shutil.copyfile(good, "bad.hct")
            db = sqlite3.connect("bad.hct")
            db.execute("PRAGMA journal_mode = OFF")
            db.execute("PRAGMA ignore_check_constraints = ON")
            try:
                db.execute('UPDATE "%s" SET "%s" = ?%s' % (table, column, where), (value,))
                db.commit()
            except (sqlite3.Error, OverflowError):
                continue  # a key, or a type that the table refuses
            finally:
                db.close()
            for command in COMMANDS:
                if os.path.exists("copy.hct"):
                    os.unlink("copy.hct")
                done = subprocess.run([hecate] + command + ["bad.hct"], stdin=subprocess.DEVNULL, capture_output=True,
                                      preexec_fn=limit)
                runs += 1
                said = done.stderr.decode("utf-8", "replace")
                if done.returncode not in (0, 1, 2) or (done.returncode == 2 and not said.strip()):
                    print("%s.%s = value %d%s, %s: status %d, %s" % (
                        table, column, number, where[:6], command[0], done.returncode, said[-300:]))
                if any(c in done.stdout + done.stderr for c in (b"\x1b", "\u202e".encode())) and command[0] != "export":
                    print("%s.%s = value %d, %s: writes it raw" % (table, column, number, command[0]))
print(runs)
