#include <new>

#include "hopbine/hopbine.h"
#include "verify/check.hpp"

using namespace hopbine;

struct hopbine_schedule {
    SchedulePtr schedule;
    int p;
    Step step;
    std::vector<std::vector<std::int64_t>> runs;
    std::vector<hopbine_move> moves;
};

namespace {

thread_local std::string last_error;

/// Runs f; an exception becomes a status and a message.
template <class F>
hopbine_status guarded(F&& f) {
    last_error.clear();
    try {
        return f();
    } catch (const std::bad_alloc&) {
        last_error = "out of memory";
        return HOPBINE_NO_MEMORY;
    } catch (const std::exception& e) {
        last_error = e.what();
        return HOPBINE_INVALID;
    }
}

Problem problem(const char* collective, int p, int root, const hopbine_parameter* parameters,
                std::size_t n) {
    if (!collective) throw Error("no collective is given");
    Problem q{collective_named(collective), p, root, {}};
    for (std::size_t i = 0; i < n; ++i)
        q.parameters.emplace_back(parameters[i].name, parameters[i].value);
    return q;
}

const Algorithm& named(const Problem& q, const char* algorithm) {
    if (!algorithm) throw Error("no algorithm is given");
    return algorithm_named(q.collective, algorithm);
}

}  // namespace

const char* hopbine_version(void) { return HOPBINE_VERSION; }
const char* hopbine_last_error(void) { return last_error.c_str(); }
size_t hopbine_algorithm_count(void) { return algorithms().size(); }

hopbine_status hopbine_algorithm_at(size_t i, hopbine_algorithm* out) {
    return guarded([&] {
        if (i >= algorithms().size())
            throw Error("algorithm " + std::to_string(i) + " of " +
                        std::to_string(algorithms().size()) + " does not exist");
        const Algorithm& a = *algorithms()[i];
        *out = {name(a.collective), a.name,        a.summary,          a.paper,
                a.section,          text(a.ranks), a.needs_commutative};
        return HOPBINE_OK;
    });
}

hopbine_status hopbine_schedule_create(const char* collective, const char* algorithm, int p,
                                       int root, const hopbine_parameter* parameters, size_t n,
                                       hopbine_schedule** out) {
    return guarded([&] {
        const Problem q = problem(collective, p, root, parameters, n);
        *out = new hopbine_schedule{schedule(named(q, algorithm), q), p, {}, {}, {}};
        return HOPBINE_OK;
    });
}

void hopbine_schedule_free(hopbine_schedule* s) { delete s; }
int hopbine_schedule_steps(const hopbine_schedule* s) { return s->schedule->steps(); }
int hopbine_schedule_parts(const hopbine_schedule* s) { return s->schedule->traits().parts; }

hopbine_status hopbine_schedule_moves(hopbine_schedule* s, int rank, int step,
                                      const hopbine_move** moves, size_t* n) {
    return guarded([&] {
        if (rank < 0 || rank >= s->p || step < 0 || step >= s->schedule->steps())
            throw Error("rank " + std::to_string(rank) + ", step " + std::to_string(step) +
                        " is outside " + std::to_string(s->p) + " ranks and " +
                        std::to_string(s->schedule->steps()) + " steps");
        s->step.clear();
        s->runs.clear();
        s->moves.clear();
        s->schedule->moves(rank, step, s->step);
        for (const Move& m : s->step) {
            auto& runs = s->runs.emplace_back();
            for (const Run& r : m.blocks.runs()) runs.insert(runs.end(), {r.lo, r.hi});
        }
        for (std::size_t i = 0; i < s->step.size(); ++i) {
            const Move& m = s->step[i];
            s->moves.push_back({m.direction == Direction::send, m.op == Op::reduce, m.peer,
                                m.channel, s->runs[i].size() / 2, s->runs[i].data()});
        }
        *moves = s->moves.data();
        *n = s->moves.size();
        return HOPBINE_OK;
    });
}

hopbine_status hopbine_check(const char* collective, const char* algorithm, int p, int root,
                             const hopbine_parameter* parameters, size_t n) {
    return guarded([&] {
        const Problem q = problem(collective, p, root, parameters, n);
        const Verdict v = check(named(q, algorithm), q);
        if (v.ok) return HOPBINE_OK;
        last_error = v.why;
        return HOPBINE_REFUTED;
    });
}
