// program.hpp -- runs the built program on the sample data.
#pragma once

#include "base/json.hpp"
#include "support/support.hpp"

namespace senteval::test {

inline const std::string program = quoted(program_file());
inline const std::filesystem::path samples = source_dir() / "data/samples";
inline const std::string data_option = " --data " + quoted(samples);
inline const std::string glove_option =
    " --encoder glove --set vectors=" + quoted(samples / "vectors/sample.50d.txt");

/// Options: these tasks of the sample data, a store, an encoder of tests/abi/bad.
inline std::string on_samples(const std::string& tasks)
{
    return " --tasks " + tasks + data_option;
}
inline std::string into(const std::filesystem::path& store)
{
    return " --output " + quoted(store);
}
inline std::string bad_plugin(const std::string& name)
{
    return " --encoder " + quoted(binary_dir() / "tests/bad_plugins" / (name + ".so"));
}

/// `senteval ARGUMENTS`
inline Run host(const std::string& arguments)
{
    return shell(program + " " + arguments);
}

/// The same, with a check that it ends with `exit_code`.
inline Run host(int exit_code, const std::string& arguments)
{
    return shell(exit_code, program + " " + arguments);
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
