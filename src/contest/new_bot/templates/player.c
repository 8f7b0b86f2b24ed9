/* A player for Santorini: it wins if it can, and otherwise plays any legal turn (santorini help rules). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Reads up to a maximum of numbers from a text. Returns how many. */
static int numbers(const char *text, int most, int *found) {
    int count = 0;
    while (count < most && *(text += strcspn(text, "0123456789")))
        found[count++] = (int)strtol(text, (char **)&text, 10);
    return count;
}

/* Spaces are numbered from 0 to 24, row by row; w has the spaces of all workers, mine first. */
static int near(int a, int b) { return a != b && abs(a / 5 - b / 5) < 2 && abs(a % 5 - b % 5) < 2; }
static int taken(const int *w, int a) { return w[0] == a || w[1] == a || w[2] == a || w[3] == a; }
static void print_pair(int a, int b) {
    printf("[[%d,%d],[%d,%d]]", a / 5 + 1, a % 5 + 1, b / 5 + 1, b % 5 + 1);
}

static void place(const char *question) {
    int n[4], w[4] = {-1, -1, -1, -1}, count = numbers(question, 4, n);
    for (int i = 0; i < count / 2; i++) w[2 + i] = 5 * n[2 * i] + n[2 * i + 1] - 6;
    do w[0] = rand() % 25; while (w[0] == w[2] || w[0] == w[3]);
    do w[1] = rand() % 25; while (w[1] == w[0] || w[1] == w[2] || w[1] == w[3]);
    if (count) { putchar('['); print_pair(w[2], w[3]); }
    putchar(count ? ',' : '['); print_pair(w[0], w[1]); puts("]");
}

static void play(const char *question) {
    int n[8], w[4], level[25], turn = 0, after[4] = {0}, build = 0, turns = 0, won = 0;
    numbers(strstr(question, "\"players\""), 8, n);
    numbers(strstr(question, "\"spaces\""), 25, level);
    numbers(strstr(question, "\"turn\""), 1, &turn);
    for (int i = 0; i < 4; i++) w[i] = 5 * n[2 * i] + n[2 * i + 1] - 6;
    for (int me = 0; me < 2; me++)
        for (int to = 0; to < 25 && !won; to++) {
            if (!near(w[me], to) || taken(w, to) || level[to] > level[w[me]] + 1 || level[to] > 3) continue;
            int moved[4] = {w[0], w[1], w[2], w[3]};
            moved[me] = to;
            won = level[to] == 3;
            for (int at = 0; at < 25; at++) /* all turns so far are equally likely */
                if (near(to, at) && !taken(moved, at) && level[at] < 4 && (rand() % ++turns == 0 || won))
                    memcpy(after, moved, sizeof after), build = at;
        }
    level[build] += !won;
    printf("{\"players\":["); print_pair(after[2], after[3]); putchar(','); print_pair(after[0], after[1]);
    for (int i = 0; i < 25; i++) printf("%s%d", i == 0 ? "],\"spaces\":[[" : i % 5 ? "," : "],[", level[i]);
    printf("]],\"turn\":%d}\n", turn + 1);
}

int main(void) {
    char line[4096];
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    setvbuf(stdout, NULL, _IOLBF, 0); /* each answer is sent at once */
    while (fgets(line, sizeof line, stdin)) *line == '[' ? place(line) : play(line);
}
