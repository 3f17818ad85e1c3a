#include "simulation/program.hpp"

#include <algorithm>
#include <limits>

namespace hopbine::simulation {

namespace {

/// Bytes of a message of an allreduce of one number.
constexpr std::int64_t kAgreedBytes = 8;

}  // namespace

Program::Program(const Algorithm& a, const Problem& given)
    : algorithm_(&a),
      problem_(resolve(a, given)),
      schedule_(a.make(problem_)),
      channels_(schedule_->traits().channels) {
    // A rank's vector in an alltoall has p of the p * p blocks.
    parts_ = std::min<std::int64_t>(block_count(a.collective, problem_.p), problem_.p) *
             schedule_->traits().parts;
    for (int s = 0; s < schedule_->steps(); ++s) {
        pattern_.push_back(schedule_->traits().step_class(s));
        phase_.push_back(s == 0 ? 0 : phase_.back() + schedule_->traits().barrier(s));
    }
}

Program::Program(const Algorithm& a, const Problem& given, DrawnBlocksPtr blocks)
    : Program(a, given) {
    if (a.collective != Collective::alltoallv)
        throw Error(std::string("blocks of given sizes are those of alltoallv, not of ") +
                    name(a.collective));
    blocks_ = std::move(blocks);
    parts_ = 1;
    int before = 0;
    if (schedule_->traits().wire == Wire::padded) {
        // Recursive doubling, as in MPI_Allreduce of one number in MPICH and Open MPI.
        agreement_ = hopbine::schedule(algorithm_named(Collective::allreduce, "recursive_doubling"),
                                       Problem{Collective::allreduce, problem_.p});
        before = agreement_->steps();
        phase_.insert(phase_.begin(), static_cast<std::size_t>(before), 0);
    }
    pattern_.resize(static_cast<std::size_t>(before + schedule_->steps()));
    for (int s = 0; s < steps(); ++s) pattern_[static_cast<std::size_t>(s)] = s;
}

Program Program::repeated(int calls) const {
    const int most = std::numeric_limits<int>::max() / std::max(1, steps_of_call());
    if (calls < 1 || calls > most)
        throw Error(std::to_string(calls) + " calls of " + std::string(algorithm_->name) +
                    " one after the other; 1 to " + std::to_string(most) + " have numbers");
    Program out = *this;
    out.calls_ = calls;
    return out;
}

/// Runs of blocks where these lie while messages are sent.
std::size_t Program::runs(const Move& m) const {
    const Traits& traits = schedule_->traits();
    if (!traits.layout) return m.blocks.runs().size();
    std::vector<Block> at;
    m.blocks.each([&](Block b) { at.push_back(traits.position(b)); });
    return BlockSet::of(std::move(at)).runs().size();
}

Permutation Program::permutation() const {
    const Traits& traits = schedule_->traits();
    if (!traits.layout) return {};
    const std::vector<Block>& at = *traits.layout;
    Permutation out{1, spec(algorithm_->collective).reduces(),
                    traits.copies_in_flight && channels_ == 1};
    for (std::size_t b = 1; b < at.size(); ++b) out.runs += at[b] != at[b - 1] + 1;
    return out;
}

/// Appends the messages of a move: of a send they are added, of a receive counted.
void Program::add(int rank, const Move& m, bool agrees, Messages& out) const {
    const auto line = static_cast<std::size_t>(rank * channels_ + m.channel);
    const auto number = static_cast<std::uint32_t>(runs(m)) & 0x3fffffffU;
    const bool apart = schedule_->traits().wire == Wire::per_run && !schedule_->traits().layout;
    const auto message = [&](std::int64_t parts) {
        if (m.direction == Direction::recv) {
            ++out.received[line];
            return;
        }
        out.all.push_back({rank, m.peer, m.channel, number, m.op == Op::reduce, apart, parts});
        ++out.first[line + 1];
    };
    if (agrees) return message(kAgreedBytes);
    if (!blocks_) return message(m.blocks.size());
    for (const std::int64_t bytes : blocks_->messages(problem_, rank, m, schedule_->traits().wire))
        message(bytes);
}

Messages Program::messages(int step) const {
    Messages out;
    out.first.assign(static_cast<std::size_t>(lines()) + 1, 0);
    out.received.assign(static_cast<std::size_t>(lines()), 0);
    const int before = agreement_ ? agreement_->steps() : 0;
    step = in_call(step);
    Step moves;
    for (int r = 0; r < problem_.p; ++r) {
        moves.clear();
        if (step < before)
            agreement_->moves(r, step, moves);
        else
            schedule_->moves(r, step - before, moves);
        std::stable_sort(moves.begin(), moves.end(),
                         [](const Move& x, const Move& y) { return x.channel < y.channel; });
        for (const Move& m : moves) add(r, m, step < before, out);
    }
    for (std::size_t l = 1; l < out.first.size(); ++l) out.first[l] += out.first[l - 1];
    return out;
}

}  // namespace hopbine::simulation
