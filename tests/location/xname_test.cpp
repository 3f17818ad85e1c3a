#include "location/xname.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "schedule/problem.hpp"

namespace hopbine::location {
namespace {

TEST(Xname, HasACabinetAndAChassis) {
    using Places = std::pair<std::string, std::string>;
    EXPECT_EQ(parse_xname("x1000c0s2b0n1", "f"), Places("x1000", "x1000c0"));
    EXPECT_EQ(parse_xname(" x3c7s21b10n12\n", "f"), Places("x3", "x3c7"));
    for (const char* wrong :
         {"", "x", "x1000", "x1000c0", "x1000c0s2b0", "x10000c0s2b0n1", "login1", "x1c8s0b0n0",
          "x1c0s0b0n0x", "x1c0s100b0n0", "c0s0b0n0", "x1c00s0b0n0"})
        EXPECT_THROW(parse_xname(wrong, "f"), Error) << wrong;
}

TEST(Xname, OfThisNode) {
    const std::string file = ::testing::TempDir() + "xname";
    EXPECT_EQ(cabinet_of_this_node(file + ".not"), "");
    EXPECT_EQ(cabinet_of_this_node("/"), "");
    std::ofstream(file) << "x3001c0s21b0n0\n";
    EXPECT_EQ(cabinet_of_this_node(file), "x3001");
}

}  // namespace
}  // namespace hopbine::location
