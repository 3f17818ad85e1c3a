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

/// Rules of a text that hopbine wrote or may write: an empty text has none. Throws Error as
/// parse_file.
Rules parse_lessons(const std::string& text, const std::string& name);
/// The text of the file, empty where there is none. Throws Error if it cannot be read.
std::string read_lessons(const std::string& path);

/// Adds lessons to a file, which then has the old rules or the new ones, never a part.
/// - Jobs that end at once wait for each other, 5 seconds at most.
/// - Throws Error naming the file: not readable or writable, not a rules file (which stays as it
///   is), or locked for longer.
void keep_lessons(const std::string& path, const std::vector<Rule>& lessons);

}  // namespace hopbine::select
