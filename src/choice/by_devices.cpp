#include "choice/by_devices.hpp"

#include <algorithm>

namespace hopbine::mpi {

namespace {

using select::modelled_seconds, select::Place;

/// The collective's place in kOfDevices; its size: the kernels do not serve it.
std::size_t place(Collective c) {
    return static_cast<std::size_t>(std::ranges::find(kOfDevices, c) - kOfDevices.begin());
}

}  // namespace

/// Between nodes kernels make two calls, each of which moves about half as much as one on one node.
ModelledCall::ModelledCall(int ranks, int of_node, std::int64_t bytes)
    : kernels(modelled_seconds(Place::kernels, of_node, bytes)),
      copies(modelled_seconds(Place::staged, of_node, bytes)) {
    if (of_node == ranks) return;
    kernels += modelled_seconds(Place::kernels, of_node, 0);
    between = modelled_seconds(Place::staged, ranks / of_node, bytes / of_node);
}

double ModelledCall::gain(double seconds) const {
    return (between > 0 ? std::min(seconds, copies) : seconds) - between - kError * kernels;
}

double ModelledCall::ratio(double library, double now) const {
    if (between == 0) return kernels / copies;
    const double usual = std::max(library, copies),
                 today = now > 0 ? std::clamp(now, copies, usual) : usual;
    return (today - copies + between + kernels) / usual;
}

void ByDevices::note(Collective c, int size_class, const ModelledCall& call, double seconds,
                     device::Space* space) {
    space_ = space;
    double& least = least_[place(c)];
    least = std::min(least, static_cast<double>(size_class));
    gain_ += std::max(0.0, call.gain(seconds));
}

ByDevices::Told ByDevices::tell() const {
    Told out{};
    std::ranges::copy(least_, out.begin());
    out.back() = -gain_;
    return out;
}

void ByDevices::hear(std::span<const double> all) {
    std::ranges::copy(all.first(agreed_.size()), agreed_.begin());
    agreed_gain_ = -all[agreed_.size()];
}

bool ByDevices::begins(int ranks) {
    if (begun_ || agreed_gain_ < kSetUp * ranks) return false;
    return begun_ = true;
}

bool ByDevices::may_serve(Collective c, int size_class) const {
    const std::size_t at = place(c);
    return begun_ && at < agreed_.size() && size_class >= agreed_[at];
}

}  // namespace hopbine::mpi
