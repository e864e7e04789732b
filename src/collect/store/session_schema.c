/* The tables of a session file, as SQL: one step for each version of the format.
 *
 *     value             key, value             name of the writer, marks of an interrupted import
 *     counter           id, name ◄───────────────────────────┐
 *     machine           id, text ◄───────────────────────────│──┐
 *     observation       id, name, exact, decimals, … ◄──┐    │  │
 *       …, machine      ───────────────────────────────│────│──┘
 *       observation_counter  observation ───────────────┤, counter, at, health      its columns, in order
 *       sample               observation ───────────────┤, row, time, cells          one row (session_cells.h)
 *       truth                observation ───────────────┘, key, value                simulated machines only
 *     note              id, text
 *     model             id, name, path, added, kind ◄───┐      also networks and stacks
 *       model_file           model ─────────────────────┤, at, name, same, text
 *       model_folder         model ─────────────────────┤, at, path
 *       model_define         model ─────────────────────┤, at, text
 *       kept                 model ─────────────────────┤, part, at, cells           of other texts
 *       verdict              model ─────────────────────┘, features, observation, …  from here on: the explorer's state
 *     setting, graph    key, value
 *     graph_model       id, features, step, … ◄─────────┐
 *       graph_edge           from_model, to_model ──────┘
 *     graph_alike, graph_repair, remark
 *     curve             name, machine, probe, whole, … ◄─┐  of probes
 *       curve_point          curve ──────────────────────┘, x, min, mean, max
 *     record_snapshot   id, observation, row, … ◄─┐             what a network says of each snapshot, filled on demand
 *     record_flow       id, task, tid, cpu, … ◄───│──┐
 *     record_thing      id, what, module, …, flow │ ─┘ ◄─┐
 *       edge_record, vertex_record, stall_record, │      │
 *       flow_record, path_record         snapshot ┘, thing (or flow) ┘, figures
 *     edge, vertex, …   views of these
 *
 * A new file runs all steps, an older one those that it lacks; both give the same tables, text for text, because
 * session_guard.h compares them. So a step that was released is never edited. docs/session-file.md describes every
 * column. */
#include "collect/store/session_schema.h"

#include "base/str.h"

static const char *const step[SESSION_VERSION] = {
	"CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE counter (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
	"CREATE TABLE observation ("
	" id INTEGER PRIMARY KEY,"
	" name TEXT NOT NULL UNIQUE,"
	" source TEXT NOT NULL,"
	" exact INTEGER NOT NULL,"
	" decimals INTEGER NOT NULL,"
	" tasks REAL NOT NULL,"
	" command TEXT,"
	" started TEXT);"
	"CREATE TABLE observation_counter ("
	" observation INTEGER NOT NULL REFERENCES observation(id),"
	" at INTEGER NOT NULL,"
	" counter INTEGER NOT NULL REFERENCES counter(id),"
	" health TEXT NOT NULL,"
	" PRIMARY KEY (observation, at)) WITHOUT ROWID;"
	"CREATE TABLE sample ("
	" observation INTEGER NOT NULL REFERENCES observation(id),"
	" row INTEGER NOT NULL,"
	" time REAL,"
	" cells BLOB NOT NULL,"
	" PRIMARY KEY (observation, row)) WITHOUT ROWID;"
	"CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL);"
	"CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL, path TEXT NOT NULL, added TEXT NOT NULL);"
	"CREATE TABLE model_file ("
	" model INTEGER NOT NULL REFERENCES model(id),"
	" at INTEGER NOT NULL,"
	" name TEXT NOT NULL,"
	" same INTEGER NOT NULL,"
	" text BLOB NOT NULL,"
	" PRIMARY KEY (model, at)) WITHOUT ROWID;"
	"CREATE TABLE model_folder ("
	" model INTEGER NOT NULL REFERENCES model(id),"
	" at INTEGER NOT NULL,"
	" path TEXT NOT NULL,"
	" PRIMARY KEY (model, at)) WITHOUT ROWID;",
	/* The explorer's state. Sets of features and lists of names are JSON arrays of texts, because a later model may
	 * number its features differently. */
	"CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE verdict ("
	" model INTEGER NOT NULL REFERENCES model(id),"
	" features TEXT NOT NULL,"
	" observation TEXT NOT NULL,"
	" confidence REAL NOT NULL,"
	" region TEXT NOT NULL,"
	" verdict TEXT NOT NULL,"
	" family_wise TEXT NOT NULL,"
	" distance2 REAL,"
	" threshold2 REAL,"
	" p REAL,"
	" worst TEXT,"
	" reason TEXT,"
	" PRIMARY KEY (model, features, observation, confidence, region)) WITHOUT ROWID;"
	"CREATE TABLE graph (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE graph_model ("
	" id INTEGER PRIMARY KEY,"
	" features TEXT NOT NULL UNIQUE,"
	" step TEXT NOT NULL,"
	" usable INTEGER NOT NULL,"
	" survives INTEGER NOT NULL,"
	" infeasible INTEGER NOT NULL,"
	" refuted_by TEXT NOT NULL,"
	" cone TEXT NOT NULL,"
	" minimal INTEGER NOT NULL,"
	" worst TEXT,"
	" worst_by TEXT);"
	"CREATE TABLE graph_edge ("
	" from_model INTEGER NOT NULL REFERENCES graph_model(id),"
	" to_model INTEGER NOT NULL REFERENCES graph_model(id),"
	" changed TEXT NOT NULL,"
	" step TEXT NOT NULL,"
	" PRIMARY KEY (from_model, to_model)) WITHOUT ROWID;"
	"CREATE TABLE graph_alike (id INTEGER PRIMARY KEY, one TEXT NOT NULL, other TEXT NOT NULL, why TEXT);"
	"CREATE TABLE graph_repair (id INTEGER PRIMARY KEY, feature TEXT NOT NULL, frees INTEGER NOT NULL);"
	"CREATE TABLE remark (id TEXT PRIMARY KEY, subject TEXT NOT NULL, what TEXT, text TEXT NOT NULL, written TEXT "
	"NOT NULL) WITHOUT ROWID;",
	/* Version 3: a text may also be a network or a stack; times may be relative to the start. */
	("ALTER TABLE model ADD COLUMN kind TEXT NOT NULL DEFAULT 'model';"
	 "ALTER TABLE observation ADD COLUMN since_start INTEGER NOT NULL DEFAULT 0;"),
	/* Version 4: the truth about observations of a simulated machine, which no counter shows. */
	"CREATE TABLE truth ("
	" observation INTEGER NOT NULL REFERENCES observation(id),"
	" key TEXT NOT NULL,"
	" value TEXT NOT NULL,"
	" PRIMARY KEY (observation, key)) WITHOUT ROWID;",
	/* Version 5: definitions for m4 (NAME or NAME=VALUE); whether a source reports zeros; the number of runs behind
	 * a row of means with stated errors; how multiplexed counters took turns. */
	("CREATE TABLE model_define ("
	 " model INTEGER NOT NULL REFERENCES model(id),"
	 " at INTEGER NOT NULL,"
	 " text TEXT NOT NULL,"
	 " PRIMARY KEY (model, at)) WITHOUT ROWID;"
	 "ALTER TABLE observation ADD COLUMN silent_zeros INTEGER NOT NULL DEFAULT 0;"
	 "ALTER TABLE observation ADD COLUMN runs REAL NOT NULL DEFAULT 0;"
	 "ALTER TABLE observation ADD COLUMN rotation_period REAL NOT NULL DEFAULT 0;"
	 "ALTER TABLE observation ADD COLUMN locked_period REAL NOT NULL DEFAULT 0;"
	 "ALTER TABLE observation ADD COLUMN rotation_seed INTEGER NOT NULL DEFAULT 0;"),
	/* Version 6: a health may be "honest", a word that older programs take for damage. */
	"",
	/* Version 7: the processor that an observation was counted on. */
	"ALTER TABLE observation ADD COLUMN cpu TEXT;",
	/* Version 8: curves of probes. */
	("CREATE TABLE curve ("
	 " name TEXT PRIMARY KEY,"
	 " machine TEXT NOT NULL,"
	 " probe TEXT NOT NULL,"
	 " whole INTEGER NOT NULL,"
	 " x_name TEXT,"
	 " y_name TEXT,"
	 " notes TEXT NOT NULL) WITHOUT ROWID;"
	 "CREATE TABLE curve_point ("
	 " curve TEXT NOT NULL REFERENCES curve(name),"
	 " x REAL NOT NULL,"
	 " min REAL NOT NULL,"
	 " mean REAL NOT NULL,"
	 " max REAL NOT NULL,"
	 " PRIMARY KEY (curve, x)) WITHOUT ROWID;"),
	/* Version 9: settings and graphs of the texts that the file does not open with. */
	("CREATE TABLE kept ("
	 " model INTEGER NOT NULL REFERENCES model(id),"
	 " part TEXT NOT NULL,"
	 " at INTEGER NOT NULL,"
	 " cells TEXT NOT NULL,"
	 " PRIMARY KEY (model, part, at)) WITHOUT ROWID;"),
	/* Version 10: the machine that an observation was counted on, and the codes of its events. */
	("CREATE TABLE machine (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
	 "ALTER TABLE observation ADD COLUMN machine INTEGER REFERENCES machine(id);"),
	/* Version 11: the seconds that a total took; records of a network's snapshots (session_records.h), and views
	 * for queries. A thing is an edge, a vertex, a vertex with a destination, or a path. The record tables have no
	 * REFERENCES: they are written a hundred rows at a time. CROSS JOIN keeps SQLite from reading a table once for
	 * each thing. */
	("ALTER TABLE observation ADD COLUMN elapsed REAL NOT NULL DEFAULT 0;"
	 "CREATE TABLE record_snapshot ("
	 " id INTEGER PRIMARY KEY,"
	 " observation INTEGER NOT NULL REFERENCES observation(id),"
	 " row INTEGER NOT NULL,"
	 " rows INTEGER NOT NULL,"
	 " time REAL,"
	 " seconds REAL,"
	 " UNIQUE (observation, row));"
	 "CREATE TABLE record_flow ("
	 " id INTEGER PRIMARY KEY,"
	 " task TEXT NOT NULL,"
	 " tid INTEGER NOT NULL,"
	 " life INTEGER NOT NULL,"
	 " cpu INTEGER NOT NULL,"
	 " destination TEXT NOT NULL,"
	 " UNIQUE (tid, life, cpu, destination));"
	 "CREATE TABLE record_thing ("
	 " id INTEGER PRIMARY KEY,"
	 " what TEXT NOT NULL,"
	 " module TEXT NOT NULL,"
	 " kind TEXT NOT NULL,"
	 " owner TEXT NOT NULL,"
	 " target TEXT NOT NULL,"
	 " flow INTEGER NOT NULL,"
	 " UNIQUE (what, module, kind, owner, target, flow));"
	 "CREATE TABLE edge_record ("
	 " snapshot INTEGER NOT NULL,"
	 " thing INTEGER NOT NULL,"
	 " load REAL,"
	 " idle REAL,"
	 " PRIMARY KEY (snapshot, thing)) WITHOUT ROWID;"
	 "CREATE TABLE vertex_record ("
	 " snapshot INTEGER NOT NULL,"
	 " thing INTEGER NOT NULL,"
	 " hits REAL,"
	 " misses REAL,"
	 " delay REAL,"
	 " length REAL,"
	 " arrivals REAL,"
	 " wait REAL,"
	 " occupied REAL,"
	 " busy REAL,"
	 " bytes REAL,"
	 " PRIMARY KEY (snapshot, thing)) WITHOUT ROWID;"
	 "CREATE TABLE stall_record ("
	 " snapshot INTEGER NOT NULL,"
	 " thing INTEGER NOT NULL,"
	 " stall REAL,"
	 " own REAL,"
	 " hidden REAL,"
	 " kept REAL,"
	 " stuck REAL,"
	 " PRIMARY KEY (snapshot, thing)) WITHOUT ROWID;"
	 "CREATE TABLE flow_record ("
	 " snapshot INTEGER NOT NULL,"
	 " flow INTEGER NOT NULL,"
	 " ran REAL,"
	 " requests REAL,"
	 " share REAL,"
	 " closed REAL,"
	 " ended REAL,"
	 " PRIMARY KEY (snapshot, flow)) WITHOUT ROWID;"
	 "CREATE TABLE path_record ("
	 " snapshot INTEGER NOT NULL,"
	 " thing INTEGER NOT NULL,"
	 " hits REAL,"
	 " PRIMARY KEY (snapshot, thing)) WITHOUT ROWID;"
	 "CREATE VIEW edge AS SELECT o.name AS observation, s.row, s.time, s.seconds,"
	 " t.module AS sender, t.target AS receiver, t.kind, t.owner, e.load, e.load / s.seconds AS rate, e.idle"
	 " FROM record_snapshot s CROSS JOIN observation o ON o.id = s.observation"
	 " CROSS JOIN edge_record e ON e.snapshot = s.id CROSS JOIN record_thing t ON t.id = e.thing;"
	 "CREATE VIEW edge_bandwidth AS"
	 " SELECT *, max(rate) OVER edges AS peak, max(rate) OVER edges - rate AS available"
	 " FROM edge WINDOW edges AS (PARTITION BY sender, receiver, kind, owner);"
	 "CREATE VIEW vertex AS SELECT o.name AS observation, s.row, s.time, s.seconds,"
	 " t.module, t.kind, t.owner,"
	 " v.hits, v.misses, v.delay, v.length, v.arrivals, v.wait, v.occupied, v.busy, v.bytes"
	 " FROM record_snapshot s CROSS JOIN observation o ON o.id = s.observation"
	 " CROSS JOIN vertex_record v ON v.snapshot = s.id CROSS JOIN record_thing t ON t.id = v.thing;"
	 "CREATE VIEW stall AS SELECT o.name AS observation, s.row, s.time, s.seconds,"
	 " t.module, t.kind, t.owner, t.target AS destination, v.stall, v.own, v.hidden, v.kept, v.stuck"
	 " FROM record_snapshot s CROSS JOIN observation o ON o.id = s.observation"
	 " CROSS JOIN stall_record v ON v.snapshot = s.id CROSS JOIN record_thing t ON t.id = v.thing;"
	 "CREATE VIEW flow AS SELECT o.name AS observation, s.row, s.time, s.seconds,"
	 " f.task, f.tid, f.life, f.cpu, f.destination, r.ran, r.requests, r.share, r.closed, r.ended"
	 " FROM record_snapshot s CROSS JOIN observation o ON o.id = s.observation"
	 " CROSS JOIN flow_record r ON r.snapshot = s.id CROSS JOIN record_flow f ON f.id = r.flow;"
	 "CREATE VIEW path AS SELECT o.name AS observation, s.row, s.time, s.seconds,"
	 " t.module, t.target AS place, t.kind, f.task, f.tid, f.life, f.cpu, p.hits"
	 " FROM record_snapshot s CROSS JOIN observation o ON o.id = s.observation"
	 " CROSS JOIN path_record p ON p.snapshot = s.id CROSS JOIN record_thing t ON t.id = p.thing"
	 " LEFT JOIN record_flow f ON f.id = t.flow;"),
};

const char *
session_schema_step(int from)
{
	return step[from];
}

const char *
session_health_word(enum obs_health h)
{
	switch (h) {
	case OBS_LIVE:
		return "live";
	case OBS_HONEST:
		return "honest";
	case OBS_ZERO_SUSPECT:
		return "zero";
	case OBS_DEAD:
		return "dead";
	case OBS_UNSUPPORTED:
		return "unsupported";
	case OBS_ABSENT:
		return "absent";
	}
	return "absent";
}

bool
session_health_of(const char *word, enum obs_health *health)
{
	for (int h = OBS_LIVE; h <= OBS_ABSENT; h++)
		if (str_eq(word, session_health_word((enum obs_health)h))) {
			*health = (enum obs_health)h;
			return true;
		}
	return false;
}
