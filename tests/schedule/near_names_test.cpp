#include "schedule/near_names.hpp"

#include <gtest/gtest.h>

namespace hopbine {
namespace {

TEST(NearNames, TheMostAlikeIsMeant) {
    const std::vector<std::string> names = {"ring", "kring", "swing", "bine_large", "bine_small"};
    EXPECT_EQ(nearest("rnig", names), "ring");
    EXPECT_EQ(nearest("bine_lrage", names), "bine_large");
    EXPECT_EQ(nearest("krin", names), "kring");
    EXPECT_EQ(is_meant("bine_smal", names), "; is bine_small meant?");
}

TEST(NearNames, NothingIsMeantByNoise) {
    for (const std::string& word : {std::string(), std::string("zzz"), std::string(100'000, 'x')})
        EXPECT_EQ(is_meant(word, {"ring", "bine_large"}), "");
    EXPECT_EQ(is_meant("ring", {}), "");
}

}  // namespace
}  // namespace hopbine
