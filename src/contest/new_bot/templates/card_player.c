/* A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
   The rules, the cards and the JSON: santorini help rules */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Spaces are numbered from 0 to 24, row by row; w has the spaces of all workers, mine first. */
typedef struct { int w[4], level[25]; } Board;

static char cards[2][16]; /* mine and theirs */
static Board chosen;
static int turns, chosen_wins;

static int is(const char *card) { return strcmp(cards[0], card) == 0; }
static int near(int a, int b) { return a != b && abs(a / 5 - b / 5) < 2 && abs(a % 5 - b % 5) < 2; }
static int worker_at(const Board *b, int a) {
    for (int i = 0; i < 4; i++) if (b->w[i] == a) return i;
    return -1;
}
static int may_build(const Board *b, int from, int at) {
    return at >= 0 && at < 25 && near(from, at) && worker_at(b, at) < 0 && b->level[at] < 4;
}

/* Chooses among all turns, each equally likely, but rather one that wins. */
static void found(Board after, int wins) {
    if (wins > chosen_wins) turns = 0, chosen_wins = 1;
    if (wins == chosen_wins && rand() % ++turns == 0) chosen = after;
}
static void found_built(Board b, int at, int level) { b.level[at] = level; found(b, 0); }

/* All builds after a move to a space. */
static void build(Board b, int from) {
    for (int at = 0; at < 25; at++) {
        if (!may_build(&b, from, at)) continue;
        int level = ++b.level[at];
        found(b, 0);
        if (is("Atlas") && level < 4) found_built(b, at, 4);
        if (is("Hephastus") && level < 3) found_built(b, at, level + 1);
        for (int more = 0; more < 25 && is("Demeter"); more++)
            if (more != at && may_build(&b, from, more)) found_built(b, more, b.level[more] + 1);
        b.level[at]--;
    }
}

/* All moves of worker me, with their builds. It came from the space `before`, or -1 if it has not moved yet. */
static void move(Board b, int me, int climb, int before) {
    int from = b.w[me], low = b.level[from];
    for (int to = 0; to < 25; to++) {
        int high = b.level[to], other = worker_at(&b, to), behind = 2 * to - from;
        if (!near(from, to) || to == before || high > low + climb || high > 3 || other == !me) continue;
        Board after = b;
        if (other >= 2 && is("Apollo")) after.w[other] = from;
        else if (other >= 2 && is("Minotaur") && may_build(&b, to, behind)) after.w[other] = behind;
        else if (other >= 2) continue;
        after.w[me] = to;
        if ((high == 3 && low < 3) || (is("Pan") && low > high + 1)) { found(after, 1); continue; }
        build(after, to);
        if (is("Artemis") && before < 0) move(after, me, 1, from);
    }
}

/* Reads up to a maximum of numbers from a text. Returns how many. */
static int numbers(const char *text, int most, int *numbers) {
    int count = 0;
    while (count < most && *(text += strcspn(text, "0123456789")))
        numbers[count++] = (int)strtol(text, (char **)&text, 10);
    return count;
}
static void print_player(int i, const int *w) {
    printf("{\"card\":\"%s\",\"tokens\":[[%d,%d],[%d,%d]]}", cards[i], w[0] / 5 + 1, w[0] % 5 + 1, w[1] / 5 + 1, w[1] % 5 + 1);
}

static void place(const char *question) {
    int n[4], w[4] = {-1, -1, -1, -1}, count = numbers(question, 4, n);
    for (int i = 0; i < count / 2; i++) w[2 + i] = 5 * n[2 * i] + n[2 * i + 1] - 6;
    do w[0] = rand() % 25; while (w[0] == w[2] || w[0] == w[3]);
    do w[1] = rand() % 25; while (w[1] == w[0] || w[1] == w[2] || w[1] == w[3]);
    putchar('[');
    if (count) print_player(1, w + 2);
    else printf("{\"card\":\"%s\"}", cards[1]);
    putchar(','); print_player(0, w); puts("]");
}

static void play(const char *question) {
    Board b;
    int n[8], turn = 0;
    numbers(strstr(question, "\"players\""), 8, n);
    numbers(strstr(question, "\"spaces\""), 25, b.level);
    numbers(strstr(question, "\"turn\""), 1, &turn);
    for (int i = 0; i < 4; i++) b.w[i] = 5 * n[2 * i] + n[2 * i + 1] - 6;
    turns = chosen_wins = 0;
    for (int me = 0; me < 2; me++) {
        move(b, me, 1, -1);
        for (int at = 0; at < 25 && is("Prometheus"); at++) {
            if (!may_build(&b, b.w[me], at)) continue;
            b.level[at]++; move(b, me, 0, -1); b.level[at]--;
        }
    }
    printf("{\"players\":["); print_player(1, chosen.w + 2); putchar(','); print_player(0, chosen.w);
    for (int i = 0; i < 25; i++) printf("%s%d", i == 0 ? "],\"spaces\":[[" : i % 5 ? "," : "],[", chosen.level[i]);
    printf("]],\"turn\":%d}\n", turn + 1);
}

int main(void) {
    char line[4096];
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    setvbuf(stdout, NULL, _IOLBF, 0); /* each answer is sent at once */
    while (fgets(line, sizeof line, stdin)) {
        const char *text = line;
        for (int i = 0; i < 2 && (text = strstr(text, "\"card\"")); i++) sscanf(text += 6, " : \"%15[A-Za-z]", cards[i]);
        *line == '[' ? place(line) : play(line);
    }
}
