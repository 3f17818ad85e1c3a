#include "regret/play.hpp"

#include <bit>
#include <exception>
#include <unordered_map>

#include "regret/passage.hpp"
#include "runtime/fiber.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::regret {

namespace {

/// What a rank waits for others with.
enum class Waits { nothing, call, maxima, barrier, ended };
const char* name(Waits w) {
    static constexpr const char* kNames[] = {"goes on", "calls", "agrees", "is in a barrier",
                                             "has ended"};
    return kNames[static_cast<int>(w)];
}

class Game;

/// A rank: it runs on a stack of its own until it has to wait for others.
class Player : public Port {
public:
    Player(Game& game, int rank);
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    /// Ends a rank that waits for ever, so that what lies on its stack is freed.
    ~Player() override {
        given_up_ = true;
        if (begun_ && waits != Waits::ended) fiber_.resume();
    }
    /// Runs until it waits.
    void resume();

    void maxima(std::span<double> given) override {
        numbers = given;
        wait(Waits::maxima);
    }
    void barrier() override { wait(Waits::barrier); }
    double clock() override { return offset_ + time; }
    void work(double seconds) override {
        time += seconds;
        expected += seconds;
    }

    double time = 0;      ///< of the world
    double expected = 0;  ///< seconds in collectives in the mean
    Waits waits = Waits::nothing;
    Event event;
    int arm = 0;
    std::span<double> numbers;
    int last_communicator = -1, last_kind = -1;  ///< of its call before

private:
    void run();
    void wait(Waits what) {
        waits = what;
        fiber_.suspend();
        if (given_up_) throw GivenUp();
    }
    struct GivenUp {};
    bool begun_ = false, given_up_ = false;
    Game& game_;
    const int rank_;
    const double offset_;  ///< clocks of different ranks cannot be compared
    Program::Walk walk_;
    std::unique_ptr<Policy> policy_;
    std::exception_ptr failed_;
    mpi::Fiber fiber_;
};

/// What was used on a communicator.
struct Known {
    bool opened = false;
    std::unordered_map<int, std::uint32_t> used;           ///< arms by kind, as bits
    std::unordered_map<int, std::pair<int, int>> serving;  ///< by kind: arm, calls since another
};

class Game {
public:
    Game(const Program& program, const Stage& stage, const MakePolicy& make, Without without)
        : program_(program), stage_(stage), make_(make), without_(without) {
        for (int k = 0; k < static_cast<int>(stage.before.kinds().size()); ++k)
            library_.push_back(stage.before.mean(k, 0, Moment::apart));
        for (int r = 0; r < program.ranks(); ++r)
            players_.push_back(std::make_unique<Player>(*this, r));
    }
    Played play() {
        while (true) {
            for (const auto& p : players_)
                if (p->waits == Waits::nothing) p->resume();
            if (std::ranges::all_of(players_, [](auto& p) { return p->waits == Waits::ended; }))
                break;
            if (!go_on()) fail("ranks wait for each other");
        }
        for (const auto& p : players_) {
            played_.seconds = std::max(played_.seconds, p->time);
            played_.expected = std::max(played_.expected, p->expected);
        }
        return played_;
    }
    /// Seconds that a rank comes late.
    double lateness(const Event& e, int rank) const {
        const double late = program_.lateness(e, rank);
        return late == 0 ? 0 : late * library_[static_cast<std::size_t>(e.kind)];
    }
    std::unique_ptr<Policy> policy(int rank) const { return make_(stage_, rank); }
    const Program& program() const { return program_; }
    void freed(int communicator) { known_.erase(communicator); }

private:
    [[noreturn]] void fail(const std::string& why) const {
        std::string said = why + ":";
        for (std::size_t r = 0; r < players_.size(); ++r) {
            const Player& p = *players_[r];
            said += " rank " + std::to_string(r) + " " + name(p.waits);
            if (p.waits == Waits::call) said += " by arm " + std::to_string(p.arm);
            said += " in event " + std::to_string(p.event.index) + ";";
        }
        throw Error(said);
    }
    /// Ends all for which every member has come. False: there is none.
    bool go_on() {
        bool any = false;
        for (std::size_t r = 0; r < players_.size(); ++r) {
            if (players_[r]->waits == Waits::nothing || players_[r]->waits == Waits::ended)
                continue;
            const Event event = players_[r]->event;
            if (std::countr_zero(event.members) != static_cast<int>(r) || !gather(event)) continue;
            end(event);
            any = true;
        }
        return any;
    }
    /// Whether all members of an event's communicator have come to it; then they are members_.
    bool gather(const Event& event) {
        members_.clear();
        for (Ranks left = event.members; left; left &= left - 1)
            members_.push_back(players_[static_cast<std::size_t>(std::countr_zero(left))].get());
        return std::ranges::all_of(members_,
                                   [&](Player* p) { return p->event.index == event.index; });
    }
    void end(const Event& event) {
        const Waits what = members_.front()->waits;
        if (!std::ranges::all_of(members_, [&](Player* p) { return p->waits == what; }))
            fail("ranks do not do the same");
        if (what == Waits::call) end_call(event);
        if (what == Waits::maxima) end_maxima(event);
        if (what == Waits::barrier)
            pass_all(Leaves::none, together(stage_.of(event).barrier(played_.barriers++)),
                     stage_.of(event).mean_barrier());
        for (Player* p : members_) p->waits = Waits::nothing;
    }
    static CallTimes together(double seconds) { return {seconds, seconds}; }
    void pass_all(Leaves leaves, const CallTimes& took, double expected) {
        times_.clear();
        for (Player* p : members_) times_.push_back(p->time);
        pass(leaves, took, times_);
        for (std::size_t i = 0; i < members_.size(); ++i) {
            members_[i]->time = times_[i];
            members_[i]->expected += expected;
        }
    }
    void end_call(const Event& event) {
        const int arm = members_.front()->arm;
        if (!std::ranges::all_of(members_, [&](Player* p) { return p->arm == arm; }))
            fail("ranks take different arms");
        const Machine& on = stage_.of(event);
        const Kind& kind = on.kinds()[static_cast<std::size_t>(event.kind)];
        if (arm < 0 || static_cast<std::size_t>(arm) >= kind.arms.size())
            fail("there is no arm " + std::to_string(arm));
        const Timed timed = timed_call(event, arm);
        if (without_ == Without::calls)
            pass_all(leaves(kind.collective), {}, 0);
        else
            pass_all(leaves(kind.collective), on.call(timed), on.mean(timed));
        for (Player* p : members_)
            p->last_communicator = event.communicator, p->last_kind = event.kind;
        played_.served.resize(std::max(played_.served.size(), static_cast<std::size_t>(arm) + 1));
        ++played_.served[static_cast<std::size_t>(arm)];
    }
    /// Notes that the arm serves.
    Timed timed_call(const Event& event, int arm) {
        Known& known = known_[event.communicator];
        const std::uint32_t bit = std::uint32_t{1} << arm;
        std::uint32_t& used = known.used[event.kind];
        auto& [serving, calls] = known.serving.try_emplace(event.kind, arm, 0).first->second;
        if (serving != arm) serving = arm, calls = 0;
        const Player& one = *members_.front();
        const bool again =
            one.last_communicator == event.communicator && one.last_kind == event.kind;
        Moment moment = again ? Moment::loop : Moment::apart;
        if (!(used & bit) && without_ != Without::setup)
            moment = arm && !known.opened ? Moment::opening : Moment::first;
        used |= bit;
        known.opened |= arm != 0;
        return {event.kind, arm, moment, calls++, event.at};
    }
    void end_maxima(const Event& event) {
        const std::span<double> all = members_.front()->numbers;
        for (Player* p : members_) {
            if (p->numbers.size() != all.size()) fail("ranks agree on different things");
            for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], p->numbers[i]);
        }
        for (Player* p : members_) std::ranges::copy(all, p->numbers.begin());
        pass_all(Leaves::none, together(stage_.of(event).agreement(played_.agreements++)),
                 stage_.of(event).mean_agreement());
    }

    const Program& program_;
    const Stage stage_;
    const MakePolicy& make_;
    const Without without_;
    std::vector<double> library_;  ///< mean seconds of its calls by kind
    std::vector<std::unique_ptr<Player>> players_;
    std::unordered_map<int, Known> known_;
    std::vector<Player*> members_;
    std::vector<double> times_;
    Played played_;
};

Player::Player(Game& game, int rank)
    : game_(game),
      rank_(rank),
      offset_(1e3 * unit(mixed(1, rank))),
      walk_(game.program().walk()),
      policy_(game.policy(rank)) {
    fiber_.begin([](void* self) { static_cast<Player*>(self)->run(); }, this);
}

void Player::resume() {
    begun_ = true;
    fiber_.resume();
    if (failed_) std::rethrow_exception(failed_);
}

void Player::run() {
    try {
        while (walk_.next(event)) {
            if (!(event.members >> rank_ & 1)) continue;
            if (event.what == Event::What::freed) {
                policy_->freed(event.communicator);
                game_.freed(event.communicator);
                continue;
            }
            time += game_.lateness(event, rank_);
            arm = policy_->begin(event, *this);
            wait(Waits::call);
            policy_->end(event, *this);
        }
    } catch (...) {
        failed_ = std::current_exception();
    }
    waits = Waits::ended;
}

}  // namespace

Played play(const Program& program, const Stage& stage, const MakePolicy& policy, Without without) {
    return Game(program, stage, policy, without).play();
}

}  // namespace hopbine::regret
