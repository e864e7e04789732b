include src/explorer/autosave/room.mk
include src/explorer/control/room.mk
include src/explorer/engine/room.mk
include src/explorer/report/room.mk
include src/explorer/state/room.mk
