#include "statistics/statistics.hpp"

#include <gtest/gtest.h>

#include "select/json.hpp"

namespace hopbine::mpi {
namespace {

/// The rows of the file that has what these ranks have counted.
std::vector<json::Value> rows_of(const std::vector<std::string>& ranks) {
    const std::string text =
        statistics_text(ranks, {"a", "a", ""}, {"", "", ""}, "{}", "null", "{}", "An MPI");
    return json::parse(text, "statistics").find("rows")->items;
}

/// The row of a collective; null: there is none.
const json::Value* row_of(const std::vector<json::Value>& rows, const std::string& collective) {
    for (const json::Value& row : rows)
        if (row.find("collective")->string == collective) return &row;
    return nullptr;
}

StatKey key(const std::string& collective, const std::string& algorithm, const std::string& site) {
    StatKey out{3, collective, Form::blocking, -1, 4, algorithm, "k=2", "given", "a \"reason\""};
    out.site = site;
    return out;
}

TEST(Statistics, RowsOfAllRanksAreSummed) {
    StatRow* const row = stat_row(key("first", "ring", ""));
    EXPECT_EQ(row, stat_row(key("first", "ring", "")));
    row->add(0, 100, 2000);
    const std::string of_rank_0 = packed_rows();
    row->add(1, 100, 5000);  // another rank counts no calls; this one took longer
    const auto rows = rows_of({of_rank_0, packed_rows()});
    const json::Value* const found = row_of(rows, "first");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->find("calls")->number, 2);
    EXPECT_EQ(found->find("bytes")->number, 200);
    EXPECT_DOUBLE_EQ(found->find("seconds")->number, 7e-6);
    EXPECT_EQ(found->find("parameters")->find("k")->number, 2);
    EXPECT_EQ(found->find("served_by")->string, "hopbine");
    EXPECT_EQ(found->find("reason")->string, "a \"reason\"");
}

TEST(Statistics, ARowWithoutCallsIsLeftOut) {
    stat_row(key("second", "mpi", ""))->add(1, 100, 2000);
    EXPECT_FALSE(row_of(rows_of({packed_rows()}), "second"));
}

TEST(Statistics, CallsOfASiteHaveARowOfTheirOwn) {
    StatRow* const row = stat_row(key("third", "mpi", ""));
    const CallSite site{"/a/program+0x10", "main"};
    StatRow* const here = row_at(row, &site);
    EXPECT_EQ(row_at(row, nullptr), row);
    EXPECT_NE(here, row);
    EXPECT_EQ(here, row_at(row, &site));
    here->add(0, 8, 1);
    const auto rows = rows_of({packed_rows()});
    const json::Value* const found = row_of(rows, "third");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->find("site")->string, site.place);
    EXPECT_EQ(found->find("function")->string, site.function);
    EXPECT_EQ(found->find("served_by")->string, "mpi");
}

}  // namespace
}  // namespace hopbine::mpi
