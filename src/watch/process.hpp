/// What Linux says of a process and of an address in it.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>

#include "watch/view.hpp"

namespace hopbine::watch {

Life life_of(pid_t process);
/// The call that returns to an address, as FILE+0xOFFSET; the address, where the process has no
/// file there or has ended.
std::string site_text(pid_t process, std::uint64_t return_address);
/// The line of such a site: "main (app.c:42)", as addr2line finds it; the site itself where that is
/// not installed, or the program was compiled without -g.
std::string line_of(const std::string& site);

}  // namespace hopbine::watch
