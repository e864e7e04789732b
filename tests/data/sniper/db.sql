-- Sniper's sim.stats.sqlite3 of two cores that share an L3 and a memory controller.
CREATE TABLE names (nameid INTEGER PRIMARY KEY, objectname TEXT, metricname TEXT);
CREATE TABLE prefixes (prefixid INTEGER PRIMARY KEY, prefixname TEXT);
CREATE TABLE "values" (prefixid INTEGER, nameid INTEGER, core INTEGER, value INTEGER);
CREATE TABLE topology (componentname TEXT, coreid INTEGER, masterid INTEGER);
INSERT INTO names VALUES (1, 'rob_timer', 'cpiBase'), (2, 'performance_model', 'elapsed_time'), (3, 'L3', 'loads'),
	(4, 'barrier', 'global_time'), (5, 'dram', 'reads'), (6, 'rob_timer', 'outstanding'),
	(7, 'performance_model', 'instruction_count'), (8, 'rob_timer', 'cpiBranchPredictor');
INSERT INTO prefixes VALUES (1, 'start'), (2, 'roi-begin'), (3, 'roi-end'), (4, 'stop');
-- 9007199254741493 - 500 is 2^53 + 1
INSERT INTO "values" VALUES (2, 1, 0, 500), (3, 1, 0, 9007199254741493), (3, 1, 1, 98210000),
	(2, 2, 0, 1000), (2, 2, 1, 1000), (3, 2, 0, 2001000), (3, 2, 1, 2001000),
	(3, 3, 0, 42), (3, 4, 0, 99), (2, 5, 0, 7), (3, 5, 0, 5), (3, 6, 1, -1),
	(3, 7, 0, 100), (3, 7, 1, 200), (4, 7, 0, 900), (3, 8, 1, 4);
INSERT INTO topology VALUES ('L3', 0, 0), ('L3', 1, 0), ('dram-cntlr', 0, 0), ('dram-cntlr', 1, 0), ('L2', 0, 0),
	('L2', 1, 1);
