/* Reads a directed graph from a Matrix Market file (coordinates; entry i j is an edge from i to j,
 * and symmetric files have both) or from lines `FROM TO` with # or % before comments; what follows
 * the two numbers, such as a weight, is left out. */
#ifndef GRAPH_FILE_H
#define GRAPH_FILE_H

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The largest number of a node. */
#define GRAPH_MOST (UINT32_MAX - 1)

typedef struct {
    uint32_t from, to;
} Edge;

typedef struct {
    Edge *edges;
    size_t count, room;
    char error[600]; /* empty when all is well */
} Graph;

static int graph_fail(Graph *g, const char *path, long line, const char *what, const char *text) {
    int length = (int)strcspn(text, "\r\n");
    snprintf(g->error, sizeof g->error, "%s, line %ld: %s, not '%.*s'", path, line, what,
             length < 60 ? length : 60, text);
    return 0;
}

static int graph_add(Graph *g, uint64_t from, uint64_t to) {
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 1024;
        Edge *grown = realloc(g->edges, g->room * sizeof *grown);
        if (!grown) {
            snprintf(g->error, sizeof g->error, "no memory for %zu edges", g->room);
            return 0;
        }
        g->edges = grown;
    }
    g->edges[g->count++] = (Edge){(uint32_t)from, (uint32_t)to};
    return 1;
}

/* The next number of a line from 0 to `most`; 0 when there is none. */
static int graph_number(const char **at, uint64_t most, uint64_t *number) {
    while (isspace((unsigned char)**at)) ++*at;
    if (!isdigit((unsigned char)**at)) return 0;
    char *end;
    errno = 0;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return !errno && *number <= most && (!*end || isspace((unsigned char)*end));
}

/* What the first line of a Matrix Market file says: 0 for what is no list of edges, otherwise
 * whether every entry stands for both directions. */
static int graph_header(const char *line, int *symmetric) {
    char object[32], format[32], field[32], symmetry[32];
    if (sscanf(line, "%*s %31s %31s %31s %31s", object, format, field, symmetry) != 4 ||
        strcasecmp(object, "matrix") || strcasecmp(format, "coordinate"))
        return 0;
    *symmetric = strcasecmp(symmetry, "general") != 0;
    return 1;
}

/* Fills an empty graph. 0 with its error set when the file cannot be read or is not as it should
 * be. */
static int graph_read(Graph *g, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    long number = 0;
    int market = 0, symmetric = 0, sized = 0, good = 1;
    uint64_t nodes = 0, columns, entries = 0, seen = 0;
    if (!file) {
        snprintf(g->error, sizeof g->error, "%s: %s", path, strerror(errno));
        return 0;
    }
    while (good && getline(&line, &room, file) >= 0) {
        const char *at = line;
        if (++number == 1 && !strncasecmp(line, "%%MatrixMarket", 14)) {
            market = 1;
            if (!graph_header(line, &symmetric))
                good = graph_fail(
                    g, path, number,
                    "a graph's file is a 'matrix coordinate' with a field and a symmetry", line);
            continue;
        }
        if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '%' || line[0] == '#') continue;
        uint64_t from, to;
        if (market && !sized) {
            sized = graph_number(&at, GRAPH_MOST, &nodes) &&
                    graph_number(&at, UINT64_MAX, &columns) &&
                    graph_number(&at, UINT64_MAX, &entries);
            if (!sized || nodes != columns)
                good = graph_fail(g, path, number,
                                  "expected 'ROWS COLUMNS ENTRIES' of a square matrix", line);
        } else if (!graph_number(&at, market ? nodes : GRAPH_MOST, &from) ||
                   !graph_number(&at, market ? nodes : GRAPH_MOST, &to) ||
                   (market && (!from || !to))) {
            good = graph_fail(g, path, number,
                              market ? "expected 'ROW COLUMN' within the matrix"
                                     : "expected 'FROM TO', numbers below 2^32 - 1",
                              line);
        } else {
            ++seen;
            good = graph_add(g, from, to) && (!symmetric || from == to || graph_add(g, to, from));
        }
    }
    if (good && ferror(file)) {
        snprintf(g->error, sizeof g->error, "%s: %s", path, strerror(errno));
        good = 0;
    } else if (good && market && !sized) {
        snprintf(g->error, sizeof g->error, "%s: the file has no 'ROWS COLUMNS ENTRIES'", path);
        good = 0;
    } else if (good && market && seen != entries) {
        snprintf(g->error, sizeof g->error, "%s: the file has %llu entries, its head says %llu",
                 path, (unsigned long long)seen, (unsigned long long)entries);
        good = 0;
    }
    free(line);
    fclose(file);
    return good;
}

#endif
