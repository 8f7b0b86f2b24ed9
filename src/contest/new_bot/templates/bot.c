/* A bot for the Santorini server that plays any legal turn (santorini help protocol): ./bot HOST PORT NAME */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Spaces are numbered x + 6 y, from 0 to 35; a worker not yet placed is at -1. */
static int floors[36], mine[2], theirs[2], moved;
static int near(int a, int b) { return a != b && abs(a / 6 - b / 6) < 2 && abs(a % 6 - b % 6) < 2; }
static int is_free(int a) { return a != mine[0] && a != mine[1] && a != theirs[0] && a != theirs[1]; }

/* Reads workers from a list up to its end. */
static void read_workers(const char *list, int *workers) {
    workers[0] = workers[1] = -1;
    for (int i = 0; i < 2 && *list != ']'; i++, list += *list == ',')
        workers[i] = (int)strtol(list, (char **)&list, 10), workers[i] += 6 * (int)strtol(list + 1, (char **)&list, 10);
}

/* Reads a state, starting at its floors: all numbers have one digit. */
static void read_state(const char *text, const char *name) {
    char own[strlen(name) + 8];
    snprintf(own, sizeof own, "[\"%s\",[", name);
    for (int i = 0; i < 36; text++) if (*text >= '0' && *text <= '9') floors[i++] = *text - '0';
    const char *at = strstr(text, own), *last = strrchr(text, '[') + 1;
    const char *list = at + strlen(own), *before = at - 2; /* a comma separates the bots */
    read_workers(list, mine);
    if (last == list) while (before[-1] != '[') before--; /* the opponent comes first */
    read_workers(last == list ? before : last, theirs);
}

static void answer(FILE *server, char status) {
    int choice = 0, choices = 0;
    for (int move = 0; move < 72; move++) { /* 36 times the worker, and its space */
        int worker = move / 36, from = mine[worker], to = move % 36;
        if (!is_free(to) || (status != 'p' && !near(from, to))) continue;
        if (status == 'b' && (worker != moved || floors[to] > 3)) continue;
        if (status == 'm' && (floors[to] > 3 || floors[to] > floors[from] + 1)) continue;
        if (rand() % ++choices == 0) choice = move; /* all are equally likely */
    }
    if (status == 'm') fprintf(server, "%d ", 1 + (moved = choice / 36));
    fprintf(server, "%d %d\n", choice % 6, choice % 36 / 6);
}

int main(int count, char **words) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *at; int over = 0, server;
    if (count != 4) return fputs("usage: bot HOST PORT NAME\n", stderr), 1;
    if (getaddrinfo(words[1], words[2], &hints, &at)) return fprintf(stderr, "%s is unknown\n", words[1]), 1;
    while (connect(server = socket(at->ai_family, at->ai_socktype, at->ai_protocol), at->ai_addr, at->ai_addrlen))
        if (!(at = at->ai_next)) return perror(words[1]), 1; /* none of its addresses answers */
    FILE *in = fdopen(server, "r"), *out = fdopen(dup(server), "w");
    setvbuf(out, NULL, _IOLBF, 0), fprintf(out, "%s\n", words[3]); /* each line is sent at once */
    char line[1 << 16], name[2 * strlen(words[3]) + 1], turn[sizeof name + 8], *state, *to = name;
    for (char *from = words[3]; *from; *to++ = *from++) if (strchr("\"\\", *from)) *to++ = '\\'; /* as in JSON */
    *to = 0, snprintf(turn, sizeof turn, "\",\"%s\",[[", name), srand((unsigned)getpid()); /* how a state names us */
    while (fgets(line, sizeof line, in))
        if (*line == '"') fputs(line, stdout), over = !strncmp(line, "\"final table", 12); /* a remark to people */
        else if ((state = strstr(line, turn)) && line[2] != 'g') read_state(state + strlen(turn), name), answer(out, line[2]);
    return over ? 0 : (fputs("the connection ended before the final table\n", stderr), 1);
}
