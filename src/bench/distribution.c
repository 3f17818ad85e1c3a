#include "distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int shaped;
    double of_size, fixed; /* default shape: this part of the size, plus this number */
} kinds[] = {[UNIFORM] = {"uniform", 0, 0, 0},
             [NORMAL] = {"normal", 1, 0.24, 0},
             [POWER] = {"power", 1, 0, 0.95}};

static const double kFarthest =
    9; /* standard deviations; a random number of 53 bits draws none beyond 8.3 */
static const double kMostBytes =
    1ull << 40; /* bound of MAX and MEAN: counts of elements stay exact in a double */
static const double kMostExponent = 16;
static const int64_t kOneByOne =
    4096; /* elements from which the mean is summed in steps of 1/4096 of themselves */

static int number(const char *s, double *out) {
    char *stop;
    *out = strtod(s, &stop);
    return *s && !*stop && s[strspn(s, "0123456789.")] == 0;
}

/* Formats an error. `bound` follows `why` unless it is 0. */
static const char *refused(const char *text, const char *why, double bound) {
    static char what[400];
    int n = snprintf(what, sizeof what, "'%.80s': %s", text, why);
    if (bound > 0) n += snprintf(what + n, sizeof what - (size_t)n, " %.15g", bound);
    snprintf(what + n, sizeof what - (size_t)n,
             "; allowed are BYTES, dist:uniform:MAX, dist:normal:MEAN[:SD] and "
             "dist:power:MAX[:EXPONENT]");
    return what;
}

static const char *open_mean(struct distribution *d, const char *text) {
    double bytes;
    if (!number(text, &bytes) || bytes != floor(bytes) || bytes > kMostBytes / 2)
        return refused(text, "bytes must be a whole number of at most", kMostBytes / 2);
    const double elements = floor(bytes / (double)d->width);
    d->kind = UNIFORM;
    d->size = 2 * (elements < 1 ? 1 : elements) * (double)d->width;
    snprintf(d->text, sizeof d->text, "dist:uniform:%.15g", d->size);
    return NULL;
}

/* Reads the SIZE of KIND:SIZE from `word`. */
static const char *open_size(struct distribution *d, const char *text, const char *word) {
    if (!number(word, &d->size) || d->size != floor(d->size) || d->size > kMostBytes)
        return refused(text, "bytes must be a whole number of at most", kMostBytes);
    if (d->size < (double)d->width)
        return refused(text, "blocks must have room for an element, bytes:", (double)d->width);
    return NULL;
}

/* Reads the SHAPE of KIND:SIZE:SHAPE from `word`; "" selects the default. */
static const char *open_shape(struct distribution *d, const char *text, const char *word) {
    const int normal = d->kind == NORMAL;
    const double most = normal ? kMostBytes : kMostExponent;
    d->shape = kinds[d->kind].of_size * d->size + kinds[d->kind].fixed;
    if (!*word) return NULL;
    if (number(word, &d->shape) && d->shape <= most && !(normal && d->shape <= 0)) return NULL;
    return refused(
        text, normal ? "SD must be above 0 and at most" : "EXPONENT must be 0 or more, and at most",
        most);
}

const char *distribution_open(struct distribution *d, const char *text, size_t width) {
    char words[3][40] = {"", "", ""};
    int used = 0, k = 0;
    memset(d, 0, sizeof *d);
    d->width = width;
    if (strncmp(text, "dist:", 5)) return open_mean(d, text);
    const int given = sscanf(text, "dist:%39[^:]:%39[^:]%n:%39[^:]%n", words[0], words[1], &used,
                             words[2], &used);
    while (k <= POWER && strcmp(words[0], kinds[k].name)) ++k;
    if (k > POWER) return refused(text, "no such distribution", 0);
    d->kind = (enum distribution_kind)k;
    if (given < 2 || text[used] || (given > 2 && !kinds[k].shaped))
        return refused(text, "too few or too many numbers", 0);
    const char *why = open_size(d, text, words[1]);
    if (!why) why = open_shape(d, text, words[2]);
    if (why) return why;
    int n = snprintf(d->text, sizeof d->text, "dist:%s:%.15g", kinds[k].name, d->size);
    if (kinds[k].shaped) snprintf(d->text + n, sizeof d->text - (size_t)n, ":%.10g", d->shape);
    return NULL;
}

/* The integral of t^-exponent from 1 to x. */
static double power_integral(double x, double exponent) {
    return exponent == 1 ? log(x) : (pow(x, 1 - exponent) - 1) / (1 - exponent);
}

double distribution_up_to(const struct distribution *d, double k) {
    const double w = (double)d->width, largest = floor(d->size / w), rounded_down = (k + 0.5) * w;
    if (k < 0) return 0;
    if (d->kind == NORMAL) return 0.5 * erfc((d->size - rounded_down) / d->shape / sqrt(2));
    if (k >= largest) return 1;
    if (d->kind == UNIFORM) return (k + 1) / (largest + 1);
    return rounded_down <= 1
               ? 0
               : power_integral(rounded_down, d->shape) / power_integral(d->size, d->shape);
}

int64_t distribution_longest(const struct distribution *d) {
    const double w = (double)d->width;
    return (int64_t)(d->kind == NORMAL ? ceil((d->size + kFarthest * d->shape) / w)
                                       : floor(d->size / w));
}

double distribution_mean(const struct distribution *d) {
    const int64_t longest = distribution_longest(d);
    double sum = 0; /* of the probabilities of more than k elements, for all k */
    for (int64_t k = 0, step; k < longest; k += step) {
        step = 1 + k / kOneByOne;
        if (step > longest - k) step = longest - k;
        sum += (double)step * (1 - distribution_up_to(d, (double)k + (double)(step - 1) / 2));
    }
    return sum * (double)d->width;
}

int64_t distribution_draw(const struct distribution *d, int from, int to, int round) {
    uint64_t x =
        ((uint64_t)(unsigned)from << 40) ^ ((uint64_t)(unsigned)to << 20) ^ (unsigned)round;
    for (int k = 0; k < 3; ++k) x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
    const double u = (double)(x >> 11) * 0x1p-53;
    int64_t low = 0, high = distribution_longest(d); /* searches the least k with up_to(k) > u */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (distribution_up_to(d, (double)middle) > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
