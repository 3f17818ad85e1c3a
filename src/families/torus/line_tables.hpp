/// Tables of a line of a torus, a reduce_scatter, with which the messages of the torus are counted
/// without their blocks.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "schedule/schedule.hpp"

namespace hopbine::torus {

/// Number of blocks of a line that a coordinate has before each step: those of a reduce_scatter
/// that it has not sent; with `keeps_received`, of an alltoall, also those that it has received.
class CoveredOnLine {
public:
    CoveredOnLine(const Schedule& line, int n, bool keeps_received = false);
    std::int64_t before(int step, int a) const {
        return before_[static_cast<std::size_t>(step)][static_cast<std::size_t>(a % q_)];
    }

private:
    int q_;  ///< coordinates q apart cover equally many
    std::vector<std::vector<std::int64_t>> before_;
};

/// The message in which a coordinate sends each of the others. Found for one coordinate when it is
/// first asked for.
class SentOnLine {
public:
    SentOnLine(SchedulePtr line, int n)
        : line_(std::move(line)),
          n_(n),
          rows_(std::make_unique<Row[]>(static_cast<std::size_t>(n))) {}
    struct Message {
        int step, peer;
    };
    /// The message with which coordinate a sends b. Null for its own, which it keeps.
    const Message* of(int a, int b) const {
        const Row& row = found(a);
        const int i = row.number[static_cast<std::size_t>(b)];
        return i < 0 ? nullptr : &row.messages[static_cast<std::size_t>(i)];
    }

private:
    struct Row {
        std::once_flag once;
        std::vector<Message> messages;
        std::vector<int> number;  ///< of the message with each coordinate; -1: it is kept
    };
    const Row& found(int a) const;
    SchedulePtr line_;
    int n_;
    std::unique_ptr<Row[]> rows_;
};

}  // namespace hopbine::torus
