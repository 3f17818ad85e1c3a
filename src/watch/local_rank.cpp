#include "watch/local_rank.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>

#include "schedule/problem.hpp"
#include "watch/calls.h"
#include "watch/copied_slot.hpp"
#include "watch/function.hpp"
#include "watch/process.hpp"
#include "watch/text.hpp"

namespace hopbine::watch {

namespace {

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

watch_record* map_record(const Descriptor& file) {
    struct stat found{};
    if (::fstat(file.get(), &found) != 0 ||
        found.st_size != static_cast<off_t>(sizeof(watch_record)))
        throw Error("a process sends no record");
    void* const at =
        ::mmap(nullptr, sizeof(watch_record), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (at == MAP_FAILED) throw Error("a record cannot be mapped");
    return static_cast<watch_record*>(at);
}

}  // namespace

LocalRank::LocalRank(pid_t process, const Descriptor& file, Clock::time_point since)
    : process_(process),
      process_file_(static_cast<int>(::syscall(SYS_pidfd_open, process, 0))),
      record_(map_record(file)),
      looked_(since) {}

LocalRank::~LocalRank() { ::munmap(record_, sizeof(watch_record)); }

void LocalRank::look(Clock::time_point now) {
    const double apart = seconds_between(looked_, now);
    looked_ = now;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        const watch_slot& slot = record_->slots[i];
        if (!load(slot.thread)) continue;
        Seen& seen = seen_[i];
        const std::uint64_t changes = load(slot.changes), polls = load(slot.polls);
        if (changes != seen.changes || seen.since == Clock::time_point()) {
            seen.since = now;
            seen.unseen = apart;
        }
        if (polls != seen.polls) seen.polled = now;
        seen.changes = changes;
        seen.polls = polls;
    }
    differs_ = load(record_->differs);
}

/// By its descriptor where there is one: to read of each process of a node would take longer than
/// all else of a look.
bool LocalRank::has_ended() const {
    pollfd ended{process_file(), POLLIN, 0};
    if (ended.fd >= 0) return ::poll(&ended, 1, 0) == 1;
    return life_of(process_) == Life::ended;
}

bool LocalRank::is_stopped(Clock::time_point now) {
    if (life_of(process_) != Life::stopped) return false;
    for (Seen& seen : seen_) seen.since = now;
    return true;
}

bool LocalRank::finished() const { return load(record_->finished); }

void LocalRank::go_on() { __atomic_store_n(&record_->told, differs_, __ATOMIC_RELEASE); }

double LocalRank::longest_wait() const {
    double out = 0;
    for (const Seen& seen : seen_)
        if (seen.changes & 1) out = std::max(out, seconds_between(seen.since, looked_));
    return gone() ? 0 : out;
}

CallView LocalRank::view_of(const watch_call& call) const {
    CallView out;
    out.number = static_cast<std::uint32_t>(call.function);
    if (call.function == WATCH_NOT) return out;
    out.site = site_text(process_, call.site);
    out.comm = call.comm;
    if (watch_is_collective(call.function)) out.sequence = call.sequence;
    read_arguments(call, *record_, out);
    return out;
}

ThreadView LocalRank::view_of(const watch_slot& slot, const Seen& seen) const {
    ThreadView out;
    const CopiedSlot copy(slot);
    out.inside = copy.changes & 1;
    out.seconds =
        copy.whole && copy.changes == seen.changes ? seconds_between(seen.since, looked_) : 0;
    out.unseen = seen.unseen;
    if (out.inside && copy.whole) out.now = view_of(copy.now);
    if (copy.whole) out.before = view_of(copy.before);
    // Programs that poll do so more often than they are looked at.
    if (seen.polled != Clock::time_point() && seconds_between(seen.polled, looked_) < out.seconds) {
        out.poller = slot.poller;
        out.poll_site = site_text(process_, slot.poll_site);
    }
    return out;
}

RankView LocalRank::view() const {
    RankView out;
    // First: a thread that calls comes after all that was written when the record was begun.
    for (std::size_t i = 0; i < seen_.size(); ++i)
        if (load(record_->slots[i].thread))
            out.threads.push_back(view_of(record_->slots[i], seen_[i]));
    out.rank = record_->rank;
    out.ranks = record_->ranks;
    out.process = process_;
    out.node = text_of(record_->node);
    out.life = ended_ ? Life::ended : life_of(process_);
    out.finished = finished();
    if (differs_) {
        out.differing = view_of(record_->differing);
        out.differing.bytes = record_->differing_bytes;
        out.differing.same_bytes = out.differing.bytes >= 0;
        out.differing.commutes = static_cast<std::int8_t>(record_->differing_commutes);
    }
    for (const watch_comm& c : record_->comms)
        if (load(c.handle) > 1 && c.id && !record_->lost)
            out.comms.push_back({c.id, c.sequence, c.size, c.rank, text_of(c.name),
                                 c.made_at ? site_text(process_, c.made_at) : "", c.made_by});
    return out;
}

}  // namespace hopbine::watch
