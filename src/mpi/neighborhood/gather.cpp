#include "mpi/neighborhood/gather.hpp"

#include "mpi/execute/messages.hpp"

namespace hopbine::mpi {

namespace {

using Words = std::vector<int>;

void append(const Neighbors& of, Words* out) {
    out->insert(out->end(), {of.cartesian, of.ins(), of.outs()});
    out->insert(out->end(), of.sources.begin(), of.sources.end());
    out->insert(out->end(), of.destinations.begin(), of.destinations.end());
}

Neighbors read(Words::const_iterator& at) {
    Neighbors out;
    out.cartesian = *at++ != 0;
    const auto ins = *at++, outs = *at++;
    out.sources.assign(at, at + ins);
    at += ins;
    out.destinations.assign(at, at + outs);
    at += outs;
    return out;
}

int send_words(const Words& words, int to, const Endpoint& at) {
    const int length = static_cast<int>(words.size());
    HOPBINE_TRY(send(&length, 1, MPI_INT, to, kDataChannel, at));
    return send(words.data(), length, MPI_INT, to, kDataChannel, at);
}
/// Appends what is received.
int receive_words(Words* words, int from, const Endpoint& at) {
    int length = 0;
    HOPBINE_TRY(receive(&length, 1, MPI_INT, from, kDataChannel, at));
    words->resize(words->size() + static_cast<std::size_t>(length));
    return receive(words->data() + words->size() - length, length, MPI_INT, from, kDataChannel, at);
}

}  // namespace

int gather_neighbors(const Neighbors& mine, int rank, std::span<const int> members,
                     const Endpoint& at, std::vector<Neighbors>* out) {
    Words all;
    const int first = members.front();
    if (rank == first) {
        append(mine, &all);
        for (const int other : members.subspan(1)) HOPBINE_TRY(receive_words(&all, other, at));
        for (const int other : members.subspan(1)) HOPBINE_TRY(send_words(all, other, at));
    } else {
        Words told;
        append(mine, &told);
        HOPBINE_TRY(send_words(told, first, at));
        HOPBINE_TRY(receive_words(&all, first, at));
    }
    out->clear();
    for (auto word = all.cbegin(); word != all.cend();) out->push_back(read(word));
    return MPI_SUCCESS;
}

}  // namespace hopbine::mpi
