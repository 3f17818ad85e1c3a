#include "launcher/file_name.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "schedule/problem.hpp"

namespace hopbine::launcher {
namespace {

const Environment kJob = {{"SLURM_JOB_ID", "4711"}, {"HOPBINE_NODE", "n1"}};

std::string refusal(const std::string& name, const Environment& environment) {
    try {
        expand_file_name(name, environment, "--stats");
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(FileName, HasJobProcessAndHost) {
    EXPECT_EQ(expand_file_name("", kJob, "--stats"), "");
    EXPECT_EQ(expand_file_name("/a/s.json", kJob, "--stats"), "/a/s.json");
    EXPECT_EQ(expand_file_name("%j/%h.%p%%j", kJob, "--stats"),
              "4711/n1." + std::to_string(getpid()) + "%j");
}

TEST(FileName, JobIdsAreOfManyBatchSystems) {
    for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "FLUX_JOB_ID", "JOB_ID"})
        EXPECT_EQ(expand_file_name("%j", {{name, "12[3]/x"}}, "--stats"), "12[3]_x") << name;
    EXPECT_EQ(expand_file_name("%j", {{"JOB_ID", ""}}, "--stats"), "nojob");
    EXPECT_EQ(expand_file_name("%j", {{"JOB_ID", "1"}, {"SLURM_JOB_ID", "2"}}, "--stats"), "2");
}

TEST(FileName, ErrorsNameWhatIsAllowed) {
    EXPECT_EQ(refusal("s.%d", kJob),
              "--stats s.%d: a % is followed by j (job), p (process), h (host) or %");
    EXPECT_EQ(refusal("s%", kJob),
              "--stats s%: a % is followed by j (job), p (process), h (host) or %");
}

}  // namespace
}  // namespace hopbine::launcher
