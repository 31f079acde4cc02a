#include "team/hand.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace senteval::team {

using core::Json;
using learn::JobStage;
namespace fs = std::filesystem;

namespace {

Json about(const char* kind, const JobStage& stage)
{
    return {{"kind", kind}, {"stage", stage.number}, {"count", stage.count}};
}

} // namespace

Hand::Hand(Transport& transport, const SharedRun& run, fs::path cache, std::stop_token stop)
    : transport_(transport), run_(run), stop_(std::move(stop)), vectors_(std::move(cache))
{
    const Json welcome = ask({{"kind", "hello"}, {"fingerprint", run_.fingerprint}});
    const fs::path shared = welcome.at("vectors").get<std::string>();
    std::error_code error;
    sees_folder_ =
        !shared.empty() && fs::exists(shared / welcome.at("token").get<std::string>(), error);
    if (sees_folder_)
        vectors_ = shared;
    changes_ = FolderChanges(vectors_);
}

Json Hand::ask(const Json& request) const
{
    const std::lock_guard lock(asking_);
    Json reply = from_bytes(transport_.request(to_bytes(request)));
    if (reply.contains("error"))
        throw core::Error("{}", reply.at("error").get<std::string>());
    if (reply.contains("cancelled"))
        throw core::Cancelled();
    return reply;
}

std::optional<run::Unit> Hand::next()
{
    constexpr std::chrono::milliseconds longest{400}; // many may wait for the last cells
    std::chrono::milliseconds pause{50};
    while (!stop_.stop_requested()) {
        const Json reply = ask({{"kind", "next"}, {"sees_folder", sees_folder_}});
        if (reply.contains("none"))
            break;
        if (reply.contains("wait")) {
            std::this_thread::sleep_for(pause);
            pause = std::min(2 * pause, longest);
            continue;
        }
        if (reply.contains("files") && !vectors_.empty())
            write_files(vectors_, reply.at("files"));
        shares_vectors_ = reply.at("shares_vectors").get<bool>();
        if (shares_vectors_)
            changes_.begin();
        run::Unit unit = unit_from(run_, reply);
        folds_ = unit.folds;
        return unit;
    }
    return std::nullopt;
}

void Hand::encoded()
{
    if (!shares_vectors_)
        return;
    const auto made = changes_.made();
    Json names = Json::array();
    for (const fs::path& file : made)
        names.push_back(file.generic_string());
    ask({{"kind", "vectors"},
         {"names", names},
         {"files", sees_folder_ ? Json::object() : files_message(vectors_, made)}});
}

/// Of progress, only what is worth a look.
void Hand::send(const Json& event)
{
    constexpr std::chrono::milliseconds pace{200};
    if (event.at("event") == "progress") {
        const std::lock_guard lock(pacing_);
        const auto now = std::chrono::steady_clock::now();
        if (now - told_ < pace)
            return;
        told_ = now;
    }
    ask(event);
}

std::optional<std::size_t> Hand::take(const JobStage& stage)
{
    if (folds_ == run::Folds::shared)
        see_encoded();
    const Json reply = ask(about("take", stage));
    return reply.contains("job") ? std::optional(reply.at("job").get<std::size_t>()) : std::nullopt;
}

std::size_t Hand::give(const JobStage& stage, std::size_t job, learn::JobResult result)
{
    Json request = about("give", stage);
    request["job"] = job;
    request["result"] = std::move(result);
    return ask(request).at("done").get<std::size_t>();
}

learn::SharedJobs::Gathered Hand::gather(const JobStage& stage)
{
    const Json reply = ask(about("gather", stage));
    return {reply.at("done").get<std::size_t>(),
            reply.at("results").get<std::vector<learn::JobResult>>()};
}

void Hand::save(run::Cell& cell) const
{
    Json request = to_message(cell);
    request["kind"] = "save";
    cell.document["outcomes"] = ask(request).at("outcomes");
}

std::optional<run::Cell> Hand::find(const Json& document) const
{
    Json reply = ask({{"kind", "find"}, {"document", document}});
    if (!reply.contains("document"))
        return std::nullopt;
    return run::Cell{std::move(reply["document"]), {}};
}

void Hand::line(std::string_view text)
{
    ask({{"kind", "line"}, {"text", text}});
}

void say_goodbye(Transport& transport, const std::string& problem)
{
    transport.request(to_bytes({{"kind", "goodbye"}, {"problem", problem}}));
}

} // namespace senteval::team
