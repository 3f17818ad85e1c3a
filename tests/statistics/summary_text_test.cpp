#include "statistics/summary_text.hpp"

#include <gtest/gtest.h>

namespace hopbine::mpi {
namespace {

constexpr const char* kLook = "; see hopbine stats (--stats FILE)";

Summary served(long long calls, long long of) {
    Summary s;
    s.counts.made[COUNT_CALL] = of;
    s.counts.served[COUNT_CALL] = calls;
    return s;
}

TEST(SummaryText, SaysOnlyWhatIsKnown) {
    EXPECT_EQ(text(served(1204, 1310)),
              std::string("served 1,204 of 1,310 collective calls") + kLook);
    Summary none = served(0, 1234567);
    none.why_none = "one rank";
    EXPECT_EQ(text(none),
              std::string("served none of 1,234,567 collective calls: one rank") + kLook);
    Summary requests = served(5, 7);
    requests.counts.made[COUNT_PERSISTENT] = 2;
    EXPECT_EQ(
        text(requests),
        std::string("served 5 of 7 collective calls and none of 2 persistent requests") + kLook);
    requests.counts.made[COUNT_CALL] = requests.counts.served[COUNT_CALL] = 0;
    requests.counts.served[COUNT_PERSISTENT] = 2;
    requests.stats = "s.json";
    EXPECT_EQ(text(requests), "served 2 of 2 persistent requests; see hopbine stats s.json");
}

TEST(SummaryText, ComparesWithTheClassicAlgorithmsAndTheLibrary) {
    Summary s = served(1204, 1310);
    s.crossing = {1204, 1000, 590, true};
    s.account = {1.3, 0.2504, 0.0104, false, 0};
    EXPECT_EQ(text(s),
              "served 1,204 of 1,310 collective calls; 41 % fewer bytes between groups than the "
              "classic algorithms; 1.3 s in collectives, 250 ms saved, 10.4 ms spent: faster by "
              "240 ms; see hopbine stats (--stats FILE)");
    s.crossing = {1000, 1000, 1051, false};
    s.account = {1.3, 0, 0.0002, true, 0};
    EXPECT_EQ(text(s),
              std::string("served 1,204 of 1,310 collective calls; 5.1 % more bytes between nodes "
                          "in 1,000 of them than the classic algorithms; 1.3 s in collectives, "
                          "nothing saved, 200 us spent: slower by 200 us; choosing did not pay, "
                          "and the MPI library served the rest") +
                  kLook);
    s.account = {1.3, 0.2504, 0.0104, false, 1640};
    EXPECT_NE(text(s).find("10.4 ms spent: faster by 240 ms at least, as 1,640 served calls were "
                           "not compared with the library's; see"),
              std::string::npos);
    s.account = {1.3, 0, 0.0104, false, 1640};
    EXPECT_NE(text(s).find("10.4 ms spent: slower by 10.4 ms at most, as 1,640 served calls were "
                           "not compared with the library's; see"),
              std::string::npos);
    s.account = {};  // nothing was measured
    s.crossing = {1204, 1000, 1000, true};
    EXPECT_EQ(text(s), std::string("served 1,204 of 1,310 collective calls; as many bytes between "
                                   "groups as the classic algorithms") +
                           kLook);
}

}  // namespace
}  // namespace hopbine::mpi
