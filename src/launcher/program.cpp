#include "launcher/program.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <vector>

namespace hopbine::launcher {

namespace {

bool is_executable(const std::string& file) {
    struct stat about{};
    return !::stat(file.c_str(), &about) && S_ISREG(about.st_mode) && !::access(file.c_str(), X_OK);
}

/// An open file, closed at the end.
class File {
public:
    explicit File(const std::string& path) : handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (handle_ >= 0) ::close(handle_);
    }
    int handle() const { return handle_; }
    bool read(void* to, std::size_t bytes, Elf64_Off from) const {
        return ::pread(handle_, to, bytes, static_cast<off_t>(from)) == static_cast<ssize_t>(bytes);
    }

private:
    int handle_;
};

/// Whether an ELF file of this machine's byte order names no dynamic linker.
bool is_static(const File& file) {
    constexpr unsigned char order =
        std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
    Elf64_Ehdr head;
    if (!file.read(&head, sizeof head, 0) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != order ||
        head.e_phentsize != sizeof(Elf64_Phdr) || !head.e_phnum)
        return false;  // a script, or another machine's program
    std::vector<Elf64_Phdr> table(head.e_phnum);
    if (!file.read(table.data(), table.size() * sizeof table[0], head.e_phoff)) return false;
    for (const Elf64_Phdr& entry : table)
        if (entry.p_type == PT_INTERP) return false;
    return true;
}

}  // namespace

std::string find_program(const std::string& name, const std::string& path) {
    if (name.find('/') != std::string::npos) return is_executable(name) ? name : "";
    for (std::size_t at = 0; !name.empty() && at <= path.size();) {
        const std::size_t end = std::min(path.find(':', at), path.size());
        const std::string folder = path.substr(at, end - at);
        const std::string file = (folder.empty() ? "." : folder) + "/" + name;
        if (is_executable(file)) return file;
        at = end + 1;
    }
    return "";
}

std::string out_of_reach(const std::string& program) {
    const File file(program);
    struct stat about{};
    if (file.handle() < 0 || ::fstat(file.handle(), &about)) return "";
    if (about.st_mode & (S_ISUID | S_ISGID) && ::getuid())
        return "runs with another user's rights, so that nothing is preloaded into it";
    return is_static(file) ? "is linked statically, so that nothing is preloaded into it" : "";
}

}  // namespace hopbine::launcher
