#include "isolation/loader.hpp"

#include "core/error.hpp"
#include "isolation/calls.hpp"
#include "isolation/table_text.hpp"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace senteval::isolation {
namespace {

std::shared_ptr<const encoder::Plugin> look_into(const Service& service,
                                                 const std::filesystem::path& library,
                                                 std::chrono::milliseconds longest_look)
{
    std::error_code ignored;
    const std::filesystem::path full = std::filesystem::absolute(library, ignored);
    std::vector<std::unique_ptr<Lane>> lanes;
    lanes.push_back(std::make_unique<Lane>());
    const SharedBuffer samples(1);
    EncoderProcess process(service, lanes, samples, LogSink());
    Waiting waiting;
    waiting.limit = longest_look;
    try {
        return described_plugin(full,
                                describe({process, *lanes.front(), 0}, full.string(), waiting));
    } catch (const ProcessDied& e) {
        throw core::UsageError("'{}' is not a usable encoder plugin: {}", full.string(), e.what());
    }
}

} // namespace

encoder::PluginLoader careful_loader(Service service, std::chrono::milliseconds longest_look)
{
    return [service = std::move(service), longest_look](const std::filesystem::path& library) {
        return encoder::is_bundled(library) ? encoder::Plugin::load(library)
                                            : look_into(service, library, longest_look);
    };
}

} // namespace senteval::isolation
