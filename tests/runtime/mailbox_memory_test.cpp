// Mailboxes in memory that processes share. Here both ends are in one process, which opens its own
// files as it opens those of others.
#include "runtime/mailbox_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <string>

using namespace hopbine::mpi;

namespace {

TEST(MailboxMemory, CarriesMessagesBothWays) {
    MailboxMemory low(2, 6, {2, 5}), high(5, 6, {2, 5});
    ASSERT_NE(low.offer().seed, 0u);
    ASSERT_TRUE(low.open(5, high.offer()));
    ASSERT_TRUE(high.open(2, low.offer()));
    const auto send = [](Mailboxes& from, int to, const std::string& text) {
        char* const room = from.room(to, static_cast<std::int64_t>(text.size()));
        ASSERT_TRUE(room);
        std::memcpy(room, text.data(), text.size());
        from.post(to, 3, static_cast<std::int64_t>(text.size()));
    };
    const auto taken = [](Mailboxes& at, int from) {
        std::string out;
        at.take(from, 3, [&](const char* data, std::int64_t bytes) {
            out.assign(data, static_cast<std::size_t>(bytes));
        });
        return out;
    };
    send(low.mailboxes(), 5, "up");
    send(high.mailboxes(), 2, "down");
    EXPECT_EQ(taken(high.mailboxes(), 2), "up");
    EXPECT_EQ(taken(low.mailboxes(), 5), "down");
    EXPECT_EQ(taken(low.mailboxes(), 5), "");
}

TEST(MailboxMemory, OpensNothingElse) {
    MailboxMemory mine(0, 2, {0, 1}), theirs(1, 2, {0, 1}), larger(1, 3, {0, 1, 2});
    MailboxMemory::Offer other = theirs.offer();
    ++other.seed;
    EXPECT_FALSE(mine.open(1, other));
    EXPECT_FALSE(mine.open(1, larger.offer()));
    EXPECT_FALSE(mine.open(1, {}));
    const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
    ASSERT_GE(file, 0);
    EXPECT_FALSE(mine.open(1, {getpid(), file, theirs.offer().seed}));
    close(file);
    EXPECT_FALSE(mine.mailboxes().joined(1));
    EXPECT_TRUE(mine.open(1, theirs.offer()));
    EXPECT_TRUE(mine.mailboxes().joined(1));
}

}  // namespace
