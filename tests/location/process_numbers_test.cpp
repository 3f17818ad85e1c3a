#include "location/process_numbers.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include "location/child_command.hpp"

using namespace hopbine::location;

namespace {

TEST(ProcessNumbers, ANameHasANumber) {
    EXPECT_EQ(number_of(""), 0u);
    EXPECT_NE(number_of("a"), 0u);
    EXPECT_NE(number_of("a"), number_of("b"));
}

TEST(ProcessNumbers, CoresAreThoseThatTheProcessMayRunOn) {
    cpu_set_t before, one;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    const std::uint64_t all = cores_number();
    EXPECT_EQ(cores_in(all), CPU_COUNT(&before));
    CPU_ZERO(&one);
    int core = 0;
    while (!CPU_ISSET(core, &before)) ++core;
    CPU_SET(core, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(cores_in(cores_number()), 1);
    EXPECT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(cores_number(), all);
}

TEST(ChildCommand, HasWhatRunsItUnderHopbine) {
    const char* const environment[] = {
        "HOME=/x",      "HOPBINE_RULES=r", "HOPBINE_STATS=s",  "HOPBINE_NODE=n",
        "LD_PRELOAD=p", "HOPBINE_GROUP=g", "HOPBINE_GROUPS=h", nullptr};
    EXPECT_EQ(child_command("/bin/sh", environment),
              (std::vector<std::string>{"/usr/bin/env", "HOPBINE_RULES=r", "LD_PRELOAD=p",
                                        "HOPBINE_GROUPS=h", "/bin/sh"}));
    EXPECT_EQ(child_command("sh", environment).back(), "sh");
    EXPECT_TRUE(child_command("no-such-program", environment).empty());
    EXPECT_TRUE(child_command("/no/such/program", environment).empty());
}

}  // namespace
