#include "location/this_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

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

TEST(ThisNode, IsFoundInThePartOfTheEnvironmentThatTellsIt) {
    const char* const entries[] = {"PATH=/bin",
                                   "SLURM_JOB_ID=7",
                                   "SLURM_STEP_ID=0",
                                   "SLURMD_NODENAME=n1",
                                   "SLURM_TOPOLOGY_ADDR=top.s3.n1",
                                   "SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node",
                                   nullptr,
                                   nullptr};
    const Environment part = environment_of(entries, tells_place);
    EXPECT_EQ(part.size(), 5u);
    EXPECT_EQ(told_node(part), "n1");
    EXPECT_EQ(group_of_process(part, "n1"), "s3");
    for (const char* const other : {"MPI_LOCALNRANKS=2", "OMPI_COMM_WORLD_RANK=0", "PALS_RANKID=0",
                                    "FLUX_TASK_RANK=0", "JSM_NAMESPACE_RANK=0"}) {
        const char* all[std::size(entries)];
        std::ranges::copy(entries, all);
        all[6] = other;
        EXPECT_EQ(told_node(environment_of(all, tells_place)), std::nullopt) << other;
    }
    for (const char* const told :
         {"HOPBINE_NODE=n2", "HOPBINE_GROUP=mine", "HOPBINE_GROUPS=a=n1"}) {
        const char* const all[] = {told, nullptr};
        EXPECT_EQ(environment_of(all, tells_place).size(), 1u) << told;
    }
}

}  // namespace
}  // namespace hopbine::location
