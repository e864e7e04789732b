/* One key, one meaning: over all views, a key that several actions have means the same in each. The list below says
 * what, and names every action. A key of views that is missing here, and an action that a row does not name, fail.
 * Apart are the start screen, whose letters are the initials of its lines; popups, which have the keyboard alone; and
 * text prompts. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "explorer/state/action.h"
#include "test.h"

static const struct {
	const char *key, *meaning, *actions;
} meanings[] = {
	{"Enter", "deeper into what the cursor is on",
		"take to_model witness details jump samples node place to_snapshot flow component formula event "
		"probe_run quantity whence_too relaxers"},
	{"Space", "this view's switch", "toggle fold show repair freeze add_event measure"},
	{"+", "fold or unfold", "fold fold_node"},
	{"-", "fold or unfold", "fold fold_node"},
	{"*", "unfold everything", "fold_all"},
	{"!", "pin", "pin"},
	{"\\", "filter", "filter"},
	{"/", "find", "find"},
	{"%", "as shares of one length", "normalise"},
	{"~", "the other way round", "turn"},
	{":", "the palette", "palette"},
	{"[", "the one before", "snapshot_back observe_back"},
	{"]", "the next one", "snapshot_next observe_next"},
	{"?", "help", "help"},
	{">", "the next step of a lesson", "lesson_next"},
	{"<", "the step of a lesson before", "lesson_back"},
	{"=", "answer in a lesson", "lesson_answer"},
	{"A", "by app", "group"},
	{"B", "bandwidths: amounts per second", "rates"},
	{"C", "columns", "columns"},
	{"D", "doctor", "doctor"},
	{"E", "edit the model", "edit"},
	{"F", "the list of flows", "flow_list"},
	{"G", "to the end", "last"},
	{"H", "a hint in a lesson", "lesson_hint"},
	{"I", "instructions", "instructions"},
	{"L", "list of notes", "notes"},
	{"M", "remove the marks", "unmark"},
	{"N", "note on the session", "note_session"},
	{"O", "output", "output"},
	{"P", "programs and features of the machine", "simulated"},
	{"R", "run again", "run"},
	{"S", "start screen", "start"},
	{"T", "theme", "theme"},
	{"U", "undo", "undo"},
	{"C-r", "redo", "redo"},
	{"C-l", "draw anew", "redraw"},
	{"V", "versus: ratios of two runs", "ratios"},
	{"X", "do what a lesson asks for", "lesson_show"},
	{"Z", "fold the lesson", "lesson_fold"},
	{"a", "all", "auto probe_all all_events"},
	{"b", "boxes", "boxes"},
	{"c", "compare", "set_against compare phase_hold"},
	{"d", "discover", "discover"},
	{"e", "eliminate", "eliminate"},
	{"f", "focus on the one that matters, then on the next", "best_pair flow_next"},
	{"g", "to the start", "first"},
	{"h", "left", "left axis_left"},
	{"i", "where the numbers come from", "whence through"},
	{"j", "down", "down axis_down"},
	{"k", "up", "up axis_up"},
	{"l", "right", "right axis_right"},
	{"m", "mark", "mark"},
	{"n", "note, or the next match while a text is searched", "find_next"},
	{"o", "the other one: method, machine or run", "method probe_beside phase_run"},
	{"p", "the pair A and B", "diff"},
	{"q", "back, then leave", "quit"},
	{"r", "type a command", "command"},
	{"s", "sort", "sort"},
	{"t", "truth", "truth"},
	{"u", "unfold into its parts: owners, phases, slices", "unfold_node bar_phases unfold slices"},
	{"v", "variant", "variant"},
	{"w", "write", "write"},
	{"x", "what if a counter were lost", "lose"},
	{"y", "why", "certificate intervals"},
	{"z", "the whole range, or a part of it", "zoom whole_run probe_axis spread_range"},
	{"Left", "left", "left axis_left"},
	{"Right", "right", "right axis_right"},
	{"Up", "up", "up axis_up"},
	{"Down", "down", "down axis_down"},
	{"PgUp", "a page up", "page_up"},
	{"PgDn", "a page down", "page_down"},
	{"Home", "to the start", "first"},
	{"End", "to the end", "last"},
	{"Tab", "next pane", "pane_next"},
	{"S-Tab", "pane before", "pane_back"},
	{"Esc", "stop, else back", "stop"},
	{"F1", "help", "help"},
	{"F5", "run again", "run"},
	{"F10", "back, then leave", "quit"},
};
#define MEANINGS (sizeof meanings / sizeof *meanings)

static bool
has_word(const char *words, const char *word)
{
	char **list = str_split(words, ' ', NULL);
	bool has = false;

	for (size_t i = 0; list[i]; i++)
		has |= str_eq(list[i], word);
	str_split_free(list);
	return has;
}

static const char *
actions_of(const char *key)
{
	for (size_t i = 0; i < MEANINGS; i++)
		if (str_eq(meanings[i].key, key))
			return meanings[i].actions;
	return "";
}

/* Views are reached by digits, each of which shows its own. */
static void
a_key_has_one_meaning(void)
{
	for (int a = 1; a < ACTION_COUNT; a++) {
		const struct action_row *row = action_row((enum action)a);
		char **key = str_split(row->keys, ' ', NULL);

		for (size_t i = 0; key[i] && row->scopes & IN_VIEWS; i++)
			if (!(key[i][0] >= '0' && key[i][0] <= '9'))
				test_check(has_word(actions_of(key[i]), row->id), __FILE__, __LINE__,
					"key %s gets a second meaning, or none is listed: %s", key[i], row->id);
		str_split_free(key);
	}
}

/* No key is listed twice, no two keys of a letter mean the same by accident, and no row is left over. */
static void
the_list_is_sound(void)
{
	for (size_t i = 0; i < MEANINGS; i++) {
		size_t same = 0;

		test_label("%s", meanings[i].key);
		for (size_t k = 0; k < MEANINGS; k++)
			same += str_eq(meanings[k].key, meanings[i].key);
		CHECK_INT(same, 1);
		CHECK(*meanings[i].meaning && *meanings[i].actions);
	}
}

TEST_MAIN(CASE(a_key_has_one_meaning), CASE(the_list_is_sound))
