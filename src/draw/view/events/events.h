/* View 0, Events: how far each event can be trusted. */
#ifndef DRAW_VIEW_EVENTS_EVENTS_H
#define DRAW_VIEW_EVENTS_EVENTS_H

#include "draw/view/view_page.h"

struct trust_event;

/* Pane of the runs, in runs.c. */
void title_runs(const struct state *, struct str *title, struct str *info);
void draw_runs(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);
/* Draws the counts of an event, and below them the corrected ones, each as a histogram. */
void draw_histograms(const struct trust_event *, struct grid *, struct rect);

/* Pane of one event, in event.c. */
void title_event(const struct state *, struct str *title, struct str *info);
void draw_event(const struct state *, struct grid *, struct rect, bool focus, struct drawn *);

/* Writes everything that is known of an event of this machine; in catalogue.c. */
struct catalogue_node;
struct event_row;
void catalogue_page(struct page *, const struct event_row *);
/* The contents of a PMU or a topic. */
void catalogue_group_page(struct page *, const struct catalogue_node *);

#endif
