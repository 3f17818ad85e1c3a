#include "choice/knowledge.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>

#include "choice/job.hpp"
#include "runtime/settings.hpp"
#include "select/site.hpp"
#include "select/size_class.hpp"
#include "statistics/rank_runs.hpp"

namespace hopbine::mpi {

namespace {

/// The rules for calls of these ranks, which ask for nothing but bytes and operands any more.
select::Rules rules_for(const select::Rules& all, select::Asked call) {
    select::Rules out;
    out.skip_unfit = true;
    for (select::Rule r : all.rules) {
        const select::Range bytes = r.bytes;
        const std::string operands = r.operands;
        r.bytes = {};
        r.operands.clear();
        call.collective = r.collective;
        if (!r.answers(call)) continue;
        r.bytes = bytes;
        r.nodes = r.ranks_per_node = {};
        for (const select::TextCondition& c : select::kTextConditions) (r.*c.text).clear();
        r.operands = operands;
        out.rules.push_back(std::move(r));
    }
    return out;
}

}  // namespace

double rounds(int ranks) {
    return std::max(1.0, static_cast<double>(std::bit_width(static_cast<unsigned>(ranks - 1))));
}

std::shared_ptr<Knowledge> Knowledge::of(const std::vector<int>& members) {
    static std::mutex lock;
    static std::map<std::vector<int>, std::shared_ptr<Knowledge>> all;
    if (job().threaded || members.empty()) return std::make_shared<Knowledge>();
    const std::lock_guard hold(lock);
    std::shared_ptr<Knowledge>& known = all[members];
    if (!known) known = std::make_shared<Knowledge>();
    return known;
}

Chooser& Knowledge::chooser(Members& group) {
    if (!chooser_)
        chooser_ = std::make_unique<Chooser>(group.located(), settings().patience,
                                             group.form() != Form::blocking);
    return *chooser_;
}

select::Asked Knowledge::asked(Members& group, Collective c, std::int64_t bytes,
                               Operands operands) {
    const Units& nodes = group.located().nodes;
    int most = 1;
    for (int n = 0; n < nodes.count(); ++n) most = std::max(most, nodes.size(n));
    return {c, group.size, bytes, operands, nodes.count(), most, &site(group)};
}

const select::Site& Knowledge::site(Members& group) {
    if (!site_) {
        site_ = job().site;
        site_->placement = select::placement_shape(group.located());
    }
    return *site_;
}

const select::Numbering* Knowledge::numbering(Members& group, const std::string& name,
                                              Operands operands) {
    for (const select::Numbering& n : chooser(group).numberings())
        if (n.name == name && (n.order.empty() || operands != Operands::in_order)) return &n;
    return nullptr;
}

Chosen Knowledge::remembered(Members& group, Collective c, std::int64_t bytes, Operands operands) {
    if (!settings().measures || job().learned.rules.empty()) return {};
    if (!rules_) rules_ = rules_for(job().learned, asked(group, c, bytes, operands));
    if (bytes == select::kUnknown) {  // of an alltoallv: whatever size was measured last
        const auto& all = rules_->rules;
        const auto one = std::ranges::find(all, c, &select::Rule::collective);
        if (one == all.end()) return {};
        bytes = one->bytes.high;
    }
    select::Choice choice = select::choose({&*rules_}, {c, group.size, bytes, operands});
    if (!choice.found) return {};
    Chosen out{std::move(choice)};
    out.learned = true;
    if (out.choice.algorithm) {
        const std::string& name = out.choice.numbering;
        out.numbering = numbering(group, name.empty() ? "given" : name, operands);
        if (!out.numbering) return {};
    }
    const auto& measured = out.choice.rule->measured;
    const auto text = measured.find(select::sizes_of(select::size_class(bytes)).high);
    out.choice.why = "learned in " + job().file;
    if (text != measured.end()) {
        out.choice.why += ": " + text->second;
        out.took = select::measured_seconds(text->second);
    }
    return out;
}

Measuring& Knowledge::measuring(Members& group) {
    if (measuring_) return *measuring_;
    const int ranks = static_cast<int>(job().ranks.size());
    // What is known of the calls of all ranks, in their order, where that is the same on all.
    const Measuring* known = nullptr;
    if (!job().threaded && group.members().size() != job().ranks.size())
        known = of(job().all())->measuring_.get();
    // An agreement of fewer ranks takes as much less as its rounds are fewer.
    measuring_ =
        std::make_unique<Measuring>(job().exchange * rounds(group.size) / rounds(ranks), known,
                                    group.speaks() ? rank_runs(group.members()) : "");
    return *measuring_;
}

}  // namespace hopbine::mpi
