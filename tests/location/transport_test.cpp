// The word for what carries messages.
#include "location/transport.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

using namespace hopbine::location;

TEST(Transport, IsTheAdaptersAndTheSettingsThatChangeIt) {
    EXPECT_EQ(transport_word({}, {}), "default");
    EXPECT_EQ(transport_word({}, {"cxi"}), "cxi");
    EXPECT_EQ(transport_word({{"UCX_TLS", "rc,sm"}}, {"hfi1", "mlx5"}), "hfi1+mlx5 UCX_TLS=rc,sm");
    EXPECT_EQ(transport_word({{"FI_PROVIDER", "tcp"}, {"OMPI_MCA_btl", "^ofi"}}, {}),
              "FI_PROVIDER=tcp OMPI_MCA_btl=^ofi");
    EXPECT_EQ(transport_word({{"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "ring"}}, {}),
              "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring");
}

// What differs in every job, or is only printed, must not make each job one of its own.
TEST(Transport, LeavesOutWhatChangesNothing) {
    EXPECT_EQ(transport_word({{"OMPI_MCA_initial_wdir", "/tmp/1"},
                              {"OMPI_MCA_ess_base_jobid", "2431"},
                              {"OMPI_MCA_btl_base_verbose", "10"},
                              {"PMIX_NAMESPACE", "prterun-2431@1"},
                              {"MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "n17"},
                              {"MV2_COMM_WORLD_RANK", "0"},
                              {"UCX_LOG_LEVEL", "info"},
                              {"FI_LOG_LEVEL", "warn"},
                              {"PATH", "/bin"}},
                             {}),
              "default");
}

TEST(Transport, OfManySettingsIsAHash) {
    Environment many{{"UCX_TLS", "rc,sm"},
                     {"UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1,mlx5_2:1,mlx5_3:1"}};
    const std::string one = transport_word(many, {"mlx5"});
    EXPECT_EQ(one.substr(0, 18), "mlx5, 2 settings: ");
    EXPECT_EQ(one.size(), 18u + 16);
    many["UCX_TLS"] = "ud,sm";
    EXPECT_NE(transport_word(many, {"mlx5"}), one);
    EXPECT_EQ(transport_word({{"UCX_TLS", "\xff"}}, {}).substr(0, 11), "1 setting: ");
}

TEST(Transport, FindsTheKindsOfAdapters) {
    char folder[] = "/tmp/hopbine_transport_XXXXXX";
    ASSERT_NE(::mkdtemp(folder), nullptr);
    EXPECT_TRUE(adapters(folder).empty());
    for (const char* device :
         {"infiniband/mlx5_0", "infiniband/mlx5_11", "infiniband/hfi1_0", "cxi/cxi0", "cxi/cxi1"})
        std::filesystem::create_directories(std::string(folder) + '/' + device);
    EXPECT_EQ(adapters(folder), (std::vector<std::string>{"cxi", "hfi1", "mlx5"}));
    std::filesystem::remove_all(folder);
}
