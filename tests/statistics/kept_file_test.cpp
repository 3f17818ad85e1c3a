#include "statistics/kept_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "schedule/problem.hpp"

namespace hopbine::mpi {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

TEST(KeptFile, WhatWasThereGetsTheFirstFreeName) {
    const fs::path folder = fs::path(::testing::TempDir()) / "hopbine_kept_file_test";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string file = folder / "s.json";
    EXPECT_EQ(keep_and_write(file, "first"), "");
    EXPECT_EQ(keep_and_write(file, "second"), file + ".1");
    fs::rename(file + ".1", file + ".2");
    EXPECT_EQ(keep_and_write(file, "third"), file + ".1");
    EXPECT_EQ(text_of(file) + text_of(file + ".1") + text_of(file + ".2"), "thirdsecondfirst");
    std::ofstream(file).close();  // empty
    EXPECT_EQ(keep_and_write(file, "fourth"), "");
    EXPECT_EQ(text_of(file), "fourth");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 3);
    EXPECT_EQ(keep_and_write("/dev/null", "nothing"), "");
    EXPECT_THROW(keep_and_write(folder / "none" / "s.json", "text"), Error);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace hopbine::mpi
