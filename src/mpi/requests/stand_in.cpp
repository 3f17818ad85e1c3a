#include "mpi/requests/stand_in.hpp"

#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

/// Lower tags of self_comm() are for copies of datatypes (mpi/execute/datatype.cpp).
int tag_of(int number) { return (1 << 15) + number; }

}  // namespace

StandIn::StandIn(int number) : number_(number) {
    const auto [comm, rank] = own_messages();
    PMPI_Recv_init(nullptr, 0, MPI_BYTE, rank, tag_of(number), comm, &handle_);
}

MPI_Request StandIn::begin(int number) {
    MPI_Request request = MPI_REQUEST_NULL;
    const auto [comm, rank] = own_messages();
    PMPI_Irecv(nullptr, 0, MPI_BYTE, rank, tag_of(number), comm, &request);
    return request;
}

MPI_Request StandIn::ended() {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, self_comm(), &request);
    return request;
}

void StandIn::complete(int number, bool failed) {
    static const char unread = 0;
    MPI_Request sent = MPI_REQUEST_NULL;
    // A byte is more than is received: MPI_ERR_TRUNCATE.
    const auto [comm, rank] = own_messages();
    // Until the message is received MPI_Cancel could cancel the receive. Then the message would
    // complete the next stand-in of this number. So it is synchronous; on a communicator of one
    // process the libraries receive a message when it is sent.
    if (comm != self_comm()) {
        PMPI_Ssend(&unread, failed, MPI_BYTE, rank, tag_of(number), comm);
        return;
    }
    PMPI_Isend(&unread, failed, MPI_BYTE, rank, tag_of(number), comm, &sent);
    PMPI_Request_free(&sent);
}

}  // namespace hopbine::mpi
