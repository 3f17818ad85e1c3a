#include "mpi/watch/names.hpp"

#include "watch/text.hpp"

namespace hopbine::mpi {

namespace {

void add_name(watch_record& record, std::uint64_t handle, std::int32_t bytes, const char* name) {
    if (record.names_known == WATCH_NAMES) return;
    watch_name& made = record.names[record.names_known++];
    made = {handle, bytes, {}};
    watch::set_text(made.name, name);
}

void add_type(watch_record& record, MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME + 1] = {};
    int size = 0, length = 0;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_name(type, name, &length) != MPI_SUCCESS || size < 0)
        return;
    add_name(record, word_of(type), size, name);
}

void add_types(watch_record& record) {
    const MPI_Datatype types[] = {MPI_CHAR,
                                  MPI_SIGNED_CHAR,
                                  MPI_UNSIGNED_CHAR,
                                  MPI_BYTE,
                                  MPI_WCHAR,
                                  MPI_SHORT,
                                  MPI_UNSIGNED_SHORT,
                                  MPI_INT,
                                  MPI_UNSIGNED,
                                  MPI_LONG,
                                  MPI_UNSIGNED_LONG,
                                  MPI_LONG_LONG_INT,
                                  MPI_UNSIGNED_LONG_LONG,
                                  MPI_FLOAT,
                                  MPI_DOUBLE,
                                  MPI_LONG_DOUBLE,
                                  MPI_INT8_T,
                                  MPI_INT16_T,
                                  MPI_INT32_T,
                                  MPI_INT64_T,
                                  MPI_UINT8_T,
                                  MPI_UINT16_T,
                                  MPI_UINT32_T,
                                  MPI_UINT64_T,
                                  MPI_C_BOOL,
                                  MPI_C_FLOAT_COMPLEX,
                                  MPI_C_DOUBLE_COMPLEX,
                                  MPI_C_LONG_DOUBLE_COMPLEX,
                                  MPI_AINT,
                                  MPI_COUNT,
                                  MPI_OFFSET,
                                  MPI_FLOAT_INT,
                                  MPI_DOUBLE_INT,
                                  MPI_LONG_INT,
                                  MPI_2INT,
                                  MPI_SHORT_INT,
                                  MPI_LONG_DOUBLE_INT,
                                  MPI_PACKED,
                                  MPI_INTEGER,
                                  MPI_REAL,
                                  MPI_DOUBLE_PRECISION,
                                  MPI_COMPLEX,
                                  MPI_DOUBLE_COMPLEX,
                                  MPI_LOGICAL,
                                  MPI_CHARACTER,
                                  MPI_2INTEGER,
                                  MPI_2REAL,
                                  MPI_2DOUBLE_PRECISION};
    for (const MPI_Datatype type : types) add_type(record, type);
}

void add_operations(watch_record& record) {
#define OPERATION(name) add_name(record, word_of(name), WATCH_COMMUTES, #name);
    OPERATION(MPI_SUM)
    OPERATION(MPI_MAX)
    OPERATION(MPI_MIN)
    OPERATION(MPI_PROD)
    OPERATION(MPI_LAND)
    OPERATION(MPI_LOR)
    OPERATION(MPI_LXOR)
    OPERATION(MPI_BAND)
    OPERATION(MPI_BOR)
    OPERATION(MPI_BXOR)
    OPERATION(MPI_MAXLOC)
    OPERATION(MPI_MINLOC)
#undef OPERATION
}

}  // namespace

void add_names(watch_record& record) {
    add_types(record);
    add_operations(record);
}

}  // namespace hopbine::mpi
