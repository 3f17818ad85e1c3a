/// What a job has measured, as rules for the next one, and the file that keeps them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "select/rules.hpp"

namespace hopbine::select {

/// Most rules of a file that keeps what was learned; the oldest beyond are dropped.
inline constexpr std::size_t kMostLearned = 4096;

/// `old` rules with what a job has learned. Each lesson is a rule for one size class.
/// - Lessons replace what older rules with the same conditions say of their sizes. Of two lessons
///   that are about the same calls the first counts.
/// - Neighbouring sizes with the same answer are one rule.
/// - The rules that have changed come first. Of the others, those that never would answer are
///   dropped.
std::vector<Rule> with_lessons(const std::vector<Rule>& old, const std::vector<Rule>& lessons);

/// The rules that may answer in a job of so many ranks: the others ask for another word of its
/// site. Words that the site does not have are not known yet, and not looked at.
std::vector<Rule> of_site(const std::vector<Rule>& rules, const Site& site, int ranks);

/// Rules of a text that hopbine wrote or may write: an empty text has none. Throws Error as
/// parse_file.
Rules parse_lessons(const std::string& text, const std::string& name);
/// The text of the file, empty where there is none. Throws Error if it cannot be read.
std::string read_lessons(const std::string& path);

/// Added to the name of a file that is set aside.
inline constexpr const char* kBroken = ".broken";

/// How a file is written.
struct Keeping {
    int tries = 500;                   ///< to lock it, one in 10 milliseconds
    unsigned mode = 0666;              ///< permissions of a new file, less the user's mask
    std::size_t most_bytes = 4 << 20;  ///< the oldest rules beyond are dropped
};
/// Adds lessons to a file, which then has the old rules or the new ones, never a part.
/// - Jobs that end at once wait for each other, 5 seconds at most.
/// - Throws Error naming the file: not readable or writable, not a rules file (which stays as it
///   is), or locked for longer.
void keep_lessons(const std::string& path, const std::vector<Rule>& lessons,
                  const Keeping& how = {});
/// Renames a file to PATH.broken if it is no rules file, once no other job writes it. Returns what
/// is wrong with it; empty: nothing, and it stays. Throws Error as keep_lessons.
std::string set_aside(const std::string& path, const Keeping& how);

}  // namespace hopbine::select
