#include "families/torus/line_tables.hpp"

namespace hopbine::torus {

CoveredOnLine::CoveredOnLine(const Schedule& line, int n, bool keeps_received)
    : q_(line.traits().period > 0 && n % line.traits().period == 0 ? line.traits().period : n) {
    std::vector<std::int64_t> left(static_cast<std::size_t>(q_), n);
    MoveSizes along;
    for (int step = 0; step < line.steps(); ++step) {
        before_.push_back(left);
        for (int a = 0; a < q_; ++a) {
            along.clear();
            line.sizes(a, step, Wire::packed, along);
            for (const MoveSize& m : along)
                if (m.direction == Direction::send)
                    left[static_cast<std::size_t>(a)] -= m.blocks;
                else if (keeps_received)
                    left[static_cast<std::size_t>(a)] += m.blocks;
        }
    }
    before_.push_back(std::move(left));
}

const SentOnLine::Row& SentOnLine::found(int a) const {
    Row& row = rows_[static_cast<std::size_t>(a)];
    std::call_once(row.once, [&] {
        row.number.assign(static_cast<std::size_t>(n_), -1);
        Step along;
        for (int step = 0; step < line_->steps(); ++step) {
            along.clear();
            line_->moves(a, step, along);
            for (const Move& m : along) {
                if (m.direction != Direction::send) continue;
                const int i = static_cast<int>(row.messages.size());
                m.blocks.each([&](Block b) { row.number[static_cast<std::size_t>(b)] = i; });
                row.messages.push_back({step, m.peer});
            }
        }
    });
    return row;
}

}  // namespace hopbine::torus
