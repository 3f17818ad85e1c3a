/// The choice of what serves the calls of one communicator: the MPI library, or an algorithm of
/// hopbine that was measured to be faster.
///
/// - Calls are counted and few are timed. At some calls the ranks agree on the times of all kinds
///   at once, decide what serves from now on, and plan trial calls.
/// - What is planned must be worth its cost: a program that has made n calls of a kind will make
///   about n more. And the account must allow it on every rank.
/// - Ranks decide alike without talking: what they do depends on the number of calls and on agreed
///   numbers alone.
/// Related work: STAR-MPI (Faraj, Yuan, Lowenthal, ICS'06), ADCL; knowledge gradient (Frazier,
/// Powell, Dayanik, SIAM J. Control Optim. 2008) for the worth of a trial.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "schedule/collective.hpp"
#include "select/account.hpp"
#include "select/belief.hpp"

namespace hopbine::select {

/// What a Selector needs of the ranks, in a call that all of them make.
class Port {
public:
    virtual ~Port() = default;
    /// Replaces each number by its maximum over all ranks.
    virtual void maxima(std::span<double> numbers) = 0;
    virtual void barrier() = 0;
    /// Seconds.
    virtual double clock() = 0;
};

/// An algorithm that may serve calls of a kind.
struct Offer {
    std::uint64_t name = 0;  ///< of the algorithm, in every kind
    /// What is claimed of it, by the model or by an earlier job: the time over the library's, and
    /// seconds that a call gains, which only promise() needs. 0: nothing.
    double ratio = 0, gain = 0;
    double deviation = 0;  ///< of the logarithm of `ratio`
};

/// Calls of a collective in a class of sizes, with operands of one freedom.
struct KindKey {
    Collective collective = Collective::bcast;
    int size_class = 0;
    int operands = 0;
    auto operator<=>(const KindKey&) const = default;
    struct Hash {
        std::size_t operator()(const KindKey& k) const {
            return (static_cast<std::size_t>(k.collective) << 8 ^
                    static_cast<std::size_t>(k.operands))
                       << 8 ^
                   static_cast<std::size_t>(k.size_class);
        }
    };
};

/// Where the candidates of a kind come from. All ranks ask for the same ones, in the same order.
class Offers {
public:
    virtual ~Offers() = default;
    /// The maxima of the numbers that the caller has added to the agreement. Before ready().
    virtual void hear(std::span<const double> also) { (void)also; }
    /// Whether offers() needs no set-up any more.
    virtual bool ready(const KindKey& key) const = 0;
    virtual std::vector<Offer> offers(const KindKey& key) = 0;
};

class Selector {
public:
    /// Seconds of the two longest calls; 0: there are less.
    using Longest = std::array<double, 2>;
    /// Agreed seconds of a call: the mean of the slowest rank. Older calls fade.
    struct Times {
        double calls = 0, mean = 0;
        std::array<double, 2> excess{};  ///< of the two largest outliers over the other calls
        /// `longest`: of the `timed` calls.
        void add(double seconds, const Longest& longest, int timed, double noise);
        /// The mean without the largest outlier.
        double usual() const { return mean - (calls > 0 ? excess[0] / calls : 0); }
        /// By how much the second one has raised usual(); of the logarithm.
        double raised() const;
    };
    /// One arm is what may serve a call: arm 0 is the MPI library, the others are candidates.
    struct Arm {
        std::uint64_t name = 0;
        Belief claimed{};   ///< no deviation: nothing is claimed
        double gain = 0;    ///< seconds that a call gains, as claimed
        Times plain;        ///< as the program makes the calls
        Times block;        ///< in trials between barriers
        double least = 0;   ///< agreed mean of the rank that waited least, in the program's calls
        double recent = 0;  ///< agreed mean of the program's last calls
        // This rank's calls since the last agreement:
        int timed = 0;  ///< calls
        double sum = 0;
        Longest longest{};
        int in_block = 0;  ///< calls between barriers, and their seconds
        double block_sum = 0;
        Longest longest_in_block{};
        bool cold = true;  ///< it has served no call that was timed
        double first = 0;  ///< of its first call, which builds plans and connections
        double last = 0;   ///< of its last timed call
        std::int64_t served = 0;
        double serving = 0;  ///< seconds of this rank in them
        int tried = 0;       ///< calls in trials
        // This rank's calls since the start, as the program makes them:
        std::int64_t timed_here = 0;
        double seconds_here = 0;

        void serve(std::int64_t calls, double seconds) {
            served += calls;
            serving += seconds * static_cast<double>(calls);
        }
        bool has_news() const { return timed > 0 || in_block > 0 || (!cold && plain.calls == 0); }
    };
    struct Kind {
        KindKey key;
        bool leaves = false;        ///< a rank may leave a call before all have come
        bool late = false;          ///< ranks come to the calls one long after the other
        bool few = false;           ///< few of its first calls are timed
        bool mixed = false;         ///< ranks run ahead in other kinds' calls between its own
        double weight = 1;          ///< modelled time of a call over that of an agreement
        Belief untried = kUntried;  ///< about a candidate, before any was tried in this job
        double claims = 0;          ///< claimed part of a call's time over the allowed one
        int now = 0;                ///< the arm that serves
        std::int32_t quiet = 0;     ///< calls until the next one that is timed
        std::int32_t gap = 1;       ///< calls that the next timed one stands for
        std::int32_t unready = 0;   ///< those of them that hopbine could not serve
        std::int64_t calls = 0;
        int chosen = 0;  ///< the arm that serves from call `from` on
        std::int64_t from = 0;
        int insured = 0;  ///< calls of a claimed arm up to the library's first; 0: nothing claimed
        bool insures = false;         ///< the library serves the next call to insure a claim
        std::int64_t insured_at = 0;  ///< call from which on it does so again; 0: it has not yet
        std::int64_t begun = 0;       ///< calls before a claimed arm began to serve
        std::vector<int> queue;       ///< arms of the trial calls to come, the next one last
        int arm = 0;                  ///< of the call under way
        bool apart = false;           ///< each call of the trial is between barriers
        bool begins = false;          ///< the next one does, the first of a block
        double usual = 0;             ///< agreed mean of the first calls that the arm has served
        bool in_trial = false;        ///< the call under way is one
        bool met = false;             ///< its barrier was made for a call that was undone
        double waited = 0;            ///< seconds of this rank in it
        double worth = 0;             ///< of the trials in the queue, seconds
        std::int64_t asks = 4;        ///< call at which to look at the kind again
        bool asked = false;           ///< its times are to be agreed on
        std::int64_t rests = 0;       ///< no trial is made before this call
        int version = 0;              ///< changes when what serves does, and why
        double doubt = 0;             ///< part of the library's time that another arm may gain
        bool offered = false;         ///< its candidates are known
        double claimed = 0;           ///< seconds in the account that are claimed
        double saved = 0, spent = 0;  ///< of this rank, seconds against the library
        bool considered = false;      ///< the model was asked for a claim
        std::vector<Arm> arms = std::vector<Arm>(1);

        /// Whether a barrier comes before the call under way.
        bool after_barrier() const { return in_trial && (apart || begins); }
        /// Whether the MPI library serves the next call without anything else to do. Counts it.
        bool passes() {
            if (now != 0 || quiet == 0) return false;
            --quiet;
            return true;
        }
    };
    struct Turn {
        int arm;
        bool timed;            ///< took() is to follow the call
        bool barrier = false;  ///< and a barrier of the ranks is to come before it
    };

    /// `agreement`: seconds that an agreement is expected to take before one was made.
    /// `debt`: seconds that were spent in the job before, on all ranks, and are to be repaid first.
    /// `larger`: of more ranks, these among them, which lives longer. It has the account for itself
    /// until it has earned what learning here needs, or these have longer calls, and its prices and
    /// beliefs hold here until others are known. Null: there is none.
    Selector(Account& account, double agreement, double debt = 0, const Selector* larger = nullptr);
    ~Selector();
    Selector(const Selector&) = delete;
    Selector& operator=(const Selector&) = delete;

    /// The calls of a key, whose place stays. `weight`, `untried`: see Kind.
    Kind& kind(const KindKey& key, bool leaves, double weight, const Belief& untried = kUntried);
    /// The calls of a key; null: there were none.
    Kind* find(const KindKey& key) {
        const auto found = by_key_.find(key);
        return found == by_key_.end() ? nullptr : found->second;
    }
    const std::deque<Kind>& kinds() const { return kinds_; }
    std::deque<Kind>& kinds() { return kinds_; }
    /// Lets the library serve some calls without a doubt: an earlier job has found it the fastest.
    void trust_library(Kind& k);
    /// Times fewer of a kind's first calls, where these are short and nothing is claimed.
    static void time_few(Kind& k);
    /// An arm that is to serve from the call on at which it is expected to have paid its set-up of
    /// `price` seconds. At most one a kind, before its first call. `insured`: the library serves
    /// one of the first calls, to be compared with it.
    void promise(Kind& k, const Offer& offer, double price, bool insured);

    /// Promises an arm that by the model takes `seconds`, the library `library`, if it is faster by
    /// more than the model errs: by the factor `error`, by which the claim is less. Returns whether
    /// it is.
    bool promise_counted(Kind& k, std::uint64_t name, double seconds, double library, double error);
    /// Whether the bytes of the calls so far, of this weight each, may have gained what counting
    /// the candidates takes.
    bool counting_may_pay(const Kind& k, double weight_of_bytes) const;

    /// What is to serve the next call of a kind.
    static int next_arm(const Kind& k, bool ready) {
        if (k.quiet == 0 && ready && !k.queue.empty()) return k.queue.back();
        return ready || k.now == 0 ? k.now : 0;
    }
    /// What serves the next call. Counts it. `ready`: hopbine can serve on this communicator; else
    /// the library serves and no trial is made.
    Turn turn(Kind& k, bool ready);
    /// Seconds that this rank spent in the barrier before the call of turn().
    static void waited(Kind& k, double seconds) { k.waited = seconds; }
    /// The call of turn(), which was timed, has not happened: the library has refused it on this
    /// rank, and another one follows that the other ranks take for it.
    void undo(Kind& k);
    /// Seconds that this rank spent in the call of turn(). May end with a barrier.
    void took(Kind& k, double seconds, Port& port);
    /// Whether agree() is to follow the call.
    bool agreement_due() const { return due_; }
    /// Agrees, decides and plans. `also`: numbers of the caller, for Offers::hear().
    void agree(Port& port, Offers& offers, std::span<const double> also = {});

    /// Adds a candidate to a kind, which is to be tried as soon as that can be paid.
    void offer(Kind& k, const Offer& offer);

    /// Enters what was served since the last agreement in the account, by what is known.
    void settle_rest();
    /// Seconds that a call of the kind gains, as measured or claimed; 0 where the library serves.
    double gain(const Kind& k) const;
    /// Agreed seconds of an arm, without what ranks wait for late ones; 0: not known.
    double seconds(const Kind& k, int arm) const;
    /// Whether the arm was compared with the library in this job.
    bool compared(const Kind& k, int arm) const { return ratio(k, arm) > 0; }
    /// Calls that other arms have served without being compared. After settle_rest().
    std::int64_t uncompared_calls() const;
    /// Seconds that an agreement is expected to take.
    double agreement_price() const { return agreement_; }
    /// Seconds that a barrier is expected to cost: at most an agreement, and before one was
    /// measured at most a call of its weight.
    double barrier_price() const;
    /// Seconds that a candidate's first call is expected to take more than later ones.
    double setup_price() const { return setup_; }
    /// Seconds that counting the candidates of a collective is expected to take.
    double counting_price() const { return counting_; }
    /// Seconds of the account that are set aside for what was planned.
    double reserved() const { return reserved_; }
    /// Whether choosing did not pay here, so that the library serves all calls.
    bool stopped() const { return stopped_; }

private:
    struct Trial {
        double worth = 0, cost = 0;  ///< seconds
        Kind* kind = nullptr;
        int arm = 0, calls = 0;
    };
    /// The arm of a trial whose kind has to ask for candidates first.
    static constexpr int kNotFound = -1;
    /// What the ranks tell each other besides times, in this order.
    enum Told {
        balance,
        overdraft,
        in_collectives,
        noise,
        longest,
        shortest,
        setup,
        counting,
        barrier,
        rate,
        income,
        kTold
    };

    // selector.cpp
    void take_over(const Selector& known);
    void note(Arm& a, double seconds);
    static void note(Longest& longest, double seconds);
    void end_trial_call(Kind& k, Arm& a, double seconds, Port& port);
    /// Whether a barrier comes after the call under way, which is not in the queue any more.
    static bool ends_block(const Kind& k) {
        return k.leaves && (k.apart || k.queue.empty() || k.queue.back() != k.arm);
    }
    void note_barriers(const Arm& library, double seconds, int barriers);
    void look_again(Kind& k);
    static void begin_claimed(Kind& k);
    void ask_to_confirm(Kind& k);
    int calls_before_library(const Kind& k) const;
    void insure(Kind& k);
    /// Calls of a kind since what serves it began to.
    static std::int64_t age(const Kind& k) { return k.calls - k.begun; }
    /// Seconds of all calls so far, by the model.
    double modelled_seconds() const { return unit_ * (made_ + weight_); }
    bool waits_for_larger();
    void see_whether_due();
    /// Whether all kinds may have had calls since the last agreement, that programs make in turns.
    bool had_turns() const { return calls_ >= 2 * static_cast<std::int64_t>(kinds_.size()); }
    // selector_agreement.cpp
    std::vector<Kind*> news();
    std::vector<double> tell(const std::vector<Kind*>& news) const;
    void hear(const std::vector<Kind*>& news, const double* agreed);
    static void look_at_ranks(Kind& k);
    double saved_here(const Kind& k, int arm) const;
    void settle(Kind& k);
    void catch_up(Kind& k);
    void earn(Kind& k, double seconds, double here);
    void claim(Kind& k, double seconds);
    void claim_untried(Kind& k);
    void spend(Kind& k, double seconds);
    void decide(Kind& k, bool overdrawn);
    void choose(Kind& k, int arm);
    static bool changed(Kind& k);
    void govern(double overdraft, double in_collectives);
    void price_agreement(double longest, double shortest);
    // selector_beliefs.cpp
    /// Whether the library's time is known.
    static bool known(const Kind& k) { return k.arms[0].plain.calls > 0; }
    double ratio(const Kind& k, int arm, double* deviation = nullptr) const;
    double told_ratio(const Kind& k, int arm) const;
    void find_pool();
    Belief unknown(const Kind& k) const;
    double claimed_part(const Kind& k) const;
    bool within_claim(const Kind& k, double deviations) const;
    /// Whether an arm is as fast as was claimed.
    bool held(const Kind& k) const { return within_claim(k, 1); }
    /// Whether it looks faster: calls of the library pay for connections, or are late.
    bool above_claim(const Kind& k) const { return within_claim(k, -1); }
    const Kind* neighbour(const Kind& k, int steps) const;
    Belief prior(const Kind& k, const Arm& a) const;
    Belief belief(const Kind& k, int arm) const;
    Belief not_found(const Kind& k) const;
    double now_over_library(const Kind& k) const;
    double doubt(const Kind& k) const;
    double expected_seconds(const Kind& k) const;
    // selector_plan.cpp
    double plan(Port& port, Offers& offers, double balance);
    struct Balance {
        double left, claimed;  ///< seconds
    };
    Balance balance_of(double left) const;
    double count(Port& port, Offers& offers, const Balance& balance);
    /// Whether the candidates of a kind may be asked for.
    static bool is_open(const Kind& k) { return !k.offered && known(k) && k.calls >= k.rests; }
    double may_gain(const Kind& k, std::int64_t calls) const;
    void find_arms(Kind& k, Offers& offers);
    static void add_arm(Kind& k, const Offer& offer);
    Trial best_trial(Kind& k, bool more) const;
    void take_better(Trial& best, Kind& k, int arm, const Belief& b, double now) const;
    static bool pays(const Trial& t, double others, const Balance& affordable);
    void queue(const Trial& t);
    double funds() const;
    void set_gap(double left);
    void price_claims(Kind& k) const;

    Account& account_;
    const Selector* larger_;               ///< null: none has to come first any more
    const double unit_;                    ///< modelled seconds of calls of weight 1
    double agreement_, setup_, counting_;  ///< prices, seconds
    double barrier_ = 0;                   ///< and of a barrier; 0: not measured
    std::deque<Kind> kinds_;
    std::unordered_map<KindKey, Kind*, KindKey::Hash> by_key_;
    double noise_;                       ///< deviation of the logarithm of a call's time, agreed
    double scatter_ = 0;                 ///< noise_ by this rank's times
    std::map<Collective, Belief> pool_;  ///< of a candidate that was not tried yet
    int serving_ = 0;                    ///< kinds for which another arm than the library is chosen
    double settled_ = 0, reserved_ = 0;  ///< in the last agreement: added to the balance, set aside
    double weight_ = 0, time_ = 0;       ///< of the calls since the last agreement
    double before_ = 0;                  ///< weight_ before the last timed call
    double claims_ = 0, claims_before_ = 0;  ///< the same of what is claimed, see Kind
    double made_ = 0;                        ///< weight of the calls before the last agreement
    double earned_ = 0;                      ///< agreed seconds, since the start
    std::int64_t calls_ = 0;                 ///< since the last agreement
    double gap_;                             ///< weight of calls before an agreement can be paid
    double health_;                   ///< weight of calls after which served kinds are looked at
    double rate_ = 0;                 ///< agreed seconds of calls of weight 1
    double income_ = 0;               ///< and of all the job's while such a call is made here
    double agreed_at_;                ///< seconds in collectives of this rank at the last agreement
    double pending_ = 0;              ///< seconds that the next agreement may gain
    double planned_ = 0, tried_ = 0;  ///< worth of the trials under way, and of those that ended
    double insured_ = 0;              ///< seconds of claims that the next agreement confirms
    bool claims_hold_ = false;        ///< one did, as measured
    double told_agreement_ = 0, told_setup_ = 0, told_counting_ = 0;  ///< measured by this rank
    double for_barriers_ = 0;  ///< by which barriers_ made calls longer here
    int barriers_ = 0;         ///< around calls of the library
    double overdrawn_ = 0;     ///< seconds in collectives since when the account is; 0: it is not
    bool due_ = false, stopped_ = false;
    bool counted_ = false, priced_ = false;  ///< what counting and an agreement take was measured
};

}  // namespace hopbine::select
