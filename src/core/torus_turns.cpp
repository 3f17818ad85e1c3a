#include "core/torus_turns.hpp"

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

OnTorus::OnTorus(Shape shape, Lines lines, Turns turns, int first)
    : at_(std::move(shape)),
      lines_(std::move(lines)),
      how_(turns),
      turns_(turns_of(lines_, turns, first)) {
    // As long as one dimension goes on, the others stay as they are: steps that are alike on the
    // line are alike here.
    for (std::size_t s = 0; s < turns_.size(); ++s) {
        const bool goes_on = s > 0 && turns_[s].dimension == turns_[s - 1].dimension &&
                             turns_[s].step == turns_[s - 1].step + 1;
        begins_.push_back(goes_on ? begins_.back() : static_cast<int>(s));
    }
}

int OnTorus::pattern(int s) const {
    const int begin = begins_[static_cast<std::size_t>(s)], before = turn(begin).step;
    const Schedule& line = *lines_[turn(s).dimension];
    if (idle(s)) return begin + line.steps() - before;
    const int like = line.pattern(turn(s).step);
    return like >= before ? begin + like - before : s;
}

int OnTorus::period() const {
    for (std::size_t d = 0; d < shape().size(); ++d)
        if (shape()[d] == ranks(shape())) return lines_[d]->period();
    return 0;
}

bool OnTorus::together(int s) const {
    return how_ == Turns::phases && s > 0 && begins_[static_cast<std::size_t>(s)] == s;
}

}  // namespace hopbine::torus
