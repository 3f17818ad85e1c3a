#include "select/place_choice.hpp"

#include <algorithm>
#include <cmath>

#include "select/size_class.hpp"

namespace hopbine::select {

namespace {

constexpr std::size_t index(Place place) { return static_cast<std::size_t>(place); }
constexpr Place other(Place place) {
    return place == Place::staged ? Place::direct : Place::staged;
}

}  // namespace

double PlaceChoice::modelled(const Key& key, Place place) {
    return modelled_seconds(place, key.ranks, sizes_of(key.size_class).high);
}

Place PlaceChoice::model(const Key& key) {
    return modelled(key, Place::direct) <= modelled(key, Place::staged) ? Place::direct
                                                                        : Place::staged;
}

Place PlaceChoice::trial_place(const Key& key, const Kind& k) {
    return k.tried <= kCalls ? model(key) : other(model(key));
}

Place PlaceChoice::place(const Key& key) const {
    const auto found = kinds_.find(key);
    if (found == kinds_.end()) return model(key);
    return found->second.tried ? trial_place(key, found->second) : found->second.serves;
}

bool PlaceChoice::tries(const Key& key) const {
    const auto found = kinds_.find(key);
    return found != kinds_.end() && found->second.tried;
}

/// Whether a trial is due, and paid for.
bool PlaceChoice::may_try(const Key& key, const Kind& k) const {
    const double loss =
        kCalls * std::abs(modelled(key, Place::direct) - modelled(key, Place::staged));
    return !k.hopeless && k.calls >= k.next && spent_ + loss <= share_ * time_;
}

void PlaceChoice::took(const Key& key, Place place, double seconds) {
    Kind& k = kinds_.try_emplace(key, Kind{.serves = model(key)}).first->second;
    ++k.calls;
    time_ += modelled(key, model(key));
    if (!k.tried) {
        if (!may_try(key, k)) return;
        spent_ += kCalls * std::abs(modelled(key, Place::direct) - modelled(key, Place::staged));
        k.next = k.calls * kSpacing;
        k.least = {};
        k.tried = 1;
        return;
    }
    const bool warm = (k.tried - 1) % kCalls > 0;
    double& least = k.least[index(place)];
    if (warm) least = least > 0 ? std::min(least, seconds) : seconds;
    const double reference = k.least[index(model(key))];
    const bool late = place != model(key) && warm && least > kHopeless * reference;
    if (++k.tried > 2 * kCalls || late) end_trial(k, model(key));
}

/// The faster place serves. `first`: where the trial has begun.
void PlaceChoice::end_trial(Kind& k, Place first) {
    const double begun = k.least[index(first)], next = k.least[index(other(first))];
    k.serves = next < begun ? other(first) : first;
    k.hopeless = std::max(begun, next) > kHopeless * std::min(begun, next);
    k.tried = 0;
}

}  // namespace hopbine::select
