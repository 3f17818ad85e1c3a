/// The file in the user's cache folder that keeps what jobs have learned, where no other is named.
///
/// It is there to save time, and nobody asked for it: what is wrong with it is told at most once,
/// and never keeps a job from running.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "select/rules.hpp"

namespace hopbine::select {

/// The setting that keeps nothing.
inline constexpr const char* kNowhere = "none";

/// Where what was learned is kept.
struct LearnedFile {
    std::string path;    ///< empty: nowhere
    bool named = false;  ///< by the user or an administrator; else it is in the user's cache
};
/// hopbine's folder in the user's cache: hopbine below XDG_CACHE_HOME, without it below
/// HOME/.cache. Empty if neither is an absolute path, or in a process with another user's rights.
std::string cache_folder();
/// The file of a setting (HOPBINE_LEARN): "none", a path, or empty. Then it is learned-VERSION.json
/// in the cache's folder; nowhere if there is none.
LearnedFile learned_file(const std::string& setting);

/// What is known, and what is to be told about it; empty: nothing.
struct Cached {
    Rules rules;
    std::string complaint;
};
/// Reads what may answer in a job at a site, without the rest being parsed. The site is asked for
/// where there are rules. A file that is no rules file is set aside, and told. Throws Error where
/// the cache cannot be used: it is not readable, or not the user's own.
Cached read_cache(const std::string& path, const std::function<const Site&()>& site);
/// Adds lessons to the cache, and makes its folders: of no other permissions than the user's.
/// Throws Error as keep_lessons, and where the folder is not the user's own.
void keep_in_cache(const std::string& path, const std::vector<Rule>& lessons);
/// Throws Error if the cache's folder is there and others could have put the file into it.
void check_cache(const std::string& path);

}  // namespace hopbine::select
