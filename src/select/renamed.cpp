#include "select/renamed.hpp"

namespace hopbine::select {

namespace {

struct Renamed {
    int last_version;  ///< of the files that mean `now` by `then`
    Collective collective;
    const char *then, *now;
    const char* today;  ///< what the old name means now
};

constexpr const char* kAsPublished =
    "reduce_scatter and gather as published (Bine SC'25, Sec. 4.5)";
constexpr Renamed kRenamed[] = {
    {1, Collective::reduce, "bine_large", "bine_reversed", kAsPublished},
    {1, Collective::reduce, "torus_bine_large", "torus_bine_reversed", kAsPublished},
};

}  // namespace

void rename(Rule& r, int version) {
    for (const Renamed& one : kRenamed) {
        if (version > one.last_version || r.collective != one.collective || r.algorithm != one.then)
            continue;
        r.algorithm = one.now;
        r.notice = std::string(name(one.collective)) + ' ' + one.then +
                   " of rules files of version " + std::to_string(one.last_version) +
                   " is called " + one.now + " now, and serves; " + one.then + " now is " +
                   one.today + ". \"hopbine_rules\": " + std::to_string(kRulesVersion) +
                   " says that the file means today's names";
        return;
    }
}

}  // namespace hopbine::select
