#include "mpi/prepared/requests.hpp"

#include <algorithm>
#include <utility>

#include "mpi/state/errors.hpp"

namespace hopbine::mpi {

int PreparedRequest::start() {
    if (!exchange || started_) return MPI_ERR_REQUEST;
    if (row && exchange->state().rank == 0) {
        row->calls.fetch_add(1, std::memory_order_relaxed);
        row->bytes.fetch_add(bytes, std::memory_order_relaxed);
    }
    const int e = exchange->start();
    started_ = e == MPI_SUCCESS;
    if (!started_) exchange->give_up();
    return e;
}

void PreparedRequest::advance() {
    if (under_way()) keep(exchange->advance());
}

void PreparedRequest::finish() { keep(exchange->finish()); }

int PreparedRequest::conclude() {
    started_ = false;
    return raise_later(comm, std::exchange(error_, MPI_SUCCESS));
}

void PreparedRequest::forget() {
    exchange.reset();
    started_ = false;
}

void PreparedRequest::keep(int error) {
    if (error == MPI_SUCCESS) return;
    exchange->give_up();
    error_ = error;
}

Requests& Requests::get() {
    static Requests all;
    return all;
}

void Requests::add(PreparedRequest&& request) {
    all_.push_back(std::move(request));
    any_ = true;
}

void Requests::remove(const PreparedRequest& request) {
    all_.remove_if([&](const PreparedRequest& one) { return &one == &request; });
    any_ = !all_.empty();
}

void Requests::free_all() {
    for (PreparedRequest& r : all_) PMPI_Request_free(&r.handle);
    all_.clear();
    any_ = false;
}

PreparedRequest* Requests::find(MPI_Request handle) {
    for (PreparedRequest& r : all_)
        if (r.handle == handle) return &r;
    return nullptr;
}

void Requests::forget(const Communicator* state) {
    for (PreparedRequest& r : all_)
        if (r.exchange && &r.exchange->state() == state) r.forget();
}

void Requests::advance() {
    for (PreparedRequest& r : all_) r.advance();
}

bool Requests::any_under_way() const {
    return std::ranges::any_of(all_, &PreparedRequest::under_way);
}

bool Requests::under_way(int n, const MPI_Request* requests) {
    for (int i = 0; i < n; ++i)
        if (const PreparedRequest* r = find(requests[i]); r && r->under_way()) return true;
    return false;
}

int Requests::first_over(int n, const MPI_Request* requests) {
    for (int i = 0; i < n; ++i)
        if (const PreparedRequest* r = find(requests[i]); r && r->started() && !r->under_way())
            return i;
    return -1;
}

int Requests::conclude(int n, const MPI_Request* requests) {
    int error = MPI_SUCCESS;
    for (int i = 0; i < n; ++i)
        if (PreparedRequest* r = find(requests[i]); r && r->started())
            if (const int e = r->conclude(); e != MPI_SUCCESS) error = e;
    return error;
}

void Requests::finish_alone(PreparedRequest& request) {
    static const bool threads = [] {
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        return level == MPI_THREAD_MULTIPLE;
    }();
    if (!threads && request.under_way() &&
        std::ranges::count_if(all_, &PreparedRequest::under_way) == 1)
        request.finish();
}

}  // namespace hopbine::mpi
