// Blocks in transit: what is put is read back, in no more memory than is in transit at a time.
#include "runtime/transit_buffer.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

using hopbine::mpi::TransitBuffer;

TEST(TransitBuffer, GivesBackWhatWasPutInMemoryThatFollowsIt) {
    std::mt19937 random(3);
    TransitBuffer transit;
    for (int call = 0; call < 20; ++call) {
        constexpr std::size_t kSlots = 40;
        std::map<std::size_t, std::string> want;  // every third slot is lent
        std::int64_t live = 0, most = 0;
        transit.begin(kSlots);
        for (int step = 0; step < 50; ++step) {
            for (auto it = want.begin(); it != want.end();) {
                ASSERT_EQ(std::string(transit.data(it->first),
                                      static_cast<std::size_t>(transit.size(it->first))),
                          it->second);
                if (random() % 2) {
                    if (it->first % 3) live -= transit.size(it->first);
                    transit.let_go(it->first);
                    it = want.erase(it);
                } else {
                    ++it;
                }
            }
            std::map<std::size_t, std::string> arriving;
            std::int64_t bytes = 0;
            for (std::size_t slot = 0; slot < kSlots; ++slot) {
                if (want.contains(slot) || random() % 3) continue;
                const std::string& text = arriving[slot] =
                    std::string(random() % 100, static_cast<char>('a' + random() % 26));
                if (slot % 3) bytes += static_cast<std::int64_t>(text.size());
            }
            transit.expect(bytes);
            for (const auto& [slot, text] : arriving) {
                const auto size = static_cast<std::int64_t>(text.size());
                if (slot % 3)
                    transit.put(slot, text.data(), size);
                else
                    transit.lend(slot, text.data(), size);
            }
            want.merge(arriving);
            live += bytes;
            most = std::max(most, live);
            EXPECT_EQ(transit.needed(), most);
        }
    }
    EXPECT_LE(transit.capacity(), 40 * 99);
}
