// Texts of topologies: errors say what is allowed.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "network/topology.hpp"
#include "schedule/problem.hpp"

using namespace hopbine;
using namespace hopbine::network;

namespace {

/// The error message for a text.
std::string refusal(const std::string& text) {
    try {
        topology(text);
    } catch (const Error& e) {
        return e.what();
    }
    return "none";
}

}  // namespace

TEST(Topology, RefusalsSayWhatIsAllowed) {
    const std::pair<const char*, const char*> refused[] = {
        {"", "the forms are torus:N0[xN1...], hyperx:"},
        {"ring:8", "'ring' is no known kind; the forms are torus:N0[xN1...], hyperx:"},
        {"torus", "extents are missing; the form is torus:N0[xN1...]"},
        {"torus:", "extents are whole numbers of at least 1: '' is no shape"},
        {"torus:8x0", "extents are whole numbers of at least 1: '8x0' is no shape"},
        {"torus:-8", "of at least 1: '-8' is no shape"},
        {"torus:8xeight", "of at least 1: '8xeight' is no shape"},
        {"torus:8x", "of at least 1: '8x' is no shape"},
        {"torus:8.5", "of at least 1: '8.5' is no shape"},
        {"torus:99999999999", "of at least 1: '99999999999' is no shape"},
        {"torus:8192x4096", "makes more than 16777216 in all"},
        {"torus:2147483647x2147483647x2147483647", "makes more than 16777216 in all"},
        {"hammingmesh:4x4:2048x1024", "more nodes than 16777216"},
        {"torus:2x2x2x2x2x2x2x2x2", "has more than 8 dimensions"},
        {"torus:8x8:", "torus takes no options"},
        {"torus:8x8:global=2", "'global=2' is too much: torus takes no options"},
        {"hyperx:65536x16", "more links than 134217728"},
        {"hammingmesh:2x2", "extents are missing; the form is hammingmesh:AxB:XxY"},
        {"hammingmesh:2x2:4", "'4' has 1 extents, not 2"},
        {"hammingmesh:2x2x2:4x4", "'2x2x2' has 3 extents, not 2"},
        {"hammingmesh:2x2:8192x8192", "makes more than"},
        {"dragonfly:8x4", "'8x4' has 2 extents, not 3; the form is dragonfly:GROUPSxROUTERSxNODES"},
        {"dragonfly:9x4x2:global=1",
         "global=1 gives a group 4 global cables, it needs one to each of 8 other groups"},
        {"dragonfly:9x4x2:global=1.5", "'global' needs a whole number of at least 1"},
        {"dragonfly:9x4x2:global=0", "'global=0' needs a number above 0"},
        {"dragonfly:9x4x2:global=-2", "'global=-2' needs a number above 0"},
        {"dragonfly:9x4x2:capacity=nan", "needs a number above 0"},
        {"dragonfly:9x4x2:capacity=1e999", "needs a number above 0"},
        {"dragonfly:9x4x2:capacity=inf", "needs a number above 0, from 1e-6 to 1e6"},
        {"dragonfly:9x4x2:capacity=1e7", "needs a number above 0, from 1e-6 to 1e6"},
        {"dragonfly:9x4x2:capacity=", "needs a number above 0"},
        {"dragonfly:9x4x2:capacity=2x", "needs a number above 0"},
        {"dragonfly:9x4x2:global", "'global' is not KEY=NUMBER with a key of global, capacity"},
        {"dragonfly:9x4x2:global=2:global=3", "'global' is given twice"},
        {"dragonfly:9x4x2:spines=2", "unknown key 'spines' (known: global, capacity)"},
        {"dragonfly:16777216x1x1", "more links than"},
        {"dragonfly:1x16777216x1", "more links than"},
        {"dragonfly_plus:2x2x2147483647x2", "makes more than"},
        {"dragonfly_plus:8x4x2", "'8x4x2' has 3 extents, not 4"},
        {"fattree:8", "'8' has 1 extents, not 2 to 3"},
        {"fattree:2x2x2x2", "'2x2x2x2' has 4 extents, not 2 to 3"},
        {"fattree:4x4:oversubscription=0", "needs a number above 0"},
        {"fattree:4x4:core=2", "'core' needs pods"},
    };
    for (const auto& [text, why] : refused) {
        EXPECT_NE(refusal(text).find(why), std::string::npos) << text << ": " << refusal(text);
        EXPECT_NE(refusal(text).find("topology '" + std::string(text) + "'"), std::string::npos)
            << refusal(text);
    }
}

TEST(Topology, FormsStartWithTheKindsNames) {
    std::set<std::string> kinds,
        wanted = {"torus", "hyperx", "hammingmesh", "dragonfly", "dragonfly_plus", "fattree"};
    for (const auto& [form, meaning] : topology_forms()) {
        kinds.insert(form.substr(0, form.find(':')));
        EXPECT_FALSE(meaning.empty());
    }
    EXPECT_EQ(kinds, wanted);
}
