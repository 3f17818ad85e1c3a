#include "families/torus/torus_bine.hpp"

#include "combinators/combinators.hpp"
#include "families/ports.hpp"
#include "families/torus/swing.hpp"

namespace hopbine::torus_bine {

using swing::line;

SchedulePtr on_ports(const Problem& q, bool apart,
                     const std::function<SchedulePtr(const torus::Lines&, int)>& make) {
    return torus::on_ports(q.shape, ports::parts(q), torus::Ports::bine, line,
                           torus::mirrored(line), apart, make);
}

SchedulePtr reduce_scatter(const Problem& q) {
    const SchedulePtr s = on_ports(q, false, [&](const torus::Lines& lines, int first) {
        return torus::reduce_scatter(q.shape, lines, torus::Turns::step_by_step, first);
    });
    return q.get("runs") ? per_run(s) : s;
}

SchedulePtr reduce_scatter_on_one_port(const Problem& q) {
    return torus::reduce_scatter(q.shape, torus::lines_of(q.shape, line),
                                 torus::Turns::step_by_step, 0);
}

torus::Windows windows(const Problem& q) {
    return torus::windows(q.shape, torus::lines_of(q.shape, line), 0).value();
}

}  // namespace hopbine::torus_bine
