#include "spank/words.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "launcher/settings.hpp"

namespace hopbine::spank {

namespace {

const std::vector<const char*>& allowed() {
    return launcher::setting_named("HOPBINE_CHOICE")->allowed;
}

/// The parts of "a,b,c"; empty ones are left out.
std::vector<std::string> parts_of(const std::string& list) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        if (end > at) out.push_back(list.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

void read_word(const std::string& word, Arguments& out) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    if (name == "default") {
        out.by_default = value;
        if (!is_choice(value)) out.complaint = word + " is not default=" + choices();
    } else if (name == "deny") {
        for (std::string& pattern : parts_of(value)) out.denied.push_back(std::move(pattern));
        if (out.denied.empty()) out.complaint = word + " names no program, as in deny=vasp*,lmp";
    } else if (name == "command") {
        out.command = value;
        if (!value.starts_with('/')) out.complaint = word + " is not an absolute path";
    } else {
        out.complaint = word + " is not default=CHOICE, deny=PROGRAM,... or command=PATH";
    }
}

}  // namespace

bool is_choice(const std::string& word) {
    return word == kOff || std::ranges::find(allowed(), word) != allowed().end();
}

std::string choices() {
    std::string out;
    for (const char* word : allowed()) out += (out.empty() ? "" : ", ") + std::string(word);
    return out + " or " + kOff;
}

bool Arguments::denies(const std::string& program) const {
    const std::string name = program.substr(program.rfind('/') + 1);
    return std::ranges::any_of(denied, [&](const std::string& pattern) {
        return !::fnmatch(pattern.c_str(), name.c_str(), 0);
    });
}

Arguments read_arguments(const std::vector<std::string>& words) {
    Arguments out;
    for (const std::string& word : words)
        if (out.complaint.empty()) read_word(word, out);
    if (!out.complaint.empty()) out.by_default = kOff;
    return out;
}

}  // namespace hopbine::spank
