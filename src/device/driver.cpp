#include "device/driver.hpp"

#include "device/kernels/image.hpp"
#include "device/symbol.hpp"

namespace hopbine::device {

bool Driver::open(void* library, Names names) {
    const bool cuda = names == Names::cuda;
    kernels = cuda ? cuda_kernels() : hip_kernels();
    if (!cuda && !kernels) compiler.open(library);
#define HOPBINE_FIND(name, parameters, cuda_name, hip_name) \
    find_symbol(library, cuda ? cuda_name : hip_name, &name)&&
    has_handles = HOPBINE_HANDLE_FUNCTIONS(HOPBINE_FIND) true;
    has_graphs = HOPBINE_GRAPH_FUNCTIONS(HOPBINE_FIND) true;
    return HOPBINE_DRIVER_FUNCTIONS(HOPBINE_FIND) true;
#undef HOPBINE_FIND
}

}  // namespace hopbine::device
