#include "team/events.hpp"

namespace senteval::team {
namespace {

using core::Json;

Json event(const char* name)
{
    return {{"kind", "event"}, {"event", name}};
}

} // namespace

void EventObserver::see_encoded()
{
    const std::lock_guard lock(encoding_);
    if (!is_encoded_)
        encoded();
    is_encoded_ = true;
}

void EventObserver::started(const std::string& encoder, const std::string& task, std::size_t cells)
{
    {
        const std::lock_guard lock(encoding_);
        is_encoded_ = false;
    }
    Json what = event("started");
    what["encoder"] = encoder;
    what["task"] = task;
    what["cells"] = cells;
    send(what);
}

void EventObserver::progress(std::string_view phase, std::size_t done, std::size_t total)
{
    if (phase == "fit")
        see_encoded();
    Json what = event("progress");
    what["phase"] = phase;
    what["done"] = done;
    what["total"] = total;
    send(what);
}

void EventObserver::finished(const run::Cell& cell)
{
    see_encoded();
    Json what = event("finished");
    what["document"] = cell.document;
    send(what);
}

void EventObserver::kept(const run::Cell& cell)
{
    Json what = event("kept");
    what["document"] = cell.document;
    send(what);
}

void EventObserver::skipped(const std::string& why)
{
    Json what = event("skipped");
    what["why"] = why;
    send(what);
}

void EventObserver::doubted(const std::string& task, const std::vector<std::string>& doubts)
{
    Json what = event("doubted");
    what["task"] = task;
    what["doubts"] = doubts;
    send(what);
}

void EventObserver::warned(const std::string& text)
{
    Json what = event("warned");
    what["what"] = text;
    send(what);
}

void EventObserver::failed(const run::Failure& failure)
{
    Json what = event("failed");
    what["encoder"] = failure.encoder;
    what["task"] = failure.task;
    what["why"] = failure.why;
    what["usage"] = failure.usage;
    what["cells"] = failure.cells;
    send(what);
}

void tell(run::Observer& observer, const Json& event)
{
    const auto name = event.at("event").get<std::string>();
    const auto text = [&](const char* key) { return event.at(key).get<std::string>(); };
    const auto number = [&](const char* key) { return event.at(key).get<std::size_t>(); };
    if (name == "started")
        observer.started(text("encoder"), text("task"), number("cells"));
    else if (name == "progress")
        observer.progress(text("phase"), number("done"), number("total"));
    else if (name == "finished")
        observer.finished({event.at("document"), {}});
    else if (name == "kept")
        observer.kept({event.at("document"), {}});
    else if (name == "skipped")
        observer.skipped(text("why"));
    else if (name == "doubted")
        observer.doubted(text("task"), event.at("doubts").get<std::vector<std::string>>());
    else if (name == "warned")
        observer.warned(text("what"));
    else if (name == "failed")
        observer.failed({text("encoder"), text("task"), text("why"), event.at("usage").get<bool>(),
                         number("cells")});
}

} // namespace senteval::team
