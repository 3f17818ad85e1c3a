/// What a Selector needs, of one rank, for tests that do not need several.
#pragma once
#include "select/selector.hpp"

namespace hopbine::select {

struct OneRank : Port {
    double now = 0;
    void maxima(std::span<double>) override { now += 1e-5; }
    void barrier() override { now += 1e-5; }
    double clock() override { return now; }
};

/// Candidates that a test gives.
struct Given : Offers {
    std::vector<Offer> all;
    bool ready(const KindKey&) const override { return true; }
    std::vector<Offer> offers(const KindKey&) override { return all; }
};

}  // namespace hopbine::select
