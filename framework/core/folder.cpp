#include "core/folder.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <system_error>

namespace senteval::core {
namespace {

namespace fs = std::filesystem;

class Walk {
public:
    explicit Walk(const std::function<void()>& poll) : poll_(poll) {}

    /// `prefix`: of the names, empty or ending in '/'.
    void enter(const fs::path& folder, const std::string& prefix)
    {
        std::error_code error;
        const fs::path place = fs::canonical(folder, error);
        if (is_gone(error, prefix))
            return;
        if (error)
            refuse(folder, error);
        if (std::find(inside_.begin(), inside_.end(), place) != inside_.end())
            return;
        inside_.push_back(place);
        fs::directory_iterator at(folder, error);
        for (; !error && at != fs::directory_iterator(); at.increment(error))
            visit(*at, prefix + at->path().filename().string());
        if (error && !is_gone(error, prefix))
            refuse(folder, error);
        inside_.pop_back();
    }

    std::vector<FolderFile> take() { return std::move(files_); }

private:
    /// What lies below may come and go while the others are listed.
    static bool is_gone(const std::error_code& error, const std::string& prefix)
    {
        return error == std::errc::no_such_file_or_directory && !prefix.empty();
    }

    [[noreturn]] static void refuse(const fs::path& folder, const std::error_code& error)
    {
        throw Error("cannot read folder '{}': {}", folder.string(), error.message());
    }

    void visit(const fs::directory_entry& entry, const std::string& name)
    {
        poll_();
        std::error_code error; // a link that leads nowhere is no file
        const auto base = entry.path().filename();
        if (entry.is_directory(error)) {
            if (base != "__pycache__" && base != ".git")
                enter(entry.path(), name + "/");
        } else if (entry.is_regular_file(error)) {
            const std::uintmax_t size = entry.file_size(error);
            if (!error)
                files_.push_back({name, entry.path(), size});
        }
    }

    const std::function<void()>& poll_;
    std::vector<fs::path> inside_; ///< from the outermost folder to the one at hand
    std::vector<FolderFile> files_;
};

} // namespace

std::vector<FolderFile> files_below(const fs::path& folder, const std::function<void()>& poll)
{
    Walk walk(poll);
    walk.enter(folder, "");
    auto files = walk.take();
    std::sort(files.begin(), files.end(),
              [](const FolderFile& a, const FolderFile& b) { return a.name < b.name; });
    return files;
}

} // namespace senteval::core
