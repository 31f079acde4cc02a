#include "isolation/loader.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/printed_text.hpp"
#include "isolation/calls.hpp"
#include "isolation/messages.hpp"

#include <senteval/printable.hpp>

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
    const std::string name = full.filename().string();
    base::PrintedText prints(
        [name = sdk::printable_line(name, name.size())](std::string_view line) {
            (void)base::write_all(STDERR_FILENO, fmt::format("{}: {}\n", name, line));
        });
    EncoderProcess process(service, lanes, samples,
                           [&](std::uint32_t level, std::string_view text) {
                               if (level == printed)
                                   prints.add(text);
                           });
    Waiting waiting;
    waiting.limit = longest_look;
    try {
        return described_plugin(full,
                                describe({process, *lanes.front(), 0}, full.string(), waiting));
    } catch (const base::UsageError&) {
        throw;
    } catch (const base::Cancelled&) {
        throw;
    } catch (const encoder::ProcessEnded& e) {
        throw UnloadableLibrary("'{}' is not a usable encoder plugin: {}", full.string(), e.what());
    } catch (const base::Error& e) { // of Plugin::load(), there
        throw UnloadableLibrary("{}", e.what());
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
