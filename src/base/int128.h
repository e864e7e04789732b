/* 128-bit integers for exact sums; a compiler extension, named in one place. */
#ifndef BASE_INT128_H
#define BASE_INT128_H

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

#endif
