#include "runtime/mailboxes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace hopbine::mpi {
namespace {

/// Two processes, 0 and 1, with a mailbox each way.
struct Both {
    std::unique_ptr<Mailbox> to[2] = {std::make_unique<Mailbox>(), std::make_unique<Mailbox>()};
    Mailboxes of[2] = {Mailboxes(2), Mailboxes(2)};
    Both() {
        of[0].join(1, to[0].get(), to[1].get());
        of[1].join(0, to[1].get(), to[0].get());
    }
    bool send(int from, int tag, const std::string& text) {
        const auto bytes = static_cast<std::int64_t>(text.size());
        char* const room = of[from].room(1 - from, bytes);
        if (!room) return false;
        std::memcpy(room, text.data(), text.size());
        of[from].post(1 - from, tag, bytes);
        return true;
    }
    bool take(int at, int tag, std::string* text) {
        return of[at].take(1 - at, tag, [&](const char* data, std::int64_t bytes) {
            text->assign(data, static_cast<std::size_t>(bytes));
        });
    }
};

std::string drawn(std::mt19937& draw) {
    const auto most = static_cast<std::size_t>(Mailbox::kMostBytes);
    const std::size_t sizes[] = {0, 1, 8, 119, 120, 121, 248, 249, most - 1, most, draw() % most};
    return std::string(sizes[draw() % std::size(sizes)], static_cast<char>('a' + draw() % 26));
}

TEST(Mailboxes, MessagesComeByTagInTheOrderTheyWereSent) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 draw(seed);
        Both both;
        std::deque<std::string> sent[2][3];  // by receiver and tag
        for (int i = 0; i < 2000; ++i) {
            const int at = static_cast<int>(draw() % 2), tag = static_cast<int>(draw() % 3);
            std::string text;
            if (draw() % 2) {
                text = drawn(draw);
                if (both.send(1 - at, tag, text)) sent[at][tag].push_back(text);
            } else if (both.take(at, tag, &text)) {
                ASSERT_FALSE(sent[at][tag].empty()) << seed;
                ASSERT_EQ(text, sent[at][tag].front()) << seed;
                sent[at][tag].pop_front();
            } else {
                ASSERT_TRUE(sent[at][tag].empty()) << seed;
            }
            if (draw() % 50 == 0) both.of[at].empty_all();
        }
    }
}

TEST(Mailboxes, AFullOneTakesMessagesAgainOnceItIsEmptied) {
    Both both;
    int sent = 0;
    while (both.send(0, 7, std::to_string(sent))) ++sent;
    EXPECT_EQ(sent, static_cast<int>(Mailbox::kLines));
    both.of[1].empty_all();
    EXPECT_TRUE(both.send(0, 7, std::to_string(sent)));
    std::string text;
    for (int i = 0; i <= sent; ++i) {
        ASSERT_TRUE(both.take(1, 7, &text));
        EXPECT_EQ(text, std::to_string(i));
    }
    EXPECT_FALSE(both.take(1, 7, &text));
}

TEST(Mailboxes, AMessageWaitsForTheOneAskedFor) {
    Both both;
    std::string text;
    ASSERT_TRUE(both.send(0, 1, "first") && both.send(0, 2, "second") && both.send(0, 1, "third"));
    EXPECT_TRUE(both.take(1, 2, &text) && text == "second");
    EXPECT_TRUE(both.take(1, 1, &text) && text == "first");
    EXPECT_FALSE(both.take(1, 3, &text));
    EXPECT_TRUE(both.take(1, 1, &text) && text == "third");
}

TEST(Mailboxes, SenderAndReceiverRunAtOnce) {
    constexpr int kMessages = 20'000;
    Both both;
    std::thread sender([&] {
        std::mt19937 draw(1);
        for (int i = 0; i < kMessages; ++i)
            for (const std::string text = drawn(draw); !both.send(0, i % 5, text);)
                std::this_thread::yield();
    });
    std::mt19937 draw(1);
    std::string text;
    for (int i = 0; i < kMessages; ++i) {
        while (!both.take(1, i % 5, &text)) std::this_thread::yield();
        ASSERT_EQ(text, drawn(draw));
    }
    sender.join();
}

}  // namespace
}  // namespace hopbine::mpi
