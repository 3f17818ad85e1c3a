#include "mpi/sums/later_sum.hpp"

#include "mpi/device/device_use.hpp"
#include "mpi/state/errors.hpp"
#include "mpi/state/nonblocking.hpp"
#include "mpi/sums/not_exact.hpp"

namespace hopbine::mpi {

LaterSum::LaterSum(const Call& c, const ExactCall& exact)
    : given_(c), of_(exact.of), rank_(exact.state->rank), ranks_(exact.state->size) {
    arrays_.keep(given_, *exact.state);
    make_words(of_.arithmetic->full(ranks_));
}

void LaterSum::make_words(const sums::Format& format) {
    words_.emplace(given_, rank_, ranks_, of_, format);
    constexpr std::int64_t kWord = sizeof(std::int64_t);
    words_->set(reinterpret_cast<std::int64_t*>(memory_.at_least(words_->words() * kWord + 1)));
    if (mirror_) words_->read_from(mirror_->arrived_call());
}

void LaterSum::ask_for_window() { asks_ = words_->sent_bytes() > kFullBytes; }

sums::Range LaterSum::range() const { return unread_ ? sums::Range() : words_->range(); }

void LaterSum::use_window(const sums::Range& all) {
    constexpr int kNoSlack = 0;  // it is for this call alone
    make_words(of_.arithmetic->window(all, ranks_, kNoSlack));
    if (!unread_) words_->encode();
}

void LaterSum::use_all_values() {
    make_words(of_.arithmetic->full(ranks_));
    if (!unread_) words_->encode();
}

int LaterSum::begin(const Communicator& state) noexcept {
    try {
        unread_ = true;
        if (on_device(given_, state)) {
            mirror_.emplace(given_, state.rank, state.size);
            words_->read_from(mirror_->arrived_call());
        }
        unread_ = false;
        if (!asks_) words_->encode();
        return MPI_SUCCESS;
    } catch (const std::exception& e) {
        return error_class(e, given_.collective, "exact ");
    }
}

int LaterSum::end(int error) noexcept {
    try {
        if (error == MPI_SUCCESS) words_->round();
        if (mirror_) error = mirror_->finish(error);
        mirror_.reset();
        return error;
    } catch (const std::exception& e) {
        return error_class(e, given_.collective, "exact ");
    }
}

std::unique_ptr<LaterSum> later_sum_of(const Call& c, Form form) {
    if (!may_round(c)) return nullptr;
    const std::optional<ExactCall> exact = examine_sum(c, form);
    if (!exact) return nullptr;
    if (!calls_progress()) {
        note_not_exact(c, form, kNoProgress);
        return nullptr;
    }
    note_exact_later();
    return std::make_unique<LaterSum>(c, *exact);
}

}  // namespace hopbine::mpi
