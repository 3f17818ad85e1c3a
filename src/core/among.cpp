#include "core/among.hpp"

namespace hopbine {

namespace {

class Among : public Schedule {
public:
    Among(SchedulePtr inner, std::vector<int> members, int p)
        : inner_(std::move(inner)), members_(std::move(members)), plays_(static_cast<std::size_t>(p), -1) {
        for (std::size_t v = 0; v < members_.size(); ++v) plays_[static_cast<std::size_t>(members_[v])] = static_cast<int>(v);
    }
    int steps() const override { return inner_->steps(); }
    void moves(int rank, int s, Step& out) const override {
        const int v = plays_[static_cast<std::size_t>(rank)];
        if (v < 0) return;
        const std::size_t before = out.size();
        inner_->moves(v, s, out);
        for (std::size_t i = before; i < out.size(); ++i) out[i].peer = members_[static_cast<std::size_t>(out[i].peer)];
    }
    Wire wire() const override { return inner_->wire(); }
    Block position(Block b) const override { return inner_->position(b); }
    bool permutes() const override { return inner_->permutes(); }

private:
    SchedulePtr inner_;
    std::vector<int> members_, plays_;
};

}  // namespace

SchedulePtr among(SchedulePtr inner, std::vector<int> members, int p) {
    return std::make_shared<Among>(std::move(inner), std::move(members), p);
}

}  // namespace hopbine
