// fetch.hpp -- from the manifest's sources, or a mirror of them, to a folder of originals.
#pragma once

#include "data/conversions.hpp"
#include "data/download.hpp"
#include "data/manifest.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace senteval::data {

struct FetchRequest {
    const Manifest* manifest = nullptr;
    std::vector<const Dataset*> datasets;
    std::filesystem::path data;      ///< the data folder: what is right there is not fetched
    std::filesystem::path originals; ///< where downloads go, as host/path of their URL
    std::string mirror;              ///< http(s) base in place of the sources, or empty
    Wording wording = Wording::prepared;
    unsigned jobs = 4;
    DownloadPolicy policy;
};

/// The download of one file of a dataset, from the first source.
struct PlannedDownload {
    std::string dataset;
    std::string file;
    std::vector<std::string> urls; ///< empty where the manifest has no source
    std::uint64_t bytes = 0;       ///< of the originals, 0 where unknown
};

/// Files that are missing or wrong, without touching the network.
std::vector<PlannedDownload> plan_fetch(const FetchRequest& request);

/// A file whose originals could not be had.
struct FetchFailure {
    std::string dataset;
    std::string file;
    std::string problem; ///< every source that was tried, and what was wrong with it
};

/// Downloads the originals of every file that is missing or wrong: recipe by recipe, source by
/// source, until one is whole and right. A URL is asked for once. Throws base::Cancelled when
/// asked to stop; what has arrived stays for the next time.
std::vector<FetchFailure> fetch(const FetchRequest& request, DownloadObserver& observer);

/// Whether `mirror` names a folder: a plain path or file:// with an absolute one, in which case no
/// download is needed and prepare() reads from it. Throws base::UsageError where it is neither that
/// nor an HTTP base.
bool is_local_mirror(const std::string& mirror, std::filesystem::path& folder);

} // namespace senteval::data
