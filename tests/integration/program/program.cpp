#include "program.hpp"

#include "base/files.hpp"

namespace senteval::test {

std::map<std::string, std::string> store_content(const std::filesystem::path& store)
{
    std::map<std::string, std::string> content;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store)) {
        const auto& path = entry.path();
        if (!entry.is_regular_file() || path.extension() == ".tmp" || path.extension() == ".probe")
            continue; // a probe says when it was taken
        std::string bytes = base::read_file(path);
        if (path.extension() == ".json") {
            auto document = base::Json::parse(bytes);
            document.erase("run");
            document["encoder"].erase("since");
            bytes = document.dump(1);
        }
        content[std::filesystem::relative(path, store).string()] = bytes;
    }
    return content;
}

} // namespace senteval::test
