#include "watch/watcher.hpp"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "watch/abort.hpp"
#include "watch/archive.hpp"
#include "watch/copied_slot.hpp"
#include "watch/process.hpp"
#include "watch/socket.hpp"

namespace hopbine::watch {

namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// How long other nodes may take to answer, and a first rank to come.
constexpr auto kPatienceForOthers = std::chrono::seconds(1);
constexpr auto kPatienceForRanks = std::chrono::seconds(10);

/// Whether the last call has failed for want of descriptors.
bool none_left() { return errno == EMFILE || errno == ENFILE; }

void write_all(int file, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t n = ::write(file, text.data() + at, std::min(text.size() - at, 32768ul));
        if (n <= 0) return;
        at += static_cast<std::size_t>(n);
    }
}

/// Looks are made at whole multiples of their interval on the system's clock: nodes whose clocks
/// agree look at the same time, so that a job of many nodes waits for all watchers at once.
Clock::duration until_next_look(const std::optional<Hello>& hello) {
    const Hello told = hello.value_or(Hello{});
    const std::chrono::duration<double> seconds(seconds_between_looks(told.limit, told.checks));
    const auto apart = std::chrono::duration_cast<nanoseconds>(seconds);
    return apart - std::chrono::system_clock::now().time_since_epoch() % apart;
}

}  // namespace

void Watcher::run() {
    while (!done()) {
        std::vector<pollfd> all = files();
        const auto wait = std::chrono::ceil<milliseconds>(next_look_ - Clock::now());
        ::poll(all.data(), all.size(), static_cast<int>(std::max<long>(wait.count(), 0)));
        // Else the descriptor of a process that has ended would end each wait at once.
        for (const auto& rank : ranks_) rank->see_end();
        serve_newcomers();
        receive();
        const Clock::time_point now = Clock::now();
        if (now < next_look_) continue;
        look(now);
        next_look_ = now + (asked_ ? kPatienceForOthers / 4 : until_next_look(hello_));
    }
    // The ranks that have ended are of interest where others wait for them.
    const bool lost = std::ranges::any_of(ranks_, [](const auto& r) { return !r->finished(); });
    if (!lost) return;
    meet_head();
    if (head_) send_views();
}

/// Without descriptors nobody is let in until the next look: who waits would wake it at once, again
/// and again.
std::vector<pollfd> Watcher::files() const {
    std::vector<pollfd> out;
    if (!full_) out.push_back({listening_.get(), POLLIN, 0});
    for (const Descriptor& one : newcomers_) out.push_back({one.get(), POLLIN, 0});
    for (const auto& rank : ranks_)
        if (!rank->gone()) out.push_back({rank->process_file(), POLLIN, 0});
    for (const Other& other : others_) out.push_back({other.link->file(), POLLIN, 0});
    if (server_ && !full_) out.push_back({server_->file(), POLLIN, 0});
    if (head_) out.push_back({head_->file(), POLLIN, 0});
    return out;
}

bool Watcher::done() const {
    if (ranks_.empty()) return Clock::now() - began_ > kPatienceForRanks;
    const bool all_gone = std::ranges::all_of(ranks_, [](const auto& r) { return r->gone(); });
    return all_gone && others_.empty() && newcomers_.empty();
}

void Watcher::serve_newcomers() {
    for (;;) {
        Descriptor one(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!one) {
            full_ = full_ || none_left();
            break;
        }
        if (user_of(one.get()).uid == ::geteuid()) newcomers_.push_back(std::move(one));
    }
    std::erase_if(newcomers_, [&](const Descriptor& one) { return serve(one); });
}

bool Watcher::serve(const Descriptor& newcomer) {
    pollfd waiting{newcomer.get(), POLLIN, 0};
    if (::poll(&waiting, 1, 0) == 0) return false;
    Hello hello;
    Files files;
    try {
        const Newcomer who = receive_hello(newcomer.get(), hello, files);
        if (who == Newcomer::asker) answer(newcomer.get());
        if (who == Newcomer::rank) join(hello, user_of(newcomer.get()).pid, files);
    } catch (const std::exception&) {
        // What sends no record is no rank.
    }
    return true;
}

void Watcher::join(const Hello& hello, pid_t process, Files& files) {
    auto rank = std::make_unique<LocalRank>(process, files[0], started_);
    if (hello_ && hello_->secret.key != hello.secret.key) return;
    if (!hello_) {
        hello_ = hello;
        reports_.emplace(hello.limit, line_of);
        next_look_ = Clock::now() + until_next_look(hello_);
    }
    if (files[1] && !server_) server_.emplace(hello.secret, std::move(files[1]));
    ranks_.push_back(std::move(rank));
}

/// Tells who asks what the ranks do now.
void Watcher::answer(int socket) {
    look_at_ranks(Clock::now());
    write_all(socket, Reports::all(views(), line_of));
}

Views Watcher::views() const {
    Views out;
    for (const auto& rank : ranks_) out.push_back(rank->view());
    std::ranges::sort(out, {}, &RankView::rank);
    return out;
}

void Watcher::receive() {
    if (server_) {
        while (auto link = server_->accept())
            others_.push_back({std::move(link), false, false, {}});
        full_ = full_ || none_left();
    }
    for (Other& other : others_) {
        const bool goes_on = other.link->receive();
        while (const auto message = other.link->next()) heed(other, *message);
        if (!goes_on || other.link->broken()) other.link = nullptr;
    }
    // What a node's last ranks did stays known, though its watcher has ended.
    for (Other& other : others_)
        if (!other.link && !other.views.empty())
            gone_.insert(gone_.end(), other.views.begin(), other.views.end());
    std::erase_if(others_, [](const Other& other) { return !other.link; });
    if (!head_) return;
    const bool goes_on = head_->receive();
    while (const auto message = head_->next()) obey(*message);
    if (!goes_on || head_->broken()) head_ = nullptr;
}

void Watcher::heed(Other& other, const Message& message) {
    if (!other.known && !(message.kind == Kind::key && server_->is_key(message.text))) {
        other.link->break_off();
        return;
    }
    other.known = true;
    other.link->trust();
    alarm_ = alarm_ || message.kind == Kind::alarm;
    differs_ = differs_ || message.kind == Kind::differs;
    if (message.kind == Kind::abort) abort();
    if (message.kind != Kind::views) return;
    Reader reader(message.text);
    try {
        reader(other.views);
        other.answered = true;
    } catch (const std::exception&) {
        other.link->break_off();
    }
}

void Watcher::obey(const Message& message) {
    if (message.kind == Kind::ask) send_views();
    if (message.kind == Kind::told) let_go_on();
    if (message.kind == Kind::abort) abort();
}

/// Ranks that have found calls that do not match wait until that is reported.
void Watcher::let_go_on() {
    for (const auto& rank : ranks_)
        if (rank->differs()) rank->go_on();
}

/// Tells the watcher that reports what this node's ranks do.
void Watcher::send_views() {
    look_at_ranks(Clock::now());
    Writer writer;
    writer(views());
    head_->send(Kind::views, writer.text());
}

void Watcher::look_at_ranks(Clock::time_point now) {
    for (const auto& rank : ranks_) rank->look(now);
}

void Watcher::look(Clock::time_point now) {
    look_at_ranks(now);
    full_ = false;
    bool alarm = false, differs = false;
    for (const auto& rank : ranks_) {
        differs |= rank->differs();
        const double wait = rank->longest_wait();
        if (wait < hello_->limit / 2 || rank->is_stopped(now)) continue;
        alarm |= wait >= hello_->limit;
    }
    meet_head();
    if (!hello_) return;
    if (differs && head_) head_->send(Kind::differs);
    differs_ = (differs_ || differs) && !head_;
    tell(reports_->at_once(views()));
    decide(now, alarm);
}

/// Connects to the watcher that reports, once a rank has told where it is.
void Watcher::meet_head() {
    if (met_head_ || server_) return;
    for (const auto& rank : ranks_)
        if (load(rank->record().has_head) && !met_head_) {
            met_head_ = true;
            if (rank->record().head.port) head_ = connect_to(rank->record().head, hello_->secret);
        }
}

void Watcher::decide(Clock::time_point now, bool alarm) {
    const auto limit = std::chrono::duration<double>(hello_->limit);
    if (asked_) {
        const bool all = std::ranges::all_of(others_, [](const Other& o) { return o.answered; });
        if (all || now - *asked_ >= kPatienceForOthers) report();
        return;
    }
    const bool due = alarm || alarm_ || reports_->open();
    if (!differs_ && (!due || (reported_ && now - *reported_ < limit))) return;
    reported_ = now;
    if (head_) {
        if (alarm) head_->send(Kind::alarm);
        return;
    }
    alarm_ = differs_ = false;
    asked_ = now;
    for (Other& other : others_) other.answered = !(other.known && other.link->send(Kind::ask));
    if (others_.empty()) report();
}

void Watcher::report() {
    asked_.reset();
    Views all = views();
    all.insert(all.end(), gone_.begin(), gone_.end());
    for (Other& other : others_) {
        all.insert(all.end(), other.views.begin(), other.views.end());
        other.views.clear();
    }
    std::ranges::sort(all, {}, &RankView::rank);
    tell(reports_->about(all));
    for (Other& other : others_)
        if (other.known) other.link->send(Kind::told);
    let_go_on();
}

void Watcher::tell(const std::string& text) {
    write_all(STDERR_FILENO, text);
    if (!text.empty() && hello_->aborts) abort();
}

/// Ends this node's ranks, the first one first, whose status launchers report. Not every launcher
/// then ends those of other nodes: their watchers do.
void Watcher::abort() {
    if (std::exchange(aborted_, true)) return;
    std::ranges::sort(ranks_, {}, [](const auto& r) { return r->record().rank; });
    for (const auto& rank : ranks_)
        if (!rank->gone()) ::kill(rank->process(), abort_signal());
    if (head_) head_->send(Kind::abort);
    for (Other& other : others_)
        if (other.known && other.link) other.link->send(Kind::abort);
}

}  // namespace hopbine::watch
