// What hopbine gpu probe has recorded of MPI libraries.
#include "statistics/gpu_record.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "schedule/problem.hpp"

namespace hopbine::mpi {

namespace {

TEST(GpuRecord, SubjectHasVersionTransportSettingsAndLibrariesInOneLine) {
    const char* const environment[] = {"UCX_TLS=cuda,sm", "HOME=/root", "OMPI_MCA_pml=ucx",
                                       "OMPI_MCA_ess_base_vpid=3", nullptr};
    EXPECT_EQ(gpu_record_subject("Library 5.0\n built\tso ", environment,
                                 {"/lib/libm.so.6", "/opt/libucp.so.0", ""}),
              "Library 5.0 built so; /opt/libucp.so.0; OMPI_MCA_pml=ucx; UCX_TLS=cuda,sm");
}

TEST(GpuRecord, TheAbisOfOneMpichAreTwoLibraries) {
    EXPECT_EQ(gpu_record_subject("v", nullptr, {"/opt/libmpi.so.12", "/opt/libmpifort.so.12"}),
              "v; /opt/libmpi.so.12");
    EXPECT_EQ(gpu_record_subject("v", nullptr, {"/opt/libmpi_abi.so.0"}),
              "v; /opt/libmpi_abi.so.0");
}

TEST(GpuRecord, OrderOfVariablesDoesNotMatter) {
    const char* const one[] = {"UCX_A=1", "FI_B=2", nullptr};
    const char* const other[] = {"FI_B=2", "UCX_A=1", nullptr};
    EXPECT_EQ(gpu_record_subject("v", one, {}), gpu_record_subject("v", other, {}));
}

class GpuRecordFile : public ::testing::Test {
protected:
    void SetUp() override {
        char folder[] = "/tmp/hopbine_gpu_record_XXXXXX";
        ASSERT_TRUE(mkdtemp(folder));
        folder_ = folder;
        file_ = folder_ + "/gpu.txt";
    }
    void TearDown() override {
        std::remove(file_.c_str());
        rmdir(folder_.c_str());
    }
    void write(const std::string& text) const { std::ofstream(file_) << text; }
    std::string folder_, file_;
};

TEST_F(GpuRecordFile, TheLastAnswerOnASubjectCounts) {
    write("all\tA\nnothing\tB\nmessages\tA\n\nno tab\nperhaps\tC\n");
    EXPECT_EQ(read_gpu_record(file_, "A"), Takes::messages);
    EXPECT_EQ(read_gpu_record(file_, "B"), Takes::nothing);
    EXPECT_EQ(read_gpu_record(file_, "C"), Takes::unknown);
    EXPECT_EQ(read_gpu_record(file_, "D"), Takes::unknown);
}

TEST_F(GpuRecordFile, WhatIsNotThereIsUnknown) {
    EXPECT_EQ(read_gpu_record(file_, "A"), Takes::unknown);
    EXPECT_EQ(read_gpu_record("", "A"), Takes::unknown);
}

TEST_F(GpuRecordFile, WhatOthersMayWriteIsRefused) {
    write("all\tA\n");
    chmod(folder_.c_str(), 0777);
    EXPECT_THROW(read_gpu_record(file_, "A"), Error);
    chmod(folder_.c_str(), 0700);
}

}  // namespace

}  // namespace hopbine::mpi
