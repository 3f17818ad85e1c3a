#include "choice/job_text.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "location/processor.hpp"
#include "location/transport.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"
#include "select/lessons.hpp"
#include "select/site.hpp"

extern char** environ;

namespace hopbine::mpi {

namespace {

std::string machine_name(const location::Environment& environment) {
    const std::string& system = location::value_of(environment, "HOPBINE_SYSTEM");
    const std::string& cluster = location::value_of(environment, "SLURM_CLUSTER_NAME");
    if (!system.empty()) return select::machine_word(system);
    return cluster.empty() ? select::kUnnamed : cluster;
}

/// What earlier jobs have learned there; nothing where there is a file that cannot be used.
std::optional<select::Rules> read_learned(const select::LearnedFile& file,
                                          const std::function<const select::Site&()>& site) {
    if (file.path.empty()) return std::nullopt;
    try {
        if (file.named) return select::parse_lessons(select::read_lessons(file.path), file.path);
        select::Cached cached = select::read_cache(file.path, site);
        if (!cached.complaint.empty()) say(cached.complaint);
        return std::move(cached.rules);
    } catch (const Error& e) {
        if (file.named)
            say(std::string(e.what()) +
                "; nothing is learned in this job, and the file stays as it is (--learn). Correct "
                "it, or delete it.");
        return std::nullopt;
    }
}

bool asks_for_words(const select::Rule& r) {
    select::Rule of_communicator = r;
    of_communicator.operands.clear();
    of_communicator.placement.clear();
    return std::ranges::any_of(select::kTextConditions, [&](const select::TextCondition& c) {
        return !(of_communicator.*c.text).empty();
    });
}

}  // namespace

select::Site own_site(const std::string& library) {
    const location::Environment environment = location::environment_of(environ);
    select::Site out;
    out.mpi = library;
    out.machine = machine_name(environment);
    out.processor = location::processor_model();
    out.transport = location::transport_word(environment, location::adapters());
    return out;
}

std::string job_text(int ranks, const std::string& library) {
    const Settings& s = settings();
    const bool asked = std::ranges::any_of(s.file.rules, asks_for_words);
    if (s.learned.path.empty() && !asked) return {};
    select::Site words;
    const auto site = [&]() -> const select::Site& {
        if (words.mpi.empty()) words = own_site(library);
        return words;
    };
    std::optional<select::Rules> learned = read_learned(s.learned, site);
    if (!learned && !asked) return {};
    std::string rules;
    if (learned && !learned->rules.empty()) {
        learned->rules = select::of_site(learned->rules, site(), ranks);
        if (!learned->rules.empty()) rules = select::file_text(*learned);
    }
    if (asked) site();
    std::string out;
    for (const std::string& word : {words.mpi, words.machine, words.processor, words.transport,
                                    s.learned.path, std::string(learned ? "1" : "0")})
        out += word + '\0';
    return out + rules;
}

void hear_text(const std::string& text, Job& job) {
    std::array<std::string, 6> words;
    std::size_t at = 0;
    for (std::string& word : words) {
        const std::size_t end = text.find('\0', at);
        if (end == std::string::npos) return;
        word = text.substr(at, end - at);
        at = end + 1;
    }
    job.site = {words[0], words[1], words[2], words[3], job.cores(), ""};
    job.file = words[4];
    job.learns = words[5] == "1";
    job.learned = select::parse_lessons(text.substr(at), job.file);
}

}  // namespace hopbine::mpi
