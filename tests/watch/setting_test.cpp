#include "watch/setting.hpp"

#include <gtest/gtest.h>

#include "schedule/problem.hpp"

namespace hopbine::watch {

TEST(WatchSetting, Times) {
    EXPECT_EQ(parse_watch("", "it").limit, 0);
    EXPECT_EQ(parse_watch("none", "it").limit, 0);
    EXPECT_EQ(parse_watch("30", "it").limit, 30);
    EXPECT_EQ(parse_watch("30s", "it").limit, 30);
    EXPECT_EQ(parse_watch("200ms", "it").limit, 0.2);
    EXPECT_EQ(parse_watch("1.5min", "it").limit, 90);
    EXPECT_EQ(parse_watch("0.5h", "it").limit, 1800);
    EXPECT_FALSE(parse_watch("30s", "it").aborts);
}

TEST(WatchSetting, Abort) {
    EXPECT_TRUE(parse_watch("30s,abort", "it").aborts);
    EXPECT_EQ(parse_watch("30s,abort", "it").limit, 30);
    EXPECT_TRUE(parse_watch("abort", "it").aborts);
    EXPECT_EQ(parse_watch("abort", "it").limit, kLimit);
}

TEST(WatchSetting, Check) {
    EXPECT_FALSE(parse_watch("30s,abort", "it").checks);
    for (const char* text : {"check", "check,abort", "10min,check", "600s,check,abort"}) {
        EXPECT_TRUE(parse_watch(text, "it").checks) << text;
        EXPECT_EQ(parse_watch(text, "it").limit, kLimit) << text;
        EXPECT_EQ(parse_watch(text, "it").aborts, std::string(text).ends_with("abort")) << text;
    }
}

TEST(WatchSetting, WhetherTheUserHasAsked) {
    EXPECT_TRUE(parse_watch("10min", "it").asked);
    EXPECT_FALSE(parse_watch("none", "it").asked);
    EXPECT_FALSE(kUnasked.asked || kUnasked.aborts || kUnasked.checks);
    EXPECT_EQ(kUnasked.limit, kLimit);
}

TEST(WatchSetting, LooksAreSeldomWhereTheLimitIsLong) {
    EXPECT_EQ(seconds_between_looks(0.1, false), 0.05);
    EXPECT_EQ(seconds_between_looks(2, false), 0.5);
    EXPECT_EQ(seconds_between_looks(60, false), 1);
    EXPECT_EQ(seconds_between_looks(120, false), 2);
    EXPECT_EQ(seconds_between_looks(kLimit, false), 10);
    EXPECT_EQ(seconds_between_looks(36000, false), 10);
    EXPECT_EQ(seconds_between_looks(kLimit, true), 0.05);
    EXPECT_FALSE(takes_idle_time(seconds_between_looks(60, false)));
    EXPECT_TRUE(takes_idle_time(seconds_between_looks(kLimit, false)));
}

TEST(WatchSetting, WrongOnesNameTheirSource) {
    for (const char* text :
         {"soon", "-1s", "0s", "0.05", "30 s", "30s,", "30s,stop", "abort,abort", "none,abort",
          "nan", "inf", "1e9h", "30s,abort,abort", "abort,check", "check,30s", "30s,check,"})
        try {
            parse_watch(text, "--watch");
            FAIL() << text;
        } catch (const Error& e) {
            EXPECT_EQ(std::string(e.what()).find("--watch is '" + std::string(text)), 0u) << text;
        }
}

}  // namespace hopbine::watch
