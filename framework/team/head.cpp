#include "team/head.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace senteval::team {

using core::Json;
using learn::JobStage;

Head::Head(Transport& transport, const SharedRun& run, HeadOptions options, run::Observer& observer)
    : transport_(transport),
      run_(run),
      options_(std::move(options)),
      observer_(observer),
      scheduler_(pieces_of(run), transport.size()),
      changes_(options_.vectors)
{
    for (std::size_t process = 1; process < transport_.size(); ++process)
        at_work_.insert(process);
    if (!options_.vectors.empty()) {
        token_ = fmt::format(".process-{}", getpid());
        core::write_file_atomically(options_.vectors / token_, run_.fingerprint);
    }
    server_ = std::jthread([this](const std::stop_token& ended) { serve(ended); });
}

Head::~Head()
{
    std::error_code ignored;
    if (!token_.empty())
        std::filesystem::remove(options_.vectors / token_, ignored);
}

std::optional<run::Unit> Head::next()
{
    constexpr std::chrono::milliseconds look_again{50};
    std::unique_lock lock(mutex_);
    while (!options_.stop.stop_requested()) {
        if (const auto work = assign(0)) {
            if (work->at("shares_vectors"))
                changes_.begin();
            return unit_from(run_, *work);
        }
        if (!scheduler_.is_waiting())
            break;
        changed_.wait_for(lock, look_again); // a stop wakes nobody
    }
    return std::nullopt;
}

/// Under the lock: what a process does next.
std::optional<Json> Head::assign(std::size_t process)
{
    end_work(process);
    if (const auto number = scheduler_.next(process)) {
        const Piece& piece = scheduler_.piece(*number);
        const bool is_open = scheduler_.is_open(*number);
        at_[process] = {*number, false};
        if (is_open)
            board_.open(*number, piece.cost);
        return to_message(piece, is_open ? run::Folds::shared : run::Folds::own,
                          scheduler_.shares_vectors(*number));
    }
    const auto number = board_.invite(process);
    if (!number)
        return std::nullopt;
    at_[process] = {*number, true};
    return to_message(scheduler_.piece(*number), run::Folds::of_another, false); // it has made them
}

/// Under the lock: of the folds of a cell, what the process has not done is for others, and nobody needs what
/// is left of a cell that it is done with.
void Head::end_work(std::size_t process)
{
    board_.leave(process);
    if (const auto at = at_.find(process); at != at_.end() && !at->second.helps)
        board_.close(at->second.piece);
    at_.erase(process);
}

std::optional<std::size_t> Head::take(const JobStage& stage)
{
    const bool helps = [&] {
        const std::lock_guard lock(mutex_);
        return at_.at(0).helps;
    }();
    if (!helps)
        see_encoded();
    const std::lock_guard lock(mutex_);
    return board_.take(at_.at(0).piece, 0, stage);
}

std::size_t Head::give(const JobStage& stage, std::size_t job, learn::JobResult result)
{
    const std::lock_guard lock(mutex_);
    return board_.give(at_.at(0).piece, stage, job, std::move(result));
}

learn::SharedJobs::Gathered Head::gather(const JobStage& stage)
{
    const std::lock_guard lock(mutex_);
    return board_.gather(at_.at(0).piece, stage);
}

std::vector<std::string> Head::finish()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return at_work_.empty(); });
    return problems_;
}

bool Head::has_work()
{
    const std::lock_guard lock(mutex_);
    return scheduler_.is_waiting();
}

void Head::send(const Json& event)
{
    const std::lock_guard lock(telling_);
    tell(observer_, event);
}

void Head::encoded()
{
    const std::lock_guard lock(mutex_);
    if (scheduler_.shares_vectors(at_.at(0).piece))
        made(0, changes_.made());
}

/// Under the lock.
void Head::made(std::size_t process, const std::vector<std::filesystem::path>& files)
{
    auto& all = vectors_[scheduler_.piece(at_.at(process).piece).vectors];
    all.insert(all.end(), files.begin(), files.end());
    scheduler_.vectors_ready(process);
    changed_.notify_all();
}

/// Looks for messages from time to time: a receive of MPI that waits keeps a processor busy.
void Head::serve(const std::stop_token& ended)
{
    constexpr std::chrono::microseconds pause{500};
    while (!ended.stop_requested()) {
        const auto message = transport_.poll();
        if (!message) {
            std::this_thread::sleep_for(pause);
            continue;
        }
        Json reply;
        try {
            reply = answer(message->process, from_bytes(message->bytes));
        } catch (const core::Cancelled&) {
            reply = {{"cancelled", true}};
        } catch (const std::exception& e) {
            reply = {{"error", e.what()}};
        }
        transport_.reply(message->process, to_bytes(reply));
    }
}

Json Head::answer(std::size_t process, const Json& request)
{
    const auto kind = request.at("kind").get<std::string>();
    if (kind == "hello")
        return hello(process, request);
    if (kind == "next")
        return next_for(process, request.at("sees_folder").get<bool>());
    if (kind == "find") {
        const auto found = options_.store->find(request.at("document"));
        return found ? Json{{"document", found->document}} : Json::object();
    }
    if (kind == "save") {
        run::Cell cell = cell_from(request);
        options_.store->save(cell);
        return {{"outcomes", cell.document.at("outcomes")}};
    }
    if (kind == "take" || kind == "give" || kind == "gather")
        return answer_on_jobs(process, request);
    if (kind == "event")
        send(request);
    else if (kind == "line")
        options_.line(request.at("text").get<std::string>());
    else if (kind == "vectors")
        keep_vectors(process, request);
    else if (kind == "goodbye")
        goodbye(process, request);
    else
        throw core::Error("'{}' is no request", kind);
    return Json::object();
}

Json Head::hello(std::size_t process, const Json& request)
{
    if (request.at("fingerprint") != run_.fingerprint)
        throw core::UsageError("process {} has another run before it than process 0: give all the "
                               "same command line, run file, encoders and environment",
                               process);
    return {{"vectors", options_.vectors.string()}, {"token", token_}};
}

Json Head::next_for(std::size_t process, bool sees_folder)
{
    const std::lock_guard lock(mutex_);
    if (options_.stop.stop_requested())
        return {{"none", true}};
    auto work = assign(process);
    changed_.notify_all(); // the piece before is done with its vectors
    if (!work)
        return {{scheduler_.is_waiting() ? "wait" : "none", true}};
    if (const auto files = vectors_.find(scheduler_.piece(at_.at(process).piece).vectors);
        files != vectors_.end() && !sees_folder)
        (*work)["files"] = files_message(options_.vectors, files->second);
    return *work;
}

Json Head::answer_on_jobs(std::size_t process, const Json& request)
{
    const JobStage stage{request.at("stage").get<std::size_t>(),
                         request.at("count").get<std::size_t>()};
    const auto kind = request.at("kind").get<std::string>();
    const std::lock_guard lock(mutex_);
    if (options_.stop.stop_requested())
        throw core::Cancelled();
    const std::size_t piece = at_.at(process).piece;
    if (kind == "take") {
        const auto job = board_.take(piece, process, stage);
        return job ? Json{{"job", *job}} : Json::object();
    }
    if (kind == "give")
        return {{"done", board_.give(piece, stage, request.at("job").get<std::size_t>(),
                                     request.at("result").get<learn::JobResult>())}};
    Gathered all = board_.gather(piece, stage);
    return {{"done", all.done}, {"results", std::move(all.results)}};
}

void Head::keep_vectors(std::size_t process, const Json& request)
{
    write_files(options_.vectors, request.at("files"));
    std::vector<std::filesystem::path> names;
    for (const Json& name : request.at("names"))
        names.emplace_back(name.get<std::string>());
    const std::lock_guard lock(mutex_);
    made(process, names);
}

void Head::goodbye(std::size_t process, const Json& request)
{
    const std::lock_guard lock(mutex_);
    if (const auto problem = request.at("problem").get<std::string>(); !problem.empty())
        problems_.push_back(
            fmt::format("process {} took no further part, its work is done by the others: {}",
                        process, problem));
    end_work(process);
    scheduler_.leave(process);
    at_work_.erase(process);
    changed_.notify_all();
}

} // namespace senteval::team
