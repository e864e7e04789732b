#include "explorer/state/state_settings.h"

#include "explorer/state/shown.h"
#include "explorer/state/state.h"
#include "explorer/state/state_search.h"

static const struct {
	const char *name, *text;
	double confidence; /* 0: another setting */
	unsigned interval; /* ms; 0: another setting */
	enum { SET_CONFIDENCE, SET_REGION, SET_FAMILY, SET_INTERVAL, SET_MOTION } what;
	enum region_kind region;
} setting[] = {
	{"confidence 90 %", "judge all observations with this confidence", 0.90, .what = SET_CONFIDENCE},
	{"confidence 95 %", "judge all observations with this confidence", 0.95, .what = SET_CONFIDENCE},
	{"confidence 99 %", "judge all observations with this confidence", 0.99, .what = SET_CONFIDENCE},
	{"confidence 99.9 %", "judge all observations with this confidence", 0.999, .what = SET_CONFIDENCE},
	{"region ellipsoid", "the ellipsoid decides the verdicts", .what = SET_REGION, .region = REGION_ELLIPSOID},
	{"region box", "the rotated box decides the verdicts", .what = SET_REGION, .region = REGION_BOX},
	{"region independent", "the independent box decides the verdicts", .what = SET_REGION,
		.region = REGION_INDEPENDENT},
	{"region cone", "the test along the cone decides the verdicts", .what = SET_REGION, .region = REGION_CONE},
	{"one by one", "each observation decides by itself, or again all together", .what = SET_FAMILY},
	{"interval 10 ms", "sample the next run this often", .interval = 10, .what = SET_INTERVAL},
	{"interval 100 ms", "sample the next run this often", .interval = 100, .what = SET_INTERVAL},
	{"interval 1 s", "sample the next run this often", .interval = 1000, .what = SET_INTERVAL},
	{"motion", "progress bars move, or nothing moves by itself", .what = SET_MOTION},
};

bool
setting_is_set(const struct state *s, int number)
{
	const struct analysis_options *how = &s->question.how;

	switch (setting[number].what) {
	case SET_CONFIDENCE: return how->confidence == setting[number].confidence;
	case SET_REGION: return how->decides == (int)setting[number].region;
	case SET_INTERVAL: return s->question.sampling.interval_ms == setting[number].interval;
	case SET_FAMILY: return how->one_by_one;
	case SET_MOTION: return s->view.frame.motion;
	}
	return false;
}

static void
judge_again(struct state *s)
{
	state_forget_search(s);
	state_shown_changed(s);
	state_request(s, REQUEST_LOAD);
	state_request(s, REQUEST_RESULT);
}

void
setting_take(struct state *s, int number)
{
	struct analysis_options *how = &s->question.how;
	bool toggles = setting[number].what == SET_FAMILY || setting[number].what == SET_MOTION;
	bool was = setting_is_set(s, number);

	if (was && !toggles) {
		state_say(s, false, "%s is set already", setting[number].name);
		return;
	}
	state_say(s, false, "%s%s", setting[number].name, !toggles ? "" : was ? ": off" : ": on");
	switch (setting[number].what) {
	case SET_CONFIDENCE:
		how->confidence = setting[number].confidence;
		break;
	case SET_REGION:
		how->decides = (int)setting[number].region;
		break;
	case SET_FAMILY:
		how->one_by_one = !was;
		break;
	case SET_INTERVAL:
		s->question.sampling.interval_ms = setting[number].interval;
		return;
	case SET_MOTION:
		state_set_motion(s, !was);
		return;
	}
	judge_again(s);
}

const char *
setting_reason(const struct state *s, int number)
{
	bool judges = setting[number].what != SET_INTERVAL && setting[number].what != SET_MOTION;

	return judges && !s->question.model ? "no model is open that could judge; S opens one" : NULL;
}

const char *
setting_name(int number)
{
	return number < (int)(sizeof setting / sizeof *setting) ? setting[number].name : NULL;
}

const char *
setting_text(int number)
{
	return setting[number].text;
}
