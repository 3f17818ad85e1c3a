#include <cstdio>

#include "choice/measuring.hpp"
#include "select/json.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

namespace {

std::string member(const char* name, double seconds) {
    char text[80];
    std::snprintf(text, sizeof text, ", \"%s\": %.9f", name, seconds);
    return text;
}

std::string row(const Measuring& of, const MeasuredKind& k) {
    const select::Range bytes = select::sizes_of(k.key.size_class);
    std::string out = "{\"ranks\": " + json::quote(of.ranks) +
                      ", \"collective\": " + json::quote(name(k.key.collective)) +
                      ", \"bytes_class\": [" + std::to_string(bytes.low) + ", " +
                      std::to_string(bytes.high) +
                      "], \"served_by\": " + json::quote(of.label(k, k.chosen)) +
                      ", \"calls\": " + std::to_string(k.calls);
    const double library = of.selector.seconds(k, 0), own = of.selector.seconds(k, k.chosen);
    if (library > 0) out += member("library_seconds", library);
    if (own > 0) out += member("call_seconds", own);
    return out + member("saved", k.saved) + member("spent", k.spent) + '}';
}

}  // namespace

std::string account_rows() {
    settle_all();
    std::string out;
    for_all_measured([&](const Measuring& one) {
        if (one.ranks.empty()) return;
        for (const MeasuredKind& k : one.selector.kinds())
            if (k.calls > 0) out += (out.empty() ? "" : ",\n  ") + row(one, k);
    });
    return out;
}

std::string account_json(const std::string& rows) {
    const select::Account& all = account();
    std::string out = member("in_collectives", all.in_collectives()).substr(2);
    return '{' + out + member("saved", all.saved()) + member("spent", all.spent()) +
           ", \"kinds\": [" + (rows.empty() ? "" : "\n  ") + rows + "]}";
}

}  // namespace hopbine::mpi
