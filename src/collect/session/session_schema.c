#include "collect/session/session_schema.h"

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
};

const char *
session_schema_step(int from)
{
	return step[from];
}
