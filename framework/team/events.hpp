// events.hpp -- what an observer is told, as messages.
#pragma once

#include "core/json.hpp"
#include "run/evaluate.hpp"

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::team {

/// Tells an observer what an EventObserver was told.
void tell(run::Observer& observer, const core::Json& event);

/// Makes an event, {"kind": "event", "event": ..., ...}, of each call.
class EventObserver : public run::Observer {
public:
    void started(const std::string& encoder, const std::string& task, std::size_t cells) final;
    void progress(std::string_view phase, std::size_t done, std::size_t total) final;
    void finished(const run::Cell& cell) final;
    void kept(const run::Cell& cell) final;
    void skipped(const std::string& why) final;
    void doubted(const std::string& task, const std::vector<std::string>& doubts) final;
    void warned(const std::string& what) final;
    void failed(const run::Failure& failure) final;

protected:
    /// The vectors of the piece at work are made: returns when others know.
    void see_encoded();

private:
    virtual void send(const core::Json& event) = 0;

    /// The vectors of the piece at work are made, and in the cache; once for each piece that gets so far.
    virtual void encoded() = 0;

    std::mutex encoding_;
    bool is_encoded_ = false;
};

} // namespace senteval::team
