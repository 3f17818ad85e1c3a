/* Arguments of MPI functions as machine words.
 * - WORDS_n declares n parameters a, b, ...
 * - GIVEN_n passes them on.
 * - TAKEN_n passes the elements of an array `words`.
 * - ONE_MORE_n is n + 1.
 * - KEEP_n stores them, or the first nine, in an array `kept`. */
#ifndef HOPBINE_WORDS_H
#define HOPBINE_WORDS_H

enum { MOST_WORDS = 13 };
#define WORDS_1 intptr_t a
#define WORDS_2 WORDS_1, intptr_t b
#define WORDS_3 WORDS_2, intptr_t c
#define WORDS_4 WORDS_3, intptr_t d
#define WORDS_5 WORDS_4, intptr_t e
#define WORDS_6 WORDS_5, intptr_t f
#define WORDS_7 WORDS_6, intptr_t g
#define WORDS_8 WORDS_7, intptr_t h
#define WORDS_9 WORDS_8, intptr_t i
#define WORDS_10 WORDS_9, intptr_t j
#define WORDS_11 WORDS_10, intptr_t k
#define WORDS_12 WORDS_11, intptr_t l
#define WORDS_13 WORDS_12, intptr_t m
#define GIVEN_1 a
#define GIVEN_2 GIVEN_1, b
#define GIVEN_3 GIVEN_2, c
#define GIVEN_4 GIVEN_3, d
#define GIVEN_5 GIVEN_4, e
#define GIVEN_6 GIVEN_5, f
#define GIVEN_7 GIVEN_6, g
#define GIVEN_8 GIVEN_7, h
#define GIVEN_9 GIVEN_8, i
#define GIVEN_10 GIVEN_9, j
#define GIVEN_11 GIVEN_10, k
#define GIVEN_12 GIVEN_11, l
#define GIVEN_13 GIVEN_12, m
#define KEEP_1 kept[0] = a;
#define KEEP_2 KEEP_1 kept[1] = b;
#define KEEP_3 KEEP_2 kept[2] = c;
#define KEEP_4 KEEP_3 kept[3] = d;
#define KEEP_5 KEEP_4 kept[4] = e;
#define KEEP_6 KEEP_5 kept[5] = f;
#define KEEP_7 KEEP_6 kept[6] = g;
#define KEEP_8 KEEP_7 kept[7] = h;
#define KEEP_9 KEEP_8 kept[8] = i;
#define KEEP_10 KEEP_9
#define KEEP_11 KEEP_9
#define KEEP_12 KEEP_9
#define KEEP_13 KEEP_9
#define TAKEN_5 words[0], words[1], words[2], words[3], words[4]
#define TAKEN_6 TAKEN_5, words[5]
#define TAKEN_7 TAKEN_6, words[6]
#define TAKEN_8 TAKEN_7, words[7]
#define TAKEN_9 TAKEN_8, words[8]
#define TAKEN_10 TAKEN_9, words[9]
#define TAKEN_11 TAKEN_10, words[10]
#define ONE_MORE_6 7
#define ONE_MORE_7 8
#define ONE_MORE_8 9
#define ONE_MORE_9 10
#define ONE_MORE_10 11

#endif
