/// The ranks of a job in one process, each in a fiber: they agree and send as those of MPI do.
#pragma once
#include <deque>
#include <map>
#include <utility>

#include "choice/job.hpp"
#include "choice/members.hpp"
#include "runtime/fiber.hpp"
#include "runtime/ranks.hpp"

namespace hopbine::mpi {

/// Sets the job of this process: rank r is on nodes[r], in the group groups[r]; numbers from 1. The
/// ranks are as threads of one program, so that each has knowledge of its own.
inline void begin_job(const std::vector<std::uint64_t>& nodes,
                      const std::vector<std::uint64_t>& groups) {
    the_job() = {};
    the_job().open = the_job().threaded = true;
    the_job().exchange = 10e-6;
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        JobRank& rank = the_job().ranks.emplace_back();
        rank.node = nodes[r];
        rank.group = groups[r];
    }
}

/// What the ranks have under way.
struct Meeting {
    std::vector<double> most, agreed;
    int came = 0, met = 0;
    std::map<std::pair<int, int>, std::deque<select::Bytes>> mail;  ///< by sender and receiver
    std::size_t messages = 0;
};

class MembersInFibers : public Members {
public:
    MembersInFibers(Meeting& all, int r, Fiber& fiber, Form form = Form::blocking)
        : Members(form), all_(all), fiber_(fiber) {
        rank = r;
        size = static_cast<int>(job().ranks.size());
        members_ = job().all();
        unusable_ = find_unusable();
    }
    bool is_open() const override { return open_; }
    bool open(DeviceUse) override { return open_ = true; }
    std::array<double, 3> tell() override { return {}; }
    void hear(std::span<const double>) override { open_ = true; }
    bool join_devices() override { return false; }
    void maxima(std::span<double> numbers) override {
        all_.most.resize(numbers.size(), -1e300);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            all_.most[i] = std::max(all_.most[i], numbers[i]);
        const int met = all_.met;
        if (++all_.came == size) {
            all_.agreed = std::exchange(all_.most, {});
            all_.came = 0;
            ++all_.met;
        }
        while (all_.met == met) fiber_.suspend();
        std::copy_n(all_.agreed.begin(), numbers.size(), numbers.begin());
    }
    void barrier() override { maxima({}); }
    std::int64_t most(std::int64_t mine) override {
        double all = static_cast<double>(mine);
        maxima({&all, 1});
        return static_cast<std::int64_t>(all);
    }
    void most_of_all(std::span<std::int64_t> numbers) override {
        std::vector<double> all(numbers.begin(), numbers.end());
        maxima(all);
        for (std::size_t i = 0; i < all.size(); ++i) numbers[i] = static_cast<std::int64_t>(all[i]);
    }
    void send(const select::Bytes& bytes, int to) override {
        all_.mail[{rank, to}].push_back(bytes);
        ++all_.messages;
    }
    select::Bytes receive(int from) override {
        std::deque<select::Bytes>& mine = all_.mail[{from, rank}];
        while (mine.empty()) fiber_.suspend();
        select::Bytes out = std::move(mine.front());
        mine.pop_front();
        return out;
    }

private:
    Meeting& all_;
    Fiber& fiber_;
    bool open_ = false;
};

/// Runs body(members) on all ranks of the job together. Returns whether all of them ended: false
/// where they wait for one another for ever, or messages are left.
template <class Body>
bool run_members(Form form, const Body& body) {
    Meeting all;
    const auto changes = [&] {
        std::size_t left = 0;
        for (const auto& [ends, mail] : all.mail) left += mail.size();
        return std::make_pair(all.met, 2 * all.messages - left);
    };
    auto before = changes();
    bool waited = false;
    const bool ended = run_ranks(
        static_cast<int>(job().ranks.size()),
        [&](int r, Fiber& fiber) {
            MembersInFibers members(all, r, fiber, form);
            body(members);
        },
        [&] {  // a message that has come is read when its rank is resumed the next time
            const auto now = changes();
            if (now == before && std::exchange(waited, true)) return false;
            if (now != before) waited = false;
            before = now;
            return true;
        });
    for (const auto& [ends, mail] : all.mail)
        if (!mail.empty()) return false;
    return ended;
}

}  // namespace hopbine::mpi
