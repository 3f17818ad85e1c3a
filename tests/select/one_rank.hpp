/// A port of one rank, for what does not need several.
#pragma once
#include "select/selector.hpp"

namespace hopbine::select {

struct OneRank : Port {
    double now = 0;
    void maxima(std::span<double>) override { now += 1e-5; }
    void barrier() override { now += 1e-5; }
    double clock() override { return now; }
};

}  // namespace hopbine::select
