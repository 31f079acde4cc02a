#include "team/head.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <unistd.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace senteval::team {
namespace {

using core::Json;

/// Pieces of one encoder and task need the same vectors.
std::vector<Piece> pieces_of(const SharedRun& run)
{
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < run.units.size(); ++at) {
        const run::Unit& unit = run.units[at];
        const auto number = numbers.try_emplace({unit.encoder, unit.task}, numbers.size());
        pieces.push_back({unit.encoder, number.first->second, run.costs[at]});
    }
    return pieces;
}

} // namespace

Head::Head(Transport& transport, const SharedRun& run, HeadOptions options, run::Observer& observer)
    : transport_(transport),
      run_(run),
      options_(std::move(options)),
      observer_(observer),
      pieces_(pieces_of(run)),
      scheduler_(pieces_, transport.size()),
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
        if (const auto piece = scheduler_.next(0)) {
            at_[0] = *piece;
            if (scheduler_.shares_vectors(*piece))
                changes_.begin();
            return run_.units[*piece];
        }
        if (!scheduler_.is_waiting())
            break;
        changed_.wait_for(lock, look_again); // a stop wakes nobody
    }
    return std::nullopt;
}

std::vector<std::string> Head::finish()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return at_work_.empty(); });
    return problems_;
}

void Head::send(const Json& event)
{
    const std::lock_guard lock(telling_);
    tell(observer_, event);
}

void Head::encoded()
{
    const std::lock_guard lock(mutex_);
    if (scheduler_.shares_vectors(at_[0]))
        made(0, changes_.made());
}

/// Under the lock.
void Head::made(std::size_t process, const std::vector<std::filesystem::path>& files)
{
    auto& all = vectors_[pieces_[at_[process]].vectors];
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
        return found ? Json{{"document", *found}} : Json::object();
    }
    if (kind == "save") {
        run::Cell cell = cell_from(request);
        options_.store->save(cell);
        return {{"outcomes", cell.document.at("outcomes")}};
    }
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
    const auto piece = scheduler_.next(process);
    changed_.notify_all(); // the piece before is done with its vectors
    if (!piece)
        return {{scheduler_.is_waiting() ? "wait" : "none", true}};
    at_[process] = *piece;
    Json reply = {{"unit", *piece}, {"shares_vectors", scheduler_.shares_vectors(*piece)}};
    if (const auto files = vectors_.find(pieces_[*piece].vectors);
        files != vectors_.end() && !sees_folder)
        reply["files"] = files_message(options_.vectors, files->second);
    return reply;
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
        problems_.push_back(fmt::format("process {}: {}", process, problem));
    scheduler_.leave(process);
    at_work_.erase(process);
    changed_.notify_all();
}

} // namespace senteval::team
