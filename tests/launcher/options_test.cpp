#include "launcher/options.hpp"

#include <gtest/gtest.h>

#include "launcher/settings.hpp"
#include "schedule/problem.hpp"

namespace hopbine::launcher {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const Words& words) {
    try {
        parse_command_line(words);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(Options, OptionsEndAtTheProgram) {
    const CommandLine line = parse_command_line(
        {"--stats", "s", "--algorithm=bcast=mpi", "--renum", "./app", "--rules", "own"});
    EXPECT_EQ(line.given, (Environment{{"HOPBINE_STATS", "s"},
                                       {"HOPBINE_ALGORITHM", "bcast=mpi"},
                                       {"HOPBINE_RENUMBER", "1"}}));
    EXPECT_EQ(line.program, (Words{"./app", "--rules", "own"}));
    EXPECT_EQ(parse_command_line({"--", "--odd"}).program, Words{"--odd"});
    EXPECT_TRUE(parse_command_line({"--rules", "r", "-h", "--nonsense"}).help);
}

TEST(Options, EveryOptionSetsItsVariable) {
    for (const Option& o : options()) {
        ASSERT_NE(setting_named(o.setting), nullptr) << o.name;
        Words words = {o.name, "app"};
        if (o.metavar) words.insert(words.begin() + 1, "7");
        const CommandLine line = parse_command_line(words);
        EXPECT_EQ(line.given.at(o.setting), o.metavar ? "7" : o.value) << o.name;
        EXPECT_EQ(source_of(o.setting, line.sources), o.name);
    }
}

TEST(Options, ErrorsNameTheOption) {
    const auto says = [](const Words& words, const std::string& what) {
        EXPECT_EQ(refusal(words), what + " (see hopbine run --help)");
    };
    says({"--algoritm", "x", "app"}, "unknown option '--algoritm'; is --algorithm meant?");
    says({"-n", "4", "app"}, "unknown option '-n'");
    says({"--r", "x"}, "--r may be --rules or --renumber");
    says({"--stats"}, "--stats: needs a value");
    says({"--stats", "--rules", "x"}, "--stats: needs a value");
    says({"--stats=", "app"}, "--stats: is empty");
    says({"--renumber=1", "app"}, "--renumber: takes no value");
    says({"--shape", "\xff", "app"}, "--shape: is not UTF-8 text");
    says({"--choice", "measure", "--reproducible", "app"},
         "--reproducible does not go with --choice");
    says({"--reproducible", "--choice", "table", "app"},
         "--choice does not go with --reproducible");
}

TEST(Options, ReproducibleGoesWithCountingAndTheLastOfEqualOptionsCounts) {
    EXPECT_EQ(refusal({"--choice", "count", "--reproducible", "app"}), "");
    EXPECT_EQ(parse_command_line({"--shape", "2x2", "--shape", "4"}).given.at("HOPBINE_SHAPE"),
              "4");
}

}  // namespace
}  // namespace hopbine::launcher
