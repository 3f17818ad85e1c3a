#include "watch/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "watch/function.hpp"

namespace hopbine::watch {

std::string ranges(std::vector<int> numbers) {
    std::ranges::sort(numbers);
    std::string out;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] <= numbers[end - 1] + 1) ++end;
        out += (out.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (numbers[end - 1] != numbers[i]) out += "-" + std::to_string(numbers[end - 1]);
        i = end;
    }
    return out;
}

std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    return text;
}

std::string Words::comm(std::uint64_t id) const {
    for (const RankView& r : views_) {
        const CommView* const found = r.comm(id);
        if (!found) continue;
        const std::string made = found->made_at.empty() ? ""
                                                        : ", made by " + name_of(found->made_by) +
                                                              " at " + place_(found->made_at);
        return (found->name.empty() ? "a communicator" : found->name) + " (" +
               std::to_string(found->size) + " ranks" + made + ")";
    }
    return "a communicator that the watcher does not know";
}

std::string Words::signature(const CallView& call) {
    std::string inner;
    const auto add = [&](const std::string& what) { inner += (inner.empty() ? "" : ", ") + what; };
    if (call.count >= 0)
        add(std::to_string(call.count) + " " +
            (call.type.empty() ? "of a derived datatype" : call.type));
    if (call.bytes >= 0 && call.type.empty()) add(std::to_string(call.bytes) + " bytes");
    if (!call.operation.empty())
        add(call.operation + (call.commutes == 0 ? " that does not commute" : ""));
    if (call.root >= 0) add("root " + std::to_string(call.root));
    if (call.in_place > 0) add("in place");
    return name_of(call.number) + (inner.empty() ? "" : "(" + inner + ")");
}

std::string Words::peer(const CallView& call) const {
    if (call.peer < 0) return "";
    for (const RankView& r : views_)
        if (const CommView* const c = r.comm(call.comm); c && c->rank == call.peer)
            return " with rank " + std::to_string(r.rank);
    return " with rank " + std::to_string(call.peer) + " of its communicator";
}

std::string Words::call(const CallView& call) const {
    std::string out = signature(call) + peer(call);
    if (call.sequence > 0)
        out += ", call " + std::to_string(call.sequence) + " of " + comm(call.comm) + ",";
    return out + " at " + place_(call.site);
}

std::string Words::rank(const RankView& rank) {
    return "rank " + std::to_string(rank.rank) + " on " + rank.node + ", process " +
           std::to_string(rank.process);
}

const ThreadView* Words::thread_of(const RankView& rank) {
    const ThreadView* out = nullptr;
    for (const ThreadView& t : rank.threads) {
        const bool better = !out || (t.inside && !out->inside) ||
                            (t.inside == out->inside &&
                             (t.inside ? t.seconds > out->seconds : t.seconds < out->seconds));
        if (better) out = &t;
    }
    return out;
}

std::string Words::inside_or_outside(const RankView& rank, const ThreadView& thread) const {
    const std::string since = thread.seconds < thread.unseen
                                  ? " for less than " + seconds_text(thread.seconds + thread.unseen)
                                  : " for " + seconds_text(thread.seconds);
    if (thread.inside) return "is in " + call(thread.now) + since;
    if (thread.poller)
        return "calls " + name_of(thread.poller) + " again and again at " +
               place_(thread.poll_site) + since;
    return "is outside of MPI" + since +
           (rank.life == Life::sleeps ? ", sleeping"
            : rank.life == Life::runs ? ", running"
                                      : "");
}

std::string Words::doing(const RankView& rank) const {
    const ThreadView* const thread = thread_of(rank);
    std::string out;
    if (rank.life == Life::ended)
        out = rank.finished ? "has ended" : "has ended without MPI_Finalize";
    else if (rank.finished)
        out = "has left MPI_Finalize";
    else if (rank.life == Life::stopped)
        out = "is stopped, by a signal or a debugger";
    if (!thread) return out.empty() ? "has made no call yet" : out;
    if (out.empty() || (thread->inside && !rank.finished))
        out += (out.empty() ? "" : "; it ") + inside_or_outside(rank, *thread);
    if (thread->before.number) out += "; the last call that it left: " + call(thread->before);
    return out;
}

}  // namespace hopbine::watch
