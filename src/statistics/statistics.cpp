#include "statistics/statistics.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <mutex>

#include "schedule/collective.hpp"
#include "schedule/parts_of.hpp"
#include "select/json.hpp"
#include "select/rules.hpp"
#include "select/size_class.hpp"

namespace hopbine::mpi {

std::int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

namespace {

std::mutex rows_lock;
std::map<StatKey, StatRow>& rows() {
    static std::map<StatKey, StatRow> all;
    return all;
}

StatRow* row_of(const StatKey& key) {
    const auto at = rows().try_emplace(key).first;
    at->second.key = &at->first;
    return &at->second;
}

constexpr char kField = '\x1f', kRow = '\x1e';

struct Calls {
    std::int64_t calls = 0, bytes = 0;
};

/// The communicators of a row that are listed; a row of more lists none.
constexpr std::size_t kMostListed = 1024;

struct Sum {
    std::int64_t calls = 0, bytes = 0, extra = 0;
    std::map<std::string, Calls> communicators;  ///< by StatKey::members, where there are some
    std::int64_t nanoseconds = 0, waited = 0;    ///< of the rank with most nanoseconds
};

const char* const kForms[] = {"blocking", "nonblocking", "persistent"};  ///< by Form

void unpack(const std::string& text, std::map<StatKey, Sum>& into) {
    for (const std::string& row : parts_of(text, kRow)) {
        const std::vector<std::string> f = parts_of(row, kField);
        if (f.size() != 17) continue;
        Sum& s = into[{std::stoi(f[0]), f[1], static_cast<Form>(std::stoi(f[2])), std::stoi(f[3]),
                       std::stoi(f[4]), f[5], f[6], f[7], f[8], f[9], f[10]}];
        const std::int64_t calls = std::stoll(f[12]), bytes = std::stoll(f[13]);
        s.calls += calls;
        s.bytes += bytes;
        if (calls > 0 && !f[11].empty()) {
            Calls& of = s.communicators[f[11]];
            of.calls += calls;
            of.bytes += bytes;
        }
        if (const std::int64_t took = std::stoll(f[14]); took > s.nanoseconds)
            s.nanoseconds = took, s.waited = std::stoll(f[15]);
        s.extra = std::max<std::int64_t>(s.extra, std::stoll(f[16]));
    }
}

std::string parameters_json(const std::string& joined) {
    std::string out = "{";
    for (const std::string& part : parts_of(joined, ':')) {
        const auto eq = part.find('=');
        out += (out.size() > 1 ? ", " : "") + json::quote(part.substr(0, eq)) + ": " +
               part.substr(eq + 1);
    }
    return out + "}";
}

/// A member of a JSON object after others.
std::string member(const char* name, const std::string& value) {
    return std::string(", \"") + name + "\": " + value;
}

std::string seconds(std::int64_t nanoseconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9f", static_cast<double>(nanoseconds) * 1e-9);
    return text;
}

/// [[RANKS, calls, bytes], ...] of communicators; null where they are too many to list.
std::string communicators_json(const std::map<std::string, Calls>& communicators) {
    if (communicators.size() > kMostListed) return "null";
    std::string out;
    for (const auto& [ranks, c] : communicators)
        out += (out.empty() ? "[" : ", [") + json::quote(ranks) + ", " + std::to_string(c.calls) +
               ", " + std::to_string(c.bytes) + "]";
    return '[' + out + ']';
}

/// A row as a JSON object.
std::string row_json(const StatKey& k, const Sum& s) {
    const bool library = k.algorithm == select::kLibrary, blocks = k.form == Form::blocking;
    const std::string form = kForms[static_cast<std::size_t>(k.form)];
    const select::Range bytes = select::sizes_of(k.size_class);
    const std::string size =
        k.size_class == select::kNoClass
            ? "null"
            : '[' + std::to_string(bytes.low) + ", " + std::to_string(bytes.high) + ']';
    std::string out =
        "  {\"comm_size\": " + std::to_string(k.comm_size) +
        member("collective", json::quote(k.collective)) + member("form", json::quote(form)) +
        member("root", k.root < 0 ? "null" : std::to_string(k.root)) + member("bytes_class", size) +
        member("algorithm", json::quote(k.algorithm)) +
        member("parameters", parameters_json(k.parameters)) +
        member("numbering", library ? "null" : json::quote(k.numbering)) +
        member("served_by", library ? "\"mpi\"" : "\"hopbine\"") +
        member("reason", json::quote((blocks ? "" : form + ": ") + k.reason)) +
        member("calls", std::to_string(s.calls)) + member("bytes", std::to_string(s.bytes)) +
        member("seconds", seconds(s.nanoseconds));
    if (!library && !blocks) out += member("wait_seconds", seconds(s.waited));
    if (!library && (k.collective.ends_with("alltoallv") || k.size_class == select::kNoClass))
        out += member("extra_bytes", std::to_string(s.extra));
    if (!s.communicators.empty())
        out += member("communicators", communicators_json(s.communicators));
    if (!k.site.empty())
        out += member("site", json::quote(k.site)) +
               member("function", k.function.empty() ? "null" : json::quote(k.function));
    return out + '}';
}

/// An entry for each rank; null where it is empty.
std::string array_json(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + (name.empty() ? "null" : json::quote(name));
    return '[' + out + ']';
}

}  // namespace

StatRow* stat_row(const StatKey& key) {
    const std::lock_guard hold(rows_lock);
    return row_of(key);
}

StatRow* row_at(StatRow* row, const CallSite* site) {
    if (!site) return row;
    static std::map<std::pair<StatRow*, const CallSite*>, StatRow*> known;
    const std::lock_guard hold(rows_lock);
    StatRow*& out = known[{row, site}];
    if (!out) {
        StatKey key = *row->key;
        key.site = site->place;
        key.function = site->function;
        out = row_of(key);
    }
    return out;
}

std::string packed_rows() {
    std::string out;
    for (const auto& [k, r] : rows()) {
        for (const std::string& field :
             {std::to_string(k.comm_size), k.collective, std::to_string(static_cast<int>(k.form)),
              std::to_string(k.root), std::to_string(k.size_class), k.algorithm, k.parameters,
              k.numbering, k.reason, k.site, k.function, k.members, std::to_string(r.calls),
              std::to_string(r.bytes), std::to_string(r.nanoseconds), std::to_string(r.waited),
              std::to_string(r.extra)})
            out += field + kField;
        out.back() = kRow;
    }
    return out;
}

std::string statistics_text(const std::vector<std::string>& rows,
                            const std::vector<std::string>& nodes,
                            const std::vector<std::string>& groups, const std::string& account,
                            const std::string& exact_sums, const std::string& arrivals,
                            const std::string& library) {
    std::map<StatKey, Sum> sums;
    for (const std::string& of_rank : rows) unpack(of_rank, sums);
    std::string out = "{\"hopbine_stats\": 1" + member("version", json::quote(HOPBINE_VERSION)) +
                      member("mpi", json::quote(library)) +
                      member("ranks", std::to_string(nodes.size())) +
                      member("nodes", array_json(nodes)) + member("groups", array_json(groups)) +
                      member("account", account) + member("sums", exact_sums) +
                      member("arrivals", arrivals) + member("rows", "[");
    const char* between = "\n";
    for (const auto& [k, s] : sums) {
        if (s.calls == 0) continue;  // considered, but not used
        out += between + row_json(k, s);
        between = ",\n";
    }
    return out + "\n]}\n";
}

}  // namespace hopbine::mpi
