// Error bars of the model: every call has one, of its own class or of all.
#include "select/model_errors.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "schedule/algorithm.hpp"

namespace hopbine::select {
namespace {

bool is(const char* has, std::string_view word) { return has == word; }

TEST(ModelErrors, EveryCallHasAnErrorBarOfItsClass) {
    for (const Algorithm* a : algorithms())
        for (const double bytes : {0.0, 16384.0, 16385.0, 1048576.0, 1e9})
            for (const int ranks : {2, 64, 65, 9000})
                for (const bool torus : {false, true}) {
                    const ErrorBar& bar = error_bar(a->collective, bytes, ranks, torus);
                    EXPECT_TRUE(is(bar.network, network_class(torus)));
                    EXPECT_TRUE(is(bar.bytes, bytes_class(bytes)));
                    EXPECT_TRUE(is(bar.ranks, ranks_class(ranks)) || is(bar.ranks, kAll));
                    EXPECT_TRUE(is(bar.collective, name(a->collective)) ||
                                (is(bar.collective, kAll) && is(bar.ranks, kAll)));
                }
}

TEST(ModelErrors, NumbersAreFactorsAndClassesDiffer) {
    std::set<std::tuple<std::string, std::string, std::string, std::string>> classes;
    for (const ErrorBar& bar : error_bars()) {
        EXPECT_TRUE(classes.insert({bar.network, bar.collective, bar.bytes, bar.ranks}).second)
            << calls_of(bar);
        EXPECT_GE(bar.off, 1);
        EXPECT_GE(bar.off_90, bar.off);
        EXPECT_GE(bar.lost, 1);
        EXPECT_GT(bar.apart, 1) << "a claim without an error: " << calls_of(bar);
    }
}

TEST(ModelErrors, TellWhichCallsTheyAreOf) {
    EXPECT_EQ(calls_of(error_bar(Collective::allreduce, 8, 16, false)),
              "allreduce, up to 16 KiB, up to 64 ranks, networks of groups");
    EXPECT_EQ(calls_of(error_bar(Collective::allreduce, 1e9, 512, true)),
              "allreduce, more than 1 MiB, more than 64 ranks, tori");
    EXPECT_EQ(calls_of(error_bar(Collective::alltoallv, 8, 16, false)),
              "all collectives, up to 16 KiB, networks of groups");
}

}  // namespace
}  // namespace hopbine::select
