// External input: bounds of numbers, files and texts, and parsers with mutated inputs.
#include "schedule/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "network/topology.hpp"
#include "schedule/algorithm.hpp"
#include "select/coverage.hpp"
#include "select/json.hpp"
#include "select/link_costs.hpp"
#include "select/rules.hpp"

namespace hopbine {
namespace {

/// Message of an Error; empty if there is none.
std::string refusal(const std::function<void()>& what) {
    try {
        what();
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

void expect_refused(const std::function<void()>& what, const std::string& why) {
    const std::string said = refusal(what);
    EXPECT_NE(said.find(why), std::string::npos) << why << ": " << said;
    EXPECT_LT(said.size(), 1000u);
    EXPECT_TRUE(std::ranges::none_of(said, [](char c) {
        return static_cast<unsigned char>(c) < 0x20;
    })) << said;
}

TEST(Bounds, ShapesAndRanks) {
    expect_refused([] { parse_shape("2x2x2x2x2x2x2x2x2", "it"); },
                   "it: '2x2x2x2x2x2x2x2x2' has more than 8 dimensions");
    expect_refused([] { parse_shape("65536x65536", "it"); }, "makes more than 16777216 in all");
    expect_refused([] { parse_shape("\x1b[31m" + std::string(100000, '1'), "it"); }, "is no shape");
    EXPECT_EQ(parse_shape("2x2x2x2x2x2x2x2", "it").size(), 8u);
    const Algorithm& ring = algorithm_named(Collective::allreduce, "ring");
    expect_refused([&] { resolve(ring, {Collective::allreduce, 2147483647}); },
                   "is more than 16777216 ranks");
    expect_refused(
        [&] { resolve(ring, {Collective::allreduce, 2, 0, {}, nullptr, std::vector<int>(20, 1)}); },
        "a shape of 20 dimensions has more than 8");
    expect_refused([] { network::topology("torus:" + std::string(100000, '1')); },
                   "topology 'torus:1111");
}

TEST(Bounds, NumbersThatDoNotFitAreRefused) {
    expect_refused([] { select::parse_algorithms("bcast=knomial:k=99999999999999999999", "it"); },
                   "'k=99999999999999999999' is not PARAMETER=INTEGER");
    expect_refused([] { select::parse_algorithms(std::string(1 << 20, ','), "it"); },
                   "is longer than");
    expect_refused([] { select::parse_algorithms("\x1b]0;x\x07=ring", "it"); }, "\\x1b]0;x\\x07");
    for (const char* text :
         {"taper=1e999", "taper=1e-999", "taper=inf", "taper=nan", "taper=1e30", "taper=-1"})
        expect_refused([&] { select::parse_link_costs(text, "it"); }, "needs a number above 0");
}

TEST(Bounds, JsonTakesOnlyNumbersOfJson) {
    const auto read = [](const std::string& text) {
        return refusal([&] { json::parse(text, "f"); });
    };
    for (const char* good : {"0", "-0", "10", "0.5", "1e5", "1E+5", "-1.5e-3"})
        EXPECT_EQ(read(good), "") << good;
    for (const char* bad : {"0x10", "-0x1p3", "01", "-01", "1.", ".5", "+1", "-", "1e999", "inf",
                            "nan", "-inf", "0b1", "1e", "1.e5"})
        EXPECT_NE(read(bad), "") << bad;
    expect_refused([] { json::parse(std::string(100000, '['), "f"); }, "nested too deeply");
    std::string members = "{", values = "[";
    for (int i = 0; i < 100; ++i)
        members.append(i ? ",\"" : "\"").append(std::to_string(i)).append("\":0");
    expect_refused([&] { json::parse(members + "}", "f"); }, "more than 64 members");
    for (int i = 0; i < 1 << 20; ++i) values += i ? ",0" : "0";
    expect_refused([&] { json::parse(values + "]", "f"); }, "more values");
}

TEST(Bounds, FilesThatNeverEndAreLeft) {
    expect_refused([] { select::read_file("/dev/zero"); }, "/dev/zero: has more than the 16 MiB");
    expect_refused([] { select::read_file("/nonexistent"); },
                   "/nonexistent: cannot be read as a rules file: No such file or directory");
    expect_refused([] { select::read_file("/"); },
                   "/: cannot be read as a rules file: Is a directory");
}

TEST(Bounds, WhatSteersATerminalIsEscaped) {
    EXPECT_EQ(printable("a\x1b[1m\x7f\r\n\tb"), "a\\x1b[1m\\x7f\\x0d\n\tb");
    EXPECT_EQ(printable("\xC2\x9B"
                        "1m \xE2\x80\xAE \xC3\xA9 \xE2\x82\xAC"),
              "\\xc2\\x9b1m \\xe2\\x80\\xae \xC3\xA9 \xE2\x82\xAC");
    EXPECT_EQ(shown("a\nb"), "a\\nb");
    EXPECT_EQ(shown(std::string(100, 'a')), std::string(60, 'a') + "...");
}

select::Rule drawn(std::mt19937& random) {
    const auto number = [&](int most) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    };
    static const std::pair<Collective, const char*> names[] = {{Collective::bcast, "linear"},
                                                               {Collective::bcast, "knomial"},
                                                               {Collective::bcast, "mpi"},
                                                               {Collective::gather, "linear"}};
    const auto& [collective, name] = names[number(4)];
    select::Rule out{collective, name, {}, ""};
    for (const select::Condition& c : select::kConditions)
        if (number(2)) {
            (out.*c.range).low = number(3);
            if (number(2)) (out.*c.range).high = (out.*c.range).low + number(3);
        }
    return out;
}

TEST(Coverage, SaysWhatComparingEachWithEachSays) {
    std::mt19937 random(1);
    for (int n = 0; n < 2000; ++n) {
        std::vector<select::Rule> rules;
        for (unsigned k = random() % 12; k-- > 0;) rules.push_back(drawn(random));
        std::vector<const select::Rule*> first(rules.size());
        std::pair<const select::Rule*, const select::Rule*> contradicted{};
        for (std::size_t i = 0; i < rules.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                if (!select::covers(rules[k], rules[i])) continue;
                if (!first[i]) first[i] = &rules[k];
                if (!contradicted.first && !select::same_answer(rules[k], rules[i]))
                    contradicted = {&rules[k], &rules[i]};
            }
        ASSERT_EQ(select::covered(rules), first);
        ASSERT_EQ(select::contradiction(rules), contradicted);
    }
}

TEST(Coverage, AsManyRulesAsAFileMayHaveTakeNoTime) {
    for (const bool by_ranks : {false, true}) {
        std::string text = "{\"hopbine_rules\": 1, \"rules\": [";
        for (std::size_t i = 0; i < kMostRules; ++i) {
            if (i) text += ',';
            const std::string number = std::to_string(i);
            text.append(R"({"collective":"bcast","algorithm":"knomial","parameters":{"k":)")
                .append(std::to_string(2 + i % 7))
                .append("},\"");
            text.append(by_ranks ? "ranks" : "bytes")
                .append("\":[")
                .append(number)
                .append(",")
                .append(number)
                .append("]}");
        }
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_EQ(select::parse_file(text + "]}", "f").rules.size(), kMostRules);
        EXPECT_LT(std::chrono::steady_clock::now() - begin,
                  std::chrono::seconds(5));  // under sanitizers, on a busy machine
        expect_refused(
            [&] {
                select::parse_file(text + ",{\"collective\":\"bcast\",\"algorithm\":\"mpi\"}]}",
                                   "f");
            },
            "has 32769 rules, more than 32768");
    }
}

/// Replaces, removes, duplicates or inserts one or more bytes.
std::string mutated(std::string text, std::mt19937& random) {
    static const std::string spice = std::string("0x9e-+.:,=[]{}\"\\un/ \n\x1b\xff", 23) + '\0';
    for (unsigned n = 1 + random() % 4; n-- > 0 && !text.empty();) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
        case 0: text[at] = spice[random() % spice.size()]; break;
        case 1: text.erase(at, 1 + random() % 4); break;
        case 2: text.insert(at, text.substr(at, 1 + random() % 16)); break;
        default:
            text.insert(at, random() % 3 ? std::string(1, spice[random() % spice.size()])
                                         : std::string(1 + random() % 40, '9'));
        }
    }
    return text;
}

TEST(Parsers, TakeOrRefuseWhateverTheyAreGiven) {
    const std::pair<std::string, std::function<void(const std::string&)>> parsers[] = {
        {R"({"hopbine_rules": 1, "note": "a\u00e9\ud83d\ude00",
             "rules": [{"collective": "bcast", "ranks": [2, null], "algorithm": "knomial",
                        "parameters": {"k": 4}}]})",
         [](const std::string& t) { select::parse_file(t, "f"); }},
        {"allreduce=bine_large:segment=131072,bcast=mpi,gather=knomial:k=4",
         [](const std::string& t) { select::parse_algorithms(t, "it"); }},
        {"node_bandwidth=2.5e10:taper=4:node_latency=1e-6",
         [](const std::string& t) { select::parse_link_costs(t, "it"); }},
        {"8x8x4", [](const std::string& t) { parse_shape(t, "it"); }},
        {"dragonfly:9x4x2:global=2:capacity=1.5",
         [](const std::string& t) { network::topology(t); }},
        {"fattree:2x4x4:oversubscription=2:core=3",
         [](const std::string& t) { network::topology(t); }},
    };
    std::mt19937 random(14);
    int refused = 0, taken = 0;
    for (const auto& [good, parse] : parsers)
        for (int n = 0; n < 3000; ++n) {
            const std::string text = mutated(good, random);
            if (text.find(':') < text.find('x') && text.find("9999") != std::string::npos)
                continue;  // slow for a large network
            ++(refusal([&] { parse(text); }).empty() ? taken : refused);
        }
    EXPECT_GT(refused, 3000);
    EXPECT_GT(taken, 300);
}

TEST(Bounds, NumbersOfBytesAreWholeAndAboveZero) {
    EXPECT_EQ(parse_bytes("1", "it"), 1);
    EXPECT_EQ(parse_bytes("1099511627776", "it"), std::int64_t{1} << 40);
    for (const char* wrong : {"", "0", "-1", "64K", "1.5", "1099511627777", "99999999999999999999"})
        EXPECT_EQ(refusal([&] { parse_bytes(wrong, "it"); }),
                  "it: '" + std::string(wrong) +
                      "' is not a number of bytes from 1 to "
                      "1099511627776");
}

}  // namespace
}  // namespace hopbine
