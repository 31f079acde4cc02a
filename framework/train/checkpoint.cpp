#include "train/checkpoint.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <xxhash.h>

#include <cstring>
#include <memory>
#include <system_error>

namespace senteval::train {

namespace {

/// How the file begins.
std::string beginning()
{
    return fmt::format("{{\"{}\":", checkpoint_member);
}

} // namespace

bool is_checkpoint(const std::filesystem::path& file)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        return false;
    return core::MappedFile(file).bytes().starts_with(beginning());
}

void remove_checkpoint(const std::filesystem::path& file)
{
    if (!is_checkpoint(file))
        return;
    std::error_code ignored; // it does no harm
    std::filesystem::remove(std::filesystem::canonical(file, ignored), ignored);
}

void write_checkpoint(
    const std::filesystem::path& file,
    const core::Json& about,
    const std::function<void(const std::function<void(std::string_view)>& sink)>& write)
{
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(),
                                                                        &XXH3_freeState);
    XXH3_64bits_reset(hash.get());
    if (std::filesystem::exists(file) && !is_checkpoint(file))
        throw core::Error("'{}' is no checkpoint, and is not replaced by one", file.string());
    core::Replacement replacement(file);
    const auto sink = [&](std::string_view bytes) {
        XXH3_64bits_update(hash.get(), bytes.data(), bytes.size());
        replacement.write(bytes);
    };
    sink(core::to_text(about) + "\n");
    write(sink);
    const std::uint64_t digest = XXH3_64bits_digest(hash.get());
    replacement.write({reinterpret_cast<const char*>(&digest), sizeof digest});
    replacement.commit();
}

std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& file)
{
    if (!std::filesystem::exists(file))
        return std::nullopt;
    std::string bytes = core::read_file(file);
    std::uint64_t digest = 0;
    const auto fail = [&file] {
        throw core::Error("{}: is no checkpoint of a training, or damaged; start without --resume",
                          file.string());
    };
    if (bytes.size() < sizeof digest)
        fail();
    std::memcpy(&digest, bytes.data() + bytes.size() - sizeof digest, sizeof digest);
    bytes.resize(bytes.size() - sizeof digest);
    const std::size_t end = bytes.find('\n');
    if (end == bytes.npos || XXH3_64bits(bytes.data(), bytes.size()) != digest)
        fail();
    Checkpoint checkpoint;
    checkpoint.about = core::Json::parse(bytes.substr(0, end), nullptr, false);
    if (!checkpoint.about.is_object())
        fail();
    checkpoint.state = bytes.substr(end + 1);
    return checkpoint;
}

} // namespace senteval::train
