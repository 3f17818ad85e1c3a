#include "location/slurm.hpp"

#include <gtest/gtest.h>

namespace hopbine::location {
namespace {

TEST(Slurm, TellsTheSwitchBelowTheTop) {
    const auto group = [](const char* address, const char* pattern) {
        return slurm_group(
            {{"SLURM_TOPOLOGY_ADDR", address}, {"SLURM_TOPOLOGY_ADDR_PATTERN", pattern}});
    };
    EXPECT_EQ(group("top.s3.nid001", "switch.switch.node"), "s3");
    EXPECT_EQ(group("s3.nid001", "switch.node"), "s3");
    EXPECT_EQ(group("b2.nid001", "block.node"), "b2");
    EXPECT_FALSE(group("nid001", "node"));
    EXPECT_FALSE(group("", ""));
}

}  // namespace
}  // namespace hopbine::location
