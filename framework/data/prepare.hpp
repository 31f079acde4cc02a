// prepare.hpp -- from a folder of originals to the files that tasks read.
#pragma once

#include "data/conversions.hpp"
#include "data/manifest.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace senteval::data {

enum class Outcome {
    present, ///< there already, and right
    written,
    unusual, ///< written, but not the bytes of the standard preparation
    missing, ///< no original found
    refused, ///< the result would be wrong data: not written
};

/// The outcome for one file.
struct Prepared {
    std::string dataset;
    std::string path; ///< below the data folder
    Outcome outcome = Outcome::missing;
    std::string detail; ///< why, where it is not present or written
};

struct PrepareRequest {
    std::vector<const Dataset*> datasets;
    std::filesystem::path from; ///< originals, laid out as a mirror or in any other way
    std::filesystem::path to;   ///< the data folder
    Wording wording = Wording::prepared;
    unsigned threads = 1;
};

/// Makes every file of the datasets, in their order, each placed only when it is whole and looked
/// at. A file that fails does not stop the others. Throws base::UsageError where `from` is no folder.
std::vector<Prepared> prepare(const PrepareRequest& request);

} // namespace senteval::data
