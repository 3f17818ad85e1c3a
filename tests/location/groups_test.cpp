#include "location/groups.hpp"

#include <gtest/gtest.h>

#include "schedule/problem.hpp"

namespace hopbine::location {
namespace {

constexpr const char* kGroups =
    "group 1=n[001-004,007],login;rack 2=n[005-006],r[1-2]c[9-12]x;z=n1";

TEST(Groups, HostsAreFoundInFoldedLists) {
    for (const auto& [host, group] :
         std::vector<std::pair<std::string, std::string>>{{"n001", "group 1"},
                                                          {"n004", "group 1"},
                                                          {"n007", "group 1"},
                                                          {"login", "group 1"},
                                                          {"n005", "rack 2"},
                                                          {"n006.cluster.example", "rack 2"},
                                                          {"r2c9x", "rack 2"},
                                                          {"r1c12x", "rack 2"},
                                                          {"n1", "z"}})
        EXPECT_EQ(group_in(kGroups, host), group) << host;
}

TEST(Groups, OtherHostsAreRefused) {
    for (const char* host : {"n008", "n01", "n0001", "n", "", "r3c9x", "r1c09x", "r1c9", "xlogin"})
        EXPECT_THROW(group_in(kGroups, host), Error) << host;
    for (const char* groups : {"n1", "=n1", "a=n[1", "a=n[1-", "a=n1;;", "a=[]"})
        EXPECT_THROW(group_in(groups, "n2"), Error) << groups;
}

}  // namespace
}  // namespace hopbine::location
