#include "launcher/options.hpp"
#include "launcher/settings.hpp"
#include "schedule/parts_of.hpp"

namespace hopbine::launcher {

namespace {

constexpr std::size_t kWidth = 80, kColumn = 24;

/// Words between columns `indent` and kWidth; the first line begins where `at` says.
std::string filled(const std::string& text, std::size_t indent, std::size_t at) {
    std::string out;
    bool first = true;
    for (const std::string& word : parts_of(text, ' ')) {
        if (!first && at + 1 + word.size() > kWidth) {
            out += "\n" + std::string(indent, ' ');
            at = indent;
        } else if (!first) {
            out += " ";
            ++at;
        }
        out += word;
        at += word.size();
        first = false;
    }
    return out + "\n";
}

std::string entry(const std::string& names, const std::string& meaning) {
    const std::string head = "  " + names;
    const std::string gap = head.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ')
                                                      : std::string(kColumn - head.size(), ' ');
    return head + gap + filled(meaning, kColumn, kColumn);
}

std::string value_text(const Option& option) {
    if (!option.metavar) return "";
    if (*option.metavar) return std::string(" ") + option.metavar;
    std::string words;
    for (const char* word : setting_named(option.setting)->allowed)
        words += (words.empty() ? "" : ",") + std::string(word);
    return " {" + words + "}";
}

}  // namespace

std::string help_text() {
    std::string out = "usage: mpiexec -n N hopbine run [options] PROGRAM [arguments]\n\n";
    out += filled(kRunSummary, 0, 0);
    out += "\npositional arguments:\n" + entry("PROGRAM", "the program and its arguments");
    out += "\noptions:\n" + entry("-h, --help", "show this help message and exit");
    for (const Option& o : options())
        out += entry(o.name + value_text(o), std::string(o.meaning) + " (" + o.setting + ")");
    return out;
}

}  // namespace hopbine::launcher
