/* The parts of what the user chose, as bytes: what undo compares, keeps and puts back. */
#ifndef EXPLORER_STATE_UNDO_PARTS_H
#define EXPLORER_STATE_UNDO_PARTS_H

struct state;
struct str;

/* In the order in which they are put back: features after phases, and what needs the result's rows last. */
enum undo_part_id {
	UNDO_PHASES, UNDO_FEATURES, UNDO_PINS, UNDO_ORDERS, UNDO_COLUMNS, UNDO_FILTERS, UNDO_MARKS, UNDO_EVENTS,
	UNDO_NOTES, UNDO_PARTS
};

struct undo_part {
	void (*read)(const struct state *, struct str *out);
	void (*put)(struct state *, const struct str *now);
	/* Adds how the part is now, in words: "feature bypass is off". */
	void (*say)(const struct state *, const struct str *before, const struct str *now, struct str *out);
};

extern const struct undo_part undo_parts[UNDO_PARTS];

#endif
