include src/convert/fdl/room.mk
