#include "location/this_node.hpp"

#include <gtest/gtest.h>

#include "schedule/problem.hpp"

namespace hopbine::location {
namespace {

TEST(ThisNode, ItsGroupIsToldOrFoundInThoseOfTheJob) {
    Environment environment = {{"SLURM_JOB_ID", "7"},
                               {"SLURM_TOPOLOGY_ADDR", "top.s3.n1"},
                               {"SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node"}};
    EXPECT_EQ(group_of_process(environment, "n1"), "s3");
    environment["HOPBINE_GROUPS"] = "a=n[1-2];b=n3";
    EXPECT_EQ(group_of_process(environment, "n1"), "a");
    EXPECT_EQ(group_of_process(environment, "n3"), "b");
    EXPECT_THROW(group_of_process(environment, "n4"), Error);
    environment["HOPBINE_GROUP"] = "mine";
    EXPECT_EQ(group_of_process(environment, "n4"), "mine");
}

}  // namespace
}  // namespace hopbine::location
