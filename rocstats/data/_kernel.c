/* The compiled kernel: what rocstats does most often, without a full sort.

   Every function here has a twin in numpy (its caller in Python takes it), is checked against it,
   and gives the same number: sums of counts are whole numbers and exact, draws come from numpy's
   own streams. Arrays arrive by the buffer protocol; the global lock is released while they are
   worked on. A function that cannot go on returns None, and the twin does the work.  */

#define _DEFAULT_SOURCE /* madvise */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Loops that gain by wider registers are compiled for them too, and chosen when loaded. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GLIBC__) && !defined(PLAIN)
#define FAST __attribute__((target_clones("avx2", "default")))
#else
#define FAST
#endif

#define INSIDE inline __attribute__((always_inline)) /* so that it is compiled for its caller */

typedef unsigned __int128 Wide;
typedef uint32_t Place;

/* ------------------------------------------------------------------ arrays that Python hands over */

typedef struct {
    Py_buffer view;
    Py_ssize_t size; /* elements */
    int held;
} Array;

/* Take a contiguous array whose elements are of one of some kinds; an N stands for None, which is
   an array of none. Return whether there is no error, as PyArg_ParseTuple asks of an "O&". */
static int take(Array *array, PyObject *from, const char *kinds, int writable)
{
    if (from == Py_None && strchr(kinds, 'N') != NULL)
        return 1;
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(from, &array->view, flags) < 0)
        return 0;
    array->held = 1;
    const char *format = array->view.format ? array->view.format : "";
    Py_ssize_t width = *format == 'H' ? 2 : *format == 'B' || *format == '?' ? 1 : 8;
    if (strlen(format) != 1 || strchr(kinds, *format) == NULL || array->view.itemsize != width) {
        PyErr_Format(PyExc_TypeError, "expected an array of %s, got one of %s", kinds, format);
        return 0;
    }
    array->size = array->view.len / width;
    return 1;
}

#define KIND(name, kinds, writable)                  \
    static int name(PyObject *from, void *array)     \
    {                                                \
        return take(array, from, kinds, writable);   \
    }
KIND(doubles, "d", 0)
KIND(doubles_out, "d", 1)
KIND(doubles_out_or_none, "dN", 1)
KIND(truths, "?", 0)
KIND(truths_out, "?", 1)
KIND(counts, "lq", 0)
KIND(counts_out, "lq", 1)
KIND(counts_or_none, "lqN", 0)
KIND(counts_or_doubles_out, "lqd", 1)
KIND(doubles_or_truths, "d?", 0)
KIND(doubles_or_none, "dN", 0)
KIND(bytes, "B", 0)
KIND(bytes_out, "B", 1)
KIND(cells_or_none, "HN", 0)

static void give_back(Array *arrays, int count)
{
    for (int i = 0; i < count; i++)
        if (arrays[i].held)
            PyBuffer_Release(&arrays[i].view);
}

static PyObject *wrong_length(void)
{
    PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    return NULL;
}

/* ------------------------------------------------------------------ memory kept between calls

   Fresh pages cost as much as the work itself. One piece is kept; whoever finds it taken, another
   thread for one, takes memory of its own. Both functions are called with the global lock. */

#define KEPT ((size_t)64 << 20)
static struct { void *memory; size_t size; } kept;

/* Large memory in large pages, where there are such: fewer are made, and found again faster. */
static void *fresh(size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t page = (size_t)2 << 20;
    void *memory = size > 2 * page ? aligned_alloc(page, (size + page - 1) / page * page) : NULL;
    if (memory != NULL) {
        madvise(memory, size, MADV_HUGEPAGE);
        return memory;
    }
#endif
    return malloc(size);
}

static void *borrow(size_t size, size_t *given)
{
    void *memory = kept.memory;
    if (memory != NULL && kept.size >= size) {
        *given = kept.size;
        kept.memory = NULL;
        return memory;
    }
    *given = size;
    return fresh(size);
}

static void put_back(void *memory, size_t size)
{
    if (size > KEPT || (kept.memory != NULL && kept.size >= size)) {
        free(memory);
        return;
    }
    free(kept.memory);
    kept.memory = memory;
    kept.size = size;
}

/* ------------------------------------------------------------------ placements

   Scores are scattered into buckets by a monotone map, positives from the front of a bucket and
   negatives from its back; whoever lies in a lower bucket is lower. Buckets are few at first, so
   that each is written within the cache, and cut into buckets in turn until they are small. There
   every pair is looked at, four at a time. */

enum { SMALL = 1 << 14, FIRST = 256, IN_BUCKET = 16, PAIRS = 1024, DEEPEST = 7, LANES = 4 };

typedef double Four __attribute__((vector_size(8 * LANES)));
typedef int64_t Points __attribute__((vector_size(8 * LANES)));
typedef int32_t Ints __attribute__((vector_size(4 * LANES)));
typedef uint8_t Bytes __attribute__((vector_size(LANES)));

typedef struct {
    char *spare, *end; /* memory that is left */
    uint64_t m, pos_seen, neg_seen, wins;
    Wide pos_squares, neg_squares;
    int wanted; /* whether placements are wanted, and not their sums alone */
    double *ranked;  /* or, where subjects are sorted and not placed, where the next score goes, */
    uint8_t *labels; /* and where its label */
} Placing;

typedef struct { double low, high; } Span;

/* The least and the largest score; nan for both where one is not finite. */
FAST static Span span_of(const double *score, size_t n)
{
    double low[LANES], high[LANES], bad[LANES];
    for (int k = 0; k < LANES; k++) {
        low[k] = high[k] = score[0];
        bad[k] = 0.0;
    }
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            double one = score[i + k];
            low[k] = one < low[k] ? one : low[k];
            high[k] = one > high[k] ? one : high[k];
            bad[k] += one - one;
        }
    Span span = {low[0], high[0]};
    double sum = bad[0] + bad[1] + bad[2] + bad[3];
    for (int k = 1; k < LANES; k++) {
        span.low = low[k] < span.low ? low[k] : span.low;
        span.high = high[k] > span.high ? high[k] : span.high;
    }
    for (; i < n; i++) {
        span.low = score[i] < span.low ? score[i] : span.low;
        span.high = score[i] > span.high ? score[i] : span.high;
        sum += score[i] - score[i];
    }
    return (Span){span.low + sum, span.high + sum};
}

/* A monotone map of scores to buckets: by their values or, where these lie too unevenly, by their
   keys, which are their places among all doubles. */
typedef struct {
    double low, steep;
    int64_t first; /* the least key */
    int by_key;
} Map;

static inline int64_t key_of(double score)
{
    int64_t bits;
    score += 0.0; /* no -0.0 */
    memcpy(&bits, &score, sizeof bits);
    return bits ^ (bits >> 63 & INT64_MAX);
}

/* Map by value, or by key where the doubles do not allow for it; -1 where a score is not a number. */
static int find_map(Map *map, const double *score, size_t n, size_t buckets, int by_key)
{
    Span span = by_key ? (Span){0.0, 0.0} : span_of(score, n);
    double width = span.high - span.low, steep = (double)buckets / width;
    *map = (Map){.low = span.low, .steep = steep};
    if (width > 0.0 && width < 1e300 && steep > 0.0 && steep < 1e300)
        return 0;
    int64_t first = key_of(score[0]), last = first;
    for (size_t i = 1; i < n; i++) {
        int64_t key = key_of(score[i]);
        first = key < first ? key : first;
        last = key > last ? key : last;
    }
    width = (double)((uint64_t)last - (uint64_t)first);
    *map = (Map){.first = first, .by_key = 1, .steep = width > 0.0 ? (double)buckets / width : 0.0};
    return first < key_of(-INFINITY) || last > key_of(INFINITY) ? -1 : 0;
}

typedef struct { uint64_t sum, squares; } Counted;

/* Of each of so many scores, how many others are less, times two, ties counting one. Up to three
   scores beyond the last are read, and counted for no one. */
static INSIDE Counted count_below(const double *score, size_t size, const double *others, size_t n,
                                  int64_t *below)
{
    Counted all = {0, 0};
    for (size_t i = 0; i < size; i += LANES) {
        Four mine;
        Points less = {0, 0, 0, 0};
        memcpy(&mine, score + i, sizeof mine);
        for (size_t j = 0; j < n; j++) {
            Four other = {others[j], others[j], others[j], others[j]};
            less -= (other < mine) + (other <= mine); /* a truth is -1 */
        }
        memcpy(below + i, &less, sizeof less);
    }
    for (size_t i = 0; i < size; i++) {
        all.sum += (uint64_t)below[i];
        all.squares += (uint64_t)(below[i] * below[i]);
    }
    return all;
}

/* Place a positives and then b negatives that lie together; `equal` where all of them tie.

   Where placements are wanted they take the places of the scores: how many of the other class one
   passes, times two, ties counting one. */
FAST static void place(Placing *all, double *score, size_t a, size_t b, int equal)
{
    uint64_t below = 2 * all->neg_seen, above = 2 * (all->m - all->pos_seen - a), wins = 0;
    Wide pos_squares = 0, neg_squares = 0;
    all->pos_seen += a;
    all->neg_seen += b;
    if (a == 0 || b == 0 || equal) { /* everyone of a class passes the same */
        wins = a * (below + b);
        pos_squares = (Wide)wins * (below + b);
        neg_squares = (Wide)(b * (above + a)) * (above + a);
        for (size_t i = 0; i < a + b && all->wanted; i++)
            score[i] = (double)(i < a ? below + b : above + a);
    }
    else {
        int64_t won[PAIRS + LANES], lost[PAIRS + LANES];
        Counted pos = count_below(score, a, score + a, b, won);
        Counted neg = count_below(score + a, b, score, a, lost);
        above += 2 * a;
        wins = a * below + pos.sum;
        pos_squares = (Wide)below * below * a + (Wide)(2 * below) * pos.sum + pos.squares;
        neg_squares = (Wide)above * above * b - (Wide)(2 * above) * neg.sum + neg.squares;
        for (size_t i = 0; i < a && all->wanted; i++)
            score[i] = (double)(below + (uint64_t)won[i]);
        for (size_t j = 0; j < b && all->wanted; j++)
            score[a + j] = (double)(above - (uint64_t)lost[j]);
    }
    all->wins += wins;
    all->pos_squares += pos_squares;
    all->neg_squares += neg_squares;
}

/* Sort a positives and then b negatives that lie together, negatives first where they tie.

   The place of each is how many come before it: no branch depends on a score. */
enum { TOGETHER = 64 };

FAST static void rank(Placing *all, const double *score, size_t a, size_t b, int equal)
{
    double *ranked = all->ranked;
    uint8_t *labels = all->labels;
    size_t n = a + b;
    all->ranked += n;
    all->labels += n;
    if (equal) {
        for (size_t i = 0; i < n; i++) {
            ranked[i] = score[0] + 0.0; /* no -0.0 */
            labels[i] = i >= b;
        }
        return;
    }
    double some[TOGETHER];
    uint8_t taken[TOGETHER] = {0}; /* how many that tie have the places from here */
    for (size_t i = 0; i < b; i++)
        some[i] = score[a + i];
    for (size_t i = 0; i < a; i++)
        some[b + i] = score[i];
    for (size_t first = 0; first < n; first += LANES) {
        Four mine;
        Points before = {0, 0, 0, 0};
        memcpy(&mine, some + first, sizeof mine);
        for (size_t j = 0; j < n; j++) {
            Four other = {some[j], some[j], some[j], some[j]};
            before -= other < mine; /* a truth is -1 */
        }
        for (size_t k = first; k < n && k < first + LANES; k++) {
            size_t at = (size_t)before[k - first];
            at += taken[at]++;
            ranked[at] = some[k] + 0.0;
            labels[at] = k >= b;
        }
    }
}

/* ------------------------------------------------------------------ buckets */

/* Whether so many are few enough to be looked at together. */
static INSIDE int is_few(const Placing *all, size_t a, size_t b)
{
    return all->ranked ? a + b <= TOGETHER : a * b <= PAIRS;
}

static INSIDE void settle(Placing *all, double *score, size_t a, size_t b, int equal)
{
    if (all->ranked)
        rank(all, score, a, b, equal);
    else
        place(all, score, a, b, equal);
}

static size_t buckets_for(size_t n) { return n > SMALL ? FIRST : n / IN_BUCKET + 2; }

static size_t in_lines(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Memory to cut n scores: the scores, scattered, the cell of each, and the bounds of cells. */
static size_t room_for(size_t n)
{
    return in_lines(n * sizeof(double)) + in_lines(n * sizeof(uint16_t)) +
           in_lines((2 * buckets_for(n) + 2) * sizeof(Place));
}

static size_t room_in_all(size_t n) { return 3 * room_for(n) + DEEPEST * room_for(SMALL); }

/* Find the cell of each score, which is twice its bucket, and one more for a negative, and where
   cells start; return how many scores the fullest bucket has. */
FAST static size_t find_cells(const Map *map, const double *score, const uint8_t *label, size_t a,
                              size_t n, uint16_t *cell, Place *start)
{
    const Map by = *map;
    const size_t cells = 2 * buckets_for(n);
    const double top = (double)(buckets_for(n) - 1);
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        double at = by.by_key ? (double)((uint64_t)key_of(score[i]) - (uint64_t)by.first)
                              : score[i] - by.low;
        at *= by.steep;
        at = at < top ? at : top;
        cell[i] = (uint16_t)(2 * (int32_t)at + (label ? !label[i] : i >= a));
    }
    memset(start, 0, (cells + 2) * sizeof(Place));
    for (size_t i = 0; i < n; i++)
        start[cell[i] + 2]++;
    for (size_t k = 2; k < cells + 2; k += 2) {
        size_t here = (size_t)start[k] + start[k + 1];
        most = here > most ? here : most;
        start[k] += start[k - 1];
        start[k + 1] += start[k];
    }
    return most;
}

/* Cut a positives and then b negatives into buckets, and place or sort them; -1 to give up.

   At first there are labels and scores come in any order. A bucket has two cells, of positives and
   of negatives. Placements, where they are wanted, are put at `out` in the order of the scores,
   which may be the place of the scores themselves; at last they become influence, the share passed
   less the area. */
FAST static int cut(Placing *all, const double *score, double *out, const uint8_t *label, size_t a,
                    size_t b, int depth)
{
    size_t n = a + b, buckets = buckets_for(n), room = room_for(n);
    Map map;
    if (find_map(&map, score, n, buckets, 0) < 0)
        return -1;
    if (map.steep == 0.0 && label == NULL) {
        settle(all, out, a, b, 1);
        return 0;
    }
    if (depth == DEEPEST || (size_t)(all->end - all->spare) < room)
        return -1;
    double *next = (double *)all->spare;
    uint16_t *cell = (uint16_t *)(all->spare + in_lines(n * sizeof(double)));
    Place *start = (Place *)((char *)cell + in_lines(n * sizeof(uint16_t)));
    all->spare += room;
    size_t most = find_cells(&map, score, label, a, n, cell, start);
    if (most > n / 2 && !map.by_key && find_map(&map, score, n, buckets, 1) == 0)
        find_cells(&map, score, label, a, n, cell, start);
    for (size_t i = 0; i < n; i++)
        next[start[cell[i] + 1]++] = score[i];
    for (size_t k = 0; k < 2 * buckets; k += 2) {
        size_t at = start[k], pos = start[k + 1] - at, neg = start[k + 2] - start[k + 1];
        if (is_few(all, pos, neg))
            settle(all, next + at, pos, neg, 0);
        else if (cut(all, next + at, next + at, NULL, pos, neg, depth + 1) < 0)
            return -1;
    }
    all->spare -= room;
    if (!all->wanted)
        return 0;
    if (label) {
        double others[2] = {2.0 * (double)b, 2.0 * (double)a}; /* those a subject may pass, twice */
        double area = (double)all->wins / (2.0 * (double)a * (double)b);
        for (size_t i = 0; i < n; i++)
            out[i] = next[start[cell[i]]++] / others[cell[i] & 1] - area;
    }
    else
        for (size_t i = 0; i < n; i++)
            out[i] = next[start[cell[i]]++];
    return 0;
}

static PyObject *placements(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[3] = {{.held = 0}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&", doubles, &in[0], truths, &in[1], doubles_out_or_none, &in[2]))
        goto done;
    int wanted = in[2].held;
    size_t n = (size_t)in[0].size;
    if (in[1].size != in[0].size || (wanted && in[2].size != in[0].size)) {
        wrong_length();
        goto done;
    }
    const double *score = in[0].view.buf;
    const uint8_t *label = in[1].view.buf;
    uint64_t m = 0;
    for (size_t i = 0; i < n; i++)
        m += label[i] != 0;
    if (m == 0 || m == n || n > UINT32_MAX / 2) {
        answer = Py_NewRef(Py_None);
        goto done;
    }
    size_t room = room_in_all(n);
    size_t given;
    char *memory = borrow(room, &given);
    if (memory == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Placing all = {
        .spare = memory,
        .end = memory + room,
        .m = m,
        .wanted = wanted,
    };
    double *out = wanted ? in[2].view.buf : NULL;
    int found;
    Py_BEGIN_ALLOW_THREADS
    found = cut(&all, score, out, label, m, n - m, 0);
    Py_END_ALLOW_THREADS
    put_back(memory, given);
    for (size_t i = 0; i < n && found < 0; i++)
        if (score[i] != score[i]) {
            PyErr_SetString(PyExc_ValueError, "a score is not a number");
            goto done;
        }
    if (found < 0)
        answer = Py_NewRef(Py_None);
    else
        answer = Py_BuildValue(
            "KKKKKKK", (unsigned long long)m, (unsigned long long)(n - m),
            (unsigned long long)all.wins,
            (unsigned long long)(all.pos_squares >> 64), (unsigned long long)all.pos_squares,
            (unsigned long long)(all.neg_squares >> 64), (unsigned long long)all.neg_squares);
done:
    give_back(in, 3);
    return answer;
}

/* sort(score, positive, ranked, labels): the scores by size, and their labels, negatives first where
   they tie; returns whether the buckets told the scores apart. */
static PyObject *sort(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[4] = {{.held = 0}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", doubles, &in[0], truths, &in[1], doubles_out, &in[2],
                          truths_out, &in[3]))
        goto done;
    for (int k = 1; k < 4; k++)
        if (in[k].size != in[0].size) {
            wrong_length();
            goto done;
        }
    size_t n = (size_t)in[0].size, m = 0, room = room_in_all(n), given;
    const uint8_t *label = in[1].view.buf;
    for (size_t i = 0; i < n; i++)
        m += label[i] != 0;
    char *memory = n > 0 && n < UINT32_MAX / 2 ? borrow(room, &given) : NULL;
    if (memory == NULL) {
        answer = Py_NewRef(Py_False);
        goto done;
    }
    Placing all = {
        .spare = memory,
        .end = memory + room,
        .ranked = in[2].view.buf,
        .labels = in[3].view.buf,
    };
    int found;
    Py_BEGIN_ALLOW_THREADS
    found = cut(&all, in[0].view.buf, NULL, label, m, n - m, 0);
    Py_END_ALLOW_THREADS
    put_back(memory, given);
    answer = PyBool_FromLong(found == 0);
done:
    give_back(in, 4);
    return answer;
}

/* ------------------------------------------------------------------ products of rows

   Columns are taken a slab at a time and those of one stratum laid side by side, so that the rows
   of a slab meet in the nearest cache. */

enum { SLAB = 512 };

FAST static double product(const double *a, const double *b, size_t n) /* n: whole lanes */
{
    Four one, two, sum = {0.0, 0.0, 0.0, 0.0};
    for (size_t i = 0; i < n; i += LANES) {
        memcpy(&one, a + i, sizeof one);
        memcpy(&two, b + i, sizeof two);
        sum += one * two;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void add_slab(const double *values, const int64_t *stratum, size_t rows, size_t n, size_t at,
                     int64_t which, double *side, double *out)
{
    size_t chosen[SLAB], count = 0, end = at + SLAB < n ? at + SLAB : n;
    for (size_t i = at; i < end; i++) {
        chosen[count] = i;
        count += stratum[i] == which;
    }
    if (count == 0)
        return;
    size_t width = (count + LANES - 1) / LANES * LANES;
    for (size_t r = 0; r < rows; r++) {
        double *to = side + r * SLAB;
        for (size_t i = 0; i < count; i++)
            to[i] = values[r * n + chosen[i]];
        for (size_t i = count; i < width; i++)
            to[i] = 0.0;
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t s = r; s < rows; s++)
            out[r * rows + s] += product(side + r * SLAB, side + s * SLAB, width);
}

/* products(values, stratum, out): to out[k, r, s] add the sum of values[r] values[s] over the
   columns of stratum k, for s >= r. */
static PyObject *products(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[3] = {{.held = 0}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&", doubles, &in[0], counts, &in[1], doubles_out, &in[2]))
        goto done;
    size_t n = (size_t)in[1].size, rows = n ? (size_t)in[0].size / n : 0;
    size_t strata = rows ? (size_t)in[2].size / (rows * rows) : 0;
    if (rows * n != (size_t)in[0].size || strata * rows * rows != (size_t)in[2].size ||
        rows == 0) {
        wrong_length();
        goto done;
    }
    double *side = malloc(rows * SLAB * sizeof(double)), *out = in[2].view.buf;
    if (side == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (size_t at = 0; at < n; at += SLAB)
        for (size_t k = 0; k < strata; k++)
            add_slab(in[0].view.buf, in[1].view.buf, rows, n, at, (int64_t)k, side,
                     out + k * rows * rows);
    Py_END_ALLOW_THREADS
    free(side);
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 3);
    return answer;
}

/* tails(values, stratum, weights, out): of weights @ values, in out[k] the degrees of freedom that
   tailed_df gives the columns of stratum k. Sums go by slabs, so that many keep their digits. */

typedef struct { double size, mean, peak, second, fourth, part[2]; } Tail;

typedef struct {
    const double *values, *weights;
    const int64_t *stratum;
    size_t rows, n, strata;
    Tail *tail;
} Tails;

static inline double combined(const Tails *all, size_t i)
{
    double sum = 0.0;
    for (size_t r = 0; r < all->rows; r++)
        sum += all->weights[r] * all->values[r * all->n + i];
    return sum;
}

/* The first pass has the means, the second the largest distances, the third their powers. */
static void find_tails(const Tails *all, int pass)
{
    for (size_t at = 0; at < all->n; at += SLAB) {
        size_t end = at + SLAB < all->n ? at + SLAB : all->n;
        for (size_t k = 0; k < all->strata; k++)
            all->tail[k].part[0] = all->tail[k].part[1] = 0.0;
        for (size_t i = at; i < end; i++) {
            Tail *tail = &all->tail[all->stratum[i]];
            double value = combined(all, i) - tail->mean;
            if (pass == 0) {
                tail->size += 1.0;
                tail->part[0] += value;
            } else if (pass == 1) {
                tail->peak = fmax(tail->peak, fabs(value));
            } else if (tail->peak > 0.0) {
                double share = value / tail->peak, square = share * share;
                tail->part[0] += square;
                tail->part[1] += square * square;
            }
        }
        for (size_t k = 0; k < all->strata; k++) {
            all->tail[k].second += all->tail[k].part[0];
            all->tail[k].fourth += all->tail[k].part[1];
        }
    }
    for (size_t k = 0; pass == 0 && k < all->strata; k++) {
        all->tail[k].mean = all->tail[k].second / all->tail[k].size;
        all->tail[k].second = 0.0;
    }
}

static double tailed_df(const Tail *tail)
{
    double n = tail->size, second = tail->second / n, fourth = tail->fourth / n;
    double kurtosis = second > 0.0 ? fourth / (second * second) : 3.0;
    return fmin(2.0 * n / (kurtosis - (n - 3.0) / (n - 1.0)), n - 1.0);
}

static PyObject *tails(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[4] = {{.held = 0}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", doubles, &in[0], counts, &in[1], doubles, &in[2],
                          doubles_out, &in[3]))
        goto done;
    Tails all = {
        .values = in[0].view.buf, .weights = in[2].view.buf, .stratum = in[1].view.buf,
        .rows = (size_t)in[2].size, .n = (size_t)in[1].size, .strata = (size_t)in[3].size,
    };
    int fit = all.rows * all.n == (size_t)in[0].size;
    for (size_t i = 0; fit && i < all.n; i++)
        fit = all.stratum[i] >= 0 && all.stratum[i] < (int64_t)all.strata;
    if (!fit) {
        wrong_length();
        goto done;
    }
    all.tail = calloc(all.strata + 1, sizeof *all.tail);
    if (all.tail == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    for (int pass = 0; pass < 3; pass++)
        find_tails(&all, pass);
    for (size_t k = 0; k < all.strata; k++)
        ((double *)in[3].view.buf)[k] = tailed_df(&all.tail[k]);
    Py_END_ALLOW_THREADS
    free(all.tail);
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 4);
    return answer;
}

/* ------------------------------------------------------------------ draws from numpy's streams

   As numpy's Generator.integers(size, dtype=uint16 or uint32) draws them: Lemire's method, two
   draws of 16 bits out of each 32. The stream stays where numpy would leave it. */

typedef struct {
    void *state;
    uint64_t (*next_uint64)(void *);
    uint32_t (*next_uint32)(void *);
    double (*next_double)(void *);
    uint64_t (*next_raw)(void *);
} Stream;

static int stream_in(PyObject *capsule, void *stream)
{
    return (*(Stream **)stream = PyCapsule_GetPointer(capsule, "BitGenerator")) != NULL;
}

/* Numbers below `size`, all of one call of numpy's: half a word may be left for the next one. */
typedef struct {
    Stream *stream;
    const uint16_t *cell; /* of each number, or NULL where it is one of its own */
    size_t cells;
    uint32_t size, refuse, word;
    int half;
} Urn;

enum { TICKETS = 1 << 16 };

static Urn urn_of(Stream *stream, size_t size)
{
    uint32_t few = (uint32_t)size, refuse = few <= 1u << 16 ? (0x10000u - few) % few : (0u - few) % few;
    return (Urn){.stream = stream, .cells = size, .size = few, .refuse = refuse};
}

/* An urn of 65,536 tickets, each of some cell. */
static Urn urn_of_cells(Stream *stream, const uint16_t *cell, size_t cells)
{
    Urn urn = urn_of(stream, TICKETS);
    urn.cell = cell;
    urn.cells = cells;
    return urn;
}

/* Count a number of 16 bits, unless it is refused; return how many were drawn. */
static inline uint32_t count_one(const Urn *urn, uint32_t bits, uint32_t *count)
{
    uint32_t product = bits * urn->size, taken = (product & 0xFFFF) >= urn->refuse;
    count[product >> 16] += taken;
    return taken;
}

static void tally_cells(Urn *urn, size_t many, uint32_t *count)
{
    Stream *stream = urn->stream;
    if (urn->half && many > 0) {
        count[urn->cell[urn->word >> 16]]++;
        urn->half = 0;
        many--;
    }
    for (; many > 1; many -= 2) {
        uint32_t word = stream->next_uint32(stream->state);
        count[urn->cell[word & 0xFFFF]]++;
        count[urn->cell[word >> 16]]++;
    }
    if (many > 0) {
        urn->word = stream->next_uint32(stream->state);
        urn->half = 1;
        count[urn->cell[urn->word & 0xFFFF]]++;
    }
}

/* Draw `many` numbers and count how often each, or its cell, comes. Counting waits for no word: it
   costs next to nothing beside the draws. */
static void tally(Urn *urn, size_t many, uint32_t *count)
{
    Stream *stream = urn->stream;
    memset(count, 0, urn->cells * sizeof *count);
    if (urn->cell != NULL)
        tally_cells(urn, many, count);
    else if (urn->size == 1)
        count[0] = (uint32_t)many;
    else if (urn->size <= 1u << 16) {
        if (urn->half)
            many -= count_one(urn, urn->word >> 16, count);
        urn->half = 0;
        while (many > 1) {
            uint32_t word = stream->next_uint32(stream->state);
            many -= count_one(urn, word & 0xFFFF, count);
            many -= count_one(urn, word >> 16, count);
        }
        while (many > 0) {
            urn->word = urn->half ? urn->word >> 16 : stream->next_uint32(stream->state);
            urn->half = !urn->half;
            many -= count_one(urn, urn->word & 0xFFFF, count);
        }
    }
    else
        while (many > 0) {
            uint64_t product = (uint64_t)stream->next_uint32(stream->state) * urn->size;
            uint32_t taken = (uint32_t)product >= urn->refuse;
            count[product >> 32] += taken;
            many -= taken;
        }
}

/* Draw b resamples of so many and count them, a line each. */
static void draw(Urn urn, size_t many, size_t b, uint32_t *count)
{
    for (size_t r = 0; r < b; r++)
        tally(&urn, many, count + r * urn.cells);
}

/* draw_counts(stream, size, out): b resamples of `size` subjects, as counts in out[b, size]; or,
   where out[b, size + 1] has doubles, the shares of the resample among the last subjects: none of
   them, the last one, and so on to all. */
static PyObject *draw_counts(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array out = {.held = 0};
    Stream *stream;
    Py_ssize_t size;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO&", stream_in, &stream, &size, counts_or_doubles_out, &out))
        goto done;
    int shares = out.view.format[0] == 'd';
    size_t n = (size_t)size, b = size < 1 ? 0 : (size_t)out.size / (n + (size_t)shares);
    if (size < 1 || size > UINT32_MAX / 2 || b * (n + (size_t)shares) != (size_t)out.size) {
        wrong_length();
        goto done;
    }
    uint32_t *count = malloc(n * sizeof *count);
    if (count == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    Urn urn = urn_of(stream, n);
    for (size_t r = 0; r < b; r++) {
        tally(&urn, n, count);
        if (shares) {
            double *line = (double *)out.view.buf + r * (n + 1);
            uint32_t seen = 0;
            line[0] = 0.0;
            for (size_t k = 0; k < n; k++)
                line[k + 1] = (double)(seen += count[n - 1 - k]) / (double)n;
        }
        else
            for (size_t k = 0; k < n; k++)
                ((int64_t *)out.view.buf)[r * n + k] = count[k];
    }
    Py_END_ALLOW_THREADS
    free(count);
    answer = Py_NewRef(Py_None);
done:
    give_back(&out, 1);
    return answer;
}

/* draw_bytes(stream, batch, out): bytes, of each batch four out of each 32 bits, from the lowest. */
static PyObject *draw_bytes(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array out = {.held = 0};
    Stream *stream;
    Py_ssize_t batch;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO&", stream_in, &stream, &batch, bytes_out, &out))
        goto done;
    if (batch < 1) {
        wrong_length();
        goto done;
    }
    uint8_t *bytes = out.view.buf;
    const size_t total = (size_t)out.size, most = (size_t)batch;
    Py_BEGIN_ALLOW_THREADS
    for (size_t at = 0; at < total; at += most) {
        size_t end = total - at < most ? total : at + most;
        for (size_t k = at; k < end; k += 4) {
            uint32_t word = stream->next_uint32(stream->state);
            for (size_t j = k; j < end && j < k + 4; j++, word >>= 8)
                bytes[j] = (uint8_t)word;
        }
    }
    Py_END_ALLOW_THREADS
    answer = Py_NewRef(Py_None);
done:
    give_back(&out, 1);
    return answer;
}

/* draw_wins(stream, batch, n, below, upto, out): resamples of the positives, and of n negatives in
   the order of their scores, `batch` of them at a time; in out the sum over the positives drawn of
   the negatives drawn that are among the first below[i], and, unless upto is None, upto[i]. */
static PyObject *draw_wins(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[3] = {{.held = 0}};
    Stream *stream;
    Py_ssize_t batch, negatives;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nnO&O&O&", stream_in, &stream, &batch, &negatives, counts, &in[0],
                          counts_or_none, &in[1], counts_out, &in[2]))
        goto done;
    int tied = in[1].held;
    const int64_t *below = in[0].view.buf, *upto = tied ? in[1].view.buf : below;
    size_t m = (size_t)in[0].size, n = (size_t)negatives, most = (size_t)batch;
    int fits = batch > 0 && negatives > 0 && m > 0 && (!tied || in[1].size == in[0].size) &&
               n < UINT32_MAX / 2 && m < UINT32_MAX / 2;
    for (size_t i = 0; i < m && fits; i++)
        fits = below[i] >= 0 && upto[i] >= 0 && below[i] <= negatives && upto[i] <= negatives;
    if (!fits) {
        wrong_length();
        goto done;
    }
    size_t total = (size_t)in[2].size;
    most = most < total ? most : total;
    uint32_t *memory = malloc((most * (m + n) + n + 1) * sizeof *memory);
    if (memory == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    uint32_t *pos = memory, *neg = pos + most * m, *seen = neg + most * n;
    int64_t *out = in[2].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (size_t at = 0; at < total; at += most) {
        size_t b = total - at < most ? total - at : most;
        draw(urn_of(stream, m), m, b, pos);
        draw(urn_of(stream, n), n, b, neg);
        for (size_t r = 0; r < b; r++) {
            const uint32_t *mine = pos + r * m, *others = neg + r * n;
            seen[0] = 0;
            for (size_t j = 0; j < n; j++)
                seen[j + 1] = seen[j] + others[j];
            uint64_t sum = 0;
            for (size_t i = 0; i < m; i++)
                sum += (uint64_t)mine[i] * (seen[below[i]] + (tied ? seen[upto[i]] : 0));
            out[at + r] = (int64_t)sum;
        }
    }
    Py_END_ALLOW_THREADS
    free(memory);
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 3);
    return answer;
}

/* ------------------------------------------------------------------ best vertices of resamples

   Along the path of a resample, from no one called positive to all, true and false positives do not
   fall. A score that rises with the one and falls with the other is nowhere in a stretch of
   vertices above its value with the true positives of the stretch's end and the false ones of its
   start: so the ends are looked at first, and few stretches are walked through. */

enum { APART = 32 }; /* vertices of a stretch */

typedef struct {
    const int64_t *below; /* units of the class that lie below each vertex; they come by score */
    const double *value;   /* what so many of them are worth */
    const uint32_t *count; /* how often each was drawn */
    int64_t *at;           /* how many are called positive at the ends of stretches */
    int64_t limit;         /* true positives at least, false ones at most */
} Side;

typedef struct {
    Side tp, fp;
    size_t vertices, ends;
    int join; /* how the two values become one: 0 the difference, 1 the product, 2 the smaller */
} Paths;

typedef struct { size_t vertex; int64_t tp, fp; double score; } Vertex;

static inline size_t end_of(const Paths *all, size_t k)
{
    return k * APART < all->vertices ? k * APART : all->vertices - 1;
}

static inline double score_of(const Paths *all, int64_t tp, int64_t fp)
{
    if (tp < all->tp.limit || fp > all->fp.limit)
        return -INFINITY;
    double up = all->tp.value[tp], down = all->fp.value[fp];
    return all->join == 0 ? up - down : all->join == 1 ? up * down : up < down ? up : down;
}

/* How many were drawn from one vertex to a later one. */
static inline int64_t drawn_between(const Side *side, size_t from, size_t to)
{
    int64_t start = side->below[to], stop = side->below[from];
    uint32_t sum = 0;
    for (int64_t k = start; k < stop; k++)
        sum += side->count[k];
    return sum;
}

static size_t ends_of(size_t vertices) { return (vertices - 1 + APART - 1) / APART + 1; }

/* Whether units lie below vertices as they do along a path: from all to none. */
static int is_path(const int64_t *below, size_t vertices)
{
    int fits = below[0] > 0 && below[0] < UINT32_MAX / 2 && below[vertices - 1] == 0;
    for (size_t v = 1; v < vertices && fits; v++)
        fits = below[v] <= below[v - 1];
    return fits;
}

static void find_ends(const Paths *all)
{
    all->tp.at[0] = all->fp.at[0] = 0;
    for (size_t k = 1; k < all->ends; k++) {
        size_t from = end_of(all, k - 1), to = end_of(all, k);
        all->tp.at[k] = all->tp.at[k - 1] + drawn_between(&all->tp, from, to);
        all->fp.at[k] = all->fp.at[k - 1] + drawn_between(&all->fp, from, to);
    }
}

/* The best vertex, of equals the first. */
static Vertex find_best(const Paths *all)
{
    Vertex best = {0, 0, 0, score_of(all, 0, 0)};
    double known = best.score;
    find_ends(all);
    for (size_t k = 1; k < all->ends; k++) {
        double score = score_of(all, all->tp.at[k], all->fp.at[k]);
        known = score > known ? score : known;
    }
    for (size_t k = 1; k < all->ends; k++) {
        int64_t tp = all->tp.at[k - 1], fp = all->fp.at[k - 1];
        double most = score_of(all, all->tp.at[k], fp);
        if (!(most >= known && most > best.score))
            continue;
        for (size_t v = end_of(all, k - 1) + 1; v <= end_of(all, k); v++) {
            tp += drawn_between(&all->tp, v - 1, v);
            fp += drawn_between(&all->fp, v - 1, v);
            double score = score_of(all, tp, fp);
            if (score > best.score)
                best = (Vertex){v, tp, fp, score};
        }
    }
    return best;
}

/* draw_best(stream, batch, below_pos, below_neg, of_tp, of_fp, cell_pos, cell_neg, join, least, most,
   out): resamples of m positives and n negatives, `batch` of them at a time. Either each is a unit,
   or they are drawn from 65,536 tickets, each of one of the units cell_pos and cell_neg. Units come
   by rising score; of so many vertices, below_pos[v] and below_neg[v] of them lie below vertex v,
   from all to none. of_tp[m + 1] and of_fp[n + 1] are what true and false positives are worth. In
   out[b, 4] the best vertex of each, -1 where none has `least` true positives and at most `most`
   false ones, the next vertex where more are called positive, true and false positives. */
static PyObject *draw_best(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[7] = {{.held = 0}};
    Stream *stream;
    Py_ssize_t batch;
    int join;
    long long least, most;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO&O&O&O&O&O&iLLO&", stream_in, &stream, &batch, counts, &in[0],
                          counts, &in[1], doubles, &in[2], doubles, &in[3], cells_or_none, &in[4],
                          cells_or_none, &in[5], &join, &least, &most, counts_out, &in[6]))
        goto done;
    const int in_cells = in[4].held;
    const size_t vertices = (size_t)in[0].size, total = (size_t)in[6].size / 4;
    int fits = batch > 0 && vertices > 0 && in[1].size == in[0].size && join >= 0 && join <= 2 &&
               total * 4 == (size_t)in[6].size;
    Urn urns[2];
    for (int k = 0; k < 2 && fits; k++) {
        const int64_t *below = in[k].view.buf;
        size_t units = (size_t)below[0], many = (size_t)in[2 + k].size - 1;
        fits = in[2 + k].size > 1 && many < UINT32_MAX / 2 && is_path(below, vertices) &&
               (in_cells ? in[4 + k].size == TICKETS && units <= TICKETS : units == many);
        if (!fits)
            break;
        const uint16_t *cell = in_cells ? in[4 + k].view.buf : NULL;
        for (size_t t = 0; t < TICKETS && in_cells && fits; t++)
            fits = cell[t] < units;
        urns[k] = in_cells ? urn_of_cells(stream, cell, units) : urn_of(stream, many);
    }
    if (!fits) {
        wrong_length();
        goto done;
    }
    Paths all = {
        .tp = {.below = in[0].view.buf, .value = in[2].view.buf, .limit = least},
        .fp = {.below = in[1].view.buf, .value = in[3].view.buf, .limit = most},
        .vertices = vertices,
        .ends = ends_of(vertices),
        .join = join,
    };
    const size_t m = (size_t)in[2].size - 1, n = (size_t)in[3].size - 1;
    const size_t many = (size_t)batch < total ? (size_t)batch : total;
    all.tp.at = malloc(2 * all.ends * sizeof(int64_t) +
                       many * (urns[0].cells + urns[1].cells) * sizeof(uint32_t));
    if (all.tp.at == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    all.fp.at = all.tp.at + all.ends;
    uint32_t *pos = (uint32_t *)(all.fp.at + all.ends), *neg = pos + many * urns[0].cells;
    int64_t *out = in[6].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (size_t at = 0; at < total; at += many) {
        size_t b = total - at < many ? total - at : many;
        draw(urns[0], m, b, pos);
        draw(urns[1], n, b, neg);
        for (size_t r = 0; r < b; r++) {
            all.tp.count = pos + r * urns[0].cells;
            all.fp.count = neg + r * urns[1].cells;
            Vertex best = find_best(&all);
            size_t after = best.vertex + 1;
            while (after < vertices && drawn_between(&all.tp, after - 1, after) == 0 &&
                   drawn_between(&all.fp, after - 1, after) == 0)
                after++;
            int64_t found[4] = {(int64_t)best.vertex, (int64_t)after, best.tp, best.fp};
            if (best.score == -INFINITY)
                found[0] = -1;
            memcpy(out + 4 * (at + r), found, sizeof found);
        }
    }
    Py_END_ALLOW_THREADS
    free(all.tp.at);
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 7);
    return answer;
}

/* draw_heights(stream, batch, below_pos, below_neg, grid, near, out): of resamples as for draw_best,
   where each subject is a unit, the heights of their paths over a rising grid, as Walk.heights
   defines them: over a rate, from the last vertex whose share of false positives is no more than
   `near` beyond it, towards the next one. */
static void find_heights(const Paths *all, double m, double n, const int64_t *reach,
                         const double *grid, size_t points, double *out)
{
    size_t stretch = 1, v = 0; /* a vertex within a stretch, and its counts */
    int64_t tp = 0, fp = 0;
    find_ends(all);
    for (size_t g = 0; g < points; g++) {
        while (stretch < all->ends && all->fp.at[stretch] <= reach[g]) {
            v = end_of(all, stretch);
            tp = all->tp.at[stretch];
            fp = all->fp.at[stretch++];
        }
        int64_t more_tp = tp, more_fp = fp;
        for (; v + 1 < all->vertices; v++, tp = more_tp, fp = more_fp) {
            more_tp = tp + drawn_between(&all->tp, v, v + 1);
            more_fp = fp + drawn_between(&all->fp, v, v + 1);
            if (more_fp > reach[g])
                break;
        }
        double left = (double)fp / n, low = (double)tp / m, width = (double)more_fp / n - left;
        double share = width > 0.0 ? (grid[g] - left) / width : 0.0;
        share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        out[g] = low + share * ((double)more_tp / m - low);
    }
}

static PyObject *draw_heights(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[4] = {{.held = 0}};
    Stream *stream;
    Py_ssize_t batch;
    double near;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO&O&O&dO&", stream_in, &stream, &batch, counts, &in[0], counts,
                          &in[1], doubles, &in[2], &near, doubles_out, &in[3]))
        goto done;
    const size_t vertices = (size_t)in[0].size, points = (size_t)in[2].size;
    const size_t total = points ? (size_t)in[3].size / points : 0;
    const double *grid = in[2].view.buf;
    int fits = batch > 0 && vertices > 0 && in[1].size == in[0].size && points > 0 &&
               total * points == (size_t)in[3].size && grid[0] + near >= 0.0;
    for (int k = 0; k < 2 && fits; k++)
        fits = is_path(in[k].view.buf, vertices);
    for (size_t g = 1; g < points && fits; g++)
        fits = grid[g] >= grid[g - 1];
    if (!fits) {
        wrong_length();
        goto done;
    }
    Paths all = {
        .tp = {.below = in[0].view.buf},
        .fp = {.below = in[1].view.buf},
        .vertices = vertices,
        .ends = ends_of(vertices),
    };
    const size_t m = (size_t)all.tp.below[0], n = (size_t)all.fp.below[0];
    const size_t many = (size_t)batch < total ? (size_t)batch : total;
    all.tp.at = malloc((2 * all.ends + points) * sizeof(int64_t) + many * (m + n) * sizeof(uint32_t));
    if (all.tp.at == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    all.fp.at = all.tp.at + all.ends;
    int64_t *reach = all.fp.at + all.ends; /* the most false positives at or left of a rate */
    for (size_t g = 0; g < points; g++) {
        reach[g] = g ? reach[g - 1] : 0;
        while (reach[g] < (int64_t)n && (double)(reach[g] + 1) / (double)n <= grid[g] + near)
            reach[g]++;
    }
    uint32_t *pos = (uint32_t *)(reach + points), *neg = pos + many * m;
    double *out = in[3].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (size_t at = 0; at < total; at += many) {
        size_t b = total - at < many ? total - at : many;
        draw(urn_of(stream, m), m, b, pos);
        draw(urn_of(stream, n), n, b, neg);
        for (size_t r = 0; r < b; r++) {
            all.tp.count = pos + r * m;
            all.fp.count = neg + r * n;
            find_heights(&all, (double)m, (double)n, reach, grid, points, out + (at + r) * points);
        }
    }
    Py_END_ALLOW_THREADS
    free(all.tp.at);
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 4);
    return answer;
}

/* ------------------------------------------------------------------ heights of paths

   heights(x, y, at_x, at_y, grid, near, out): path i has the vertices x[i, at_x[v]], y[i, at_y[v]],
   which do not fall; in out its heights over a grid, best a rising one, as Walk.heights defines them. */

static void path_heights(const double *x, const double *y, const int64_t *at_x, const int64_t *at_y,
                         size_t vertices, const double *grid, size_t points, double near,
                         double *out)
{
    size_t next = 0; /* the first vertex beyond a rate */
    for (size_t g = 0; g < points; g++) {
        if (g > 0 && grid[g] < grid[g - 1])
            next = 0;
        while (next < vertices && x[at_x[next]] <= grid[g] + near)
            next++;
        if (next == 0) {
            out[g] = 0.0;
            continue;
        }
        size_t here = next - 1, there = next < vertices ? next : here;
        double left = x[at_x[here]], low = y[at_y[here]], width = x[at_x[there]] - left;
        double share = width > 0.0 ? (grid[g] - left) / width : 0.0;
        share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        out[g] = low + share * (y[at_y[there]] - low);
    }
}

static PyObject *heights(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[6] = {{.held = 0}};
    double near;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&dO&", doubles, &in[0], doubles, &in[1], counts, &in[2],
                          counts, &in[3], doubles, &in[4], &near, doubles_out, &in[5]))
        goto done;
    const int64_t *at_x = in[2].view.buf, *at_y = in[3].view.buf;
    size_t vertices = (size_t)in[2].size, points = (size_t)in[4].size;
    size_t rows = points ? (size_t)in[5].size / points : 0;
    size_t wide = rows ? (size_t)in[0].size / rows : 0, high = rows ? (size_t)in[1].size / rows : 0;
    int fits = rows > 0 && rows * points == (size_t)in[5].size && in[3].size == in[2].size &&
               wide * rows == (size_t)in[0].size && high * rows == (size_t)in[1].size;
    for (size_t v = 0; v < vertices && fits; v++)
        fits = at_x[v] >= 0 && at_y[v] >= 0 && (size_t)at_x[v] < wide && (size_t)at_y[v] < high;
    if (!fits) {
        wrong_length();
        goto done;
    }
    const double *x = in[0].view.buf, *y = in[1].view.buf, *grid = in[4].view.buf;
    double *out = in[5].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (size_t r = 0; r < rows; r++)
        path_heights(x + r * wide, y + r * high, at_x, at_y, vertices, grid, points, near,
                     out + r * points);
    Py_END_ALLOW_THREADS
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 6);
    return answer;
}

/* ------------------------------------------------------------------ soft areas

   soft_area(score, positives, negatives, midpoint, w_pos, w_neg, m, n, slope_pos, mean_pos,
   slope_neg, mean_neg): by rising score, how many positives and negatives there are; or, where
   negatives is None, labels of subjects that do not tie; m and n in all. A positive belongs to the
   positive class by its score, or by one less its score where that is below the midpoint, and a
   negative by what is left to one. To the influence of a subject slope (score - mean) is added.
   Returns the area, and the sums of squares of the influence of the positives and of the negatives
   about their means; None where an axis has no length. */

enum { STRETCH = 4096 }; /* sums of so many terms are summed in turn, so that they round less */

typedef struct { double pos, neg; } Two;

typedef struct {
    const double *score, *positives, *negatives;
    const uint8_t *label;
    size_t size;
    double midpoint, w_pos, w_neg, m, n, rise, run, area;
    Two slope, mean, squares;
} Soft;

/* Four subjects, or blocks of them, that follow each other; beyond the last there are none. */
typedef struct {
    Four score, up, right, theta, positives, negatives;
} Steps;

static INSIDE Four four(double value) { return (Four){value, value, value, value}; }

static INSIDE double sum_of(Four some) { return (some[0] + some[1]) + (some[2] + some[3]); }

/* What comes before each of four, beside what came before all of them. */
static INSIDE Four before(double all, Four some)
{
    const Four none = {0.0, 0.0, 0.0, 0.0};
    Four shifted = __builtin_shufflevector(some, none, 4, 0, 1, 2);
    Four two = shifted + __builtin_shufflevector(some, none, 4, 4, 0, 1);
    return four(all) + (two + __builtin_shufflevector(some, none, 4, 4, 4, 0));
}

static INSIDE Four load(const double *from, size_t left)
{
    Four some = {0.0, 0.0, 0.0, 0.0};
    if (left >= LANES)
        memcpy(&some, from, sizeof some);
    else
        memcpy(&some, from, left * sizeof *from);
    return some;
}

static INSIDE Steps steps_at(const Soft *all, int tied, size_t k)
{
    const size_t left = all->size - k;
    Steps at;
    at.score = load(all->score + k, left);
    Points high = at.score >= four(all->midpoint);
    at.theta = (Four)(((Points)at.score & high) | ((Points)(four(1.0) - at.score) & ~high));
    if (tied) {
        at.positives = load(all->positives + k, left);
        at.negatives = load(all->negatives + k, left);
    }
    else if (left >= LANES) {
        Bytes is;
        memcpy(&is, all->label + k, sizeof is);
        at.positives = __builtin_convertvector(__builtin_convertvector(is & 1, Ints), Four);
        at.negatives = four(1.0) - at.positives;
    }
    else {
        at.positives = at.negatives = four(0.0);
        for (size_t i = 0; i < left; i++) {
            at.positives[i] = all->label[k + i] & 1;
            at.negatives[i] = 1.0 - at.positives[i];
        }
    }
    Four pos = four(all->w_pos) * at.positives, neg = four(all->w_neg) * at.negatives;
    Four up_pos = pos * at.theta, up_neg = neg * (four(1.0) - at.theta);
    at.up = up_pos + up_neg;
    at.right = (pos - up_pos) + (neg - up_neg);
    return at;
}

static INSIDE void find_area(Soft *all, int tied)
{
    double won = 0.0;
    for (size_t k = 0; k < all->size;) {
        double run = 0.0;
        Four more = four(0.0), rise = more;
        for (size_t end = k + STRETCH; k < end && k < all->size; k += LANES) {
            Steps at = steps_at(all, tied, k);
            more += at.up * (four(all->run) + (before(run, at.right) + four(0.5) * at.right));
            rise += at.up;
            run += sum_of(at.right);
        }
        all->rise += sum_of(rise);
        all->run += run;
        won += sum_of(more);
    }
    all->area = won / (all->rise * all->run);
}

/* Sum the squares of the influences about their means, which are those of all less `about`. */
static INSIDE Two sum_squares(const Soft *all, int tied, Two about, Two *mean)
{
    const double rise = all->rise, unit = 1.0 / (rise * all->run);
    const double won_mean = all->area / rise, lost_mean = all->area / all->run;
    const double of_pos = all->m * all->w_pos, of_neg = all->n * all->w_neg;
    const Two slope = all->slope, middle = all->mean;
    double passed = 0.0, gone = 0.0;
    Two sum = {0.0, 0.0}, squares = {0.0, 0.0};
    for (size_t k = 0; k < all->size;) {
        double right = 0.0, up = 0.0;
        Four more_pos = four(0.0), more_neg = more_pos, large_pos = more_pos, large_neg = more_pos;
        for (size_t end = k + STRETCH; k < end && k < all->size; k += LANES) {
            Steps at = steps_at(all, tied, k);
            Four below = before(right, at.right) + four(0.5) * at.right;
            Four upto = before(up, at.up) + four(0.5) * at.up;
            Four won = (four(passed) + below) * four(unit) - four(won_mean);
            Four lost = (four(rise) - (four(gone) + upto)) * four(unit) - four(lost_mean);
            right += sum_of(at.right);
            up += sum_of(at.up);
            Four theta = at.theta, rest = four(1.0) - theta;
            Four pos = four(of_pos) * (theta * (won - lost) + lost) - four(about.pos);
            Four neg = four(of_neg) * (rest * (won - lost) + lost) - four(about.neg);
            pos += four(slope.pos) * (at.score - four(middle.pos));
            neg += four(slope.neg) * (at.score - four(middle.neg));
            more_pos += at.positives * pos;
            more_neg += at.negatives * neg;
            large_pos += at.positives * pos * pos;
            large_neg += at.negatives * neg * neg;
        }
        passed += right;
        gone += up;
        sum.pos += sum_of(more_pos);
        sum.neg += sum_of(more_neg);
        squares.pos += sum_of(large_pos);
        squares.neg += sum_of(large_neg);
    }
    *mean = (Two){about.pos + sum.pos / all->m, about.neg + sum.neg / all->n};
    return (Two){squares.pos - sum.pos * sum.pos / all->m, squares.neg - sum.neg * sum.neg / all->n};
}

/* A mean that is large beside the spread would cost digits: then the squares are summed about it. */
static INSIDE void walk(Soft *all, int tied)
{
    Two mean, again;
    find_area(all, tied);
    all->squares = sum_squares(all, tied, (Two){0.0, 0.0}, &mean);
    if (!(all->squares.pos > 0.1 * all->m * mean.pos * mean.pos) ||
        !(all->squares.neg > 0.1 * all->n * mean.neg * mean.neg))
        all->squares = sum_squares(all, tied, mean, &again);
}

FAST static void walk_tied(Soft *all) { walk(all, 1); }
FAST static void walk_untied(Soft *all) { walk(all, 0); }

static PyObject *soft_area(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[3] = {{.held = 0}};
    Soft all = {.area = 0.0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&ddddddddd", doubles, &in[0], doubles_or_truths, &in[1],
                          doubles_or_none, &in[2], &all.midpoint, &all.w_pos, &all.w_neg, &all.m,
                          &all.n, &all.slope.pos, &all.mean.pos, &all.slope.neg, &all.mean.neg))
        goto done;
    int tied = in[2].held;
    if (in[1].size != in[0].size || (tied && in[2].size != in[0].size) ||
        (in[1].view.itemsize == 8) != tied) {
        wrong_length();
        goto done;
    }
    all.size = (size_t)in[0].size;
    all.score = in[0].view.buf;
    all.label = in[1].view.buf;
    all.positives = in[1].view.buf;
    all.negatives = in[2].view.buf;
    Py_BEGIN_ALLOW_THREADS
    if (tied)
        walk_tied(&all);
    else
        walk_untied(&all);
    Py_END_ALLOW_THREADS
    if (all.rise > 0.0 && all.run > 0.0)
        answer = Py_BuildValue("ddd", all.area, all.squares.pos, all.squares.neg);
    else
        answer = Py_NewRef(Py_None);
done:
    give_back(in, 3);
    return answer;
}

/* ------------------------------------------------------------------ pairs by cells apart

   cells_apart(keys, run, found): of keys that end in a cell of nine bits and, above it, whether a
   negative is in it, how many pairs there are of a negative and a positive after it in its run, by
   how many cells the positive lies higher; found has a count for each number of cells from 0. */

enum { CELLS = 512 };

static void count_apart(const int64_t *key, size_t n, uint64_t (*found)[2 * CELLS], uint16_t *cells)
{
    size_t seen = 0;
    for (size_t i = 0; i < n; i++) {
        size_t cell = (size_t)key[i] & (CELLS - 1);
        if (key[i] & CELLS)
            cells[seen++] = (uint16_t)cell;
        else
            for (size_t j = 0; j < seen; j++)
                found[j & 1][CELLS + cell - cells[j]]++; /* in turns, so that none waits for the last */
    }
}

static PyObject *cells_apart(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[2] = {{.held = 0}};
    uint64_t found[2][2 * CELLS] = {{0}};
    uint16_t cells[2 * CELLS];
    Py_ssize_t run;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO&", counts, &in[0], &run, counts_out, &in[1]))
        goto done;
    if (run < 1 || run > 2 * CELLS || in[1].size > CELLS) {
        wrong_length();
        goto done;
    }
    const int64_t *key = in[0].view.buf;
    int64_t *out = in[1].view.buf;
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t i = 0; i < in[0].size; i += run)
        count_apart(key + i, (size_t)(in[0].size - i < run ? in[0].size - i : run), found, cells);
    for (Py_ssize_t k = 0; k < in[1].size; k++)
        out[k] = (int64_t)(found[0][CELLS + k] + found[1][CELLS + k]);
    Py_END_ALLOW_THREADS
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 2);
    return answer;
}

/* ------------------------------------------------------------------ exchanges

   swap_sums(coins, table, out): of the bits of each line of coins, four at a time from the highest,
   the sum of table[k][bits]. Lines go eight abreast; each is summed from left to right. */

enum { ABREAST = 8 };

static void sum_swaps(const uint8_t *coins, size_t bytes, size_t lines, const double *table,
                      double *out)
{
    double sum[ABREAST] = {0.0};
    for (size_t k = 0; k < bytes; k++, table += 32)
        for (size_t r = 0; r < lines; r++) {
            uint8_t coin = coins[r * bytes + k];
            sum[r] += table[coin >> 4];
            sum[r] += table[16 + (coin & 15)];
        }
    memcpy(out, sum, lines * sizeof *out);
}

static PyObject *swap_sums(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[3] = {{.held = 0}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&", bytes, &in[0], doubles, &in[1], doubles_out, &in[2]))
        goto done;
    size_t bytes = (size_t)in[1].size / 32, lines = (size_t)in[2].size;
    if (bytes * 32 != (size_t)in[1].size || bytes * lines != (size_t)in[0].size) {
        wrong_length();
        goto done;
    }
    const uint8_t *coins = in[0].view.buf;
    double *out = in[2].view.buf;
    Py_BEGIN_ALLOW_THREADS
    size_t at = 0;
    for (; at + ABREAST <= lines; at += ABREAST)
        sum_swaps(coins + at * bytes, bytes, ABREAST, in[1].view.buf, out + at);
    if (at < lines)
        sum_swaps(coins + at * bytes, bytes, lines - at, in[1].view.buf, out + at);
    Py_END_ALLOW_THREADS
    answer = Py_NewRef(Py_None);
done:
    give_back(in, 3);
    return answer;
}

/* ------------------------------------------------------------------ contrasts at their nulls

   null_statistics(nulls, areas, variances, sizes, weights, stiffness, correlation, numbers, out):
   what NullVariance.compare says of one sample. numbers are estimate, variance, share, df and df by
   tails, and the losses that a scale of 1 and that no correlation are worth; out has the
   statistics, then their degrees of freedom. */

enum { AREAS = 8 }; /* of more the twin answers */

typedef struct {
    size_t k;
    const double *areas, *variances, *sizes, *weights, *correlation;
    double give[AREAS], scale[AREAS], related[AREAS * AREAS], knots[2 * AREAS], value[2 * AREAS];
} Path;

static double within(double area) { return area < 0.0 ? 0.0 : area > 1.0 ? 1.0 : area; }

static double formula(double area, const double *sizes)
{
    double star = 0.5 * (sizes[0] + sizes[1]) - 1.0;
    double shape = 1.0 + star * (1.0 - area) / (2.0 - area) + star * area / (1.0 + area);
    return area * (1.0 - area) * shape / (sizes[0] * sizes[1]);
}

static void find_scales(Path *all, double prior, double prior_correlation)
{
    double drawn[AREAS];
    for (size_t i = 0; i < all->k; i++) {
        const double area = all->areas[i], *sizes = all->sizes + 2 * i;
        double lost = fmin(area, 1.0 - area) * fmin(sizes[0], sizes[1]);
        double at = formula(area, sizes), variance = all->variances[i];
        double ratio = at > 0.0 && variance > 0.0 ? variance / at : 1.0;
        all->scale[i] = ratio > 1.0 ? ratio : (lost * ratio + prior) / (lost + prior);
        drawn[i] = sqrt(lost / (lost + prior_correlation));
    }
    for (size_t i = 0; i < all->k; i++)
        for (size_t j = 0; j < all->k; j++) {
            double known = all->correlation[i * all->k + j];
            known = isnan(known) ? 0.0 : known * drawn[i] * drawn[j];
            all->related[i * all->k + j] = i == j ? 1.0 : known;
        }
}

static void find_knots(Path *all)
{
    size_t knots = 2 * all->k;
    for (size_t j = 0; j < knots; j++) {
        double give = all->give[j / 2], at = all->areas[j / 2] - (double)(j % 2);
        double knot = give != 0.0 ? at / give : 0.0;
        size_t i = j;
        for (; i > 0 && all->knots[i - 1] > knot; i--)
            all->knots[i] = all->knots[i - 1];
        all->knots[i] = knot;
    }
    for (size_t j = 0; j < knots; j++) {
        all->value[j] = 0.0;
        for (size_t i = 0; i < all->k; i++)
            all->value[j] +=
                within(all->areas[i] - all->knots[j] * all->give[i]) * all->weights[i];
    }
}

/* The variance by the formula, where the contrast is the null. */
static double square_at(const Path *all, double null)
{
    double part = 0.0, square = 0.0, spread[AREAS];
    for (size_t j = 0; j + 1 < 2 * all->k; j++) {
        double ahead = all->value[j] - null, fall = all->value[j] - all->value[j + 1];
        double share = fall > 0.0 ? within(ahead / fall) : ahead >= 0.0;
        part += share * (all->knots[j + 1] - all->knots[j]);
    }
    for (size_t i = 0; i < all->k; i++) {
        double area = within(all->areas[i] - (all->knots[0] + part) * all->give[i]);
        double own = all->scale[i] * formula(area, all->sizes + 2 * i);
        spread[i] = (own > 0.0 ? sqrt(own) : 0.0) * all->weights[i];
    }
    for (size_t j = 0; j < all->k; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < all->k; i++)
            sum += spread[i] * all->related[i * all->k + j];
        square += sum * spread[j];
    }
    return square;
}

static PyObject *null_statistics(PyObject *self, PyObject *args)
{
    PyObject *answer = NULL;
    Array in[9] = {{.held = 0}};
    Path all;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&O&O&O&", doubles, &in[0], doubles, &in[1], doubles, &in[2],
                          doubles, &in[3], doubles, &in[4], doubles, &in[5], doubles, &in[6],
                          doubles, &in[7], doubles_out, &in[8]))
        goto done;
    Py_ssize_t k = in[1].size;
    if (in[2].size != k || in[3].size != 2 * k || in[4].size != k || in[5].size != k ||
        in[6].size != k * k || in[7].size != 7 || in[8].size != 2 * in[0].size) {
        wrong_length();
        goto done;
    }
    if (k < 1 || k > AREAS) {
        answer = Py_NewRef(Py_False);
        goto done;
    }
    const double *nulls = in[0].view.buf, *stiffness = in[5].view.buf, *numbers = in[7].view.buf;
    const double least = numbers[1], share = numbers[2], df = numbers[3];
    double *out = in[8].view.buf;
    all.k = (size_t)k;
    all.areas = in[1].view.buf, all.variances = in[2].view.buf, all.sizes = in[3].view.buf;
    all.weights = in[4].view.buf, all.correlation = in[6].view.buf;
    for (size_t i = 0; i < all.k; i++)
        all.give[i] = all.weights[i] * stiffness[i];
    find_scales(&all, numbers[5], numbers[6]);
    find_knots(&all);
    for (Py_ssize_t i = 0; i < in[0].size; i++) {
        double distance = numbers[0] - nulls[i];
        double variance = least + share * (fmax(square_at(&all, nulls[i]), least) - least);
        double own = variance > 0.0 ? least / variance : 1.0;
        double tailed = fmin(numbers[4] / (own * own), df);
        out[i] = distance == 0.0 ? 0.0 : distance / sqrt(variance);
        out[in[0].size + i] = 1.0 / ((1.0 - share) / df + share / tailed);
    }
    answer = Py_NewRef(Py_True);
done:
    give_back(in, 9);
    return answer;
}

/* ------------------------------------------------------------------ the module */

enum { EDITION = 5 }; /* one more, here and in installed_kernel.py, when a function changes its meaning */

static PyObject *edition(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    return PyLong_FromLong(EDITION);
}

static PyMethodDef functions[] = {
    {"edition", edition, METH_NOARGS, "What the functions mean, as a number."},
    {"placements", placements, METH_VARARGS, "Exact sums of placements, and their influence."},
    {"sort", sort, METH_VARARGS, "Scores and their labels by size."},
    {"products", products, METH_VARARGS, "Sums of products of rows, by stratum."},
    {"tails", tails, METH_VARARGS, "What the tails of a combination leave of its freedom."},
    {"draw_counts", draw_counts, METH_VARARGS, "How often each subject is in resamples."},
    {"draw_bytes", draw_bytes, METH_VARARGS, "Random bytes."},
    {"draw_wins", draw_wins, METH_VARARGS, "Wins of the positives in resamples."},
    {"draw_best", draw_best, METH_VARARGS, "The best vertices of resamples."},
    {"draw_heights", draw_heights, METH_VARARGS, "Heights of the paths of resamples."},
    {"heights", heights, METH_VARARGS, "Heights of paths over a grid."},
    {"soft_area", soft_area, METH_VARARGS, "The area of soft memberships, and its spread."},
    {"cells_apart", cells_apart, METH_VARARGS, "Pairs by the cells between them, within runs."},
    {"swap_sums", swap_sums, METH_VARARGS, "Sums of weights after exchanges."},
    {"null_statistics", null_statistics, METH_VARARGS, "A contrast of areas beside its nulls."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_kernel", "The compiled kernel of rocstats.", 0, functions,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void) { return PyModuleDef_Init(&module); }
