#include "launcher/launch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "launcher/rank.hpp"

namespace hopbine::launcher {
namespace {

TEST(Launch, SlurmTellsTheGroupWhereTopologyConfCannotBeRead) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "hopbine_launch_test";
    std::filesystem::create_directories(folder);
    for (const char* name : {kPreloadLibrary, "topology.conf"}) std::ofstream(folder / name) << "";
    const auto read_place = [](const Environment&) { return Place{{}, "no Python here"}; };
    Environment environment = {{"SLURM_JOB_ID", "7"},
                               {"SLURM_CONF", (folder / "slurm.conf").string()}};
    const auto prepared = [&] {
        return prepare({"/bin/sh"}, environment, folder.string(), read_place);
    };
    EXPECT_EQ(prepared().messages, std::vector<std::string>{"hopbine: no Python here"});
    environment["SLURM_TOPOLOGY_ADDR"] = "top.s3.n1";
    environment["SLURM_TOPOLOGY_ADDR_PATTERN"] = "switch.switch.node";
    const Launch launch = prepared();
    EXPECT_TRUE(launch.messages.empty());
    EXPECT_FALSE(launch.refused);
    EXPECT_EQ(value_of(launch.environment, "HOPBINE_GROUP"), "s3");
    std::filesystem::remove_all(folder);
}

TEST(Rank, SlurmNamesTheNodesOfItsOwnTasks) {
    Environment task = {{"SLURMD_NODENAME", "n3"}, {"SLURM_STEP_ID", "0"}, {"PMI_RANK", "1"}};
    EXPECT_EQ(node_name(task), "n3");
    task["MPI_LOCALNRANKS"] = "2";  // started by Hydra, which a task of srun has called
    EXPECT_NE(node_name(task), "n3");
    task["HOPBINE_NODE"] = "mine";
    EXPECT_EQ(node_name(task), "mine");
    EXPECT_NE(node_name({{"SLURMD_NODENAME", "n3"}}), "n3");  // a batch script
}

}  // namespace
}  // namespace hopbine::launcher
