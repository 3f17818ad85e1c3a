// Reads what record.py has written.
#include <cmath>
#include <istream>
#include <sstream>

#include "regret/recorded.hpp"
#include "schedule/algorithm.hpp"

namespace hopbine::regret {

namespace {

/// Codes in a factor of e, as in record.py.
constexpr double kSteps = 128;

double seconds(double code) { return 1e-9 * std::exp(code / kSteps); }

/// Appends a line's times: codes of the whole call, of the slowest rank and of the fastest, one
/// list after the other.
std::vector<CallTimes> times(std::istream& words) {
    std::vector<int> codes;
    for (int one; words >> one;) codes.push_back(one);
    const std::size_t n = codes.size() / 3;
    if (!words.eof() || n == 0 || codes.size() != 3 * n) throw Error("its times are not triples");
    std::vector<CallTimes> out;
    for (std::size_t i = 0; i < n; ++i)
        out.push_back({seconds(codes[i]), seconds(codes[2 * n + i])});
    return out;
}

void append(Times& to, const std::vector<CallTimes>& more) {
    to.all.insert(to.all.end(), more.begin(), more.end());
}

/// Reads lines into a recording.
class Reader {
public:
    explicit Reader(Recording& out) : out_(out) {}
    void line(const std::string& text) {
        std::istringstream words(text);
        std::string what;
        words >> what;
        if (what == "library")
            std::getline(words >> std::ws, out_.library);
        else if (what == "ranks")
            words >> out_.ranks;
        else if (what == "cores")
            words >> out_.cores;
        else if (what == "network")
            words >> out_.network;
        else if (what == "kind")
            kind(words);
        else if (what == "arm")
            arm(words);
        else if (what != "date")
            recorded(what, words);
    }
    void finish() {
        if (out_.agreement.empty() || out_.barrier.empty())
            throw Error("agreements or barriers are missing");
        out_.agreement.find_mean();
        out_.barrier.find_mean();
        for (std::size_t k = 0; k < out_.kinds.size(); ++k)
            for (std::size_t a = 0; a < out_.series[k].size(); ++a) finish(k, a);
    }

private:
    void finish(std::size_t k, std::size_t a) {
        try {
            out_.series[k][a].finish(a == 0);
        } catch (const Error& e) {
            throw Error(out_.kinds[k].collective + " of " + std::to_string(out_.kinds[k].bytes) +
                        " bytes by " + out_.kinds[k].arms[a].name + ": " + e.what());
        }
    }
    void kind(std::istream& words) {
        std::size_t number = 0;
        Kind one;
        if (!(words >> number >> one.collective >> one.bytes >> one.guess >> one.counting) ||
            number != out_.kinds.size())
            throw Error("it is not a kind in its turn");
        one.counting *= 1e-9;
        out_.kinds.push_back(one);
        out_.series.emplace_back();
    }
    void arm(std::istream& words) {
        std::size_t of = 0, number = 0;
        Arm one;
        if (!(words >> of >> number >> one.name >> one.modelled) || of + 1 != out_.kinds.size() ||
            number != out_.kinds.back().arms.size())
            throw Error("it is not an arm of the kind before it");
        one.modelled *= 1e-9;
        out_.kinds.back().arms.push_back(one);
        out_.series.back().emplace_back();
    }
    void recorded(const std::string& what, std::istream& words) {
        std::size_t of = 0, number = 0;
        words >> of >> number;
        const std::vector<CallTimes> all = times(words);
        if (what == "agreement") return append(out_.agreement, all);
        if (what == "barrier") return append(out_.barrier, all);
        if (what == "dup") return;  // the program's own cost
        if (of >= out_.series.size() || number >= out_.series[of].size())
            throw Error("it has no kind and arm");
        Series& series = out_.series[of][number];
        if (what == "opening")
            append(series.opening, all);
        else if (what == "first")
            append(series.first, all);
        else if (what == "apart")
            append(series.apart, all);
        else if (what == "loop")
            block(series, all);
        else
            throw Error("'" + what + "' is unknown");
    }
    static void block(Series& series, const std::vector<CallTimes>& all) {
        for (std::size_t i = 0; i < all.size(); ++i)
            (i < series.early.size() ? series.early[i] : series.late).all.push_back(all[i]);
    }
    Recording& out_;
};

}  // namespace

Recording read_recording(std::istream& in, const std::string& name) {
    Recording out;
    out.name = name;
    Reader reader(out);
    int number = 0;
    try {
        for (std::string text; ++number, std::getline(in, text);) reader.line(text);
        number = 0;
        reader.finish();
    } catch (const Error& e) {
        throw Error(name + (number ? ", line " + std::to_string(number) : "") + ": " + e.what());
    }
    return out;
}

}  // namespace hopbine::regret
