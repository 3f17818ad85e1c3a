#include "analysis/export.hpp"

namespace hopbine {

namespace {

using Write = std::function<void(const std::string&)>;

/// Calls f(step, src, move) for every send, step by step and rank by rank.
template <class F>
void each_send(const Schedule& s, int p, F&& f) {
    Step moves;
    for (int t = 0; t < s.steps(); ++t)
        for (int r = 0; r < p; ++r) {
            moves.clear();
            s.moves(r, t, moves);
            for (const Move& m : moves)
                if (m.direction == Direction::send) f(t, r, m);
        }
}

const char* text(Op m) { return m == Op::copy ? "copy" : "reduce"; }

void csv(const Schedule& s, int p, const Write& write) {
    write(std::string(kCsvHeading) + '\n');
    each_send(s, p, [&](int t, int src, const Move& m) {
        write(std::to_string(t) + ',' + std::to_string(m.channel) + ',' + std::to_string(src) +
              ',' + std::to_string(m.peer) + ',' + text(m.op) + ',' + m.blocks.text() + '\n');
    });
}

void json(const Algorithm& a, const Problem& q, const Schedule& s, const Write& write) {
    std::string parameters;
    for (const auto& [key, value] : q.parameters)
        parameters += (parameters.empty() ? "\"" : ", \"") + key + "\": " + std::to_string(value);
    write(std::string("{\"collective\": \"") + name(q.collective) + "\", \"algorithm\": \"" +
          a.name + "\", \"p\": " + std::to_string(q.p) + ", \"root\": " + std::to_string(q.root) +
          ", \"parameters\": {" + parameters + "}, \"steps\": " + std::to_string(s.steps()) +
          ", \"blocks\": " + std::to_string(block_count(q.collective, q.p)) +
          ", \"parts\": " + std::to_string(s.traits().parts) + ", \"moves\": [");
    const char* between = "\n";
    each_send(s, q.p, [&](int t, int src, const Move& m) {
        std::string runs;
        for (const Run& r : m.blocks.runs())
            runs += (runs.empty() ? "[" : ", [") + std::to_string(r.lo) + ", " +
                    std::to_string(r.hi - 1) + "]";
        write(std::string(between) + "{\"step\": " + std::to_string(t) +
              ", \"channel\": " + std::to_string(m.channel) + ", \"src\": " + std::to_string(src) +
              ", \"dst\": " + std::to_string(m.peer) + ", \"mode\": \"" + text(m.op) +
              "\", \"blocks\": [" + runs + "]}");
        between = ",\n";
    });
    write("\n]}\n");
}

void readable(const Algorithm& a, const Problem& q, const Schedule& s, const Write& write) {
    write(std::string(name(q.collective)) + ' ' + a.name + ", p = " + std::to_string(q.p) +
          (rooted(q.collective) ? ", root " + std::to_string(q.root) : "") + ", " +
          std::to_string(s.steps()) + " steps" +
          (s.traits().parts > 1 ? ", blocks in " + std::to_string(s.traits().parts) + " parts each"
                                : "") +
          "\n");
    int heading = -1;
    each_send(s, q.p, [&](int t, int src, const Move& m) {
        if (t != heading) write("step " + std::to_string(heading = t) + '\n');
        write("  " + std::to_string(src) + (m.op == Op::copy ? " -> " : " +> ") +
              std::to_string(m.peer) + "  blocks " + m.blocks.text() + '\n');
    });
}

}  // namespace

Format format_named(const std::string& text) {
    if (text == "csv") return Format::csv;
    if (text == "json") return Format::json;
    if (text == "text") return Format::text;
    throw Error("unknown format '" + text + "' (known: csv, json, text)");
}

void export_schedule(const Algorithm& a, const Problem& given, Format format, const Write& write) {
    const Problem q = resolve(a, given);
    const SchedulePtr s = a.make(q);
    if (format == Format::csv)
        csv(*s, q.p, write);
    else if (format == Format::json)
        json(a, q, *s, write);
    else
        readable(a, q, *s, write);
}

}  // namespace hopbine
