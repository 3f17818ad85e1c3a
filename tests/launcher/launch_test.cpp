#include "launcher/launch.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "launcher/job.hpp"
#include "launcher/rank.hpp"

namespace hopbine::launcher {
namespace {

TEST(Launch, SlurmTellsTheGroupWhereTopologyConfCannotBeRead) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "hopbine_launch_test";
    std::filesystem::create_directories(folder);
    for (const char* name : {kPreloadLibrary, "topology.conf"}) std::ofstream(folder / name) << "";
    const auto read_place = [](const Environment&, Nodes) { return Place{{}, "no Python here"}; };
    Environment environment = {{"SLURM_JOB_ID", "7"},
                               {"SLURM_STEP_ID", "0"},
                               {"SLURM_PROCID", "0"},
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

TEST(Launch, AFolderThatThePreloadLibraryCannotBeLoadedFromIsRefused) {
    for (const char* name : {"hopbine launch test", "hopbine:launch_test"}) {
        const auto folder = std::filesystem::path(::testing::TempDir()) / name;
        std::filesystem::create_directories(folder);
        std::ofstream(folder / kPreloadLibrary) << "";
        const auto read_place = [](const Environment&, Nodes) { return Place{}; };
        const Launch launch = prepare({"/bin/sh"}, {}, folder.string(), read_place);
        EXPECT_TRUE(launch.refused);
        ASSERT_EQ(launch.messages.size(), 1u);
        EXPECT_NE(launch.messages[0].find(folder.string() + "/"), std::string::npos);
        EXPECT_NE(launch.messages[0].find("a space or a colon"), std::string::npos);
        std::filesystem::remove_all(folder);
    }
}

TEST(Launch, WhatStartsRanksGetsTheGroupsOfAllNodes) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "hopbine_job_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / kPreloadLibrary) << "";
    const auto read_place = [](const Environment&, Nodes nodes) {
        return nodes == Nodes::kAll ? Place{{{"HOPBINE_GROUPS", "a=n[1-9]"}}, ""}
                                    : Place{{{"HOPBINE_GROUP", "a"}}, ""};
    };
    for (const char* name : {"mpiexec.hydra", "script"}) {
        std::ofstream(folder / name) << "#!/bin/sh\n";
        std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
        for (const bool in_task : {false, true}) {
            Environment environment = {{"HOPBINE_SYSTEM", "m"}};
            if (in_task) environment["PMI_RANK"] = "0";
            const Launch launch = prepare({(folder / name).string(), "-n", "4"}, environment,
                                          folder.string(), read_place);
            ASSERT_FALSE(launch.refused) << launch.messages.at(0);
            const bool is_rank = in_task && name == std::string("script");
            EXPECT_EQ(value_of(launch.environment, "HOPBINE_GROUPS"), is_rank ? "" : "a=n[1-9]");
            EXPECT_EQ(value_of(launch.environment, "HOPBINE_GROUP"), is_rank ? "a" : "");
            EXPECT_EQ(launch.command.size(), 3u);
        }
    }
    std::filesystem::remove_all(folder);
}

TEST(Launch, OpenMpisLauncherIsToldWhatToExport) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "hopbine_export_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "mpirun") << "#!/bin/sh\necho 'mpirun (Open MPI) 5.0.0'\n";
    std::filesystem::permissions(folder / "mpirun", std::filesystem::perms::owner_all);
    const Environment environment = {
        {"HOME", "/"}, {"HOPBINE_CHOICE", "count"}, {"LD_PRELOAD", "p"}};
    std::vector<std::string> command = {"mpirun", "-n", "2", "app"};
    export_variables(command, (folder / "mpirun").string(), environment);
    EXPECT_EQ(command, (std::vector<std::string>{"mpirun", "-x", "HOPBINE_CHOICE", "-x",
                                                 "LD_PRELOAD", "-n", "2", "app"}));
    std::vector<std::string> other = {"srun", "app"};
    export_variables(other, "/bin/true", environment);
    EXPECT_EQ(other.size(), 2u);
    std::filesystem::remove_all(folder);
}

TEST(Rank, BatchScriptsOfSlurmAreNoRank) {
    EXPECT_FALSE(world_rank({{"SLURM_JOB_ID", "7"}, {"SLURM_PROCID", "0"}}));
    EXPECT_EQ(world_rank({{"SLURM_STEP_ID", "1"}, {"SLURM_PROCID", "3"}}), 3);
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
