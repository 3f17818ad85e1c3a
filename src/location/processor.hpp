/// The model of the processor that a process runs on.
#pragma once
#include <string>

namespace hopbine::location {

/// The processor's model, such as "AMD EPYC 7763 64-Core Processor, family 25 model 1"; on Arm,
/// where a processor has no name, "implementer 0x41 part 0xd0c variant 0x3 revision 1". Machines of
/// one kind have equal texts. What the kernel calls the architecture where nothing else is told.
std::string processor_model();
/// The model of the first processor in the text of /proc/cpuinfo. Empty if it tells none.
std::string processor_in(const std::string& cpuinfo);

}  // namespace hopbine::location
