#include "launcher/options.hpp"

#include <algorithm>
#include <cctype>

#include "launcher/settings.hpp"
#include "launcher/text.hpp"
#include "schedule/bounds.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

namespace hopbine::launcher {

namespace {

constexpr std::size_t kMostCharacters = 1 << 20;
constexpr const char* kHelp = "--help";

[[noreturn]] void refuse(const std::string& why) { throw Error(why + " (see hopbine run --help)"); }

/// The full name of an option that may be shortened.
std::string full_name(const std::string& word) {
    std::vector<std::string> known = {kHelp}, fitting;
    for (const Option& o : options()) known.push_back(o.name);
    if (std::find(known.begin(), known.end(), word) != known.end()) return word;
    for (const std::string& name : known)
        if (word.size() > 2 && name.starts_with(word)) fitting.push_back(name);
    if (fitting.size() == 1) return fitting[0];
    if (fitting.size() > 1) refuse(word + " may be " + fitting[0] + " or " + fitting[1]);
    refuse("unknown option '" + shown(word) + "'" + is_meant(word, known));
}

const Option& option_named(const std::string& name) {
    return *std::find_if(options().begin(), options().end(),
                         [&](const Option& o) { return name == o.name; });
}

/// Whether a word after an option can be its value.
bool is_value(const std::string& word) {
    return word.size() < 2 || word[0] != '-' || std::isdigit(static_cast<unsigned char>(word[1]));
}

void check_text(const std::string& name, const std::string& value) {
    if (value.empty()) refuse(name + ": is empty");
    if (value.size() > kMostCharacters)
        refuse(name + ": has " + std::to_string(value.size()) + " characters, more than " +
               std::to_string(kMostCharacters));
    if (!is_utf8(value)) refuse(name + ": is not UTF-8 text");
}

/// Reads the option at `i`, with its value if it has one, and moves `i` behind it.
void read_option(const std::vector<std::string>& words, std::size_t& i, CommandLine& out) {
    const std::size_t equals = words[i].find('=');
    const bool glued = equals != std::string::npos;
    const std::string name = full_name(words[i].substr(0, equals));
    if (name == kHelp) {
        out.help = true;
        ++i;
        return;
    }
    const Option& option = option_named(name);
    if (!option.metavar && glued) refuse(name + ": takes no value");
    std::string value = option.value ? option.value : "";
    if (glued) {
        value = words[i].substr(equals + 1);
    } else if (option.metavar) {
        if (i + 1 == words.size() || !is_value(words[i + 1])) refuse(name + ": needs a value");
        value = words[++i];
    }
    ++i;
    check_text(name, value);
    const auto [by, is_new] = out.sources.emplace(option.setting, name);
    // The last of equal options counts; two different ones of a setting must agree.
    if (!is_new && by->second != name && out.given[option.setting] != value)
        refuse(name + " does not go with " + by->second);
    by->second = name;
    out.given[option.setting] = value;
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words) {
    CommandLine out;
    std::size_t i = 0;
    while (i < words.size() && !out.help && !is_value(words[i])) {
        if (words[i] == "--") {
            ++i;
            break;
        }
        if (words[i] == "-h") {
            out.help = true;
            break;
        }
        read_option(words, i, out);
    }
    out.program.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    return out;
}

}  // namespace hopbine::launcher
