#include "mpi/state/stats.hpp"

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

#include "mpi/state/gathered.hpp"
#include "mpi/state/job.hpp"
#include "mpi/state/log.hpp"
#include "mpi/state/rank_location.hpp"
#include "mpi/state/world.hpp"
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

std::mutex lock;
std::map<StatKey, StatRow>& rows() {
    static std::map<StatKey, StatRow> all;
    return all;
}

constexpr char kField = '\x1f', kRow = '\x1e';

struct Sum {
    std::int64_t calls = 0, bytes = 0, nanoseconds = 0, extra = 0;
};

std::string pack() {
    std::ostringstream out;
    for (const auto& [k, r] : rows())
        out << k.comm_size << kField << k.collective << kField << k.root << kField << k.size_class
            << kField << k.algorithm << kField << k.parameters << kField << k.numbering << kField
            << k.reason << kField << r.calls << kField << r.bytes << kField << r.nanoseconds
            << kField << r.extra << kRow;
    return out.str();
}

void unpack(const std::string& text, std::map<StatKey, Sum>& into) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line, kRow);) {
        std::istringstream in(line);
        std::vector<std::string> f;
        for (std::string field; std::getline(in, field, kField);) f.push_back(field);
        if (f.size() != 12) continue;
        Sum& s =
            into[{std::stoi(f[0]), f[1], std::stoi(f[2]), std::stoi(f[3]), f[4], f[5], f[6], f[7]}];
        s.calls += std::stoll(f[8]);
        s.bytes += std::stoll(f[9]);
        s.nanoseconds = std::max<std::int64_t>(s.nanoseconds, std::stoll(f[10]));
        s.extra = std::max<std::int64_t>(s.extra, std::stoll(f[11]));
    }
}

std::string parameters_json(const std::string& joined) {
    std::string out = "{";
    std::istringstream in(joined);
    for (std::string part; std::getline(in, part, ':');) {
        const auto eq = part.find('=');
        out += (out.size() > 1 ? ", " : "") + json::quote(part.substr(0, eq)) + ": " +
               part.substr(eq + 1);
    }
    return out + "}";
}

/// Writes a row as a JSON object.
void write_row(std::FILE* out, const StatKey& k, const Sum& s) {
    const bool library = k.algorithm == select::kLibrary;
    const select::Range bytes = select::sizes_of(k.size_class);
    const std::string size =
        k.size_class == select::kNoClass
            ? "null"
            : '[' + std::to_string(bytes.low) + ", " + std::to_string(bytes.high) + ']';
    const bool extra =
        (k.collective.ends_with("alltoallv") || k.size_class == select::kNoClass) && !library;
    const std::string root = k.root < 0 ? "null" : std::to_string(k.root);
    std::fprintf(out,
                 "  {\"comm_size\": %d, \"collective\": \"%s\", \"root\": %s, "
                 "\"bytes_class\": %s, \"algorithm\": %s, "
                 "\"parameters\": %s, \"numbering\": %s, \"served_by\": \"%s\", \"reason\": "
                 "%s, \"calls\": %lld, \"bytes\": %lld, \"seconds\": %.9f%s}",
                 k.comm_size, k.collective.c_str(), root.c_str(), size.c_str(),
                 json::quote(k.algorithm).c_str(), parameters_json(k.parameters).c_str(),
                 library ? "null" : json::quote(k.numbering).c_str(), library ? "mpi" : "hopbine",
                 json::quote(k.reason).c_str(), static_cast<long long>(s.calls),
                 static_cast<long long>(s.bytes), s.nanoseconds * 1e-9,
                 extra ? (", \"extra_bytes\": " + std::to_string(s.extra)).c_str() : "");
}

void write(const std::string& file, const std::vector<std::string>& nodes,
           const std::map<StatKey, Sum>& sums) {
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (!out) return say("cannot write the statistics to " + file + ": " + std::strerror(errno));
    std::fprintf(
        out, "{\"hopbine_stats\": 1, \"version\": %s, \"mpi\": %s, \"ranks\": %zu, \"nodes\": [",
        json::quote(HOPBINE_VERSION).c_str(), json::quote(library_version()).c_str(), nodes.size());
    for (std::size_t r = 0; r < nodes.size(); ++r)
        std::fprintf(out, "%s%s", r ? ", " : "", json::quote(nodes[r]).c_str());
    std::fprintf(out, "], \"rows\": [");
    const char* between = "\n";
    for (const auto& [k, s] : sums) {
        if (s.calls == 0) continue;  // considered, but not used
        std::fputs(between, out);
        write_row(out, k, s);
        between = ",\n";
    }
    std::fprintf(out, "\n]}\n");
    if (std::fclose(out))
        say("cannot write the statistics to " + file + ": " + std::strerror(errno));
}

}  // namespace

StatRow* stat_row(const StatKey& key) {
    const std::lock_guard hold(lock);
    return &rows()[key];
}

void write_stats(const std::string& file) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const World& world = World::get();
    if (!world.open())
        return file.empty() ? void() : say_once("no statistics: " + world.why_closed());
    const MPI_Comm comm = world.comm();
    // Settings may differ between ranks: all agree before all take part.
    int wanted[2] = {!file.empty(), file.empty()}, some[2];
    PMPI_Allreduce(wanted, some, 2, MPI_INT, MPI_MAX, comm);
    if (!some[0]) return;
    if (some[1]) return say_once("no statistics: HOPBINE_STATS is set on some ranks only");
    const std::vector<std::string> counts = gathered(pack(), comm),
                                   nodes = gathered(node_name(), comm);
    if (rank != 0) return;
    std::map<StatKey, Sum> sums;
    for (const std::string& one : counts) unpack(one, sums);
    write(file, nodes, sums);
}

}  // namespace hopbine::mpi
