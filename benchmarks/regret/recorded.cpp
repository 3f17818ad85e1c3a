#include "regret/recorded.hpp"

#include <algorithm>
#include <numeric>

#include "regret/random.hpp"
#include "schedule/algorithm.hpp"
#include "select/site.hpp"

namespace hopbine::regret {

/// The largest of each 200 calls is left out, at least one where there are some. Of few the median
/// stands for the mean.
void Times::find_mean() {
    constexpr std::size_t kFew = 8, kOneOf = 200;
    std::vector<double> whole;
    for (const CallTimes& t : all) whole.push_back(t.whole);
    std::ranges::sort(whole);
    const std::size_t n = whole.size();
    if (n < kFew) {
        mean = n ? (whole[(n - 1) / 2] + whole[n / 2]) / 2 : 0;
        return;
    }
    whole.resize(n - std::max<std::size_t>(1, n / kOneOf));
    mean = std::reduce(whole.begin(), whole.end()) / static_cast<double>(whole.size());
}

void Series::finish(bool library) {
    if ((library ? first : opening).empty() || apart.empty() || early[0].empty())
        throw Error("it has no first calls, none apart, or none in a loop");
    if (first.empty()) first = opening;  // it is the only algorithm of its kind
    for (Times* t : {&opening, &first, &apart, &late}) t->find_mean();
    for (Times& t : early) t.find_mean();
}

const Times& Series::of(Moment moment, int position) const {
    switch (moment) {
    case Moment::opening: return opening;
    case Moment::first: return first;
    case Moment::apart: return apart;
    case Moment::loop: break;
    }
    if (position >= Machine::kSettled && !late.empty()) return late;
    auto at = static_cast<std::size_t>(std::min(position, Machine::kSettled - 1));
    while (early[at].empty()) --at;
    return early[at];
}

const CallTimes& RecordedMachine::repeated(const Times& times, std::uint64_t what,
                                           std::int64_t n) const {
    const auto size = static_cast<std::int64_t>(times.all.size());
    const double begin = unit(mixed(seed_, what, static_cast<std::uint64_t>(n / size)));
    const auto at = static_cast<std::int64_t>(begin * static_cast<double>(size)) + n % size;
    return times.all[static_cast<std::size_t>(at % size)];
}

CallTimes RecordedMachine::call(const Timed& c) const {
    return repeated(times(c), static_cast<std::uint64_t>(c.kind), c.at);
}

double RecordedMachine::agreement(std::int64_t n) const {
    return repeated(recording_.agreement, recording_.kinds.size(), n).whole;
}

double RecordedMachine::barrier(std::int64_t n) const {
    return repeated(recording_.barrier, recording_.kinds.size() + 1, n).whole;
}

bool RecordedMachine::crowded() const {
    return recording_.network.starts_with("node:") && recording_.ranks > recording_.cores;
}

std::string RecordedMachine::library() const {
    return recording_.network.starts_with("node:") ? select::library_word(recording_.library) : "";
}

}  // namespace hopbine::regret
