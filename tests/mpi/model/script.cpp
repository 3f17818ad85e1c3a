#include "script.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <optional>
#include <random>

#include "buffers.hpp"
#include "fake_mpi.hpp"
#include "ranks.hpp"
#include "runtime.hpp"

namespace model {

namespace {

/// Calls hopbine's function for the call. Returns what it does.
int invoke(const Runtime& h, const DrawnCall& c, Buffers& b, MPI_Comm comm, MPI_Request* request) {
    const int n = c.counts.front();
#define MODEL_CALL(name, iname, ...)                                                        \
    switch (c.form) {                                                                       \
    case Form::blocking: return h.name(__VA_ARGS__, comm);                                  \
    case Form::nonblocking: return h.iname(__VA_ARGS__, comm, request);                     \
    case Form::persistent: return h.name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, request); \
    }                                                                                       \
    break
    int mine = n;
    if (c.counts.size() > 1 && c.function != Function::alltoallv) {
        int rank = 0;
        PMPI_Comm_rank(comm, &rank);
        mine = c.counts[static_cast<std::size_t>(rank)];
    }
    switch (c.function) {
    case Function::bcast: MODEL_CALL(Bcast, Ibcast, b.recv, n, b.type, c.root);
    case Function::reduce: MODEL_CALL(Reduce, Ireduce, b.send, b.recv, n, b.type, b.op, c.root);
    case Function::allreduce: MODEL_CALL(Allreduce, Iallreduce, b.send, b.recv, n, b.type, b.op);
    case Function::scan: MODEL_CALL(Scan, Iscan, b.send, b.recv, n, b.type, b.op);
    case Function::exscan: MODEL_CALL(Exscan, Iexscan, b.send, b.recv, n, b.type, b.op);
    case Function::reduce_scatter:
        MODEL_CALL(Reduce_scatter, Ireduce_scatter, b.send, b.recv, b.counts.data(), b.type, b.op);
    case Function::reduce_scatter_block:
        MODEL_CALL(Reduce_scatter_block, Ireduce_scatter_block, b.send, b.recv, n, b.type, b.op);
    case Function::gather:
        MODEL_CALL(Gather, Igather, b.send, n, b.type, b.recv, n, b.type, c.root);
    case Function::scatter:
        MODEL_CALL(Scatter, Iscatter, b.send, n, b.type, b.recv, n, b.type, c.root);
    case Function::gatherv:
        MODEL_CALL(Gatherv, Igatherv, b.send, mine, b.type, b.recv, b.counts.data(),
                   b.places.data(), b.type, c.root);
    case Function::scatterv:
        MODEL_CALL(Scatterv, Iscatterv, b.send, b.send_counts.data(), b.send_places.data(), b.type,
                   b.recv, mine, b.type, c.root);
    case Function::allgather:
        MODEL_CALL(Allgather, Iallgather, b.send, n, b.type, b.recv, n, b.type);
    case Function::allgatherv:
        MODEL_CALL(Allgatherv, Iallgatherv, b.send, mine, b.type, b.recv, b.counts.data(),
                   b.places.data(), b.type);
    case Function::alltoall: MODEL_CALL(Alltoall, Ialltoall, b.send, n, b.type, b.recv, n, b.type);
    case Function::alltoallv:
        MODEL_CALL(Alltoallv, Ialltoallv, b.send, b.send_counts.data(), b.send_places.data(),
                   b.type, b.recv, b.counts.data(), b.places.data(), b.type);
    case Function::barrier:
        switch (c.form) {
        case Form::blocking: return h.Barrier(comm);
        case Form::nonblocking: return h.Ibarrier(comm, request);
        case Form::persistent: return h.Barrier_init(comm, MPI_INFO_NULL, request);
        }
    }
#undef MODEL_CALL
    return MPI_ERR_INTERN;
}

class Run {
public:
    Run(SharedScript& shared, int rank, std::uint64_t seed)
        : shared_(shared),
          script_(*shared.script),
          runtime_(runtime(rank)),
          rank_(rank),
          random_(seed) {}

    void all() {
        auto start = script_.starts.begin();
        for (const DrawnCall& call : script_.calls) {
            if (*start == call.number) {
                start_persistent();
                ++start;
            }
            make(call);
            while (!under_way_.empty() && random_() % 5 < 2) end_one();
        }
        start_persistent();
        if (script_.frees_early) free_comms();
        random_() % 2 ? end_all() : end_each();
        for (UnderWay& one : persistent_) {
            if (!passed_on(runtime_.Request_free(&one.request))) die("MPI_Request_free fails");
            PMPI_Request_free(&one.request);
        }
        if (!script_.frees_early) free_comms();
    }

private:
    struct UnderWay {
        std::unique_ptr<Buffers> buffers;
        MPI_Request request = MPI_REQUEST_NULL;
        int round = 0;
        bool persistent = false;
    };

    void check(int error, const Buffers& b, const DrawnCall& call) {
        if (error != MPI_SUCCESS) die(call.text() + ": error " + std::to_string(error));
        if (const std::string why = b.wrong(); !why.empty()) die(why);
    }

    /// The rank in the group of the call; none: it is not in it.
    std::optional<int> rank_in(const DrawnCall& call) const {
        const auto& all = script_.groups[static_cast<std::size_t>(call.group)].members;
        const auto at = std::ranges::find(all, rank_);
        if (at == all.end()) return {};
        return static_cast<int>(at - all.begin());
    }

    void make(const DrawnCall& call) {
        const std::optional<int> rank = rank_in(call);
        if (!rank) return;
        const std::size_t g = static_cast<std::size_t>(call.group);
        UnderWay made{std::make_unique<Buffers>(
            call, *rank, static_cast<int>(script_.groups[g].members.size()))};
        made.buffers->fill(0);
        int result = MPI_SUCCESS;
        if (call.form == Form::nonblocking) {
            const MustReturn here;
            result = invoke(runtime_, call, *made.buffers, shared_.comms[g], &made.request);
        } else {
            result = invoke(runtime_, call, *made.buffers, shared_.comms[g], &made.request);
        }
        if (passed_on(result)) {
            ++shared_.passed[static_cast<std::size_t>(call.number)];
            return;
        }
        made.persistent = call.form == Form::persistent;
        calls_.emplace_back(made.buffers.get(), &call);
        if (call.form == Form::blocking || result != MPI_SUCCESS)
            return check(result, *made.buffers, call);
        (made.persistent ? persistent_ : under_way_).push_back(std::move(made));
    }

    /// Starts all persistent requests in an order of this rank. No rank waits in between: all of
    /// them end, whatever the order of the others.
    void start_persistent() {
        for (UnderWay& one : persistent_)
            if (one.round > 0) end(one, active(one));
        std::vector<UnderWay*> order;
        for (UnderWay& one : persistent_) order.push_back(&one);
        std::ranges::shuffle(order, random_);
        for (UnderWay* one : order) {
            one->buffers->fill(++one->round);
            const MustReturn here;
            if (const int error = runtime_.Start(&one->request); error != MPI_SUCCESS)
                die("MPI_Start fails with " + std::to_string(error));
            active_.push_back(one);
        }
    }

    bool active(const UnderWay& one) const {
        return std::ranges::find(active_, &one) != active_.end();
    }

    /// Waits, or tests until it is over.
    void end(UnderWay& one, bool is_active) {
        if (!is_active) return;
        int error = MPI_SUCCESS, over = 0;
        if (random_() % 2)
            error = PMPI_Wait(&one.request, MPI_STATUS_IGNORE);
        else
            for (; !over && error == MPI_SUCCESS; over ? void() : let_others_run())
                error = PMPI_Test(&one.request, &over, MPI_STATUS_IGNORE);
        ended(one, error);
    }
    void ended(UnderWay& one, int error) {
        std::erase(active_, &one);
        const auto at = std::ranges::find(calls_, one.buffers.get(),
                                          &std::pair<Buffers*, const DrawnCall*>::first);
        check(error, *one.buffers, *at->second);
    }

    void end_one() {
        auto at = under_way_.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random_() % under_way_.size()));
        end(*at, true);
        under_way_.erase(at);
    }
    void end_each() {
        while (!under_way_.empty()) end_one();
        std::vector<UnderWay*> order = active_;
        std::ranges::shuffle(order, random_);
        for (UnderWay* one : order) end(*one, true);
    }
    void end_all() {
        std::vector<UnderWay*> order = active_;
        for (UnderWay& one : under_way_) order.push_back(&one);
        std::ranges::shuffle(order, random_);
        std::vector<MPI_Request> requests;
        for (const UnderWay* one : order) requests.push_back(one->request);
        const int error =
            PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        for (UnderWay* one : order) ended(*one, error);
        under_way_.clear();
    }

    void free_comms() {
        for (std::size_t g = 0; g < script_.groups.size(); ++g)
            if (std::ranges::find(script_.groups[g].members, rank_) !=
                script_.groups[g].members.end())
                free_comm(shared_.comms[g]);
    }

    SharedScript& shared_;
    const Script& script_;
    const Runtime& runtime_;
    const int rank_;
    std::mt19937_64 random_;
    std::list<UnderWay> under_way_, persistent_;
    std::vector<UnderWay*> active_;  ///< persistent ones that are started
    std::vector<std::pair<Buffers*, const DrawnCall*>> calls_;
};

}  // namespace

SharedScript::SharedScript(const Script& drawn) : script(&drawn), passed(drawn.calls.size()) {
    for (const Group& g : drawn.groups) comms.push_back(make_comm(g.members, g.shape));
}

int SharedScript::count_passed() const {
    int out = 0;
    for (const DrawnCall& c : script->calls) {
        const int on = passed[static_cast<std::size_t>(c.number)];
        const auto p = script->groups[static_cast<std::size_t>(c.group)].members.size();
        if (on != 0 && on != static_cast<int>(p))
            die(c.text() + ": " + std::to_string(on) + " of " + std::to_string(p) +
                " ranks leave it to the MPI library");
        out += on != 0;
    }
    return out;
}

void run_script(SharedScript& shared, int rank, std::uint64_t seed) {
    Run(shared, rank, seed * 64 + static_cast<std::uint64_t>(rank)).all();
}

}  // namespace model
