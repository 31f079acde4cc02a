// program.hpp -- runs the built program on the sample data.
#pragma once

#include "base/json.hpp"
#include "support/support.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace senteval::test {

inline const std::string program = quoted(binary_dir() / "senteval");
inline const std::filesystem::path samples = source_dir() / "data/samples";
inline const std::string data_option = " --data " + quoted(samples);
inline const std::string glove_option =
    " --encoder glove --set vectors=" + quoted(samples / "vectors/sample.50d.txt");

/// `senteval ARGUMENTS`
inline Run host(const std::string& arguments)
{
    return shell(program + " " + arguments);
}

/// The document that --json - wrote. Throws where it is none.
inline base::Json json_of(const Run& run)
{
    return base::Json::parse(run.out);
}

/// What a store holds, by path below it: documents without their member "run", items as they are.
/// What a killed process left in the middle of writing does not count.
std::map<std::string, std::string> store_content(const std::filesystem::path& store);

} // namespace senteval::test
