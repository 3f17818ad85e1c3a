#include "families/torus/swing.hpp"

#include "combinators/combinators.hpp"
#include "families/bine/bine.hpp"
#include "families/ports.hpp"

namespace hopbine::swing {

SchedulePtr line(int n) { return bine::reduce_scatter(n, bine::Order::doubling, false); }

int steps(const torus::Shape& shape) { return torus::steps(shape, bine::steps); }

SchedulePtr on_ports(const Problem& q, const torus::Line& line, bool apart,
                     const std::function<SchedulePtr(const torus::Lines&, int)>& make) {
    return torus::on_ports(q.shape, ports::parts(q), torus::Ports::swing, line,
                           torus::mirrored(line), apart, make);
}

SchedulePtr reduce_scatter(const Problem& q) {
    const SchedulePtr s = on_ports(q, line, false, [&](const torus::Lines& lines, int first) {
        return torus::reduce_scatter(q.shape, lines, torus::Turns::step_by_step, first);
    });
    return q.get("runs") ? per_run(s) : s;
}

SchedulePtr allreduce(const Problem& q) {
    const bool runs = q.get("runs");
    const SchedulePtr s = on_ports(q, line, true, [&](const torus::Lines& lines, int first) {
        const SchedulePtr half =
            runs ? torus::reduce_scatter(q.shape, lines, torus::Turns::step_by_step, first)
                 : torus::butterfly(q.shape, lines, first);
        return sequence({half, reversed(half, Op::copy)});
    });
    return runs ? per_run(s) : s;
}

}  // namespace hopbine::swing
