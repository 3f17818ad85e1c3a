#include "bindings/launcher.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "launcher/job.hpp"
#include "launcher/launch.hpp"
#include "launcher/options.hpp"
#include "launcher/program.hpp"
#include "launcher/rank.hpp"
#include "launcher/settings.hpp"
#include "location/groups.hpp"
#include "location/slurm.hpp"
#include "location/xname.hpp"
#include "schedule/near_names.hpp"
#include "schedule/problem.hpp"

extern char** environ;

namespace nb = nanobind;

namespace hopbine::bindings {

namespace {

using launcher::Environment;
using Text = nb::bytes;  ///< of an argument or a variable: need not be UTF-8

std::string text(const Text& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::list list_settings() {
    nb::list out;
    for (const launcher::Setting& s : launcher::settings()) {
        nb::dict d;
        d["name"] = s.name;
        d["meaning"] = s.meaning;
        d["default"] = s.fallback;
        d["allowed"] = std::vector<std::string>(s.allowed.begin(), s.allowed.end());
        out.append(d);
    }
    return out;
}

nb::list list_options() {
    nb::list out;
    for (const launcher::Option& o : launcher::options()) {
        nb::dict d;
        d["name"] = o.name;
        d["metavar"] = o.metavar ? nb::cast(o.metavar) : nb::none();
        d["setting"] = o.setting;
        d["meaning"] = o.meaning;
        d["value"] = o.value ? nb::cast(o.value) : nb::none();
        out.append(d);
    }
    return out;
}

/// The settings of a table whose values are text: what a description of a machine rests on.
Environment settings_of(const Environment& environment) {
    Environment out;
    for (const auto& [name, value] : environment)
        if (launcher::setting_named(name)) out.emplace(name, value);
    return out;
}

launcher::Launch prepare(const std::vector<Text>& words, const Text& libraries,
                         const nb::callable& read_place) {
    std::vector<std::string> all;
    for (const Text& word : words) all.push_back(text(word));
    const auto place = [&](const Environment& environment,
                           launcher::Nodes nodes) -> launcher::Place {
        const auto [settings, complaint, refused] =
            nb::cast<std::tuple<Environment, std::string, bool>>(
                read_place(settings_of(environment), nodes == launcher::Nodes::kAll));
        if (refused) throw Error(complaint);
        return {settings, complaint};
    };
    return launcher::prepare(all, launcher::environment_of(environ), text(libraries), place);
}

void add_launch(nb::module_& m) {
    nb::class_<launcher::Launch>(m, "Launch", "A program that hopbine run is about to start.")
        .def_ro("messages", &launcher::Launch::messages, "Lines for standard error.")
        .def_ro("refused", &launcher::Launch::refused)
        .def_ro("help", &launcher::Launch::help)
        .def_prop_ro(
            "command",
            [](const launcher::Launch& launch) {
                nb::list out;
                for (const std::string& word : launch.command)
                    out.append(Text(word.data(), word.size()));
                return out;
            },
            "The program and its arguments, of bytes.")
        .def_prop_ro(
            "environment",
            [](const launcher::Launch& launch) {
                nb::dict out;
                for (const auto& [name, value] : launch.environment)
                    out[Text(name.data(), name.size())] = Text(value.data(), value.size());
                return out;
            },
            "The program's environment, of bytes.");
    m.def(
        "prepare_run", prepare, nb::arg("words"), nb::arg("libraries"), nb::arg("read_place"),
        "Validates the words after hopbine run and all settings. read_place(settings, of_all) has "
        "the settings by the machine's description for this node or for all nodes of the job, a "
        "complaint, and whether that is fatal.");
    m.def("become", launcher::become, nb::arg("launch"),
          "Becomes the program; a message if that fails.");
}

void add_settings(nb::module_& m) {
    m.def("run_settings", list_settings, "The settings: name, meaning, default, allowed words.");
    m.def("run_options", list_options,
          "Options of hopbine run: name, metavar (None: a flag; empty: the words of its setting), "
          "setting, meaning, and the value that a flag gives its setting.");
    m.attr("internal_settings") = std::vector<std::string>(launcher::internal_names().begin(),
                                                           launcher::internal_names().end());
    m.attr("launchers") =
        std::vector<std::string>(launcher::launchers().begin(), launcher::launchers().end());
    m.attr("run_summary") = launcher::kRunSummary;
    m.def("run_help", launcher::help_text, "What hopbine run --help prints.");
    m.def(
        "check_writable", [](const Text& path) { launcher::check_writable(text(path)); },
        nb::arg("path"), "UsageError if no file of this name can be written.");
    m.def("is_meant", is_meant, nb::arg("word"), nb::arg("names"),
          "'; is NAME meant?', to end a message about an unknown word; empty if no name is near.");
}

/// Ranks, nodes and groups, as launchers, Slurm and nodes tell them.
void add_places(nb::module_& m) {
    m.def(
        "rank_in_job",
        [](const Environment& environment) {
            const int rank = launcher::world_rank(environment).value_or(0);
            return std::pair(rank,
                             std::max(launcher::world_size(environment).value_or(1), rank + 1));
        },
        nb::arg("environment"),
        "The rank that the launcher's variables tell, and how many there are: (0, 1) without one.");
    m.def("slurm_group", location::slurm_group, nb::arg("environment"),
          "The group of SLURM_TOPOLOGY_ADDR, or None; also None under launchers other than srun.");
    m.def("slurm_topology_file", location::slurm_topology_file, nb::arg("environment"),
          "Slurm's topology.yaml or topology.conf, by SLURM_CONF, else in /etc/slurm, or empty if "
          "none can be read.");
    m.def("parse_xname", location::parse_xname, nb::arg("name"), nb::arg("source"),
          "Cabinet and chassis of a node's xname; UsageError names the source.");
    m.def("cabinet_of_this_node", location::cabinet_of_this_node,
          nb::arg("file") = location::kXnameFile,
          "Cabinet of this node by its xname; empty where there is no such file. UsageError.");
    m.def("node_name", launcher::node_name, nb::arg("environment"),
          "This node's name: HOPBINE_NODE, else Slurm's in a task of srun, else the host's.");
    m.def("group_in", location::group_in, nb::arg("groups"), nb::arg("host"),
          "The group of a host in HOPBINE_GROUPS; UsageError.");
}

}  // namespace

void add_launcher(nb::module_& m) {
    add_launch(m);
    add_settings(m);
    add_places(m);
}

}  // namespace hopbine::bindings
