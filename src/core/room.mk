include src/core/lang/room.mk
include src/core/obs/room.mk
include src/core/udd/room.mk
include src/core/cone/room.mk
include src/core/stats/room.mk
include src/core/series/room.mk
include src/core/verdict/room.mk
include src/core/search/room.mk
