/* Becomes the program that its words name: what a rank pays for a second program at its start. */
#include <unistd.h>

int main(int count, char **words) {
    if (count > 1) execv(words[1], words + 1);
    return 127;
}
