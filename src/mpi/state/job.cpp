#include "mpi/state/job.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "mpi/state/log.hpp"
#include "mpi/state/settings.hpp"
#include "select/lessons.hpp"
#include "select/site.hpp"

namespace hopbine::mpi {

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
}

std::string machine_name() {
    const std::string system = variable("HOPBINE_SYSTEM");
    return system.empty() ? variable("SLURM_CLUSTER_NAME") : select::machine_word(system);
}

/// What earlier jobs have learned, as the text of a file that can be parsed. False: there is a file
/// that cannot be used.
bool read_learned(std::string& text) {
    try {
        text = select::read_lessons(settings().learn);
        select::parse_lessons(text, settings().learn);
        return true;
    } catch (const Error& e) {
        say(std::string(e.what()) +
            "; nothing is learned in this job, and the file stays as it is (--learn). Correct it, "
            "or delete it.");
        text.clear();
        return false;
    }
}

bool asks_for_words(const select::Rule& r) { return !r.mpi.empty() || !r.machine.empty(); }

}  // namespace

std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(text, &length);
    std::string all(text, static_cast<std::size_t>(length));
    // MPICH separates its version by tabs or spaces.
    std::replace(all.begin(), all.end(), '\t', ' ');
    all.erase(
        std::unique(all.begin(), all.end(), [](char x, char y) { return x == ' ' && y == ' '; }),
        all.end());
    return all.substr(0, all.find_first_of(",\n"));
}

std::string job_text() {
    const Settings& s = settings();
    if (s.learn.empty() && std::ranges::none_of(s.file.rules, asks_for_words)) return {};
    std::string learned;
    const bool learns = !s.learn.empty() && read_learned(learned);
    return library_version() + '\0' + machine_name() + '\0' + (learns ? '1' : '0') + '\0' + learned;
}

Job job_of(const std::string& text) {
    std::array<std::string, 3> words;
    std::size_t at = 0;
    for (std::string& word : words) {
        const std::size_t end = text.find('\0', at);
        if (end == std::string::npos) return {};
        word = text.substr(at, end - at);
        at = end + 1;
    }
    return {words[0], words[1], select::parse_lessons(text.substr(at), settings().learn),
            words[2] == "1"};
}

}  // namespace hopbine::mpi
