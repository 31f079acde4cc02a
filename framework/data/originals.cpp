#include "data/originals.hpp"

#include "base/disguise.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "data/inspect.hpp"
#include "data/sha256.hpp"

#include <algorithm>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

std::string base_name(std::string_view path)
{
    return fs::path(path).filename().string();
}

std::string wrong_size(std::uint64_t bytes, const Original& original)
{
    if (bytes == 0)
        return "is empty";
    if (original.bytes != 0 && bytes != original.bytes)
        return fmt::format("has {} bytes in place of {}", bytes, original.bytes);
    if (bytes > original.most_bytes())
        return fmt::format("has more than {} bytes: it is something else", original.most_bytes());
    return "";
}

constexpr std::string_view wrong_checksum = "has a wrong checksum";

/// Throws as soon as more than all has been unpacked.
void require_within(std::uint64_t bytes, const Location& location, const Original& original)
{
    if (bytes > original.most_bytes())
        throw base::Error("'{}' in archive '{}' has more than the {} bytes that '{}' {}",
                          location.member, location.path.string(), original.most_bytes(),
                          original.name, original.bytes != 0 ? "has" : "may have");
}

std::string file_mismatch(const fs::path& path, const Original& original)
{
    const base::MappedFile file(path);
    std::string problem = wrong_size(file.bytes().size(), original);
    if (problem.empty() && !original.sha256.empty() && sha256(file.bytes()) != original.sha256)
        problem = wrong_checksum;
    return problem;
}

std::string member_mismatch(const Location& location, const Original& original)
{
    const auto disguise =
        base::disguise_of(base::MappedFile(location.path).bytes(), base::Wanted::anything);
    if (disguise && !disguise->archive)
        return fmt::format("{}: {}", disguise->problem, disguise->meaning);
    if (original.bytes == 0 && original.sha256.empty()) // gigabytes of vectors, mostly
        return has_archive_member(location.path, location.member)
                   ? ""
                   : fmt::format("has no file '{}'", location.member);
    Sha256 sum;
    std::uint64_t bytes = 0;
    read_archive_member(location.path, location.member, [&](std::string_view piece) {
        bytes += piece.size();
        require_within(bytes, location, original);
        sum.add(piece);
    });
    std::string problem = wrong_size(bytes, original);
    if (problem.empty() && !original.sha256.empty() && sum.finish() != original.sha256)
        problem = wrong_checksum;
    return problem;
}

} // namespace

Originals::Originals(fs::path folder) : folder_(std::move(folder))
{
    if (!fs::is_directory(folder_))
        throw base::UsageError("'{}' is not a folder", folder_.string());
    std::error_code ignored; // a folder that cannot be read holds nothing that can
    for (const auto& entry :
         fs::recursive_directory_iterator(folder_, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file(ignored))
            by_name_.emplace(entry.path().filename().string(), entry.path());
}

std::vector<Location> Originals::candidates(const Original& original) const
{
    std::vector<Location> found;
    const auto add = [&](const fs::path& path, const std::string& member) {
        const auto known = [&](const Location& l) { return l.path == path && l.member == member; };
        if (std::ranges::none_of(found, known))
            found.push_back({path, member});
    };
    const auto add_by_name = [&](const std::string& name, const std::string& member) {
        const auto [first, last] = by_name_.equal_range(name);
        std::vector<fs::path> paths;
        std::transform(first, last, std::back_inserter(paths),
                       [](const auto& e) { return e.second; });
        std::ranges::sort(paths);
        for (const fs::path& path : paths)
            add(path, member);
    };
    for (const Source& source : original.sources)
        if (const fs::path path = folder_ / source.mirror_path(); fs::is_regular_file(path))
            add(path, source.member);
    add_by_name(base_name(original.name), "");
    for (const Source& source : original.sources) {
        add_by_name(base_name(source.mirror_path()), source.member);
        if (!source.member.empty())
            add_by_name(base_name(source.member), "");
    }
    return found;
}

std::optional<Location> Originals::find(const Original& original,
                                        std::vector<std::string>* rejected) const
{
    for (const Location& location : candidates(original)) {
        const std::string problem = mismatch(location, original);
        if (problem.empty())
            return location;
        if (rejected != nullptr)
            rejected->push_back(fmt::format("'{}' {}", location.path.string(), problem));
    }
    return std::nullopt;
}

std::vector<Finding> inspect_originals(const fs::path& folder, const Dataset& dataset)
{
    std::vector<Finding> findings;
    for (const Original& original : dataset.originals)
        for (const Source& source : original.sources) {
            const Location location{folder / source.mirror_path(), source.member};
            if (!fs::is_regular_file(location.path))
                continue;
            if (const std::string problem = mismatch(location, original); !problem.empty())
                findings.push_back(
                    {Severity::warning, dataset.name, source.mirror_path(), problem,
                     "a download went wrong",
                     fmt::format("Delete it and run: senteval data fetch {}", dataset.name)});
        }
    return findings;
}

std::string mismatch(const Location& location, const Original& original)
{
    try {
        return location.member.empty() ? file_mismatch(location.path, original)
                                       : member_mismatch(location, original);
    } catch (const base::Error& error) {
        return fmt::format("cannot be used: {}", error.what());
    }
}

void read_original(const Location& location, const Original& original, const ByteSink& sink)
{
    if (location.member.empty()) {
        sink(base::MappedFile(location.path).bytes());
        return;
    }
    std::uint64_t bytes = 0;
    read_archive_member(location.path, location.member, [&](std::string_view piece) {
        bytes += piece.size();
        require_within(bytes, location, original);
        sink(piece);
    });
}

std::string read_original(const Location& location, const Original& original)
{
    std::string bytes;
    read_original(location, original, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

} // namespace senteval::data
