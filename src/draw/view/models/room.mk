libhecate_a_SOURCES += \
	src/draw/view/models/alternatives.c \
	src/draw/view/models/models.c src/draw/view/models/models.h \
	src/draw/view/models/search.c src/draw/view/models/search.h \
	src/draw/view/models/search_boxes.c src/draw/view/models/search_boxes.h \
	src/draw/view/models/search_graph.c \
	src/draw/view/models/search_words.c \
	src/draw/view/models/selected.c \
	src/draw/view/models/tree.c \
	src/draw/view/models/why.c
