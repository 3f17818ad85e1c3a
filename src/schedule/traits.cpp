#include "schedule/traits.hpp"

#include <string>

#include "schedule/problem.hpp"

namespace hopbine {

namespace {

[[noreturn]] void refuse(const char* combinator, const char* trait, const std::string& first,
                         const std::string& other) {
    throw Error(std::string(combinator) + ": members have " + trait + " " + first + " and " +
                other);
}

bool equal(const Layout& a, const Layout& b) { return a == b || (a && b && *a == *b); }

}  // namespace

const char* name(Wire w) {
    static constexpr const char* kNames[] = {"packed", "per_run", "sizes_first", "padded",
                                             "with_empty"};
    return kNames[static_cast<int>(w)];
}

void require_fit(const char* combinator, const Traits& first, const Traits& other) {
    if (first.parts != other.parts)
        refuse(combinator, "parts", std::to_string(first.parts), std::to_string(other.parts));
    if (first.parts > 1 && first.parts_together != other.parts_together)
        refuse(combinator, "parts", first.parts_together ? "of a channel" : "of a block",
               other.parts_together ? "of a channel together" : "of a block together");
    if (first.channels != other.channels)
        refuse(combinator, "channels", std::to_string(first.channels),
               std::to_string(other.channels));
    if (first.wire != other.wire) refuse(combinator, "wire", name(first.wire), name(other.wire));
    if (!equal(first.layout, other.layout))
        refuse(combinator, "layout", first.layout ? "permuted" : "in order",
               other.layout ? "permuted" : "in order");
    if (first.copies_in_flight != other.copies_in_flight)
        refuse(combinator, "copies", first.copies_in_flight ? "in flight" : "at an end",
               other.copies_in_flight ? "in flight" : "at an end");
}

void require_whole(const char* combinator, const Traits& inner) {
    if (inner.parts != 1 || inner.channels != 1)
        throw Error(std::string(combinator) + ": the schedule has " + std::to_string(inner.parts) +
                    " parts on " + std::to_string(inner.channels) + " channels; allowed is 1 on 1");
}

}  // namespace hopbine
