#include "check/reporter.hpp"

#include "core/descriptor.hpp"

namespace senteval::check {

void Reporter::send(const core::Json& message)
{
    const std::string line = core::to_text(message) + "\n";
    const std::lock_guard lock(mutex_);
    (void)core::write_all(descriptor_, line);
}

void Reporter::doing(std::string_view rule, std::string_view shown)
{
    {
        const std::lock_guard lock(mutex_);
        rule_ = rule;
        shown_ = shown;
    }
    send({{"doing", rule}, {"shown", shown}});
}

std::string Reporter::shown()
{
    const std::lock_guard lock(mutex_);
    return shown_;
}

std::string Reporter::rule()
{
    const std::lock_guard lock(mutex_);
    return rule_;
}

void Reporter::tried(std::string_view rule)
{
    send({{"tried", rule}});
}

void Reporter::broken(std::string_view rule, std::string_view shown, std::string_view detail)
{
    ++found_;
    send({{"broken", rule}, {"shown", shown}, {"detail", detail}});
}

void Reporter::not_tried(std::string_view rule, std::string_view why)
{
    send({{"not_tried", rule}, {"why", why}});
}

void Reporter::stop(std::string_view why)
{
    stopped_ = true;
    send({{"stop", why}});
}

void Reporter::usage(std::string_view what)
{
    send({{"usage", what}});
}

void Reporter::result(core::Json value)
{
    send({{"result", std::move(value)}});
}

void Reporter::part(std::size_t number, Seconds spent)
{
    send({{"part", number}, {"spent", spent.count()}});
}

void Reporter::spent(Seconds seconds)
{
    send({{"spent", seconds.count()}});
}

void Reporter::known(std::uint32_t claims, bool is_slow)
{
    send({{"claims", claims}, {"slow", is_slow}});
}

void Reporter::give_up()
{
    send({{"gave_up", true}});
}

void Reporter::done()
{
    send({{"done", true}});
}

} // namespace senteval::check
