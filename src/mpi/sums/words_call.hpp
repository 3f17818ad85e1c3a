/// A sum of floating-point numbers as the same call on words, which are whole numbers.
#pragma once
#include <vector>

#include "mpi/execute/call.hpp"
#include "mpi/sums/summand.hpp"
#include "runtime/memory.hpp"

namespace hopbine::mpi {

/// Where the numbers of a validated call lie: a complex element has two.
struct Numbers {
    const sums::Arithmetic& arithmetic;
    const char* from = nullptr;  ///< what this rank contributes
    std::size_t n = 0;
    char* to = nullptr;  ///< this rank's results, if it has some
    std::size_t results = 0;

    Numbers(const Call& c, int rank, int ranks, const Summand& of);
    /// They lie in the buffers of a call that is the same but for these.
    void read_from(const Call& c);
};

/// The call on words of a format. Its words are the caller's.
class WordsCall {
public:
    WordsCall(const Call& c, int rank, int ranks, const Summand& of, const sums::Format& format);
    /// Bytes of the words of this rank's numbers.
    std::int64_t sent_bytes() const;
    /// The bits that this rank's numbers need.
    sums::Range range() const { return numbers_.arithmetic.range(numbers_.from, numbers_.n); }
    /// Words that it needs, with those of this rank's result.
    std::int64_t words() const;
    /// Sets the memory for words().
    void set(std::int64_t* words);
    /// The numbers lie in the buffers of a call that is the same but for these.
    void read_from(const Call& c) { numbers_.read_from(c); }
    /// Writes the words of this rank's numbers. False: some do not fit into the format.
    bool encode() const;
    const Call& call() const { return call_; }
    /// Rounds the result.
    void round() const;

private:
    Numbers numbers_;
    sums::Format format_;
    Call call_;
    std::vector<std::size_t> parts_;  ///< numbers that lie together in what a rank receives
    std::int64_t *words_ = nullptr, *result_ = nullptr;
    std::vector<int> counts_;  ///< of words, of a reduce_scatter
};

}  // namespace hopbine::mpi
