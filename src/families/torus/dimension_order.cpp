#include "families/torus/dimension_order.hpp"

namespace hopbine::torus {

std::vector<Turn> turns_of(const Lines& lines, Turns turns, int first) {
    std::vector<Turn> out;
    const std::size_t d = lines.size();
    int longest = 0;
    for (const auto& line : lines) longest = std::max(longest, line->steps());
    const auto dimension = [&](std::size_t i) { return (i + static_cast<std::size_t>(first)) % d; };
    if (turns == Turns::step_by_step) {
        for (int s = 0; s < longest; ++s)
            for (std::size_t i = 0; i < d; ++i)
                if (s < lines[dimension(i)]->steps()) out.push_back({dimension(i), s});
        return out;
    }
    for (std::size_t i = 0; i < d; ++i)
        for (int s = 0; s < (turns == Turns::phases ? longest : lines[dimension(i)]->steps()); ++s)
            out.push_back({dimension(i), s});
    return out;
}

namespace {

/// For each step, the first of the consecutive steps of the same dimension that lead to it.
std::vector<int> begins_of(const std::vector<Turn>& turns) {
    std::vector<int> out;
    for (std::size_t s = 0; s < turns.size(); ++s) {
        const bool goes_on = s > 0 && turns[s].dimension == turns[s - 1].dimension &&
                             turns[s].step == turns[s - 1].step + 1;
        out.push_back(goes_on ? out.back() : static_cast<int>(s));
    }
    return out;
}

/// Classes of steps. During consecutive steps of one dimension the others do not change, so steps
/// that are equivalent on the line are equivalent here.
std::vector<int> classes_of(const std::vector<Turn>& turns, const std::vector<int>& begins,
                            const Lines& lines) {
    std::vector<int> out;
    for (std::size_t s = 0; s < turns.size(); ++s) {
        const int begin = begins[s], before = turns[static_cast<std::size_t>(begin)].step;
        const Schedule& line = *lines[turns[s].dimension];
        const bool idle = turns[s].step >= line.steps();
        const int like = idle ? line.steps() : line.traits().step_class(turns[s].step);
        out.push_back(like >= before ? begin + like - before : static_cast<int>(s));
    }
    return out;
}

/// Traits on a torus: the period of a line with all ranks, and a barrier before each phase.
Traits traits_of(const Shape& shape, const Lines& lines, Turns turns, int first) {
    const std::vector<Turn> all = turns_of(lines, turns, first);
    const std::vector<int> begins = begins_of(all);
    int period = 0;
    for (std::size_t d = 0; d < shape.size() && period == 0; ++d)
        if (shape[d] == ranks(shape)) period = lines[d]->traits().period;
    Traits out{.period = period, .classes = [classes = classes_of(all, begins, lines)](int s) {
                   return classes[static_cast<std::size_t>(s)];
               }};
    if (turns == Turns::phases)
        out.barriers = [begins](int s) {
            return s > 0 && begins[static_cast<std::size_t>(s)] == s;
        };
    return out;
}

}  // namespace

OnTorus::OnTorus(Shape shape, Lines lines, Turns turns, int first)
    : Schedule(traits_of(shape, lines, turns, first)),
      at_(std::move(shape)),
      lines_(std::move(lines)),
      turns_(turns_of(lines_, turns, first)) {
    std::vector<int> done(lines_.size(), 0);
    for (int s = 0; s < static_cast<int>(turns_.size()); ++s) {
        done_.push_back(done);
        if (!idle(s)) ++done[turn(s).dimension];
    }
}

}  // namespace hopbine::torus
