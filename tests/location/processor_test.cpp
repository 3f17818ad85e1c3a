// What /proc/cpuinfo tells of processors of several kinds.
#include "location/processor.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

using namespace hopbine::location;

TEST(Processor, IsNamedWithFamilyAndModel) {
    EXPECT_EQ(processor_in("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
                           "model\t\t: 207\nmodel name\t: Intel(R) Xeon(R) Processor\n\n"
                           "processor\t: 1\ncpu family\t: 7\n"),
              "Intel(R) Xeon(R) Processor, family 6 model 207");
}

TEST(Processor, OfArmIsToldByItsNumbers) {
    const std::string a64fx =
        "processor\t: 0\nBogoMIPS\t: 200.00\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x46\n"
        "CPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0x001\nCPU revision\t: 0\n\n";
    EXPECT_EQ(processor_in(a64fx), "implementer 0x46 part 0x001 variant 0x1 revision 0");
}

TEST(Processor, OfOtherKinds) {
    EXPECT_EQ(processor_in("processor : 0\ncpu : POWER9, altivec supported\nclock : 3800MHz\n"),
              "POWER9, altivec supported");
    EXPECT_EQ(processor_in("processor : 0\nhart : 1\nisa : rv64imafdc\nuarch : sifive,u74-mc\n"),
              "sifive,u74-mc");
    EXPECT_EQ(processor_in(""), "");
    EXPECT_EQ(processor_in("no lines of this kind"), "");
}

// Both ways of asking tell the same.
TEST(Processor, OfThisMachineIsWhatTheKernelSays) {
    std::ifstream in("/proc/cpuinfo");
    const std::string told = processor_in(std::string(std::istreambuf_iterator<char>(in), {}));
    EXPECT_NE(processor_model(), "");
    if (!told.empty()) {
        EXPECT_EQ(processor_model(), told);
    }
}
