#include "select/lessons.hpp"

#include <map>
#include <mutex>

#include "choice/job_text.hpp"
#include "choice/learning.hpp"
#include "runtime/settings.hpp"

namespace hopbine::mpi {

namespace {

std::mutex lessons_lock;
/// Rules by what they ask.
std::map<std::string, select::Rule>& noted() {
    static std::map<std::string, select::Rule> all;
    return all;
}

void keep(const std::vector<select::Rule>& lessons) {
    const select::LearnedFile& file = settings().learned;
    if (file.named) return select::keep_lessons(file.path, lessons);
    try {
        select::keep_in_cache(file.path, lessons);
    } catch (const Error&) {  // a home that is read-only, or not there: the next job learns anew
    }
}

}  // namespace

void add_lesson(select::Rule lesson) {
    select::Rule asked = lesson;
    asked.algorithm = select::kLibrary;
    asked.parameters.clear();
    asked.numbering.clear();
    const std::lock_guard hold(lessons_lock);
    noted().insert_or_assign(select::text(asked), std::move(lesson));
}

std::string noted_lessons() {
    const std::lock_guard hold(lessons_lock);
    select::Rules out;
    for (const auto& [asked, rule] : noted()) out.rules.push_back(rule);
    return out.rules.empty() ? "" : select::file_text(out);
}

void keep_lessons(const std::vector<std::string>& of_ranks, const std::string& library) {
    std::vector<select::Rule> lessons;
    for (const std::string& text : of_ranks) {
        const select::Rules rules = select::parse_lessons(text, "lessons of a rank");
        lessons.insert(lessons.end(), rules.rules.begin(), rules.rules.end());
    }
    if (lessons.empty()) return;
    select::Site site = job().site.mpi.empty() ? own_site(library) : job().site;
    for (select::Rule& r : lessons) {
        site.cores = r.cores;
        site.placement = r.placement;
        select::ask_for(r, site);
    }
    keep(lessons);
}

}  // namespace hopbine::mpi
