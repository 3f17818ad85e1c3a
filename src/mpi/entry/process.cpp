// Functions that the preload library calls once per process, and those for benchmarks.
#include "choice/learning.hpp"
#include "choice/measuring.hpp"
#include "choice/summary.hpp"
#include "mpi/entry/serve.hpp"
#include "mpi/progress/engine.hpp"
#include "mpi/progress/library_progress.hpp"
#include "mpi/progress/progress_thread.hpp"
#include "mpi/state/communicator.hpp"
#include "mpi/state/stats.hpp"
#include "mpi/state/world.hpp"
#include "mpi/sums/not_exact.hpp"
#include "mpi/watch/begin_watch.hpp"
#include "mpi/watch/compare_calls.hpp"
#include "runtime/log.hpp"
#include "runtime/settings.hpp"

using namespace hopbine::mpi;

/// `level`: of thread support, as the program sees it; negative: what the MPI library has. `ended`:
/// when the library's MPI_Init did.
static void begin(presence found, int level, std::int64_t ended) {
    int given = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&given);  // not that of the program, which the stub tells the program
    const bool threaded = given >= MPI_THREAD_MULTIPLE, wanted = settings().progress_thread,
               program = level < 0 ? threaded : level >= MPI_THREAD_MULTIPLE;
    int rank = 0;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_get_parent(&parent);
    set_log_rank(rank);
    begin_summary(rank, parent != MPI_COMM_NULL);
    begin_exact_sums();
    Engine::get().set_threaded(threaded);
    World::begin(found, program, wanted && threaded && ProgressThread::get().begin(), ended);
    set_probed(World::get().comm());
    begin_watch();
    if (job().progresses) return;
    ProgressThread::get().end();
    if (wanted && job().open)
        say_once(threaded ? "HOPBINE_PROGRESS is thread, but not all ranks have one: the job runs "
                            "without"
                          : "HOPBINE_PROGRESS is thread, but the MPI library gives no "
                            "MPI_THREAD_MULTIPLE, which a thread needs: the job runs without");
}

/// Does what may fail without harm to the program. `lost`: what then is not known.
template <class Work>
static void attempt(const char* lost, Work&& work) {
    try {
        work();
    } catch (const std::exception& e) {
        say_rank(lost + std::string(e.what()));
    }
}

extern "C" {

/// Called when the process has loaded a library, maybe a GPU's: what was remembered is looked at
/// again.
void hopbine_library_loaded(void) { Communicator::expire(); }

/// Called after MPI_Init. `began`, `ended`: when the library's began and ended, by now(); 0: not
/// known.
void hopbine_begin(presence found, int level, std::int64_t began, std::int64_t ended) {
    try {
        begin(found, level, ended);
        if (ended > 0)
            account().start(seconds_since(ended) - job().waited,
                            static_cast<double>(ended - began) * 1e-9);
    } catch (const std::exception& e) {
        ProgressThread::get().end();
        say_rank(std::string("the MPI library serves all calls: ") + e.what());
    }
}

/// Called before MPI_Finalize: writes statistics and what was learned, and frees hopbine's
/// communicators. From here on the MPI library serves every call. `counts`: of the program's calls;
/// null: not counted. Returns 1 where it has reported them.
int hopbine_finalize(const call_counts* counts) {
    if (!World::alive()) return 0;
    bool reported = false;
    attempt("whether all sums were exact is not known: ", tell_not_exact);
    attempt("no statistics: ", [] { write_stats(settings().stats); });
    attempt("what was learned is lost: ", write_lessons);
    attempt("what was served is not known: ", [&] { reported = counts && end_summary(*counts); });
    end_comparing();
    end_nonblocking();
    end_persistent();
    Communicator::end_all();
    World::end();
    return reported;
}

/// Called before MPI_Comm_free and MPI_Comm_disconnect, and with null after them.
void hopbine_freeing(const MPI_Comm* comm) {
    if (comm) stop_comparing(*comm);
    comm ? Communicator::begin_free(*comm) : Communicator::end_free();
}

/// Size of MPI_COMM_WORLD.
int hopbine_world_size(void) {
    int size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/// Sets the algorithms from the next call on, as HOPBINE_ALGORITHM does; null restores the
/// settings. All ranks must call it with the same text. Returns 0, or 1 with a message on standard
/// error.
int hopbine_select(const char* algorithms) {
    try {
        Engine::get().between([=] { override_algorithms(algorithms); });  // calls decide by them
        Communicator::expire();
        return 0;
    } catch (const std::exception& e) {
        say_once(e.what());
        return 1;
    }
}
}
