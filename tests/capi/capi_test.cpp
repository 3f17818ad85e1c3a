#include <gtest/gtest.h>

#include "hopbine/hopbine.h"

TEST(CApi, WalksASchedule) {
    hopbine_schedule* s = nullptr;
    ASSERT_EQ(hopbine_schedule_create("bcast", "bine_small", 16, 0, nullptr, 0, &s), HOPBINE_OK)
        << hopbine_last_error();
    EXPECT_EQ(hopbine_schedule_steps(s), 4);
    const hopbine_move* moves = nullptr;
    size_t n = 0;
    ASSERT_EQ(hopbine_schedule_moves(s, 0, 0, &moves, &n), HOPBINE_OK);
    ASSERT_EQ(n, 1u);
    EXPECT_EQ(moves[0].peer, 11);
    EXPECT_EQ(moves[0].sends, 1);
    ASSERT_EQ(moves[0].n_runs, 1u);
    EXPECT_EQ(moves[0].runs[1] - moves[0].runs[0], 16);
    EXPECT_EQ(hopbine_schedule_moves(s, 0, 4, &moves, &n), HOPBINE_INVALID);
    EXPECT_NE(std::string(hopbine_last_error()).find("4 steps"), std::string::npos);
    hopbine_schedule_free(s);
}

TEST(CApi, ListsAndChecksTheRegistry) {
    for (size_t i = 0; i < hopbine_algorithm_count(); ++i) {
        hopbine_algorithm a;
        ASSERT_EQ(hopbine_algorithm_at(i, &a), HOPBINE_OK);
        ASSERT_EQ(hopbine_check(a.collective, a.name, 8, 0, nullptr, 0), HOPBINE_OK)
            << hopbine_last_error();
    }
    hopbine_algorithm a;
    EXPECT_EQ(hopbine_algorithm_at(hopbine_algorithm_count(), &a), HOPBINE_INVALID);
}

TEST(CApi, SaysWhatIsWrong) {
    hopbine_schedule* s = nullptr;
    const hopbine_parameter odd = {"segment", -1};
    EXPECT_EQ(hopbine_schedule_create("allreduce", "bine_large", 8, 0, &odd, 1, &s),
              HOPBINE_INVALID);
    EXPECT_NE(std::string(hopbine_last_error()).find("outside 0..1073741824"), std::string::npos);
    EXPECT_EQ(hopbine_schedule_create("allreduse", "bine_large", 8, 0, nullptr, 0, &s),
              HOPBINE_INVALID);
    EXPECT_EQ(hopbine_schedule_create(nullptr, nullptr, 8, 0, nullptr, 0, &s), HOPBINE_INVALID);
    EXPECT_EQ(s, nullptr);
}
