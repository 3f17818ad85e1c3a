#include "mpi/execute/datatype.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include "mpi/execute/messages.hpp"
#include "runtime/fiber.hpp"

namespace hopbine::mpi {

namespace {

struct Known {
    MPI_Datatype handle;
    int size;
    bool reducible;
    Element element;
};

template <class T>
constexpr Element element_of() {
    if constexpr (std::is_same_v<T, float>)
        return Element::f32;
    else if constexpr (std::is_same_v<T, double>)
        return Element::f64;
    else if constexpr (std::is_signed_v<T>)
        return sizeof(T) == 1   ? Element::i8
               : sizeof(T) == 2 ? Element::i16
               : sizeof(T) == 4 ? Element::i32
                                : Element::i64;
    else
        return sizeof(T) == 1   ? Element::u8
               : sizeof(T) == 2 ? Element::u16
               : sizeof(T) == 4 ? Element::u32
                                : Element::u64;
}

template <class T>
Known known(MPI_Datatype t) {
    return {t, sizeof(T), true, element_of<T>()};
}
/// Copied as bytes; reduced by the MPI library, if at all (MPI_CHAR is no number, MPI_BYTE has bit
/// operations only).
Known moved(MPI_Datatype t, int size) { return {t, size, false, Element::u8}; }

/// Extensions of MPI libraries: those of the header that this was built with. Open MPI's is in a
/// header that need not be there, and has no size where its compiler had no such type.
std::vector<Known> half_precision() {
    std::vector<Known> out;
    [[maybe_unused]] const auto add = [&](MPI_Datatype t, Element e) {
        out.push_back({t, 2, true, e});
    };
#ifdef MPIX_BFLOAT16
    add(MPIX_BFLOAT16, Element::bf16);
#endif
#ifdef MPIX_C_FLOAT16
    add(MPIX_C_FLOAT16, Element::f16);
#elif defined(OPEN_MPI)
    int size = 0;
    if (void* const t = dlsym(RTLD_DEFAULT, "ompi_mpi_short_float"))
        if (PMPI_Type_size(static_cast<MPI_Datatype>(t), &size) == MPI_SUCCESS && size == 2)
            add(static_cast<MPI_Datatype>(t), Element::f16);
#endif
    return out;
}

/// Most used first: the search is a few comparisons.
const Known* find_known(MPI_Datatype t) {
    static const Known table[] = {
        known<double>(MPI_DOUBLE),
        known<float>(MPI_FLOAT),
        known<int>(MPI_INT),
        moved(MPI_BYTE, 1),
        moved(MPI_CHAR, 1),
        known<long>(MPI_LONG),
        known<std::int32_t>(MPI_INT32_T),
        known<std::int64_t>(MPI_INT64_T),
        known<std::uint32_t>(MPI_UINT32_T),
        known<std::uint64_t>(MPI_UINT64_T),
        known<unsigned>(MPI_UNSIGNED),
        known<unsigned long>(MPI_UNSIGNED_LONG),
        known<long long>(MPI_LONG_LONG),
        known<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
        known<short>(MPI_SHORT),
        known<unsigned short>(MPI_UNSIGNED_SHORT),
        known<signed char>(MPI_SIGNED_CHAR),
        known<unsigned char>(MPI_UNSIGNED_CHAR),
        known<std::int8_t>(MPI_INT8_T),
        known<std::uint8_t>(MPI_UINT8_T),
        known<std::int16_t>(MPI_INT16_T),
        known<std::uint16_t>(MPI_UINT16_T),
    };
    static const std::vector<Known> halves = half_precision();
    for (const Known& k : table)
        if (k.handle == t) return &k;
    for (const Known& k : halves)
        if (k.handle == t) return &k;
    return nullptr;
}

bool operation_of(MPI_Op op, Operation* out) {
    static const std::pair<MPI_Op, Operation> table[] = {
        {MPI_SUM, Operation::sum},          {MPI_MAX, Operation::maximum},
        {MPI_MIN, Operation::minimum},      {MPI_PROD, Operation::product},
        {MPI_LAND, Operation::logical_and}, {MPI_LOR, Operation::logical_or},
        {MPI_LXOR, Operation::logical_xor}, {MPI_BAND, Operation::bit_and},
        {MPI_BOR, Operation::bit_or},       {MPI_BXOR, Operation::bit_xor}};
    for (const auto& [handle, operation] : table)
        if (handle == op) {
            *out = operation;
            return true;
        }
    return false;
}

}  // namespace

Type describe(MPI_Datatype t) {
    Type out;
    out.handle = t;
    if (t == MPI_DATATYPE_NULL) return out;
    if (const Known* k = find_known(t)) {
        out.size = out.extent = out.true_extent = k->size;
        out.named = out.plain = out.usable = true;
        return out;
    }
    // The queries below report an invalid datatype to MPI_COMM_WORLD's error handler. This send
    // reports it to a communicator that returns errors.
    const char unread = 0;  // MPICH validates the datatype only where there is an element
    if (PMPI_Send(&unread, 1, t, MPI_PROC_NULL, 0, self_comm()) != MPI_SUCCESS) return out;
    int integers, addresses, types, combiner;
    MPI_Count size = 0, lb, extent, true_lb, true_extent;
    if (PMPI_Type_size_x(t, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent_x(t, &lb, &extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent_x(t, &true_lb, &true_extent) != MPI_SUCCESS ||
        PMPI_Type_get_envelope(t, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return out;
    out.size = size;
    out.extent = extent;
    out.true_lb = true_lb;
    out.true_extent = true_extent;
    // Equal size and extent do not suffice for derived datatypes: their order in memory may differ
    // from that of their signature.
    out.named = combiner == MPI_COMBINER_NAMED;
    out.plain = out.named && size == extent && lb == 0 && true_lb == 0;
    out.usable = size != MPI_UNDEFINED && size >= 0;
    return out;
}

namespace {

/// A datatype of n contiguous bytes, which may be more than an int counts.
class ManyBytes {
public:
    explicit ManyBytes(std::int64_t n) {
        MPI_Datatype chunk;
        PMPI_Type_contiguous(static_cast<int>(kMostAtOnce), MPI_BYTE, &chunk);
        const int lengths[2] = {static_cast<int>(n / kMostAtOnce),
                                static_cast<int>(n % kMostAtOnce)};
        const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(n - n % kMostAtOnce)};
        const MPI_Datatype types[2] = {chunk, MPI_BYTE};
        PMPI_Type_create_struct(2, lengths, places, types, &handle_);
        PMPI_Type_commit(&handle_);
        PMPI_Type_free(&chunk);
    }
    ManyBytes(const ManyBytes&) = delete;
    ManyBytes& operator=(const ManyBytes&) = delete;
    ~ManyBytes() { PMPI_Type_free(&handle_); }
    MPI_Datatype handle() const { return handle_; }

private:
    MPI_Datatype handle_;
};

/// MPICH does not pack from MPI_BOTTOM.
#ifdef OPEN_MPI
constexpr bool kPacksBottom = true;
#else
constexpr bool kPacksBottom = false;
#endif

/// Copies n items of one datatype to m of another with the same signature, by a message.
int convert(const void* from, int n, MPI_Datatype from_type, void* to, int m,
            MPI_Datatype to_type) {
    // Each thread has a tag of its own.
    static std::atomic<int> threads{0};  // of any order: tags need but differ
    thread_local const int tag = threads++ % 32768;
    if (Fiber* const fiber = Fiber::current()) {
        MPI_Request received = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
        HOPBINE_TRY(PMPI_Irecv(to, m, to_type, 0, tag, self_comm(), &received));
        HOPBINE_TRY(PMPI_Isend(from, n, from_type, 0, tag, self_comm(), &sent));
        const int error = in_fiber::wait(&received, MPI_STATUS_IGNORE, *fiber);
        HOPBINE_TRY(in_fiber::wait(&sent, MPI_STATUS_IGNORE, *fiber));
        return error;
    }
    return PMPI_Sendrecv(from, n, from_type, 0, tag, to, m, to_type, 0, tag, self_comm(),
                         MPI_STATUS_IGNORE);
}

/// Copies elements of which a single one has more bytes than PMPI_Pack counts.
int move_large(char* user, std::int64_t n, const Type& type, char* bytes, bool in) {
    const ManyBytes many(type.size);
    int error = MPI_SUCCESS;
    for (std::int64_t i = 0; i < n && error == MPI_SUCCESS;
         ++i, user += type.extent, bytes += type.size)
        error = in ? convert(user, 1, type.handle, bytes, 1, many.handle())
                   : convert(bytes, 1, many.handle(), user, 1, type.handle);
    return error;
}

int move_packed(char* user, std::int64_t n, const Type& type, char* bytes, bool in) {
    if (type.size == 0) return MPI_SUCCESS;
    if (type.plain) {
        std::memcpy(in ? bytes : user, in ? user : bytes, static_cast<std::size_t>(n * type.size));
        return MPI_SUCCESS;
    }
    if (type.size > kMostAtOnce) return move_large(user, n, type, bytes, in);
    const std::int64_t most = std::max<std::int64_t>(1, kMostAtOnce / type.size);
    for (std::int64_t at = 0; at < n; at += most) {
        const int some = static_cast<int>(std::min(most, n - at)),
                  size = static_cast<int>(some * type.size);
        char *from = user + at * type.extent, *here = bytes + at * type.size;
        int position = 0;
        const int e =
            !from && !kPacksBottom ? (in ? convert(from, some, type.handle, here, size, MPI_PACKED)
                                         : convert(here, size, MPI_PACKED, from, some, type.handle))
            : in ? PMPI_Pack(from, some, type.handle, here, size, &position, self_comm())
                 : PMPI_Unpack(here, size, &position, from, some, type.handle, self_comm());
        if (e != MPI_SUCCESS) return e;
    }
    return MPI_SUCCESS;
}

}  // namespace

int pack_elements(const char* user, std::int64_t n, const Type& type, char* bytes) {
    return move_packed(const_cast<char*>(user), n, type, bytes, true);
}

int unpack_elements(char* user, std::int64_t n, const Type& type, const char* bytes) {
    return move_packed(user, n, type, const_cast<char*>(bytes), false);
}

/// Whether the MPI library reduces the datatype. Tried once for each pair, where an error is
/// returned and does not end the program.
static bool library_reduces(MPI_Op op, const Type& type) {
    static std::mutex lock;
    static std::map<std::pair<MPI_Op, MPI_Datatype>, bool> asked;
    const std::lock_guard hold(lock);
    const auto [it, fresh] = asked.try_emplace({op, type.handle}, false);
    if (!fresh) return it->second;
    std::vector<char> in(static_cast<std::size_t>(type.true_extent + type.extent)), out(in.size());
    return it->second = PMPI_Allreduce(in.data(), out.data(), 1, type.handle, op, self_comm()) ==
                        MPI_SUCCESS;
}

/// Describes a user-defined operation, or an invalid handle.
static void describe_users(MPI_Op op, Reduction& r) {
    int commutes = 0, none = 0;
    r.defined = PMPI_Allreduce(MPI_IN_PLACE, &none, 0, MPI_INT, op, self_comm()) == MPI_SUCCESS;
    if (!r.defined) return;
    PMPI_Op_commutative(op, &commutes);
    r.commutes = commutes != 0;
}

/// Describes a predefined operation that has a kernel on some datatypes.
static void describe_arithmetic(Operation operation, Reduction& r) {
    const Known* const k = find_known(r.type.handle);
    const bool reducible = k && k->reducible, floating = k && is_floating(k->element),
               adds = operation == Operation::sum || operation == Operation::product;
    r.exact = !adds || (reducible && !floating);
    if (reducible) {
        r.kernel_name = kernel_name(operation, k->element);
        r.operation = operation;
        r.element = k->element;
    }
    r.defined =
        reducible ? r.kernel_name != nullptr : r.type.named && library_reduces(r.op, r.type);
}

Reduction describe(MPI_Op op, const Type& type) {
    Reduction r;
    r.op = op;
    r.type = type;
    Operation operation;
    const bool arithmetic = operation_of(op, &operation),
               one_sided = op == MPI_REPLACE || op == MPI_NO_OP;
    r.predefined = arithmetic || one_sided || op == MPI_MINLOC || op == MPI_MAXLOC;
    if (arithmetic) {
        describe_arithmetic(operation, r);
    } else if (r.predefined) {
        r.exact = true;
        r.defined = !one_sided && type.named && library_reduces(op, type);
    } else {
        describe_users(op, r);
    }
    return r;
}

/// Copies by packing: in Open MPI 5 messages to itself arrive damaged where numbers lie at odd
/// addresses (docs/library-faults.md).
int copy_elements(char* to, const char* from, std::int64_t n, const Type& type) {
    if (type.plain) {
        std::memcpy(to, from, static_cast<std::size_t>(n * type.size));
        return MPI_SUCCESS;
    }
    if (type.size == 0 || n == 0) return MPI_SUCCESS;
    constexpr std::int64_t kCached = 1 << 16;
    const std::int64_t at_once = std::clamp<std::int64_t>(kCached / type.size, 1, n);
    const auto packed =
        std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(at_once * type.size));
    int error = MPI_SUCCESS;
    for (std::int64_t at = 0; at < n && error == MPI_SUCCESS; at += at_once) {
        const std::int64_t some = std::min(at_once, n - at);
        error = pack_elements(from + at * type.extent, some, type, packed.get());
        if (error == MPI_SUCCESS)
            error = unpack_elements(to + at * type.extent, some, type, packed.get());
    }
    return error;
}

/// b = a op b. The user's own operations run on the thread's stack.
static int reduce_by_library(char* a, char* b, int n, const Reduction& r) {
    int error = MPI_SUCCESS;
    const auto reduce = [&] { error = PMPI_Reduce_local(a, b, n, r.type.handle, r.op); };
    if (Fiber* const fiber = r.predefined ? nullptr : Fiber::current())
        fiber->outside(reduce);
    else
        reduce();
    return error;
}

int Reduction::apply(char* in, char* mine, std::int64_t n, bool in_left) const {
    if (kernel_name) {
        kernel(operation, element)(in, mine, static_cast<std::size_t>(n));
        return MPI_SUCCESS;
    }
    for (std::int64_t done = 0; done < n; done += kMostAtOnce) {
        const int now = static_cast<int>(std::min(kMostAtOnce, n - done));
        char *a = in + done * type.extent, *b = mine + done * type.extent;
        if (in_left || commutes) {
            if (const int e = reduce_by_library(a, b, now, *this); e != MPI_SUCCESS) return e;
            continue;
        }
        if (const int e = reduce_by_library(b, a, now, *this); e != MPI_SUCCESS) return e;
        if (const int e = copy_elements(b, a, now, type); e != MPI_SUCCESS) return e;
    }
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
