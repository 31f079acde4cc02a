#include "word_vectors/parameters.hpp"

#include <cstdlib>
#include <system_error>

namespace senteval::word_vectors {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t cached_from_bytes = std::uintmax_t{16} << 20;

/// The user's cache folder, empty where there is none.
fs::path default_cache_folder()
{
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return fs::path(folder) / "senteval";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "senteval";
    return {};
}

} // namespace

Source source_from(const sdk::Params& params, std::string_view file_key)
{
    Source source;
    source.file = params.require<std::string>(file_key);
    source.format = params.choice<Format>("format", {{"auto", Format::detect},
                                                     {"glove", Format::glove},
                                                     {"word2vec", Format::word2vec},
                                                     {"binary", Format::binary}});
    source.malformed = params.choice<Malformed>(
        "malformed", {{"skip", Malformed::skip}, {"fail", Malformed::fail}});
    std::error_code missing; // is told when the file is opened
    const std::uintmax_t size = fs::file_size(source.file, missing);
    if (params.get("cache", true) && !missing && size >= cached_from_bytes) {
        const auto folder = params.find<std::string>("cache_folder");
        source.cache_folder = folder ? fs::path(*folder) : default_cache_folder();
    }
    return source;
}

CasePolicy case_policy_from(const sdk::Params& params)
{
    return params.choice<CasePolicy>(
        "case", {{"exact", CasePolicy::exact}, {"fallback", CasePolicy::fallback}});
}

} // namespace senteval::word_vectors
