#include "watch/findings.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "schedule/hash.hpp"
#include "watch/calls.h"
#include "watch/function.hpp"

namespace hopbine::watch {

namespace {

bool waits_for_requests(std::uint32_t function) {
    return function == WATCH_Wait || function == WATCH_Waitall || function == WATCH_Waitany ||
           function == WATCH_Waitsome;
}

/// The collective that a thread is in or waits for; null: none is known.
const CallView* collective_of(const ThreadView& t) {
    if (!t.inside) return nullptr;
    if (watch_is_collective(t.now.number)) return t.now.comm ? &t.now : nullptr;
    const bool waits = waits_for_requests(t.now.number) && only_starts(t.before.number);
    return waits && t.before.comm ? &t.before : nullptr;
}

bool can_go_on(const RankView& r) { return r.life != Life::ended && r.life != Life::stopped; }

/// Sorts the other ranks of the communicator.
void find_others(const Views& views, Finding& out) {
    int members = 0, size = 0;
    for (const RankView& r : views) {
        const CommView* const c = r.comm(out.comm);
        if (!c) continue;
        ++members;
        size = c->size;
        const bool is_in =
            std::ranges::any_of(out.in, [&](const Present& p) { return p.rank == &r; });
        if (is_in) continue;
        const ThreadView* const thread = r.threads.empty() ? nullptr : &r.threads.front();
        if (c->sequence < out.sequence)
            out.missing.push_back(&r);
        else if (thread && c->sequence == out.sequence && only_starts(thread->before.number) &&
                 thread->before.sequence == out.sequence && thread->before.comm == out.comm)
            out.started.push_back(&r);
    }
    out.unknown = std::max(0, size - members);
}

using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< communicator, number of the call

/// All collectives that ranks are in, have left, or have found not to match.
std::map<Key, std::vector<Present>> calls_of(const Views& views) {
    std::map<Key, std::vector<Present>> out;
    for (const RankView& r : views) {
        const auto add = [&](const ThreadView* t, const CallView& c) {
            if (watch_is_collective(c.number) && c.comm && c.sequence && r.comm(c.comm))
                out[{c.comm, c.sequence}].push_back({&r, t, &c});
        };
        add(nullptr, r.differing);
        for (const ThreadView& t : r.threads) add(&t, t.now), add(&t, t.before);
    }
    return out;
}

/// Compares the calls of one number with the first rank's.
Finding compare(const Key& key, const std::vector<Present>& calls) {
    Finding out;
    out.comm = key.first;
    out.sequence = key.second;
    for (const Present& p : calls) {
        out.difference = difference(*calls.front().call, *p.call);
        out.one = calls.front();
        out.other = p;
        if (!out.difference.empty()) break;
    }
    return out;
}

/// Two threads of a rank that are in calls of one communicator.
std::vector<Finding> find_double_calls(const Views& views) {
    std::vector<Finding> out;
    for (const RankView& r : views)
        for (std::size_t i = 0; i < r.threads.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const ThreadView &a = r.threads[k], &b = r.threads[i];
                if (!a.inside || !b.inside || !a.now.sequence || !b.now.sequence || !a.now.comm ||
                    a.now.comm != b.now.comm)
                    continue;
                Finding f;
                f.comm = a.now.comm;
                f.sequence = std::min(a.now.sequence, b.now.sequence);
                f.one = {&r, &a, &a.now};
                f.other = {&r, &b, &b.now};
                f.difference = "being made at once by two threads";
                out.push_back(f);
            }
    return out;
}

std::vector<Finding> find_collectives(const Views& views, double limit) {
    std::map<Key, Finding> calls;
    for (const RankView& r : views)
        for (const ThreadView& t : r.threads)
            if (const CallView* const c = collective_of(t); c && !r.finished) {
                Finding& f = calls[{c->comm, c->sequence}];
                f.in.push_back({&r, &t, c});
                if (r.life != Life::ended) f.seconds = std::max(f.seconds, t.seconds);
            }
    std::vector<Finding> out;
    for (auto& [key, f] : calls) {
        if (f.seconds < limit) continue;
        if (!out.empty() && out.back().comm == key.first) continue;  // it waits for that one
        f.comm = key.first;
        f.sequence = key.second;
        find_others(views, f);
        out.push_back(std::move(f));
    }
    return out;
}

std::vector<Finding> find_messages(const Views& views, double limit) {
    Finding out;
    bool goes_on = false, one_cannot = false;
    for (const RankView& r : views) {
        if (r.finished) continue;
        one_cannot |= !can_go_on(r);
        bool waits = false;
        for (const ThreadView& t : r.threads)
            if (t.inside && t.seconds >= limit && can_go_on(r)) {
                if (!waits) out.in.push_back({&r, &t, &t.now});
                waits = true;
                out.seconds = std::max(out.seconds, t.seconds);
            }
        goes_on |= !waits && can_go_on(r);
        if (!waits) out.missing.push_back(&r);
    }
    if (out.in.empty() || (goes_on && !one_cannot)) return {};
    if (goes_on) std::erase_if(out.missing, [](const RankView* r) { return can_go_on(*r); });
    return {std::move(out)};
}

/// What ranks must have alike in a collective, in the words of a report, and its value; none: it
/// may differ, or is not known.
struct Alike {
    const char* what;
    std::optional<std::uint64_t> value;
};
std::array<Alike, 6> alike(const CallView& c) {
    const auto where = [](bool compared, std::int64_t value) {
        return compared ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
    };
    return {{{"the function", c.number & (WATCH_LARGE - 1)},
             {"the root", where(true, c.root)},
             {"the operation", fnv1a(c.operation)},
             {"whether the operation commutes", where(c.commutes >= 0, c.commutes)},
             {"MPI_IN_PLACE on some ranks only", where(c.in_place >= 0, c.in_place)},
             {"the number of bytes", where(c.same_bytes, c.bytes)}}};
}

}  // namespace

std::string difference(const CallView& a, const CallView& b) {
    const auto of_a = alike(a), of_b = alike(b);
    for (std::size_t i = 0; i < of_a.size(); ++i) {
        const auto &one = of_a[i].value, &other = of_b[i].value;
        if (one && other && *one != *other) return of_a[i].what;
    }
    return "";
}

std::uint64_t digest(const CallView& call) {
    std::array<std::uint64_t, std::tuple_size_v<decltype(alike(call))>> values{};
    std::ranges::transform(alike(call), values.begin(),
                           [](const Alike& one) { return one.value.value_or(0); });
    return fnv1a({reinterpret_cast<const char*>(values.data()), sizeof values});
}

std::vector<Finding> find_mismatches(const Views& views) {
    std::vector<Finding> out = find_double_calls(views);
    for (const auto& [key, calls] : calls_of(views))
        if (Finding f = compare(key, calls); !f.difference.empty()) out.push_back(std::move(f));
    return out;
}

std::vector<Finding> find(const Views& views, double limit) {
    std::vector<Finding> out = find_collectives(views, limit);
    return out.empty() ? find_messages(views, limit) : out;
}

}  // namespace hopbine::watch
