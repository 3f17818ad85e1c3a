# One algorithm is one file src/algorithms/<collective>/<name>.cpp that defines
#   Algorithm <collective>_<name>;
# in namespace hopbine::registered. This writes the table of all of them: static self-registration
# inside an archive would register nothing.
file(GLOB HOPBINE_ALGORITHM_SOURCES CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/src/algorithms/*/*.cpp)
set(declarations "")
set(entries "")
foreach(source IN LISTS HOPBINE_ALGORITHM_SOURCES)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(collective ${source} DIRECTORY)
  get_filename_component(collective ${collective} NAME)
  set(symbol ${collective}_${name})
  string(APPEND declarations "extern Algorithm ${symbol};\n")
  string(APPEND entries "        &registered::${symbol},\n")
endforeach()
set(HOPBINE_REGISTRY ${CMAKE_CURRENT_BINARY_DIR}/registry.cpp)
file(CONFIGURE OUTPUT ${HOPBINE_REGISTRY} @ONLY CONTENT [[
// Generated from src/algorithms/ by cmake/Registry.cmake.
#include <algorithm>
#include <string>

#include "schedule/algorithm.hpp"

namespace hopbine {
namespace registered {
@declarations@}
const std::vector<const Algorithm*>& algorithms() {
    static const std::vector<const Algorithm*> table = [] {
        std::vector<Algorithm*> all = {
@entries@        };
        for (Algorithm* a : all) complete(*a);
        std::vector<const Algorithm*> t(all.begin(), all.end());
        std::sort(t.begin(), t.end(), [](const Algorithm* a, const Algorithm* b) {
            return a->collective != b->collective ? a->collective < b->collective
                                                  : std::string(a->name) < b->name;
        });
        return t;
    }();
    return table;
}
}  // namespace hopbine
]])
