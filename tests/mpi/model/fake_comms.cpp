#include "fake_comms.hpp"

#include <algorithm>
#include <cstring>

#include "fake_mpi.hpp"
#include "network.hpp"
#include "ranks.hpp"

namespace model {

namespace {

constexpr MPI_Comm kFirstComm = static_cast<MPI_Comm>(0x84000000);
constexpr MPI_Group kFirstGroup = static_cast<MPI_Group>(0x88000000);
constexpr int kFirstKey = 0x24000001, kTagUb = MPI_TAG_UB;

Job job;
int largest_tag = 0;
std::map<MPI_Comm, Comm> comms;
std::map<int, Comm> alone;  ///< MPI_COMM_SELF of every rank
std::map<MPI_Group, std::vector<int>> groups;
std::vector<MPI_Comm_delete_attr_function*> deleters;
int numbers = 0, groups_made = 0;

std::recursive_mutex& lock() { return Network::get().lock; }

MPI_Comm add(std::vector<int> members, std::vector<int> shape) {
    const MPI_Comm handle = kFirstComm + numbers;
    Comm& made = comms[handle];
    made.number = numbers++;
    made.members = std::move(members);
    made.shape = std::move(shape);
    return handle;
}

}  // namespace

int Comm::rank() const {
    return static_cast<int>(std::ranges::find(members, this_rank()) - members.begin());
}

void begin_job(const Job& given) {
    job = given;
    // As hopbine divides tags into lanes: 1024 communicators, each with 64 tags for a lane.
    largest_tag = job.lanes * 1024 * 64 + 63;
    std::vector<int> all;
    for (int r = 0; r < job.ranks; ++r) {
        all.push_back(r);
        alone[r].number = numbers++;
        alone[r].members = {r};
    }
    comms[MPI_COMM_WORLD].number = numbers++;
    comms[MPI_COMM_WORLD].members = all;
}

MPI_Comm make_comm(const std::vector<int>& members, const std::vector<int>& shape) {
    const std::lock_guard hold(lock());
    return add(members, shape);
}

Comm& comm_of(MPI_Comm handle) {
    const std::lock_guard hold(lock());
    if (handle == MPI_COMM_SELF) return alone[this_rank()];
    const auto at = comms.find(handle);
    if (at == comms.end()) die("a communicator that does not exist");
    return at->second;
}

void free_comm(MPI_Comm handle) {
    std::vector<std::pair<int, void*>> mine;
    {
        const std::lock_guard hold(lock());
        Comm& comm = comm_of(handle);
        for (const auto& [key, value] : comm.attributes)
            if (key.first == this_rank()) mine.emplace_back(key.second, value);
        for (const auto& [key, value] : mine) comm.attributes.erase({this_rank(), key});
    }
    for (const auto& [key, value] : mine)
        deleters[static_cast<std::size_t>(key - kFirstKey)](handle, key, value, nullptr);
    const std::lock_guard hold(lock());
    Comm& comm = comm_of(handle);
    if (++comm.freed[this_rank()] > 1) die("a communicator is freed twice");
    if (comm.freed.size() == comm.members.size()) comms.erase(handle);
}

std::shared_ptr<Gathering> take_part(Comm& comm, const std::string& kind, const void* data,
                                     std::int64_t bytes) {
    const std::lock_guard hold(lock());
    Network::get().note();
    const std::size_t i = comm.collectives[this_rank()]++;
    if (i == comm.gatherings.size()) {
        comm.gatherings.push_back(std::make_shared<Gathering>());
        comm.gatherings.back()->kind = kind;
        comm.gatherings.back()->given.resize(comm.members.size());
    }
    const std::shared_ptr<Gathering>& one = comm.gatherings[i];
    if (one->kind != kind) die("one rank is in " + kind + ", another in " + one->kind);
    const char* const from = static_cast<const char*>(data);
    one->given[static_cast<std::size_t>(comm.rank())].assign(from, from + bytes);
    ++one->arrived;
    return one;
}

std::int64_t bytes_of(std::int64_t n, MPI_Datatype type) {
    return n * (type >> 8 & 0xff);  // predefined datatypes have their size there
}

}  // namespace model

using namespace model;

extern "C" {

int PMPI_Initialized(int* flag) { return *flag = 1, MPI_SUCCESS; }
int PMPI_Finalized(int* flag) { return *flag = 0, MPI_SUCCESS; }
int PMPI_Query_thread(int* level) {
    *level = job.threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    return MPI_SUCCESS;
}
int PMPI_Get_processor_name(char* name, int* length) {
    *length =
        std::snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", this_rank() / job.ranks_on_a_node);
    return MPI_SUCCESS;
}
int PMPI_Get_library_version(char* text, int* length) {
    *length = std::snprintf(text, MPI_MAX_LIBRARY_VERSION_STRING, "Fake MPI");
    return MPI_SUCCESS;
}

int PMPI_Comm_rank(MPI_Comm comm, int* rank) { return *rank = comm_of(comm).rank(), MPI_SUCCESS; }
int PMPI_Comm_size(MPI_Comm comm, int* size) { return *size = comm_of(comm).size(), MPI_SUCCESS; }
int PMPI_Comm_get_parent(MPI_Comm* parent) { return *parent = MPI_COMM_NULL, MPI_SUCCESS; }
int PMPI_Comm_test_inter(MPI_Comm, int* flag) { return *flag = 0, MPI_SUCCESS; }
int PMPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) { return MPI_SUCCESS; }
int PMPI_Comm_call_errhandler(MPI_Comm, int error) {
    die("the error handler is called, error " + std::to_string(error));
}
int PMPI_Error_class(int code, int* kind) { return *kind = code, MPI_SUCCESS; }

int* const MPI_UNWEIGHTED = nullptr;
int PMPI_Topo_test(MPI_Comm comm, int* kind) {
    *kind = comm_of(comm).shape.empty() ? MPI_UNDEFINED : MPI_CART;
    return MPI_SUCCESS;
}
int PMPI_Cartdim_get(MPI_Comm comm, int* n) {
    *n = static_cast<int>(comm_of(comm).shape.size());
    return MPI_SUCCESS;
}
int PMPI_Cart_get(MPI_Comm comm, int, int dims[], int periods[], int coordinates[]) {
    const std::vector<int>& shape = comm_of(comm).shape;
    std::ranges::copy(shape, dims);
    for (std::size_t i = 0; i < shape.size(); ++i) periods[i] = 1, coordinates[i] = 0;
    return MPI_SUCCESS;
}

/// All ranks of the communicator get the same handle.
int PMPI_Comm_create(MPI_Comm from, MPI_Group group, MPI_Comm* made) {
    const std::lock_guard hold(lock());
    Comm& comm = comm_of(from);
    const int i = comm.made[this_rank()]++;
    if (i == static_cast<int>(comm.children.size())) {
        const MPI_Comm child = add(groups.at(group), {});
        comm_of(from).children.push_back(child);
    }
    *made = comm_of(from).children[static_cast<std::size_t>(i)];
    return MPI_SUCCESS;
}
int PMPI_Comm_free(MPI_Comm* comm) {
    free_comm(*comm);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
    const std::lock_guard hold(lock());
    *group = kFirstGroup + groups_made++;
    groups[*group] = comm_of(comm).members;
    return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group* group) {
    const std::lock_guard hold(lock());
    groups.erase(*group);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
int PMPI_Group_size(MPI_Group group, int* size) {
    const std::lock_guard hold(lock());
    *size = static_cast<int>(groups.at(group).size());
    return MPI_SUCCESS;
}
int PMPI_Group_translate_ranks(MPI_Group from, int n, const int ranks[], MPI_Group to,
                               int others[]) {
    const std::lock_guard hold(lock());
    const std::vector<int>&a = groups.at(from), &b = groups.at(to);
    for (int i = 0; i < n; ++i) {
        const auto at = std::ranges::find(b, a[static_cast<std::size_t>(ranks[i])]);
        others[i] = at == b.end() ? MPI_UNDEFINED : static_cast<int>(at - b.begin());
    }
    return MPI_SUCCESS;
}

int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function* deleter,
                            int* key, void*) {
    const std::lock_guard hold(lock());
    *key = kFirstKey + static_cast<int>(deleters.size());
    deleters.push_back(deleter);
    return MPI_SUCCESS;
}
int PMPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found) {
    const std::lock_guard hold(lock());
    void* out = &largest_tag;
    *found = 1;
    if (key != kTagUb) {
        const auto& all = comm_of(comm).attributes;
        const auto at = all.find({this_rank(), key});
        *found = at != all.end();
        if (*found) out = at->second;
    }
    if (*found) std::memcpy(value, &out, sizeof out);
    return MPI_SUCCESS;
}
int PMPI_Comm_set_attr(MPI_Comm comm, int key, void* value) {
    const std::lock_guard hold(lock());
    comm_of(comm).attributes[{this_rank(), key}] = value;
    return MPI_SUCCESS;
}
int PMPI_Comm_delete_attr(MPI_Comm handle, int key) {
    void* value = nullptr;
    {
        const std::lock_guard hold(lock());
        auto& all = comm_of(handle).attributes;
        value = all.at({this_rank(), key});
        all.erase({this_rank(), key});
    }
    return deleters[static_cast<std::size_t>(key - kFirstKey)](handle, key, value, nullptr);
}
}
